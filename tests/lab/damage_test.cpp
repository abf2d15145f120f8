// Databases that were damaged: every damage is found or changes nothing, the message names the
// file, and what is good can be saved.
#include <filesystem>
#include <random>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "karikomi/base/files.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/match/store.hpp"
#include "karikomi/lab/samples.hpp"
#include "karikomi/lab/store/database.hpp"
#include "karikomi/server/game_store.hpp"
#include "tests/cli/process.hpp"

namespace karikomi::lab {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using tests::TemporaryFolder;

constexpr int kDamages = 1000;

/// A database of one kind: how it is made, and all that it says.
struct Kind {
    std::function<void(const std::string& file)> make;
    std::function<Expected<std::string>(const std::string& file)> contents;
};

Kind samples() {
    return {[](const std::string& file) {
                const auto store = SampleStore::open(file, {{"game", "connect_four"}});
                ASSERT_TRUE(store);
                (*store)->add_source("games", {{"seed", 1}});
                for (std::uint64_t unit = 0; unit < 40; ++unit) {
                    Sample s;
                    s.key = std::to_string(unit * 7919), s.position = "44" + s.key;
                    s.values = {10, static_cast<Value>(unit), 31};
                    s.nodes = {7, 0, 99};
                    (*store)->save("games", unit, {s});
                }
                (*store)->save_record("cuts", 1, {{"wrong", 3}});
            },
            [](const std::string& file) -> Expected<std::string> {
                const auto store = SampleStore::read(file);
                if (!store) return store.error();
                std::string out = (*store)->conditions().dump() + (*store)->sources().dump();
                (*store)->for_each(20, [&](const Sample& s, bool held_out) {
                    out += to_json(s).dump() + (held_out ? "h" : "");
                });
                for (const auto& [n, r] : (*store)->records("cuts")) out += r.dump();
                return out;
            }};
}

Kind games() {
    return {[](const std::string& file) {
                const auto store = match::Store::open(file);
                ASSERT_TRUE(store);
                (*store)->set("config", {{"game", "shogi"}, {"games", 20}});
                for (std::uint64_t n = 0; n < 20; ++n) {
                    match::GameRow row;
                    row.slot.game = n, row.slot.second = 1;
                    row.started = "2026-11-15T12:00:00Z", row.host = "here";
                    row.result.winner = n % 2 == 0 ? Winner::First : Winner::Second;
                    row.result.seconds = 1.5;
                    for (const char* m : {"7g7f", "3c3d", "2g2f"}) {
                        row.result.moves.push_back({m, 0.5, 7, 1000 + n, 20, true});
                    }
                    (*store)->save(row);
                }
            },
            [](const std::string& file) -> Expected<std::string> {
                const auto store = match::Store::read(file);
                if (!store) return store.error();
                std::string out = (*store)->get("config").dump();
                (*store)->each_game([&](const match::GameRow& g) { out += pack(g).dump(); });
                return out;
            }};
}

/// What the page keeps. It is opened for writing.
Kind kept_games() {
    return {[](const std::string& file) {
                const auto store = server::GameStore::open(file);
                ASSERT_TRUE(store);
                for (int i = 0; i < 30; ++i) {
                    server::KeptGame g;
                    g.game = "renju", g.title = "game " + std::to_string(i);
                    g.moves = "h8 i9", g.document = R"({"comment": "a long fight"})";
                    ASSERT_TRUE((*store)->save(g));
                }
            },
            [](const std::string& file) -> Expected<std::string> {
                const auto store = server::GameStore::open(file);
                if (!store) return store.error();
                std::string out;
                for (std::int64_t id = 1; id <= 30; ++id) {
                    const auto g = (*store)->load(id);
                    out += g ? server::to_json(*g, true).dump() : "lost";
                }
                return out;
            }};
}

class Damage : public testing::TestWithParam<int> {
protected:
    Damage()
        : kind_(std::array{samples, games, kept_games}[static_cast<std::size_t>(GetParam())]()) {
        kind_.make(file_);
        whole_ = tests::read_file(file_);
        contents_ = *kind_.contents(file_);
    }
    std::string damaged(std::mt19937_64& random) const {
        std::string bytes = whole_;
        const std::size_t at = random() % bytes.size();
        if (random() % 10 == 0) return bytes.substr(0, at);
        bytes[at] =
            static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U + random() % 255));
        return bytes;
    }

    TemporaryFolder folder_;
    std::string file_ = folder_.file("kept.db");
    Kind kind_;
    std::string whole_;
    std::string contents_;
};

TEST_P(Damage, IsFoundOrHarmlessAndNamed) {
    std::mt19937_64 random(7);
    int found = 0;
    for (int i = 0; i < kDamages; ++i) {
        const std::string bytes = damaged(random);
        if (bytes.empty()) continue;
        const std::string file = folder_.write("bad.db", bytes);
        Expected<std::string> got = Error{};
        ASSERT_NO_THROW(got = kind_.contents(file)) << "damage " << i;
        if (got) {
            ASSERT_TRUE(*got == contents_) << "damage " << i << " is believed";
        } else {
            ++found;
            ASSERT_THAT(got.error().what, HasSubstr(file)) << "damage " << i;
            ASSERT_THAT(got.error().remedy, Not(HasSubstr("report"))) << "damage " << i;
        }
        for (const char* end : {"-wal", "-shm"}) std::filesystem::remove(file + end);
    }
    EXPECT_GT(found, kDamages / 10) << "a good part of the file is rows";
}

