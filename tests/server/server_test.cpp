// The server as a browser meets it: real requests over a real port.
#include "karikomi/server/server.hpp"

#include <map>
#include <random>
#include <sstream>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/services/orders.hpp"
#include "tests/cli/process.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::server {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::TemporaryFolder;

constexpr Asset kPage[] = {{"/index.html", "text/html; charset=utf-8", "<p>page</p>"},
                           {"/assets/app.js", "text/javascript; charset=utf-8", "1"}};

ServerOptions small_server() {
    ServerOptions o;
    o.port = 0;
    o.orders.hash_mb = 4;
    o.queue.at_once = 1;
    o.assets = kPage;
    return o;
}

struct Reply {
    int status = 0;
    Json json;
    httplib::Headers headers;
};

// A server and a browser's side of the conversation.
class Session {
public:
    explicit Session(const ServerOptions& options = small_server()) {
        auto started = Server::start(options);
        if (!started) throw std::runtime_error(started.error().what);
        server_ = std::move(*started);
    }
    Server& server() { return *server_; }
    httplib::Client client() const {
        httplib::Client c("127.0.0.1", server_->port());
        c.set_read_timeout(60);
        return c;
    }
    Reply get(const std::string& path, const httplib::Headers& headers = {}) const {
        return reply(client().Get(path, headers));
    }
    Reply post(const std::string& path, const std::string& body,
               const httplib::Headers& headers = {}) const {
        return reply(client().Post(path, headers, body, "application/json"));
    }
    Reply post(const std::string& path, const Json& body) const { return post(path, body.dump()); }

    // The id of a search that was taken.
    std::string search(const Json& order) const {
        const Reply r = post("/api/search", order);
        EXPECT_EQ(r.status, 202) << r.json.dump();
        return r.json.value("id", std::string());
    }
    // Every event of a search, to its end.
    std::vector<std::pair<std::string, Json>> events(const std::string& id) const {
        const auto r = client().Get("/api/search/" + id + "/events");
        std::vector<std::pair<std::string, Json>> out;
        if (!r) return out;
        std::istringstream in(r->body);
        std::string name;
        for (std::string line; std::getline(in, line);) {
            if (line.starts_with("event: ")) name = line.substr(7);
            if (line.starts_with("data: ")) out.emplace_back(name, Json::parse(line.substr(6)));
        }
        return out;
    }
    Json result(const std::string& id) const {
        const auto all = events(id);
        return all.empty() ? Json() : all.back().second;
    }
    // False when the state was not reached in time.
    bool wait_for(const std::string& key, int value) const {
        for (int i = 0; i < 3'000; ++i) {
            if (get("/api/searches").json[key] == value) return true;
            std::this_thread::sleep_for(10ms);
        }
        return false;
    }

private:
    static Reply reply(const httplib::Result& r) {
        if (!r) return {};
        return {r->status, Json::parse(r->body, nullptr, false), r->headers};
    }
    std::unique_ptr<Server> server_;
};

Json order(int depth, const Json& more = Json::object()) {
    Json out = {{"game", "connect_four"}, {"position", "4453"}, {"limits", {{"depth", depth}}}};
    out.update(more);
    return out;
}
Json endless(const std::string& client) {
    return {{"game", "connect_four"}, {"limits", {{"infinite", true}}}, {"client", client}};
}

// ---- What it answers ----------------------------------------------------------------------------

TEST(PageServer, DescribesItsGames) {
    const Session s;
    const Reply r = s.get("/api/info");
    ASSERT_EQ(r.status, 200);
    std::map<std::string, Json> games;
    for (const Json& g : r.json["games"]) games[g["name"]] = g;
    ASSERT_TRUE(games.contains("connect_four"));
    ASSERT_TRUE(games.contains("othello"));
    ASSERT_TRUE(games.contains("shogi"));
    EXPECT_EQ(games["othello"]["max_level"], 60);
    bool has_t = false;
    for (const Json& p : games["othello"]["params"]) {
        has_t = has_t || (p["path"] == "multi_probcut.t" && p["type"] == "real" && p["max"] == 5.0);
    }
    EXPECT_TRUE(has_t);
}

