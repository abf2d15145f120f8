// Matches, tuning and samples by workers over a real NATS server: through the death of a worker, of
// the server and of whoever asked, the same as on one machine.
#include <map>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "karikomi/engine/json.hpp"
#include "tests/lab/match/match_runs.hpp"
#include "tests/lab/queue/nats_server.hpp"
#include "tests/lab/sample_files.hpp"

namespace karikomi::match {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using namespace std::chrono_literals;
using tests::NatsServer;
using tests::Process;
using tests::samples_of;
using tests::TemporaryFolder;

// Deterministic engines. Games long enough for a worker to be killed in one.
const Words kGames = {"internal:othello?hash=1&name=a",
                      "internal:othello?hash=1&off=all&name=b",
                      "--nodes",
                      "1500",
                      "--opening-depth",
                      "2",
                      "--games",
                      "40"};

Words match_words(const Words& words) {
    return with({KARIKOMI_BINARY, "match", "--json"}, words);
}

std::unique_ptr<Process> worker(const NatsServer& server, const Words& more = {}) {
    return std::make_unique<Process>(
        with({KARIKOMI_BINARY, "worker", "--json", "--nats", server.url()}, more));
}

// Jobs in a worker's output with this event.
std::set<std::string> jobs(const std::string& out, const std::string& event) {
    std::set<std::string> found;
    for (const std::string& line : tests::lines_of(out)) {
        const Json j = Json::parse(line, nullptr, false);
        if (j.is_object() && j.value("event", "") == event) found.insert(j.value("job", ""));
    }
    return found;
}

tests::Output stop(Process& process) {
    process.send(SIGINT);
    const auto o = process.wait(60s);
    EXPECT_TRUE(o) << "does not stop";
    return o ? *o : tests::Output{};
}

void expect_same(const Played& one, const Played& two) {
    for (const char* key :
         {"games", "wins", "draws", "losses", "pentanomial", "first_player", "plies", "elo"}) {
        EXPECT_EQ(one.result[key], two.result[key]) << key;
    }
    const auto moves = [](const Played& p) {
        std::map<int, std::string> out;
        for (const Json& g : p.games) {
            EXPECT_TRUE(out.emplace(g["game"], g["moves"]).second) << "twice: " << g["game"];
        }
        return out;
    };
    EXPECT_EQ(moves(one), moves(two));
}

TEST(Cluster, SameGamesAsOnOneMachine) {
    const Played here = play(with(kGames, {"--db", "none", "--concurrency", "2"}));
    const NatsServer server;
    const auto one = worker(server);
    const auto two = worker(server, {"--concurrency", "2"});
    ASSERT_TRUE(one->wait_for_output("ready", 60s));
    ASSERT_TRUE(two->wait_for_output("ready", 60s));
    const Played there = play(with(kGames, {"--db", "none", "--nats", server.url()}));
    expect_same(here, there);
    const auto first = stop(*one);
    const auto second = stop(*two);
    EXPECT_EQ(first.exit_code, 0);
    EXPECT_EQ(jobs(first.out, "done").size() + jobs(second.out, "done").size(), 20U);
    EXPECT_THAT(jobs(first.out, "done"), Not(IsEmpty()));
    EXPECT_THAT(jobs(second.out, "done"), Not(IsEmpty()));
}

TEST(Cluster, SurvivesTheDeathOfAWorkerAndOfTheServer) {
    const Played here = play(with(kGames, {"--db", "none"}));
    NatsServer server;
    const Words quick = {"--nats-silence", "2"};
    Process match(match_words(
        with(with(kGames, quick), {"--db", "none", "--nats", server.url(), "--batch", "4"})));
    auto victim = worker(server, quick);
    ASSERT_TRUE(victim->wait_for_output("started", 60s));
    victim->send(SIGKILL);  // in the middle of its job
    const auto dead = victim->wait(60s);
    ASSERT_TRUE(dead);
    const auto one = worker(server, quick);
    const auto two = worker(server, quick);
    ASSERT_TRUE(one->wait_for_output("started", 60s));  // most of the games are still to come
    server.kill();
    std::this_thread::sleep_for(500ms);
    server.start();
    const auto o = match.wait(200s);
    ASSERT_TRUE(o) << "does not end";
    EXPECT_EQ(o->exit_code, 0) << o->err;
    EXPECT_THAT(o->err, HasSubstr("the NATS server is back"));
    expect_same(here, parse_played(o->out));
    // What the dead one had begun was done by another.
    std::set<std::string> others = jobs(stop(*one).out, "done");
    others.merge(jobs(stop(*two).out, "done"));
    for (const std::string& job : jobs(dead->out, "started")) {
        if (!jobs(dead->out, "done").contains(job)) {
            EXPECT_THAT(others, Contains(job));
        }
    }
}

TEST(Cluster, TheMatchItselfMayBeKilledAndResumed) {
    const Played here = play(with(kGames, {"--db", "none"}));
    const TemporaryFolder folder;
    const std::string db = folder.file("m.db");
    const NatsServer server;
    const auto one = worker(server, {"--concurrency", "2"});
    for (int i = 0; i < 2; ++i) {
        Process match(match_words(with(kGames, {"--db", db, "--nats", server.url()})));
        ASSERT_TRUE(match.wait_for_output("\"event\":\"game\"", 60s));
        match.send(SIGKILL);
        (void)match.wait(60s);
    }
    std::this_thread::sleep_for(300ms);  // results come in that nobody asks for yet
    const Played rest = play({"--resume", db, "--nats", server.url()});
    EXPECT_EQ(rest.result["games"], 40);
    const tests::Output all = tests::run({KARIKOMI_BINARY, "match", "export", db});
    Played whole = parse_played(all.out);
    whole.result = rest.result;
    expect_same(here, whole);
}

TEST(Cluster, AWorkerThatLeavesGivesItsJobBack) {
    const NatsServer server;
    Process match(match_words(with(kGames, {"--db", "none", "--nats", server.url(), "--batch", "10",
                                            "--nats-silence", "600"})));
    const auto one = worker(server);
    ASSERT_TRUE(one->wait_for_output("started", 60s));
    const auto left = stop(*one);
    EXPECT_EQ(left.exit_code, 0);
    EXPECT_THAT(jobs(left.out, "dropped"), SizeIs(1));
    // At once, and not after the ten minutes of a silent worker.
    const auto two = worker(server, {"--concurrency", "2"});
    const auto o = match.wait(200s);
    ASSERT_TRUE(o) << "does not end";
    EXPECT_THAT(parse_played(o->out).games, SizeIs(40));
}

TEST(Cluster, StoppingAMatchFreesItsWorkers) {
    const TemporaryFolder folder;
    const NatsServer server;
    const std::string db = folder.file("m.db");
    Process match(match_words({"internal:othello?hash=1", "internal:othello?hash=1&off=all",
                               "--nodes", "1500", "--games", "4000", "--opening-depth", "1",
                               "--batch", "100", "--db", db, "--nats", server.url()}));
    const auto one = worker(server);
    ASSERT_TRUE(one->wait_for_output("started", 60s));
    match.send(SIGINT);
    const auto o = match.wait(200s);
    ASSERT_TRUE(o) << "does not stop";
    EXPECT_EQ(o->exit_code, 1);
    EXPECT_THAT(parse_played(o->out).result["resume"].get<std::string>(),
                HasSubstr("--nats " + server.url()));
    EXPECT_TRUE(one->wait_for_output("\"cancelled\"", 60s));
}

TEST(Cluster, TunesAsOnOneMachine) {
    const Words words = {KARIKOMI_BINARY,
                         "tune",
                         "--json",
                         "connect_four",
                         "--method",
                         "spsa",
                         "--param",
                         "late_moves.base=1,c=1",
                         "--param",
                         "late_moves.full_moves",
                         "--depth",
                         "4",
                         "--hash",
                         "1",
                         "--opening-depth",
                         "2",
                         "--games",
                         "40",
                         "--db",
                         "none"};
    const NatsServer server;
    const auto one = worker(server);
    ASSERT_TRUE(one->wait_for_output("ready", 60s));
    const tests::Output here = tests::run(words);
    const tests::Output there = tests::run(with(words, {"--nats", server.url()}));
    ASSERT_EQ(here.exit_code, 0) << here.err;
    ASSERT_EQ(there.exit_code, 0) << there.err;
    const auto result = [](const tests::Output& o) {
        return Json::parse(tests::lines_of(o.out).back());
    };
    EXPECT_EQ(result(here)["games"], 40);
    EXPECT_EQ(result(here)["parameters"], result(there)["parameters"]);
}

TEST(Cluster, CollectsTheSamplesOfOneMachineThoughAWorkerDies) {
    const TemporaryFolder folder;
    const auto words = [&](const char* file, const Words& more) {
        return with({KARIKOMI_BINARY, "lab", "collect", "connect_four", "--json", "--games", "60",
                     "--depth", "9", "--hash", "1", "--db", folder.file(file)},
                    more);
    };
    const tests::Output here = tests::run(words("here.db", {}));
    ASSERT_EQ(here.exit_code, 0) << here.err;
    const NatsServer server;
    const auto victim = worker(server, {"--nats-silence", "2"});
    ASSERT_TRUE(victim->wait_for_output("ready", 60s));
    Process there(words("there.db", {"--nats", server.url()}));
    ASSERT_TRUE(victim->wait_for_output("\"done\"", 60s)) << "it has begun";
    victim->send(SIGKILL);
    const auto heir = worker(server);
    const auto end = there.wait(120s);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->exit_code, 0) << end->err;
    EXPECT_THAT(jobs(stop(*heir).out, "done"), Not(IsEmpty()));
    EXPECT_THAT(samples_of(folder.file("here.db")), Not(IsEmpty()));
    EXPECT_EQ(samples_of(folder.file("here.db")), samples_of(folder.file("there.db")));
}

