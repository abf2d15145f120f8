// The page's server as the program sets it up: records, proofs and the laboratory of a data folder.
#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/params.hpp"
#include "karikomi/services/base64.hpp"
#include "tests/cli/process.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::server {
namespace {

using namespace std::chrono_literals;
using services::from_base64;
using services::to_base64;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::Process;
using tests::TemporaryFolder;
using Words = std::vector<std::string>;

struct Reply {
    int status = 0;
    std::string body;
    httplib::Headers headers;
    Json json() const { return Json::parse(body, nullptr, false); }
};

// `karikomi serve` on a folder of its own.
class Served {
public:
    Served()
        : program_({KARIKOMI_BINARY, "serve", "--port", "0", "--json", "--hash", "8", "--data",
                    folder_.file("data")}) {
        if (!program_.wait_for_output("}\n", 120s)) throw std::runtime_error("it does not start");
        port_ = Json::parse(program_.output())["port"];
    }
    std::string file(const std::string& name) const { return folder_.file("data/" + name); }
    Reply get(const std::string& path) const { return reply(client().Get(path)); }
    Reply post(const std::string& path, const Json& body) const {
        return reply(client().Post(path, body.dump(), "application/json"));
    }
    Json import(const std::string& game, const std::string& text) const {
        return post("/api/import", {{"game", game}, {"text", text}}).json();
    }
    Json write(const std::string& game, const Words& moves, const std::string& format,
               const std::string& start = "") const {
        return post("/api/export",
                    {{"game", game}, {"moves", moves}, {"format", format}, {"start", start}})
            .json();
    }
    // Every event of a proof; the last one is its result, or an error.
    std::vector<std::pair<std::string, Json>> solve(const Json& order) const {
        const Reply taken = post("/api/solve", order);
        EXPECT_EQ(taken.status, 202) << taken.body;
        return events(taken.json().value("id", std::string()));
    }
    std::vector<std::pair<std::string, Json>> events(const std::string& id) const {
        const Reply r = get("/api/search/" + id + "/events");
        std::vector<std::pair<std::string, Json>> out;
        std::string name;
        for (const std::string& line : tests::lines_of(r.body)) {
            if (line.starts_with("event: ")) name = line.substr(7);
            if (line.starts_with("data: ")) out.emplace_back(name, Json::parse(line.substr(6)));
        }
        return out;
    }

private:
    httplib::Client client() const {
        httplib::Client c("127.0.0.1", port_);
        c.set_read_timeout(120);
        return c;
    }
    static Reply reply(const httplib::Result& r) {
        return r ? Reply{r->status, r->body, r->headers} : Reply{};
    }
    TemporaryFolder folder_;
    Process program_;
    int port_ = 0;
};

// One program for all tests of a suite: starting it is what takes time.
class PageFiles : public testing::Test {
protected:
    static void SetUpTestSuite() { served_ = std::make_unique<Served>(); }
    static void TearDownTestSuite() { served_.reset(); }
    static Served& s() { return *served_; }

private:
    static inline std::unique_ptr<Served> served_;
};
using PageSolver = PageFiles;
using PageLab = PageFiles;
using PageOpening = PageFiles;

// ---- Records ------------------------------------------------------------------------------------

TEST_F(PageFiles, SgfAndPsqComeBackAsTheyWent) {
    const Words moves = {"h8", "i9", "i8", "g8", "j8"};
    for (const std::string game : {"renju", "gomoku"}) {
        for (const std::string format : {"sgf", "psq", "moves"}) {
            const Json written = s().write(game, moves, format);
            ASSERT_TRUE(written.contains("text")) << written.dump();
            const Json read = s().import(game, written["text"]);
            EXPECT_EQ(read.value("moves", Words()), moves) << format << read.dump();
            EXPECT_EQ(read.value("format", std::string()), format);
        }
    }
    EXPECT_THAT(s().write("renju", moves, "sgf")["text"].get<std::string>(), HasSubstr("SZ[15]"));
    EXPECT_EQ(s().write("renju", moves, "psq")["file"], "renju.psq");
}

TEST_F(PageFiles, StonesOfAStartPositionBecomeTheFirstMoves) {
    const std::string start = "15/15/15/15/15/15/15/7XO6/7X7/15/15/15/15/15/15 w";
    const Json written = s().write("gomoku", {"a1"}, "sgf", start);
    ASSERT_TRUE(written.contains("text")) << written.dump();
    const Json read = s().import("gomoku", written["text"]);
    ASSERT_EQ(read.value("moves", Words()).size(), 4U) << read.dump();
    EXPECT_THAT(read["states"].back()["position"].get<std::string>(), HasSubstr("7XO6/7X7"));
    const Json refused =
        s().write("gomoku", {}, "psq", "15/15/15/15/15/15/15/7XX6/7X7/15/15/15/15/15/15 w");
    EXPECT_THAT(refused.value("error", std::string()), HasSubstr("by turns"));
}

TEST_F(PageFiles, RecordsOfOtherBoardsAreRefusedInWords) {
    const Json read = s().import("gomoku", "(;GM[4]SZ[19];B[aa];W[bb])");
    EXPECT_THAT(read.value("error", std::string()), HasSubstr("19 x 19"));
    const Json wrong = s().import("renju", "(;GM[4]SZ[15];B[aa];W[aa])");
    EXPECT_THAT(wrong.value("error", std::string()), HasSubstr("stone on the cell already"));
}

TEST_F(PageFiles, WthorFilesAreBytes) {
    const Words moves = {"f5", "d6", "c3", "d3"};
    const Json written = s().write("othello", moves, "wthor");
    ASSERT_TRUE(written.contains("base64")) << written.dump();
    const auto bytes = from_base64(written["base64"].get<std::string>());
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->size(), 16U + 68U);
    const Json read =
        s().post("/api/import", {{"game", "othello"}, {"base64", written["base64"]}}).json();
    EXPECT_EQ(read.value("moves", Words()), moves) << read.dump();
    EXPECT_EQ(read["format"], "wthor");
    EXPECT_EQ(s().post("/api/import", {{"game", "othello"}, {"base64", "=?"}}).status, 400);
}