TEST(PageServer, ARuleIsSearchedWithItsOwnParameters) {
    const Desk desk({});
    const auto printed = [&](const Json& request) {
        const auto order = desk.read_order(request);
        return order ? order->fingerprint : order.error().what;
    };
    const std::string standard = printed({{"game", "standard_gomoku"}});
    EXPECT_EQ(printed({{"game", "gomoku"}, {"rules", {{"rule", "standard"}}}}), standard);
    EXPECT_NE(printed({{"game", "gomoku"}}), standard);
    EXPECT_EQ(printed({{"game", "gomoku"}, {"rules", {{"rule", "renju"}}}}),
              printed({{"game", "renju"}}));
}

TEST(PageServer, DrawsAGameFromItsBoardDescription) {
    const Session s;
    const Json games = s.get("/api/info").json["games"];
    const auto game = std::find_if(games.begin(), games.end(),
                                   [](const Json& g) { return g["name"] == "connect_four"; });
    ASSERT_NE(game, games.end());
    EXPECT_EQ((*game)["board"]["columns"], 7);
    EXPECT_EQ((*game)["board"]["rows"], 6);
    const Reply r = s.post("/api/position", {{"game", "connect_four"}, {"moves", {"4", "4", "1"}}});
    ASSERT_EQ(r.status, 200);
    const Json board = r.json["board"];
    ASSERT_EQ(board["cells"].size(), 42U);
    EXPECT_EQ(board["cells"][5 * 7 + 3]["side"], "first") << "the lowest row is the last";
    EXPECT_EQ(board["cells"][4 * 7 + 3]["side"], "second");
    EXPECT_TRUE(board["cells"][0].is_null());
    EXPECT_EQ(board["moves"]["4"]["to"], 3 * 7 + 3);
    EXPECT_FALSE(s.post("/api/position", {{"game", "othello"}}).json.contains("board"));
}

TEST(PageServer, ShowsPositions) {
    const Session s;
    Reply r = s.post("/api/position", {{"game", "othello"}, {"moves", {"f5", "d6"}}});
    ASSERT_EQ(r.status, 200);
    EXPECT_EQ(r.json["side"], "first");
    EXPECT_THAT(r.json["legal"], Contains("c3"));
    EXPECT_TRUE(r.json["result"].is_null());

    r = s.post(
        "/api/position",
        {{"game", "connect_four"}, {"moves", {"4", "1", "4", "1", "4", "1", "4"}}, {"all", true}});
    ASSERT_EQ(r.json["states"].size(), 8U);
    EXPECT_EQ(r.json["states"][7]["result"], "first");
    EXPECT_THAT(r.json["states"][7]["legal"], IsEmpty());
}

TEST(PageServer, RefusesIllegalMovesInWords) {
    const Session s;
    const Reply r = s.post("/api/position", {{"game", "othello"}, {"moves", {"f5", "a1"}}});
    EXPECT_EQ(r.status, 400);
    EXPECT_EQ(r.json["error"], "move 2: a1 is not a legal move");
}

TEST(PageServer, RefusesUnknownMembersAndValues) {
    const Session s;
    const auto error = [&](const Json& body) {
        const Reply r = s.post("/api/search", body);
        EXPECT_EQ(r.status, 400) << body.dump();
        return r.json.value("error", std::string());
    };
    EXPECT_THAT(error({{"game", "chess"}}), HasSubstr("unknown game 'chess'"));
    EXPECT_THAT(error(order(4, {{"multipv", 3}})), HasSubstr("unknown member 'multipv'"));
    EXPECT_THAT(error(order(500)), HasSubstr("limits.depth is not a whole number"));
    EXPECT_THAT(error(order(4, {{"set", {{"multi_probcut.t", 9}}}})), HasSubstr("outside 0..5"));
    EXPECT_THAT(error(order(4, {{"off", {"probcat"}}})), HasSubstr("probcat"));
    EXPECT_THAT(error(order(4, {{"threads", 1000}})), HasSubstr("threads"));
    EXPECT_THAT(error({{"game", "connect_four"}, {"moves", "4"}}), HasSubstr("request.moves"));
    EXPECT_THAT(error({{"game", "connect_four"}, {"position", "4444444"}}), HasSubstr("full"));
    EXPECT_THAT(error({{"game", "connect_four"}, {"position", "4141414"}}), HasSubstr("over"));
}

