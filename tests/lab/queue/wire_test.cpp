// What strangers may write: read as hostile input, refused with a reason.
#include "karikomi/lab/queue/wire.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/strict.hpp"
#include "karikomi/lab/collect.hpp"
#include "karikomi/lab/match/games_job.hpp"
#include "tests/lab/queue/mutations.hpp"

namespace karikomi::queue {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kSubject = "karikomi.jobs.run1";
const std::string kKey = "0123456789abcdef";

JobMessage a_job() {
    return {"run1", "s1", "g0-1", "games", {{"n", 1}}};
}

std::string error_of(const Expected<Json>& read) {
    return read ? "" : read.error().what;
}

TEST(Wire, ReadsWhatItWrites) {
    for (const Wire& wire : {Wire(), Wire(kKey)}) {
        const auto read = wire.read(kSubject, wire.write(kSubject, to_json(a_job())));
        ASSERT_TRUE(read) << read.error().what;
        const auto job = job_message(*read);
        ASSERT_TRUE(job);
        EXPECT_EQ(job->id, "g0-1");
        EXPECT_EQ(job->payload["n"], 1);
    }
}

TEST(Wire, RefusesWhatIsNotSignedByTheKey) {
    const Wire wire(kKey);
    const std::string good = wire.write(kSubject, to_json(a_job()));
    EXPECT_THAT(error_of(wire.read("karikomi.jobs.run2", good)), HasSubstr("another key"));
    std::string changed = good;
    changed[changed.find("g0-1")] = 'h';
    EXPECT_THAT(error_of(wire.read(kSubject, changed)), HasSubstr("another key"));
    EXPECT_THAT(error_of(wire.read(kSubject, Wire().write(kSubject, to_json(a_job())))),
                HasSubstr("not signed"));
    EXPECT_THAT(error_of(Wire("fedcba9876543210").read(kSubject, good)), HasSubstr("another key"));
    EXPECT_THAT(error_of(Wire().read(kSubject, good)), HasSubstr("no key was given here"));
}

TEST(Wire, SaysWhatIsWrongWithAMessage) {
    const Wire wire;
    const auto read = [&](const std::string& text) { return error_of(wire.read(kSubject, text)); };
    EXPECT_THAT(read(""), HasSubstr("no message of karikomi"));
    EXPECT_THAT(read("{}"), HasSubstr("no message of karikomi"));
    EXPECT_THAT(read("karikomi 99 -\n{}"), HasSubstr("version 99"));
    EXPECT_THAT(read("karikomi 1 -\n{"), HasSubstr("not JSON"));
    EXPECT_THAT(read("karikomi 1 -\n[]"), HasSubstr("no object"));
    EXPECT_THAT(read("karikomi 1 -\n" + std::string(100'000, '[')), HasSubstr("nested"));
    EXPECT_TRUE(Wire::is_of_karikomi("karikomi 99 abc\n?"));
    EXPECT_FALSE(Wire::is_of_karikomi("hello"));
}

TEST(Wire, NamesThatWouldBeSubjectsOrOrdersAreRefused) {
    const auto job_error = [](const char* member, const Json& value) {
        Json json = to_json(a_job());
        json[member] = value;
        const auto job = job_message(json);
        return job ? std::string() : job.error().what;
    };
    for (const char* run : {"", ">", "*", "a.b", "a b", "a\n"}) {
        EXPECT_THAT(job_error("run", run), HasSubstr("'run'")) << run;
    }
    EXPECT_THAT(job_error("id", "\x1b[2J"), HasSubstr("'id'"));
    EXPECT_THAT(job_error("id", 7), HasSubstr("'id' is no text"));
    EXPECT_THAT(job_error("payload", nullptr), HasSubstr("'payload'"));
    EXPECT_THAT(job_error("session", std::string(1000, 'x')), HasSubstr("'session'"));
}

TEST(Wire, NoOneClaimsMoreSlotsThanAMachineHas) {
    const Json good = to_json(Presence{"w", 2, 0, Json::array()});
    EXPECT_TRUE(presence_of(good));
    for (const Json& slots : {Json(-1), Json(1e18), Json("2"), Json(true), Json(100'000)}) {
        Json bad = good;
        bad["slots"] = slots;
        EXPECT_FALSE(presence_of(bad)) << slots;
    }
}

TEST(Strict, ConvertsNothingSilently) {
    const Json j = {{"n", 3}, {"real", 2.5}, {"big", ~0ULL}, {"minus", -1}, {"yes", true}};
    EXPECT_EQ(strict::whole(j, "n", 0, 10), 3);
    for (const char* name : {"real", "big", "minus", "yes", "missing"}) {
        EXPECT_THROW((void)strict::whole(j, name, 0, 10), strict::StrictError) << name;
    }
    EXPECT_EQ(strict::natural(j, "big"), ~0ULL);
    EXPECT_THROW((void)strict::natural(j, "minus"), strict::StrictError);
    EXPECT_THROW((void)strict::flag(j, "n"), strict::StrictError);
    EXPECT_EQ(strict::printable("a\x1b[2Jb\xc2\x9b"), "a\\x1b[2Jb?\x9b");
}

// ---- What jobs say ------------------------------------------------------------------------------

Json samples_payload() {
    return {{"setup",
             {{"program", "p"},
              {"game", "connect_four"},
              {"rules", Json::array()},
              {"weights", ""},
              {"params", Json::object()},
              {"depth", 4},
              {"hash_mb", 1},
              {"style", to_json(lab::PlayStyle())},
              {"per_game", 8},
              {"seed", 1}}},
            {"units", {{{"number", 0}}}},
            {"want", nullptr}};
}

Json games_payload() {
    match::MatchConfig config;
    config.game = "connect_four";
    config.time.depth = 2;
    match::GamesJob job;
    const std::string engine = "internal:connect_four?hash=1";
    job.players = {{engine, {"a", "1", "", "", ""}}, {engine, {"b", "1", "", "", ""}}};
    job.games = {{0, 0, 1, {"", {"d1", "d2"}}}, {1, 1, 0, {}}};
    return payload_of(config, job);
}

std::unique_ptr<Handler> handler(const std::string& kind) {
    Makers makers = match::game_makers({false, false, 64, 4});
    makers.merge(lab::sample_makers({.most_hash_mb = 64}));
    return makers.at(kind)(0);
}

std::string refusal(const std::string& kind, const Json& payload) {
    const auto h = handler(kind);
    if (const Status s = h->check(payload); !s) return s.error().what;
    const auto result = h->run(payload, StopSource().get_token());
    return result ? "" : result.error().what;
}

TEST(HostileJobs, HonestOnesPassTheCheck) {
    EXPECT_TRUE(handler("samples")->check(samples_payload()));
    EXPECT_TRUE(handler("games")->check(games_payload()));
}

// A number below zero used to divide by zero in the worker.
TEST(HostileJobs, NumbersOutOfRangeAreNamed) {
    for (const char* member : {"random_plies", "noise", "stray", "depth", "most_plies"}) {
        Json payload = samples_payload();
        payload["setup"]["style"][member] = -1;
        EXPECT_THAT(refusal("samples", payload), HasSubstr(member));
    }
    for (const char* member : {"depth", "per_game", "hash_mb", "seed"}) {
        Json payload = samples_payload();
        payload["setup"][member] = -1;
        EXPECT_THAT(refusal("samples", payload), HasSubstr(member));
    }
    Json payload = games_payload();
    payload["games"][0]["first"] = -1;
    EXPECT_THAT(refusal("games", payload), HasSubstr("first"));
    payload = games_payload();
    payload["match"]["margin_ms"] = -5;
    EXPECT_THAT(refusal("games", payload), HasSubstr("margin_ms"));
}

TEST(HostileJobs, MoreThanTheMachineGivesIsRefused) {
    Json payload = games_payload();
    payload["players"][0]["engine"] = "internal:connect_four?hash=100000";
    EXPECT_THAT(refusal("games", payload), HasSubstr("100000 MB"));
    payload["players"][0]["engine"] = "internal:connect_four?hash=1&threads=500";
    EXPECT_THAT(refusal("games", payload), HasSubstr("500 threads"));
}

// Is a file there, and what does it begin with? Nobody who sends jobs is told.
TEST(HostileJobs, RefusalsTellNothingOfFiles) {
    std::set<std::string> said;
    for (const char* file : {"/etc/passwd", "/etc/shadow", "/no/such/file", "/etc"}) {
        for (const char* what : {"params", "weights"}) {
            Json payload = games_payload();
            payload["players"][0]["engine"] =
                std::string("internal:connect_four?hash=1&") + what + "=" + file;
            const auto h = handler("games");
            const auto result = h->run(payload, StopSource().get_token());
            ASSERT_FALSE(result);
            std::string text = result.error().what + result.error().remedy;
            text.replace(text.find(file), std::string(file).size(), "FILE");
            text.replace(text.find(what), std::string(what).size(), "WHAT");
            said.insert(text);
            EXPECT_THAT(h->details(), Not(testing::IsEmpty())) << "for whoever sits here";
        }
    }
    EXPECT_THAT(said, testing::SizeIs(1)) << "whatever the file is";
}

TEST(HostileJobs, MutatedOnesEndInARefusalOrAResult) {
    Random random(25);
    for (const char* kind : {"games", "samples"}) {
        const Json honest = std::string(kind) == "games" ? games_payload() : samples_payload();
        int refused = 0;
        for (int i = 0; i < 3000; ++i) {
            const Json payload = tests::mutated_json(honest, random);
            if (!handler(kind)->check(payload)) ++refused;
        }
        EXPECT_GT(refused, 1000) << kind;
    }
}

TEST(HostileJobs, MutatedMessagesAreReadOrRefused) {
    Random random(26);
    const Wire wire;
    const std::string honest =
        wire.write(kSubject, to_json(JobMessage{"run1", "s1", "g0-1", "games", games_payload()}));
    int refused = 0;
    for (int i = 0; i < 3'000; ++i) {
        const std::string text = tests::mutated_message(honest, random);
        auto json = wire.read(kSubject, text);
        if (!json || !job_message(std::move(*json))) ++refused;
    }
    EXPECT_GT(refused, 1000);
}

TEST(HostileResults, MutatedOnesAreReadOrRefused) {
    Json game = {{"game", 0},          {"first", 0},
                 {"second", 1},        {"position", ""},
                 {"opening_plies", 1}, {"result", "1-0"},
                 {"reason", "rules"},  {"detail", ""},
                 {"moves", "d1 d2"},   {"final_position", "x"},
                 {"seconds", 0.1},     {"started", "2026"},
                 {"host", "h"},        {"margin", nullptr}};
    game["reason"] = name_of(match::End::ByRules);
    game["last_lines"] = Json::array();
    game["slowest_ms"] = {1, 2};
    game["notes"] = {{"scores", {1.0, nullptr}},
                     {"depths", {1, 2}},
                     {"nodes", {10, 20}},
                     {"times_ms", {1, nullptr}}};
    const Json honest = {{"games", {game}}, {"tag", nullptr}};
    const auto read = match::games_of(honest);
    ASSERT_TRUE(read) << read.error().what;
    Random random(27);
    int refused = 0;
    for (int i = 0; i < 5000; ++i) {
        if (!match::games_of(tests::mutated_json(honest, random))) ++refused;
    }
    EXPECT_GT(refused, 2000);
}

}  // namespace
}  // namespace karikomi::queue