TEST_F(PageFiles, AFileWithSeveralGamesIsReadOneByOne) {
    const std::string two = "f5d6c3\nf5f6\n";
    const Json first = s().import("othello", two);
    EXPECT_EQ(first.value("games", 0), 2) << first.dump();
    EXPECT_EQ(first["moves"].size(), 3U);
    const auto at = [&](int number) {
        return s().post("/api/import", {{"game", "othello"}, {"text", two}, {"number", number}});
    };
    EXPECT_EQ(at(1).json()["moves"].size(), 2U);
    EXPECT_EQ(at(2).status, 400);
}

TEST_F(PageFiles, ShogiAndGgfComeBackAsTheyWent) {
    const Words moves = {"7g7f", "3c3d", "8h2b+", "3a2b"};
    for (const std::string format : {"kif", "csa", "usi"}) {
        const Json written = s().write("shogi", moves, format);
        ASSERT_TRUE(written.contains("text")) << written.dump();
        EXPECT_EQ(s().import("shogi", written["text"]).value("moves", Words()), moves) << format;
    }
    const Json ggf = s().write("othello", {"f5", "d6"}, "ggf");
    EXPECT_EQ(s().import("othello", ggf["text"]).value("moves", Words()), (Words{"f5", "d6"}));
    // KIF in Shift-JIS: its bytes are no UTF-8. "７六歩(77)" after the head of the moves.
    const std::string kif =
        "\x8e\xe8\x90\x94----\x8e\x77\x8e\xe8---------\x8f\xc1\x94\xef\x8e\x9e\x8a\xd4--\n"
        "   1 \x82\x56\x98\x5a\x95\xe0(77)\n";
    const Json read =
        s().post("/api/import", {{"game", "shogi"}, {"base64", to_base64(kif)}}).json();
    EXPECT_EQ(read.value("moves", Words()), Words{"7g7f"}) << read.dump();
}

// ---- Proofs -------------------------------------------------------------------------------------

TEST_F(PageSolver, OthelloExactly) {
    const Json order = {
        {"game", "othello"},
        {"position", "XXXXXXXOXXXXXXOOXXXXXOOOXXXXOOOOXXXOOOOOXXOOOOOOXOOOOOO-OOOOOO-- X"},
        {"kind", "exact"}};
    const auto events = s().solve(order);
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.back().first, "result") << events.back().second.dump();
    const Json& proof = events.back().second;
    EXPECT_EQ(proof.value("answer", std::string()), "score");
    EXPECT_TRUE(proof.value("solved", false));
    EXPECT_EQ(proof.value("confidence", 0), 100);
    // The line can be played.
    const Json shown =
        s().post("/api/position",
                 {{"game", "othello"}, {"position", order["position"]}, {"moves", proof["line"]}})
            .json();
    EXPECT_TRUE(shown.contains("legal")) << shown.dump();
    Json who = order;
    who["kind"] = "result";
    const Json result = s().solve(who).back().second;
    const int value = proof["value"];
    EXPECT_EQ(result["answer"], value > 0 ? "win" : value < 0 ? "loss" : "draw");
}