TEST(PageServer, StreamsASearch) {
    const Session s;
    const auto events = s.events(s.search(order(8)));
    std::vector<std::string> names;
    for (const auto& [name, data] : events) names.push_back(name);
    EXPECT_THAT(names, Contains("started"));
    EXPECT_THAT(names, Contains("info"));
    ASSERT_EQ(names.back(), "result");
    const Json& result = events.back().second;
    EXPECT_EQ(result["depth"], 8);
    EXPECT_GT(result["nodes"], 100);
    EXPECT_THAT(result["bestmove"].get<std::string>(), Not(IsEmpty()));
    EXPECT_FALSE(result.contains("stopped"));
}

TEST(PageServer, SearchesAreRepeatable) {
    const Session s;
    const Json first = s.result(s.search(order(9)));
    s.result(s.search(order(7, {{"position", "44"}})));  // leaves nothing behind
    EXPECT_EQ(first["nodes"], s.result(s.search(order(9)))["nodes"]);
}

TEST(PageServer, TechniqueSwitchesChangeTheSearch) {
    const Session s;
    const auto nodes = [&](const Json& more) {
        return s.result(s.search(order(12, more)))["nodes"].get<std::int64_t>();
    };
    const auto off = nodes({{"off", {"all"}}});
    const auto only = nodes({{"only", {"multi_probcut"}}});
    const auto careful = nodes({{"only", {"multi_probcut"}}, {"set", {{"multi_probcut.t", 3.0}}}});
    EXPECT_LT(only, off);
    EXPECT_NE(only, careful);
    EXPECT_EQ(off, nodes({{"only", Json::array()}}));
}

TEST(PageServer, ShowsSeveralLines) {
    const Session s;
    const Json r =
        s.result(s.search({{"game", "othello"}, {"limits", {{"depth", 4}, {"multi_pv", 3}}}}));
    ASSERT_EQ(r["lines"].size(), 3U);
}

// ---- The queue ----------------------------------------------------------------------------------

TEST(PageQueue, StopsASearchOnRequest) {
    const Session s;
    const std::string id = s.search(endless("a"));
    std::thread stopper([&] {
        s.wait_for("running", 1);
        EXPECT_EQ(s.post("/api/search/" + id + "/stop", Json::object()).status, 200);
    });
    const Json result = s.result(id);
    stopper.join();
    EXPECT_EQ(result["stopped"], "you stopped it");
    EXPECT_TRUE(result["bestmove"].is_string());
}

TEST(PageQueue, StopsWhatNobodyListensTo) {
    ServerOptions o = small_server();
    o.queue.unheard = 300ms;
    const Session s(o);
    const std::string id = s.search(endless("a"));
    EXPECT_TRUE(s.wait_for("running", 1));
    EXPECT_TRUE(s.wait_for("running", 0));
    EXPECT_EQ(s.result(id)["stopped"], "nobody listens any more");
}

TEST(PageQueue, StopsWhenTheListenerGoes) {
    ServerOptions o = small_server();
    o.queue.left = 300ms;
    const Session s(o);
    const std::string id = s.search(endless("a"));
    httplib::Client c = s.client();
    int heard = 0;
    (void)c.Get("/api/search/" + id + "/events",
                [&](const char*, std::size_t) { return ++heard < 3; });  // then hangs up
    EXPECT_TRUE(s.wait_for("running", 0));
}

TEST(PageQueue, ClientsTakeTurns) {
    ServerOptions o = small_server();
    o.queue.unheard = 60s;
    const Session s(o);
    const std::string block = s.search(endless("block"));
    ASSERT_TRUE(s.wait_for("running", 1));
    std::vector<std::string> ids;
    for (const char* client : {"greedy", "greedy", "greedy", "modest"}) {
        ids.push_back(s.search(order(4, {{"client", client}})));
    }
    ASSERT_TRUE(s.wait_for("waiting", 4));
    // The first "queued" event says how many were before it at that time; the modest one came last
    // and has two before it at most: what runs, and the greedy one's first.
    const auto ahead = [&](const std::string& id) {
        const auto r = s.events(id);
        int last = -1;
        for (const auto& [name, data] : r) {
            if (name == "queued" && last < 0) last = data["ahead"].get<int>();
        }
        return last;
    };
    s.post("/api/search/" + block + "/stop", Json::object());
    EXPECT_EQ(ahead(ids[3]), 1);
    EXPECT_EQ(ahead(ids[0]), 0);
    EXPECT_EQ(ahead(ids[2]), 2);  // before the modest one had come
}

