// Slow clients, long headers and wrong tokens: whoever is honest is answered all the same.
#include <thread>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/server/request_head.hpp"
#include "karikomi/server/server.hpp"
#include "tests/cli/process.hpp"

namespace karikomi::server {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Kind = HeadState::Kind;

// ---- How much has come --------------------------------------------------------------------------

TEST(RequestHead, IsWholeWhenItsBodyHasCome) {
    const DoorLimits limits;
    const std::string text = "POST / HTTP/1.1\r\nHost: a\r\ncontent-LENGTH: 3\r\n\r\nabc";
    for (std::size_t n = 0; n < text.size(); ++n) {
        EXPECT_EQ(look_at_request(text.substr(0, n), limits).kind, Kind::Partial) << n;
    }
    const HeadState s = look_at_request(text + "GET /next", limits);
    EXPECT_EQ(s.kind, Kind::Whole);
    EXPECT_EQ(s.bytes, text.size());
}

TEST(RequestHead, RefusesWhatIsTooLongOrAmbiguous) {
    const DoorLimits limits;
    const auto status = [&](const std::string& text) {
        return look_at_request(text, limits).status;
    };
    const std::string line = "GET / HTTP/1.1\r\n";
    EXPECT_EQ(status(std::string(9'000, 'x')), 414);
    EXPECT_EQ(status(line + "A: " + std::string(9'000, 'x')), 431);
    std::string many = line;
    for (int i = 0; i < 200; ++i) many += "A: b\r\n";
    EXPECT_EQ(status(many), 431);
    std::string large = line;
    for (int i = 0; i < 9; ++i) large += "A: " + std::string(4'000, 'x') + "\r\n";
    EXPECT_EQ(status(large), 431);
    EXPECT_EQ(status(line + "Content-Length: 2000000\r\n\r\n"), 413);
    EXPECT_EQ(status(line + "Content-Length: -1\r\n\r\n"), 400);
    EXPECT_EQ(status(line + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"), 400);
    EXPECT_EQ(status(line + "Transfer-Encoding: chunked\r\n\r\n"), 411);
    EXPECT_EQ(status("\r\n"), 400);
}

// ---- A real server ------------------------------------------------------------------------------

constexpr Asset kPage[] = {{"/index.html", "text/html; charset=utf-8", "<p>page</p>"}};

ServerOptions quick_server() {
    ServerOptions o;
    o.port = 0;
    o.assets = kPage;
    o.orders.hash_mb = 4;
    o.queue.at_once = 1;
    o.door.first_byte = 1'500ms;
    o.door.head = 1'500ms;
    o.door.whole = 3'000ms;
    o.door.idle = 1'500ms;
    return o;
}

std::unique_ptr<Server> started(const ServerOptions& o) {
    auto server = Server::start(o);
    if (!server) throw std::runtime_error(server.error().what);
    return std::move(*server);
}

// A connection by hand.
class Line {
public:
    explicit Line(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(static_cast<std::uint16_t>(port));
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        open_ = connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
    }
    ~Line() { ::close(socket_); }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    bool is_open() const { return open_; }
    bool say(const std::string& text) const {
        return send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(text.size());
    }
    // All until the other side closes; "?" when it does not in time.
    std::string hear(std::chrono::milliseconds limit) const {
        std::string all;
        const auto end = std::chrono::steady_clock::now() + limit;
        for (;;) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                end - std::chrono::steady_clock::now());
            pollfd p{socket_, POLLIN, 0};
            if (left.count() <= 0 || poll(&p, 1, static_cast<int>(left.count())) <= 0) return "?";
            char chunk[4096];
            const ssize_t n = recv(socket_, chunk, sizeof chunk, 0);
            if (n <= 0) return all;
            all.append(chunk, static_cast<std::size_t>(n));
        }
    }

private:
    int socket_;
    bool open_ = false;
};

double seconds_of_honest_request(int port) {
    httplib::Client client("127.0.0.1", port);
    client.set_read_timeout(20);
    const auto start = std::chrono::steady_clock::now();
    const auto r = client.Get("/api/info");
    EXPECT_TRUE(r && r->status == 200);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Door, SlowClientsHoldUpNobody) {
    const auto server = started(quick_server());
    std::vector<std::unique_ptr<Line>> slow;
    for (int i = 0; i < 400; ++i) {
        slow.push_back(std::make_unique<Line>(server->port()));
        ASSERT_TRUE(slow.back()->is_open());
        if (i % 2 == 0) slow.back()->say("GET / HTTP/1.1\r\nHost: loc");
    }
    EXPECT_LT(seconds_of_honest_request(server->port()), 1.0);
    // Silent ones are closed, and those that began are told why.
    EXPECT_THAT(slow[1]->hear(20s), IsEmpty());
    EXPECT_THAT(slow[0]->hear(20s), StartsWith("HTTP/1.1 408"));
}

TEST(Door, WhoComesNowIsServedWhereAllPlacesAreTaken) {
    ServerOptions o = quick_server();
    o.door.most_per_address = 20;
    o.door.first_byte = 60s;
    const auto server = started(o);
    std::vector<std::unique_ptr<Line>> slow;
    for (int i = 0; i < 60; ++i) slow.push_back(std::make_unique<Line>(server->port()));
    EXPECT_LT(seconds_of_honest_request(server->port()), 1.0);
    EXPECT_THAT(slow[0]->hear(5s), IsEmpty()) << "the oldest made room";
    EXPECT_EQ(slow[59]->hear(100ms), "?") << "the newest waits";
}

TEST(Door, LongHeadersAreRefusedBeforeTheyAreKept) {
    const auto server = started(quick_server());
    const Line line(server->port());
    line.say("GET / HTTP/1.1\r\nHost: localhost\r\n");
    bool going = true;
    for (int i = 0; i < 2'000 && going; ++i)
        going = line.say("X: " + std::string(4'000, 'x') + "\r\n");
    EXPECT_THAT(line.hear(10s), testing::AnyOf(StartsWith("HTTP/1.1 431"), IsEmpty()));
    const Line second(server->port());
    second.say("GET /" + std::string(9'000, 'x'));
    EXPECT_THAT(second.hear(10s), HasSubstr("the address is too long"));
}

TEST(Door, SeveralRequestsInOneBreathAreAllAnswered) {
    const auto server = started(quick_server());
    const std::string host = "Host: 127.0.0.1:" + std::to_string(server->port()) + "\r\n";
    const Line line(server->port());
    line.say("GET / HTTP/1.1\r\n" + host + "\r\nGET /nothing HTTP/1.1\r\n" + host +
             "Connection: close\r\n\r\n");
    const std::string all = line.hear(10s);
    EXPECT_THAT(all, HasSubstr("<p>page</p>"));
    EXPECT_THAT(all, HasSubstr("404"));
}

// ---- Beyond loopback ----------------------------------------------------------------------------

TEST(Door, BeyondLoopbackAllIsEncrypted) {
    const tests::TemporaryFolder folder;
    ServerOptions o = quick_server();
    o.host = "0.0.0.0";
    o.token = "0123456789abcdef";
    o.tls = {folder.file("page.crt"), folder.file("page.key")};
    ASSERT_TRUE(make_certificate(o.tls, "here"));
    EXPECT_EQ(std::filesystem::status(o.tls.key).permissions() & std::filesystem::perms::all,
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    const auto print = fingerprint_of(o.tls.certificate);
    ASSERT_TRUE(print);
    EXPECT_EQ(print->size(), 32 * 3 - 1U);
    const auto server = started(o);
    EXPECT_THAT(server->address(), StartsWith("https://"));
    httplib::SSLClient client("127.0.0.1", server->port());
    client.enable_server_certificate_verification(false);
    const auto get = [&](const std::string& token) {
        const auto r = client.Get("/api/info", {{"Authorization", "Bearer " + token}});
        return r ? r->status : 0;
    };
    EXPECT_EQ(get(o.token), 200);
    EXPECT_EQ(get("wrong"), 401);
    const auto welcome = client.Get("/?token=" + o.token);
    ASSERT_TRUE(welcome);
    EXPECT_THAT(welcome->get_header_value("Set-Cookie"), HasSubstr("; Secure"));
    const Line plain(server->port());
    plain.say("GET / HTTP/1.1\r\n\r\n");
    EXPECT_THAT(plain.hear(10s), testing::Not(HasSubstr("200"))) << "not without TLS";
    // A thousand connections that never shake hands hold up nobody either.
    std::vector<std::unique_ptr<Line>> slow;
    for (int i = 0; i < 100; ++i) slow.push_back(std::make_unique<Line>(server->port()));
    EXPECT_EQ(get(o.token), 200);
}

TEST(Door, WrongTokensAreSlowed) {
    ServerOptions o = quick_server();
    o.token = "0123456789abcdef";
    const auto server = started(o);
    httplib::Client client("127.0.0.1", server->port());
    const auto get = [&](const std::string& token) {
        const auto r = client.Get("/api/info", {{"Authorization", "Bearer " + token}});
        return r ? r->status : 0;
    };
    int looked_at = 0;
    for (int i = 0; i < 200; ++i) looked_at += get("guess" + std::to_string(i)) == 401 ? 1 : 0;
    EXPECT_GE(looked_at, 9);
    EXPECT_LE(looked_at, 40) << "of 200";
    for (int i = 0; i < 40 && get(o.token) != 200; ++i) std::this_thread::sleep_for(200ms);
    EXPECT_EQ(get(o.token), 200) << "the right one works again soon";
}

}  // namespace
}  // namespace karikomi::server