TEST(Cluster, CommandsAreRunOnlyWhereItIsAllowed) {
    const NatsServer server;
    const Words words = {"internal:othello?hash=1",
                         mock("nboard", "", "name=m"),
                         "--depth",
                         "1",
                         "--opening-depth",
                         "1",
                         "--games",
                         "4",
                         "--db",
                         "none",
                         "--nats",
                         server.url()};
    {
        const auto careful = worker(server);
        ASSERT_TRUE(careful->wait_for_output("ready", 60s));
        const tests::Output o = tests::run(match_words(words));
        EXPECT_EQ(o.exit_code, 3);
        EXPECT_THAT(o.err, HasSubstr("runs no commands"));
        EXPECT_THAT(o.err, HasSubstr("--allow-commands"));
    }
    const auto trusting = worker(server, {"--allow-commands"});
    EXPECT_THAT(play(words).games, SizeIs(4));
}

TEST(Cluster, WrongServersAreNamed) {
    const auto error = [](const std::string& url, const Words& more = {}) {
        const tests::Output o =
            tests::run(with({KARIKOMI_BINARY, "worker", "--nats", url, "--idle", "1"}, more));
        EXPECT_EQ(o.exit_code, 3) << o.out << o.err;
        EXPECT_THAT(tests::lines_of(o.err), SizeIs(1));
        return o.err;
    };
    EXPECT_THAT(error("nats://127.0.0.1:1"), HasSubstr("nats-server --jetstream"));
    const NatsServer plain(std::vector<std::string>{});
    EXPECT_THAT(error(plain.url()), HasSubstr("JetStream is off"));
    const NatsServer closed({"--jetstream", "--auth", "secret"});
    EXPECT_THAT(error(closed.url()), HasSubstr("--nats-token"));
    EXPECT_THAT(error(closed.url(), {"--nats-token", "wrong"}), HasSubstr("--nats-token"));
    const tests::Output right = tests::run({KARIKOMI_BINARY, "worker", "--nats", closed.url(),
                                            "--nats-token", "secret", "--idle", "1"});
    EXPECT_EQ(right.exit_code, 0) << right.err;
    EXPECT_THAT(right.out, HasSubstr("0 jobs done"));
    const tests::Output usage =
        tests::run({KARIKOMI_BINARY, "worker", "--nats-ca", "/no/such/file"});
    EXPECT_EQ(usage.exit_code, 2);
    EXPECT_THAT(usage.err, HasSubstr("/no/such/file"));
}

}  // namespace
}  // namespace karikomi::match