TEST(PageQueue, EndlessSearchesMakeRoom) {
    ServerOptions o = small_server();
    o.queue.slice = 300ms;
    o.queue.unheard = 60s;
    const Session s(o);
    const std::string long_one = s.search(endless("a"));
    ASSERT_TRUE(s.wait_for("running", 1));
    EXPECT_EQ(s.result(s.search(order(4, {{"client", "b"}})))["depth"], 4);
    EXPECT_EQ(s.result(long_one)["stopped"], "others are waiting");
}

TEST(PageQueue, RefusesInWordsWhenFull) {
    ServerOptions o = small_server();
    o.queue.waiting = 3;
    o.queue.per_client = 2;
    o.queue.unheard = 60s;
    const Session s(o);
    s.search(endless("a"));
    ASSERT_TRUE(s.wait_for("running", 1));
    s.search(endless("a"));
    Reply r = s.post("/api/search", endless("a"));
    EXPECT_EQ(r.status, 503);
    EXPECT_THAT(r.json["error"].get<std::string>(), HasSubstr("this page has 2 searches"));
    s.search(endless("b")), s.search(endless("c"));
    r = s.post("/api/search", endless("d"));
    EXPECT_EQ(r.status, 503);
    EXPECT_EQ(r.json["error"], "3 searches wait already");
    EXPECT_EQ(r.headers.count("Retry-After"), 1U);
}

TEST(PageQueue, RefusesTooManyStreams) {
    ServerOptions o = small_server();
    o.most_streams = 1;
    const Session s(o);
    const std::string id = s.search(endless("a"));
    std::thread listener([&] { s.events(id); });
    ASSERT_TRUE(s.wait_for("running", 1));
    int status = 0;
    for (int i = 0; i < 500 && status != 503; ++i) {
        httplib::Client c = s.client();
        const auto r = c.Get(
            "/api/search/" + id + "/events",
            [&](const httplib::Response& head) {
                status = head.status;
                return false;
            },
            [](const char*, std::size_t) { return false; });
        std::this_thread::sleep_for(10ms);
    }
    EXPECT_EQ(status, 503);
    s.post("/api/search/" + id + "/stop", Json::object());
    listener.join();
}

// ---- Games that are kept ------------------------------------------------------------------------

TEST(PageGames, AreKeptOverARestart) {
    const TemporaryFolder folder;
    ServerOptions o = small_server();
    o.data_file = folder.file("deep/er/page.sqlite");
    Json id;
    {
        const Session s(o);
        const Reply r = s.post("/api/games", {{"game", "othello"},
                                              {"title", "夜の一局"},
                                              {"moves", {"f5", "d6"}},
                                              {"document", {{"level", 3}}}});
        ASSERT_EQ(r.status, 200) << r.json.dump();
        id = r.json["id"];
    }
    const Session s(o);
    const Json list = s.get("/api/games").json["games"];
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0]["title"], "夜の一局");
    const std::string path = "/api/games/" + std::to_string(id.get<int>());
    EXPECT_EQ(s.get(path).json["document"]["level"], 3);
    EXPECT_EQ(s.get(path).json["moves"], "f5 d6");
    // Replaced, not added.
    const Json version = s.get(path).json["version"];
    const Json change = {
        {"id", id}, {"game", "othello"}, {"moves", {"f5", "f6"}}, {"version", version}};
    EXPECT_EQ(s.post("/api/games", change).status, 200);
    EXPECT_EQ(s.get(path).json["moves"], "f5 f6");
    EXPECT_EQ(s.get("/api/games?game=othello").json["games"].size(), 1U);
    EXPECT_THAT(s.get("/api/games?game=shogi").json["games"], IsEmpty());
    EXPECT_EQ(s.post(path + "/delete", Json::object()).status, 200);
    EXPECT_EQ(s.post(path + "/delete", Json::object()).status, 404);
    EXPECT_EQ(s.get(path).status, 404);
}

