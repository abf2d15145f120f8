// Who may talk to the server.
#include "karikomi/server/guard.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace karikomi::server {
namespace {

using testing::HasSubstr;

GuardRules local() {
    GuardRules rules;
    rules.port = 8080;
    return rules;
}

GuardRules open_to_all() {
    GuardRules rules;
    rules.port = 8080;
    rules.loopback_only = false;
    rules.token = "secret";
    rules.names = {"ume"};
    return rules;
}

Visit get(const std::string& path) {
    Visit v;
    v.method = "GET";
    v.path = path;
    v.host = "127.0.0.1:8080";
    return v;
}

Visit post(const std::string& path) {
    Visit v = get(path);
    v.method = "POST";
    v.content_type = "application/json";
    return v;
}

int status(const Visit& visit, const GuardRules& rules = local()) {
    const auto refusal = check_visit(visit, rules);
    return refusal ? refusal->status : 200;
}

TEST(Guard, KnowsItsOwnNames) {
    for (const char* host :
         {"127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080", "127.0.0.2:8080"}) {
        EXPECT_TRUE(is_own_host(host, local())) << host;
    }
    for (const char* host :
         {"", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8081", "evil.example:8080", "127.0.0.1:8080x",
          "127.0.0.1.evil.example:8080", "127.evil.example:8080", "[::1", "[::1]8080",
          "192.168.0.2:8080", ":8080", "localhost.:8080", "localhost@evil:8080"}) {
        EXPECT_FALSE(is_own_host(host, local())) << host;
    }
}

TEST(Guard, RefusesForeignHostsAgainstRebinding) {
    Visit v = get("/api/info");
    EXPECT_EQ(status(v), 200);
    v.host = "evil.example:8080";
    EXPECT_EQ(status(v), 421);
}

TEST(Guard, RefusesForeignOrigins) {
    Visit v = post("/api/search");
    v.origin = "http://127.0.0.1:8080";
    EXPECT_EQ(status(v), 200);
    for (const char* origin : {"http://evil.example", "https://127.0.0.1:8080", "null",
                               "http://127.0.0.1:8081", "http://127.0.0.1:8080.evil.example"}) {
        v.origin = origin;
        EXPECT_EQ(status(v), 403) << origin;
    }
}

TEST(Guard, RefusesWhatOtherSitesSend) {
    Visit v = get("/api/info");
    v.fetch_site = "cross-site";
    EXPECT_EQ(status(v), 403);
    v.fetch_site = "same-site";
    EXPECT_EQ(status(v), 403);
    v.fetch_site = "same-origin";
    EXPECT_EQ(status(v), 200);
    v = get("/");  // a link on another site may lead here
    v.fetch_site = "cross-site";
    EXPECT_EQ(status(v), 200);
}

TEST(Guard, WantsJsonWhereSomethingChanges) {
    Visit v = post("/api/games");
    EXPECT_EQ(status(v), 200);
    v.content_type = "application/json; charset=utf-8";
    EXPECT_EQ(status(v), 200);
    // What a form of another site can send without asking.
    for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded",
                             "multipart/form-data", "application/jsonx"}) {
        v.content_type = type;
        EXPECT_EQ(status(v), 415) << type;
    }
}

TEST(Guard, ServesOnlyGetHeadAndPost) {
    Visit v = post("/api/games");
    for (const char* method : {"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "JUNK", ""}) {
        v.method = method;
        EXPECT_EQ(status(v), 405) << method;
    }
}

TEST(Guard, WantsTheTokenBeyondLoopback) {
    Visit v = get("/");
    EXPECT_EQ(status(v, open_to_all()), 401);
    v.token = "secreT";
    EXPECT_EQ(status(v, open_to_all()), 401);
    v.token = "secret";
    EXPECT_EQ(status(v, open_to_all()), 200);
    v.host = "192.168.0.2:8080";
    EXPECT_EQ(status(v, open_to_all()), 200);
    v.host = "ume:8080";
    EXPECT_EQ(status(v, open_to_all()), 200);
    v.host = "evil.example:8080";
    EXPECT_EQ(status(v, open_to_all()), 421);
}

TEST(Guard, ReadsCookies) {
    EXPECT_EQ(cookie_value("a=1; karikomi_token=xyz; b=2", "karikomi_token"), "xyz");
    EXPECT_EQ(cookie_value("karikomi_token=xyz", "karikomi_token"), "xyz");
    EXPECT_EQ(cookie_value("xkarikomi_token=xyz", "karikomi_token"), "");
    EXPECT_EQ(cookie_value("", "karikomi_token"), "");
    EXPECT_EQ(cookie_value(";;;=;", "karikomi_token"), "");
}

TEST(Guard, IdsAreLongAndDiffer) {
    std::set<std::string> seen;
    for (int i = 0; i < 100; ++i) seen.insert(random_id());
    EXPECT_EQ(seen.size(), 100U);
    EXPECT_EQ(seen.begin()->size(), 32U);
}

TEST(Guard, PolicyAllowsNothingFromElsewhere) {
    std::string policy;
    for (const auto& [name, value] : security_headers()) {
        if (name == "Content-Security-Policy") policy = value;
    }
    EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
    EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'"));
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
    EXPECT_EQ(policy.find("http"), std::string::npos);
}

}  // namespace
}  // namespace karikomi::server