TEST_F(PageSolver, RenjuFoursAndShogiMates) {
    const std::string five = "15/15/15/15/15/15/15/4XXX8/15/4O10/5O9/6O8/15/15/15 b";
    const auto renju =
        s().solve({{"game", "gomoku"}, {"position", five}, {"kind", "fours"}}).back();
    EXPECT_EQ(renju.second.value("answer", std::string()), "win") << renju.second.dump();
    EXPECT_EQ(renju.second["by"], "vcf");
    EXPECT_THAT(renju.second["line"], Not(IsEmpty()));
    const auto mate = s().solve({{"game", "shogi"},
                                 {"position", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"},
                                 {"kind", "shortest"}})
                          .back();
    EXPECT_EQ(mate.second.value("answer", std::string()), "mate") << mate.second.dump();
    const auto none = s().solve({{"game", "shogi"}, {"kind", "mate"}}).back();
    EXPECT_EQ(none.second.value("answer", std::string()), "none");
    EXPECT_THAT(none.second["line"], IsEmpty());
}

TEST_F(PageSolver, RefusesInWordsAndStops) {
    const Reply unknown = s().post("/api/solve", {{"game", "connect_four"}, {"kind", "exact"}});
    EXPECT_EQ(unknown.status, 400);
    EXPECT_THAT(unknown.body, HasSubstr("no solver"));
    const auto many = s().solve({{"game", "othello"}, {"kind", "exact"}});
    EXPECT_EQ(many.back().first, "error");
    EXPECT_THAT(many.back().second["error"].get<std::string>(), HasSubstr("60 empty squares"));
    // Thirty-two empties take minutes; a stop ends it.
    const Json order = {
        {"game", "othello"},
        {"position", "----------XXXX----XXXO--OOOOOOOO--XXXOXX--XXXX----OXXO------O--- X"},
        {"kind", "result"}};
    const std::string id = s().post("/api/solve", order).json().value("id", std::string());
    std::thread stopper([&] {
        std::this_thread::sleep_for(300ms);
        s().post("/api/search/" + id + "/stop", Json::object());
    });
    const auto stopped = s().events(id);
    stopper.join();
    ASSERT_FALSE(stopped.empty());
    EXPECT_EQ(stopped.back().second.value("stopped", std::string()), "you stopped it");
}

// ---- Opening rules ------------------------------------------------------------------------------

Json opening(const Served& s, const std::string& rule, const Words& steps, int size = 15) {
    const std::string game = rule == "swap2" ? "gomoku" : "renju";
    return s
        .post("/api/opening", {{"game", game}, {"rule", rule}, {"size", size}, {"steps", steps}})
        .json();
}

TEST_F(PageOpening, RifFromTheFirstStoneToFreePlay) {
    Json o = opening(s(), "rif", {});
    EXPECT_EQ(o["ask"], "stone") << o.dump();
    EXPECT_EQ(o["player"], 0);
    EXPECT_EQ(o["reach"], 0);
    EXPECT_THAT(o["answers"].get<Words>(), ElementsAre("h8"));
    o = opening(s(), "rif", {"h8"});
    EXPECT_EQ(o["side"], "second");
    EXPECT_EQ(o["player"], 0) << "all three are the first player's";
    EXPECT_EQ(o["answers"].size(), 8U);
    EXPECT_EQ(opening(s(), "rif", {"h8", "h9"})["answers"].size(), 23U);
    o = opening(s(), "rif", {"h8", "h9", "h10"});
    EXPECT_EQ(o["ask"], "swap");
    EXPECT_EQ(o["player"], 1);
    EXPECT_THAT(o["answers"].get<Words>(), ElementsAre("stay", "swap"));
    o = opening(s(), "rif", {"h8", "h9", "h10", "swap"});
    EXPECT_EQ(o["black"], 1);
    EXPECT_EQ(o["player"], 0) << "White's fourth";
    EXPECT_TRUE(o["reach"].is_null());
    EXPECT_EQ(o["answers"].size(), 222U);
    o = opening(s(), "rif", {"h8", "h9", "h10", "swap", "h6", "g7"});
    EXPECT_EQ(o["ask"], "offer_stone");
    EXPECT_EQ(o["player"], 1);
    EXPECT_EQ(o["offers_wanted"], 2);
    EXPECT_THAT(o["offers"].get<Words>(), ElementsAre("g7"));
    EXPECT_THAT(o["answers"].get<Words>(), Not(Contains("i7"))) << "its mirror image";
    EXPECT_EQ(o["answers"].size(), 219U);
    o = opening(s(), "rif", {"h8", "h9", "h10", "swap", "h6", "g7", "i6"});
    EXPECT_EQ(o["ask"], "choose_offer");
    EXPECT_EQ(o["player"], 0);
    EXPECT_THAT(o["answers"].get<Words>(), testing::UnorderedElementsAre("g7", "i6"));
    o = opening(s(), "rif", {"h8", "h9", "h10", "swap", "h6", "g7", "i6", "i6"});
    EXPECT_EQ(o["ask"], "nothing");
    EXPECT_THAT(o["answers"].get<Words>(), IsEmpty());
    EXPECT_THAT(o["stones"].get<Words>(), ElementsAre("h8", "h9", "h10", "h6", "i6"));
    EXPECT_THAT(o["players"].get<std::vector<int>>(), ElementsAre(0, 0, 0, 1, 0, 1, 1, 0));
    EXPECT_EQ(o["player"], 0) << "White's sixth";
}

// Always the first answer that is allowed leads to the end, whichever way is taken.
TEST_F(PageOpening, Taraguchi10BothWays) {
    for (const std::string way : {"play", "offer"}) {
        Words steps;
        Json o = opening(s(), "taraguchi10", steps);
        while (o["ask"] != "nothing") {
            ASSERT_LT(steps.size(), 30U);
            const Words answers = o["answers"].get<Words>();
            ASSERT_FALSE(answers.empty()) << o.dump();
            steps.push_back(o["ask"] == "play_or_offer" ? way : answers.front());
            o = opening(s(), "taraguchi10", steps);
        }
        EXPECT_EQ(o["stones"].size(), 5U);
        EXPECT_EQ(o["offers"].size(), way == "offer" ? 10U : 0U);
        // Four stones with a swap after each, then a stone and a swap or ten offers and a choice.
        EXPECT_EQ(steps.size(), way == "offer" ? 20U : 11U);
    }
    EXPECT_EQ(opening(s(), "taraguchi10", {"h8", "stay", "i9", "swap", "j10", "stay"})["reach"], 3);
}

TEST_F(PageOpening, Swap2AndOtherSizes) {
    const Json o = opening(s(), "swap2", {"a1", "h8", "o15"});
    EXPECT_EQ(o["ask"], "swap_or_add");
    EXPECT_THAT(o["answers"].get<Words>(), ElementsAre("stay", "swap", "add"));
    EXPECT_THAT(opening(s(), "rif", {}, 19)["answers"].get<Words>(), ElementsAre("j10"));
}

TEST_F(PageOpening, RefusesInWords) {
    const auto refused = [](const Json& body) {
        const Reply r = s().post("/api/opening", body);
        EXPECT_EQ(r.status, 400) << r.body;
        return r.json().value("error", std::string());
    };
    const auto rif = [&](const Words& steps) {
        return refused({{"game", "renju"}, {"rule", "rif"}, {"steps", steps}});
    };
    EXPECT_THAT(rif({"h9"}), HasSubstr("step 1: stone 1 must be within 0 cells of the centre"));
    EXPECT_THAT(rif({"h8", "h8"}), HasSubstr("step 2: there is a stone"));
    EXPECT_THAT(rif({"h8", "swap"}), HasSubstr("not to be decided now"));
    EXPECT_THAT(rif({"h8", "q77"}), HasSubstr("neither a cell"));
    EXPECT_THAT(rif({"h8", "h9", "h10", "h11"}), HasSubstr("step 4: no stone"));
    EXPECT_THAT(refused({{"game", "gomoku"}, {"rule", "rif"}}), HasSubstr("no opening rule 'rif'"));
    EXPECT_THAT(refused({{"game", "shogi"}, {"rule", "rif"}}), HasSubstr("no opening rule"));
    EXPECT_THAT(refused({{"game", "chess"}, {"rule", "rif"}}), HasSubstr("unknown game"));
    EXPECT_THAT(refused({{"game", "renju"}, {"rule", "rif"}, {"size", 3}}), HasSubstr("3 x 3"));
    EXPECT_THAT(refused({{"game", "renju"}, {"rule", "rif"}, {"step", "h8"}}),
                HasSubstr("unknown member"));
    EXPECT_THAT(refused({{"game", "renju"}, {"rule", "rif"}, {"steps", Words(65, "h8")}}),
                HasSubstr("steps"));
}

// ---- The laboratory -----------------------------------------------------------------------------

TEST_F(PageLab, ShowsMatchesAndTuningRuns) {
    const auto match = tests::run({KARIKOMI_BINARY, "match", "internal:connect_four?depth=4",
                                   "internal:connect_four?depth=1", "--games", "8", "--sprt",
                                   "elo0=0,elo1=50", "--db", s().file("m.db")});
    ASSERT_LE(match.exit_code, 1) << match.err;  // 1: the test has not decided
    const Json lab = s().get("/api/lab").json();
    ASSERT_EQ(lab["runs"].size(), 1U) << lab.dump();
    const Json& run = lab["runs"][0];
    EXPECT_EQ(run["kind"], "match");
    EXPECT_EQ(run["game"], "connect_four");
    EXPECT_EQ(run["running"], false);
    EXPECT_EQ(run["played"], 8);
    const int games = run["result"]["wins"].get<int>() + run["result"]["draws"].get<int>() +
                      run["result"]["losses"].get<int>();
    EXPECT_EQ(games, 8);
    EXPECT_TRUE(run["result"]["sprt"].contains("llr"));
    const Json whole = s().get("/api/lab/m.db").json();
    EXPECT_EQ(whole["course"].back()["games"], 8);
    EXPECT_LE(whole["course"].back()["elo"]["low"], whole["course"].back()["elo"]["high"]);

    const auto tune =
        tests::run({KARIKOMI_BINARY, "tune", "connect_four", "--method", "spsa", "--param",
                    "late_moves.base", "--depth", "3", "--games", "8", "--db", s().file("t.db")});
    ASSERT_EQ(tune.exit_code, 0) << tune.err;
    const Json tuned = s().get("/api/lab/t.db").json();
    EXPECT_EQ(tuned.value("kind", std::string()), "tune") << tuned.dump();
    EXPECT_EQ(tuned["played"], tuned["wanted"]);
    EXPECT_EQ(tuned["params"][0]["path"], "late_moves.base");
    EXPECT_EQ(tuned["course"]["values"][0].size(), tuned["course"]["trials"].size());
}

TEST_F(PageLab, ServesReportsAndNothingElse) {
    const std::string secret = s().file("../secret.html");
    std::filesystem::create_directories(s().file("inside"));
    std::ofstream(s().file("report-1.html")) << "<h1>report</h1>";
    std::ofstream(s().file("inside/deep.html")) << "deep";
    std::ofstream(s().file(".hidden.html")) << "hidden";
    std::ofstream(secret) << "secret";
    std::filesystem::create_symlink(secret, s().file("link.html"));
    const Reply report = s().get("/report/report-1.html");
    EXPECT_EQ(report.status, 200);
    EXPECT_EQ(report.body, "<h1>report</h1>");
    const auto policy = report.headers.equal_range("Content-Security-Policy");
    ASSERT_EQ(std::distance(policy.first, policy.second), 1);
    EXPECT_THAT(policy.first->second, HasSubstr("sandbox allow-scripts"));
    EXPECT_THAT(policy.first->second, Not(HasSubstr("allow-same-origin")));
    for (const std::string path :
         {"/report/../secret.html", "/report/%2e%2e/secret.html", "/report/..%2fsecret.html",
          "/report/inside/deep.html", "/report/.hidden.html", "/report/link.html",
          "/report/page.sqlite", "/report/none.html", "/api/lab/page.sqlite", "/api/lab/..%2fx.db",
          "/api/lab/none.db"}) {
        const Reply r = s().get(path);
        EXPECT_EQ(r.status, 404) << path;
        EXPECT_THAT(r.body, Not(HasSubstr("secret\n"))) << path;
    }
    const Json reports = s().get("/api/lab").json()["reports"];
    ASSERT_EQ(reports.size(), 1U) << reports.dump();
    EXPECT_EQ(reports[0]["name"], "report-1.html");
}

TEST(PageBase64, ThereAndBack) {
    EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(to_base64("fo"), "Zm8=");
    for (const std::string text : {"", "f", "fo", "foo", "foob"}) {
        EXPECT_EQ(from_base64(to_base64(text)), text);
    }
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    EXPECT_EQ(from_base64(to_base64(all)), all);
    for (const char* wrong : {"Z", "Zm9", "Zm9v=", "Z===", "Zm=v", "Zm9vYm=y", "Zm 9"}) {
        EXPECT_FALSE(from_base64(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace karikomi::server