TEST(PageGames, TwoPagesDoNotOverwriteEachOther) {
    const Session s;
    const Reply first = s.post("/api/games", {{"game", "othello"}, {"moves", {"f5"}}});
    const auto save = [&](const Json& version, const char* move) {
        return s.post("/api/games", {{"id", first.json["id"]},
                                     {"version", version},
                                     {"game", "othello"},
                                     {"moves", {"f5", move}}});
    };
    const Reply one = save(first.json["version"], "d6");
    EXPECT_EQ(one.status, 200);
    const Reply two = save(first.json["version"], "f6");  // it has not seen the other's move
    EXPECT_EQ(two.status, 409);
    EXPECT_THAT(two.json["error"].get<std::string>(), HasSubstr("changed elsewhere"));
    EXPECT_EQ(two.json["version"], one.json["version"]);
    EXPECT_EQ(save(nullptr, "f6").status, 409) << "nor without saying which";
    EXPECT_EQ(s.get("/api/games/" + first.json["id"].dump()).json["moves"], "f5 d6");
    EXPECT_EQ(save(one.json["version"], "f6").status, 200);
}

TEST(PageGames, IllegalOnesAreRefused) {
    const Session s;
    EXPECT_EQ(s.post("/api/games", {{"game", "othello"}, {"moves", {"a1"}}}).status, 400);
    EXPECT_EQ(s.post("/api/games", {{"game", 5}}).status, 400);
    EXPECT_EQ(s.post("/api/games", {{"id", 77}, {"game", "othello"}}).status, 400);
    EXPECT_THAT(s.get("/api/games").json["games"], IsEmpty());
}

// ---- Safety -------------------------------------------------------------------------------------

TEST(PageSafety, EveryAnswerCarriesThePolicy) {
    const Session s;
    for (const char* path : {"/", "/api/info", "/nothing", "/assets/app.js"}) {
        const Reply r = s.get(path);
        EXPECT_EQ(r.headers.count("Content-Security-Policy"), 1U) << path;
        EXPECT_EQ(r.headers.count("X-Content-Type-Options"), 1U) << path;
    }
}

TEST(PageSafety, ServesOnlyItsFiles) {
    const Session s;
    EXPECT_EQ(s.get("/").status, 200);
    EXPECT_EQ(s.get("/assets/app.js").status, 200);
    for (const char* path :
         {"/../etc/passwd", "/assets/../../etc/passwd", "/..%2f..%2fetc/passwd", "/assets/appxjs",
          "//etc/passwd", "/assets/", "/%00", "/assets/app.js/"}) {
        EXPECT_EQ(s.get(path).status, 404) << path;
    }
}

TEST(PageSafety, GetChangesNothing) {
    const Session s;
    for (const char* path : {"/api/search", "/api/position", "/api/games/1/delete", "/api/import",
                             "/api/search/00000000000000000000000000000000/stop"}) {
        EXPECT_EQ(s.get(path).status, 404) << path;
    }
}

TEST(PageSafety, ForeignRequestsAreRefused) {
    const Session s;
    EXPECT_EQ(s.get("/api/info", {{"Host", "evil.example"}}).status, 421);
    EXPECT_EQ(s.get("/api/info", {{"Origin", "http://evil.example"}}).status, 403);
    EXPECT_EQ(s.get("/api/info", {{"Sec-Fetch-Site", "cross-site"}}).status, 403);
    const auto r = s.client().Post("/api/games", "{\"game\":\"othello\"}", "text/plain");
    ASSERT_TRUE(r);
    EXPECT_EQ(r->status, 415);
    EXPECT_THAT(s.get("/api/games").json["games"], IsEmpty());
}

