// Thousands of mutated messages on every subject of a real NATS server, while a match is played:
// no worker dies, and every honest game is played once. KARIKOMI_HOSTILE_MESSAGES=10000 for the
// full number (docs/cluster.md).
#include <cstdlib>
#include <map>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "karikomi/lab/queue/nats_connection.hpp"
#include "tests/lab/match/match_runs.hpp"
#include "tests/lab/queue/mutations.hpp"
#include "tests/lab/queue/nats_server.hpp"

namespace karikomi::match {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using namespace std::chrono_literals;
using queue::Wire;
using tests::NatsServer;
using tests::Process;

constexpr int kGames = 60;

int wanted_messages() {
    const char* wanted = std::getenv("KARIKOMI_HOSTILE_MESSAGES");
    return wanted != nullptr ? std::atoi(wanted) : 600;
}

Words match_words(const Words& more) {
    return with({KARIKOMI_BINARY, "match", "--json", "internal:connect_four?hash=1&name=a",
                 "internal:connect_four?hash=1&off=all&name=b", "--nodes", "2000",
                 "--opening-depth", "1", "--games", std::to_string(kGames), "--db", "none"},
                more);
}

Words worker_words(const NatsServer& server, const Words& more = {}) {
    return with({KARIKOMI_BINARY, "worker", "--json", "--nats", server.url(), "--nats-silence", "5",
                 "--job-time", "20"},
                more);
}

std::map<int, std::string> moves_of(const Played& p) {
    std::map<int, std::string> out;
    for (const Json& g : p.games) {
        EXPECT_TRUE(out.emplace(g["game"], g["moves"]).second) << "twice: " << g["game"];
    }
    return out;
}

// A stranger at the server: hears everything, says everything.
class Stranger {
public:
    explicit Stranger(const NatsServer& server) {
        natsConnection* made = nullptr;
        if (natsConnection_ConnectTo(&made, server.url().c_str()) != NATS_OK) {
            throw std::runtime_error("no connection");
        }
        connection_.reset(made);
        natsSubscription* all = nullptr;
        (void)natsConnection_SubscribeSync(&all, made, "karikomi.>");
        hears_.reset(all);
    }
    void say(const std::string& subject, const std::string& text) {
        (void)natsConnection_Publish(connection_.get(), subject.c_str(), text.data(),
                                     static_cast<int>(text.size()));
    }
    // What was said until all of these subjects were heard of.
    std::vector<std::pair<std::string, std::string>> listen(std::set<std::string> until) {
        std::vector<std::pair<std::string, std::string>> heard;
        const auto end = std::chrono::steady_clock::now() + 60s;
        while (!until.empty() && std::chrono::steady_clock::now() < end) {
            natsMsg* message = nullptr;
            if (natsSubscription_NextMsg(&message, hears_.get(), 200) != NATS_OK) continue;
            const queue::Message owner(message);
            const std::string subject = queue::subject_of(message);
            heard.emplace_back(subject, queue::data_of(message));
            std::erase_if(until, [&](const std::string& s) { return subject.starts_with(s); });
        }
        EXPECT_THAT(until, IsEmpty());
        return heard;
    }

private:
    queue::Owned<natsConnection, natsConnection_Destroy> connection_;
    queue::Owned<natsSubscription, natsSubscription_Destroy> hears_;
};

Json state_of(const NatsServer& server) {
    const tests::Output o =
        tests::run({KARIKOMI_BINARY, "cluster", "status", "--json", "--nats", server.url()});
    EXPECT_EQ(o.exit_code, 0) << o.err;
    return Json::parse(tests::lines_of(o.out).back());
}

// Waits until the workers have dealt with all that was sent.
void drain(const NatsServer& server) {
    for (int i = 0; i < 600; ++i) {
        if (state_of(server)["jobs"] == 0) return;
        std::this_thread::sleep_for(500ms);
    }
    ADD_FAILURE() << "jobs are left: " << state_of(server).dump();
}

// Plays a match while `count` mutated copies of what was said go over the wire.
void attack(int count, const std::string& key) {
    if (key.empty()) {
        unsetenv("KARIKOMI_JOB_KEY");
    } else {
        setenv("KARIKOMI_JOB_KEY", key.c_str(), 1);
    }
    const Played here = parse_played(tests::run(match_words({})).out);
    const NatsServer server;
    Stranger stranger(server);
    std::vector<std::unique_ptr<Process>> workers;
    for (int i = 0; i < 2; ++i) {
        workers.push_back(std::make_unique<Process>(worker_words(server, {"--concurrency", "2"})));
    }
    Process match(match_words({"--nats", server.url(), "--nats-silence", "5"}));
    auto heard = stranger.listen({"karikomi.jobs", "karikomi.results", "karikomi.workers"});
    const std::string run = heard.front().first;
    // Nobody has refused or cancelled anything yet. Without a key whoever writes as we do is
    // believed, so these are of another run.
    const std::string other = key.empty() ? "otherrun" : run.substr(run.rfind('.') + 1);
    const Wire forged(key.empty() ? "" : "not the right key");
    const auto add = [&](const char* subject, const Json& json) {
        for (int i = 0; i < 5; ++i) heard.emplace_back(subject, forged.write(subject, json));
    };
    add(queue::kCancel, {{"run", other}});
    add(queue::kRefusals, to_json(queue::Refusal{other, "s", "g0-1", "w", "no", "", "", true}));
    // Half of them jobs, a quarter results: workers say that they are there much more often.
    std::map<std::string, std::vector<std::pair<std::string, std::string>>> by_kind;
    for (const auto& said : heard)
        by_kind[said.first.substr(0, said.first.find('.', 9))].push_back(said);
    const std::vector<std::string> kinds = {
        "karikomi.jobs",    "karikomi.jobs",  "karikomi.jobs", "karikomi.jobs", "karikomi.results",
        "karikomi.results", queue::kPresence, queue::kCancel,  queue::kRefusals};
    Random random(static_cast<std::uint64_t>(count));
    for (int i = 0; i < count; ++i) {
        const auto& said = by_kind[kinds[random.below(kinds.size())]];
        const auto& [subject, text] = said[random.below(said.size())];
        stranger.say(random.below(20) == 0 ? heard[random.below(heard.size())].first : subject,
                     tests::mutated_message(text, random));
        if (i % 100 == 99) std::this_thread::sleep_for(20ms);
    }
    const auto o = match.wait(600s);
    ASSERT_TRUE(o) << "does not end";
    EXPECT_EQ(o->exit_code, 0) << o->err;
    const Played there = parse_played(o->out);
    EXPECT_EQ(there.result["games"], kGames);
    EXPECT_EQ(moves_of(here), moves_of(there));
    drain(server);
    const Json state = state_of(server);
    EXPECT_EQ(state["workers"].size(), 2U) << state.dump();
    EXPECT_GT(state["dead"], 0);
    EXPECT_THAT(state["dead_letters"][0]["reason"].get<std::string>(), Not(IsEmpty()));
    std::size_t done = 0;
    for (const auto& worker : workers) {
        worker->send(SIGINT);
        const auto end = worker->wait(60s);
        ASSERT_TRUE(end) << "a worker does not answer";
        EXPECT_EQ(end->exit_code, 0) << end->err;
        for (const std::string& line : tests::lines_of(end->out)) {
            done += line.find("\"event\":\"done\"") != std::string::npos ? 1 : 0;
        }
    }
    std::printf(
        "%d mutated messages%s: %d games once each, 2 of 2 workers alive, %zu jobs done, "
        "%s put aside (1000 are kept)\n",
        count, key.empty() ? "" : ", signed run", kGames, done, state["dead"].dump().c_str());
    unsetenv("KARIKOMI_JOB_KEY");
}

TEST(HostileNats, MutatedMessagesHarmNobody) {
    attack(wanted_messages() / 2, "");
}

TEST(HostileNats, NorWhereEverythingIsSigned) {
    attack(wanted_messages() / 2, "0123456789abcdef0123456789abcdef");
}

TEST(HostileNats, WhatNobodyCanReadIsKeptAndShown) {
    const NatsServer server;
    Process worker(worker_words(server));
    ASSERT_TRUE(worker.wait_for_output("ready", 60s));
    Stranger stranger(server);
    stranger.say("karikomi.jobs.x", "hello");
    stranger.say("karikomi.jobs.x", "karikomi 99 -\n{}");
    stranger.say("karikomi.jobs.x", Wire().write("karikomi.jobs.x", {{"run", 5}}));
    drain(server);
    const Json state = state_of(server);
    EXPECT_EQ(state["dead"], 3);
    std::string reasons;
    for (const Json& l : state["dead_letters"]) reasons += l["reason"].get<std::string>() + "\n";
    EXPECT_THAT(reasons, HasSubstr("no message of karikomi"));
    EXPECT_THAT(reasons, HasSubstr("version 99"));
    EXPECT_THAT(reasons, HasSubstr("'run' is no text"));
    const tests::Output shown =
        tests::run({KARIKOMI_BINARY, "cluster", "status", "--nats", server.url()});
    EXPECT_THAT(shown.out, HasSubstr("put aside       3 messages"));
    EXPECT_THAT(shown.out, HasSubstr("0 of 1 slots busy"));
    const tests::Output gone =
        tests::run({KARIKOMI_BINARY, "cluster", "forget", "--nats", server.url()});
    EXPECT_EQ(gone.exit_code, 0);
    EXPECT_EQ(state_of(server)["dead"], 0);
}

TEST(HostileNats, AJobTooLargeForTheServerIsRefusedAtOnce) {
    const tests::TemporaryFolder folder;
    const NatsServer server(
        {"--jetstream", "--config", folder.write("nats.conf", "max_payload: 2000\n")});
    const tests::Output o =
        tests::run(match_words({"--nats", server.url(), "--batch", std::to_string(kGames)}));
    EXPECT_EQ(o.exit_code, 3);
    EXPECT_THAT(o.err, HasSubstr("the NATS server takes"));
    EXPECT_THAT(o.err, HasSubstr("--batch"));
}

// A worker that does not know the key does nothing for whoever does, and says so.
TEST(HostileNats, KeysMustBeTheSame) {
    const NatsServer server;
    Process worker(worker_words(server, {"--job-key", "fedcba9876543210"}));
    ASSERT_TRUE(worker.wait_for_output("ready", 60s));
    Process match(match_words(
        {"--nats", server.url(), "--job-key", "0123456789abcdef", "--nats-silence", "2"}));
    EXPECT_TRUE(worker.wait_for_output("signed with another key", 60s));
    std::this_thread::sleep_for(2s);  // the match hears of the worker twice a second
    match.send(SIGINT);
    const auto o = match.wait(60s);
    ASSERT_TRUE(o);
    EXPECT_THAT(o->err, HasSubstr("signed with another key"));
    const tests::Output weak =
        tests::run({KARIKOMI_BINARY, "worker", "--nats", server.url(), "--job-key", "short"});
    EXPECT_EQ(weak.exit_code, 2);
    EXPECT_THAT(weak.err, HasSubstr("guessed"));
}

// ---- Databases from elsewhere -------------------------------------------------------------------

TEST(ForeignDatabase, ItsCommandsAreNotRunUnlessToldTo) {
    const tests::TemporaryFolder folder;
    const std::string db = folder.file("m.db");
    const Words begin = {KARIKOMI_BINARY,
                         "match",
                         "--json",
                         "internal:othello?hash=1",
                         mock("nboard", "", "name=m"),
                         "--depth",
                         "1",
                         "--opening-depth",
                         "1",
                         "--games",
                         "2",
                         "--db",
                         db};
    const Words resume = {KARIKOMI_BINARY, "match", "--json", "--resume", db, "--games", "4"};
    setenv("XDG_STATE_HOME", folder.file("mine").c_str(), 1);
    EXPECT_EQ(tests::run(begin).exit_code, 0);
    EXPECT_EQ(tests::run(resume).exit_code, 0) << "begun here";
    // Another user, who was sent the file.
    setenv("XDG_STATE_HOME", folder.file("another").c_str(), 1);
    const tests::Output refused = tests::run(resume);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("mock_engine"));
    EXPECT_THAT(refused.err, HasSubstr("--allow-commands"));
    EXPECT_EQ(tests::run(with(resume, {"--allow-commands"})).exit_code, 0);
    EXPECT_EQ(tests::run(resume).exit_code, 0) << "told once";
    unsetenv("XDG_STATE_HOME");
}

}  // namespace
}  // namespace karikomi::match