TEST_P(Damage, WhatIsGoodIsSaved) {
    std::mt19937_64 random(8);
    int saved = 0;
    for (int i = 0; i < 60; ++i) {
        const std::string bytes = damaged(random);
        const std::string file = folder_.write("bad.db", bytes);
        const auto r = examine_database(file);
        if (!r) continue;  // no database any more
        ASSERT_EQ(tests::read_file(file), bytes) << "the damaged file is left alone";
        const bool good = static_cast<bool>(kind_.contents(file));
        EXPECT_EQ(r->faults.empty(), good) << "damage " << i;
        if (!good) EXPECT_EQ(tests::read_file(file), bytes) << "nor does a refusal change it";
        if (good || r->good.empty()) continue;
        const std::string fresh = folder_.file("fresh.db");
        ASSERT_TRUE(r->save(fresh)) << "damage " << i;
        const auto again = examine_database(fresh);
        ASSERT_TRUE(again);
        EXPECT_TRUE(again->faults.empty()) << "damage " << i << ": " << again->faults.front();
        ++saved;
    }
    EXPECT_GT(saved, 10);
}

INSTANTIATE_TEST_SUITE_P(All, Damage, testing::Values(0, 1, 2));

TEST(DamagedDatabase, OneChangedRowIsNamedAndTheOthersAreSaved) {
    const TemporaryFolder folder;
    const std::string file = folder.file("m.db");
    games().make(file);
    std::string bytes = tests::read_file(file);
    const std::size_t at = bytes.find("7g7f 3c3d");
    ASSERT_NE(at, std::string::npos);
    bytes[at] = '6';  // a move that may be played as well
    folder.write("m.db", bytes);
    const auto got = match::Store::read(file);
    ASSERT_FALSE(got);
    EXPECT_THAT(got.error().what, HasSubstr("of games is not what was written"));
    EXPECT_THAT(got.error().remedy, HasSubstr("karikomi repair " + file));
    EXPECT_FALSE(match::Store::open(file)) << "nor is it written to";
    EXPECT_EQ(tests::read_file(file), bytes);
    const auto r = examine_database(file);
    ASSERT_TRUE(r);
    EXPECT_THAT(r->good, HasSubstr("19 rows of games"));
    ASSERT_TRUE(r->save(folder.file("new.db")));
    const auto store = match::Store::read(folder.file("new.db"));
    ASSERT_TRUE(store) << store.error().what;
    std::size_t games = 0;
    (*store)->each_game([&](const match::GameRow&) { ++games; });
    EXPECT_EQ(games, 19U);
}

TEST(DamagedDatabase, OfAnotherProgramIsLeftAsItIs) {
    const TemporaryFolder folder;
    const std::string file = folder.file("bookmarks.db");
    {
        SQLite::Database db(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        db.exec("CREATE TABLE bookmarks (url TEXT)");
    }
    const std::string before = tests::read_file(file);
    const auto opened = Database::open(file, {"match", 1, ""});
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().what, HasSubstr("another program"));
    EXPECT_FALSE(Database::read(file, "match"));
    EXPECT_EQ(tests::read_file(file), before);
}

/// Databases of before have no checksums: they are read, and get them when they are written to.
TEST(DamagedDatabase, OfAnEarlierVersionIsTakenOver) {
    const TemporaryFolder folder;
    const std::string file = folder.file("old.db");
    const Database::Kind kind = {"tune", 2, "CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY)"};
    {
        SQLite::Database db(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        db.exec("CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL)");
        db.exec("INSERT INTO facts VALUES ('kind', '\"tune\"'), ('format', '2'), ('config', '1')");
        db.exec("CREATE TABLE t (n INTEGER PRIMARY KEY)");
        db.exec("INSERT INTO t VALUES (5)");
    }
    EXPECT_TRUE(Database::read(file, "tune"));
    EXPECT_TRUE(Database::open(file, kind));
    const auto read = Database::read(file, "tune");
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_FALSE((*read)->get("sealed").is_null());
    // From now on a row without its sum is not ours.
    SQLite::Database(file, SQLite::OPEN_READWRITE).exec("INSERT INTO t (n) VALUES (6)");
    EXPECT_FALSE(Database::read(file, "tune"));
}

TEST(DamagedDatabase, AFullDiskIsNamed) {
    const TemporaryFolder folder;
    const std::string file = folder.file("m.db");
    const auto store = match::Store::open(file);
    ASSERT_TRUE(store);
    match::GameRow row;
    row.result.detail = std::string(100'000, 'x');
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = 50'000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    std::string said;
    int code = 0;
    try {
        (*store)->save(row);
    } catch (const Failure& f) {
        said = f.error.what;
        code = f.code;
    }
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_THAT(said, HasSubstr(file));
    EXPECT_THAT(said, AnyOf(HasSubstr("disk is full"), HasSubstr("disk refuses")));
    EXPECT_EQ(code, kBroken);
    (*store)->save(row);  // room again
}

}  // namespace
}  // namespace karikomi::lab