TEST(PageSafety, SizesAreLimited) {
    const Session s;
    EXPECT_EQ(s.post("/api/position", std::string(3 << 20, ' ')).status, 413);
    const std::string deep(100'000, '[');
    EXPECT_EQ(s.post("/api/position", deep).status, 400);
    EXPECT_EQ(s.post("/api/games", "{\"game\":\"othello\",\"document\":" + deep).status, 400);
    const std::string nested =
        "{\"game\":\"othello\",\"document\":" + deep + std::string(100'000, ']') + "}";
    EXPECT_THAT(s.post("/api/games", nested).json["error"], "the JSON is nested too deeply");
    EXPECT_EQ(s.get("/" + std::string(20'000, 'a')).status, 414);
}

TEST(PageSafety, BeyondLoopbackATokenIsNeeded) {
    ServerOptions o = small_server();
    o.host = "0.0.0.0";
    Session s(o);
    const std::string address = s.server().address();
    ASSERT_THAT(address, HasSubstr("?token="));
    const std::string token = address.substr(address.find('=') + 1);
    EXPECT_EQ(s.get("/").status, 401);
    EXPECT_EQ(s.get("/api/info").status, 401);
    EXPECT_EQ(s.get("/?token=0123").status, 401);
    const Reply welcome = s.get("/?token=" + token);
    EXPECT_EQ(welcome.status, 303);
    const auto cookie = welcome.headers.find("Set-Cookie");
    ASSERT_NE(cookie, welcome.headers.end());
    EXPECT_THAT(cookie->second, HasSubstr("HttpOnly; SameSite=Strict"));
    EXPECT_EQ(s.get("/", {{"Cookie", "karikomi_token=" + token}}).status, 200);
    EXPECT_EQ(s.get("/", {{"Authorization", "Bearer " + token}}).status, 200);
}

// Sends bytes as they are and reads what comes back.
void send_raw(int port, const std::string& bytes) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) == 0) {
        (void)!send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        shutdown(fd, SHUT_WR);
        std::array<char, 512> ignored{};
        while (recv(fd, ignored.data(), ignored.size(), 0) > 0) {
        }
    }
    close(fd);
}

TEST(PageSafety, JunkDoesNotStopIt) {
    Session s;
    std::mt19937 random(7);
    const std::vector<std::string> parts = {"GET ",
                                            "POST ",
                                            "HEAD ",
                                            "/",
                                            "/api/search",
                                            "/api/info",
                                            "/api/games",
                                            " HTTP/1.1",
                                            "\r\n",
                                            "\r\n\r\n",
                                            "Host: 127.0.0.1:" + std::to_string(s.server().port()),
                                            "Content-Length: 5",
                                            "Content-Length: -1",
                                            "Content-Length: 99999999999999999999",
                                            "Transfer-Encoding: chunked",
                                            "Content-Type: application/json",
                                            "{\"game\":",
                                            "[[[[",
                                            "\xff",
                                            std::string(1, '\0'),
                                            "%",
                                            "%zz",
                                            "Range: bytes=0-",
                                            "Expect: 100-continue",
                                            "Content-Encoding: gzip",
                                            "Cookie: =;;",
                                            ":",
                                            "ffffffffffff\r\n"};
    for (int i = 0; i < test::rounds(1'000); ++i) {
        std::string junk;
        const auto count = random() % 14;
        for (std::uint32_t k = 0; k < count; ++k) {
            junk += parts[random() % parts.size()];
            if (random() % 6 == 0) junk += static_cast<char>(random());
        }
        send_raw(s.server().port(), junk);
    }
    EXPECT_EQ(s.get("/api/info").status, 200);
}

TEST(PageServer, TakesTheNextFreePort) {
    ServerOptions o = small_server();
    Session first(o);
    o.port = first.server().port();
    o.ports_to_try = 50;
    Session second(o);
    EXPECT_GT(second.server().port(), first.server().port());
    o.ports_to_try = 1;
    const auto third = Server::start(o);
    ASSERT_FALSE(third);
    EXPECT_THAT(third.error().what, HasSubstr("taken"));
}

// ---- The program --------------------------------------------------------------------------------

TEST(PageProgram, CtrlCEndsItWithinASecond) {
    const TemporaryFolder folder;
    tests::Process program(
        {KARIKOMI_BINARY, "serve", "--port", "0", "--json", "--data", folder.file("data")});
    ASSERT_TRUE(program.wait_for_output("}\n", 60s));
    const Json hello = Json::parse(program.output());
    const int port = hello["port"];
    httplib::Client client("127.0.0.1", port);
    const auto taken = client.Post("/api/search", endless("a").dump(), "application/json");
    ASSERT_TRUE(taken);
    const std::string id = Json::parse(taken->body)["id"];
    std::thread listener([&] {
        httplib::Client c("127.0.0.1", port);
        (void)c.Get("/api/search/" + id + "/events");
    });
    const int idle = socket(AF_INET, SOCK_STREAM, 0);  // says nothing, as browsers do
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(connect(idle, reinterpret_cast<const sockaddr*>(&to), sizeof(to)), 0);
    std::this_thread::sleep_for(200ms);
    const auto begin = std::chrono::steady_clock::now();
    program.send(SIGINT);
    const auto end = program.wait(60s);
    const auto took = std::chrono::steady_clock::now() - begin;
    listener.join();
    close(idle);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->exit_code, 0) << end->err;
    EXPECT_LT(took, test::kSanitized ? 20s : 3s);  // a second, on a machine that is not loaded
}

}  // namespace
}  // namespace karikomi::server
