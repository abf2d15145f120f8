// What the machine refuses: one line that names it, exit code 3, and nothing lost.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "karikomi/base/folder_lock.hpp"
#include "karikomi/engine/json.hpp"
#include "tests/cli/process.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::SizeIs;

constexpr int kBroken = 3;

Output shell(const std::string& script) {
    return run({"/bin/bash", "-c", script});
}

void expect_one_line(const Output& o, const std::string& what) {
    EXPECT_EQ(o.exit_code, kBroken) << o.out << o.err;
    EXPECT_THAT(lines_of(o.err), SizeIs(1)) << o.err;
    EXPECT_THAT(o.err, HasSubstr(what));
    EXPECT_THAT(o.err, testing::Not(HasSubstr("internal error")));
}

const std::string kProgram = "'" KARIKOMI_BINARY "' ";
const std::string kMatch =
    kProgram +
    "match internal:connect_four?hash=1 'internal:connect_four?hash=1&off=all' "
    "--depth 2 --opening-depth 1 --json ";

TEST(Faults, AFullDiskIsNamed) {
    expect_one_line(run({KARIKOMI_BINARY, "records", "othello", "--text", "f5d6c3", "--to", "ggf",
                         "--out", "/dev/full"}),
                    "the disk is full");
    expect_one_line(run({KARIKOMI_BINARY, "records", "othello", "--text", "f5d6c3", "--to", "ggf",
                         "--out", "/no/such/folder/x.ggf"}),
                    "there is no such folder");
}

// Files may not grow beyond 200 kB: the disk refuses in the middle of a match.
TEST(Faults, AMatchThatTheDiskEndsKeepsItsGamesAndGoesOn) {
    const TemporaryFolder folder;
    const std::string db = folder.file("m.db");
    const Output o =
        shell("trap '' XFSZ; ulimit -f 200; exec " + kMatch + "--games 2000 --db " + db);
    expect_one_line(o, "what was saved before stays");
    EXPECT_THAT(o.err, HasSubstr(db));
    const auto games_of = [&](const Output& shown) {
        return Json::parse(lines_of(shown.out).back())["games"].get<int>();
    };
    const Output shown = run({KARIKOMI_BINARY, "match", "show", db, "--json"});
    ASSERT_EQ(shown.exit_code, 0) << shown.err;
    const int kept = games_of(shown);
    EXPECT_GT(kept, 10);
    const std::string more = std::to_string(kept + kept % 2 + 2);
    const Output rest = run({KARIKOMI_BINARY, "match", "--json", "--resume", db, "--games", more});
    EXPECT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_EQ(games_of(rest), std::stoi(more));
}

TEST(Faults, ALockedDatabaseIsNamed) {
    const TemporaryFolder folder;
    const std::string db = folder.file("m.db");
    ASSERT_EQ(shell(kMatch + "--games 2 --db " + db).exit_code, 0);
    SQLite::Database holder(db, SQLite::OPEN_READWRITE);
    holder.exec("PRAGMA locking_mode = EXCLUSIVE");
    holder.exec("BEGIN EXCLUSIVE");
    expect_one_line(shell(kMatch + "--games 4 --db " + db), "locked");
}

TEST(Faults, NoMemoryForTheTable) {
    if (test::kSanitized) GTEST_SKIP() << "sanitizers need more address space than there would be";
    expect_one_line(
        shell("ulimit -v 2000000; exec " + kProgram + "analyze connect_four --depth 2 --hash 4000"),
        "no room for a table of 4000 MB");
}

TEST(Faults, TwoTrainersInOneFolderAreRefused) {
    const TemporaryFolder folder;
    const auto held = FolderLock::take(folder.path());
    ASSERT_TRUE(held);
    expect_one_line(run({KARIKOMI_BINARY, "train", "othello", "--folder", folder.path().string(),
                         "--rounds", "1", "--games", "256", "--depth", "1"}),
                    "in use by another program");
    const auto again = FolderLock::take(folder.path());
    EXPECT_FALSE(again);
}

TEST(Faults, AFolderIsFreeWhenItsProgramEnds) {
    const TemporaryFolder folder;
    { const auto first = FolderLock::take(folder.file("deep/er")); }
    EXPECT_TRUE(FolderLock::take(folder.file("deep/er")));
}

TEST(Faults, CtrlCEndsABatchOfTenThousandQuickly) {
    const TemporaryFolder folder;
    std::string positions;
    for (int i = 0; i < 10'000; ++i) {
        positions += "---------------------------OX------XO--------------------------- X\n";
    }
    Process batch({KARIKOMI_BINARY, "solve", "othello", "--file",
                   folder.write("many.obf", positions), "--json", "--hash", "16", "--time-ms",
                   "50"});
    ASSERT_TRUE(batch.wait_for_output("{", 60s));
    const auto start = std::chrono::steady_clock::now();
    batch.send(SIGINT);
    const auto o = batch.wait(60s);
    ASSERT_TRUE(o);
    EXPECT_EQ(o->exit_code, 1) << o->err;
    EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
    EXPECT_THAT(lines_of(o->out).back(), HasSubstr("\"interrupted\":true"));
}

}  // namespace
}  // namespace karikomi::tests
