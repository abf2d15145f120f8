#include "karikomi/lab/match/openings.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/registry.hpp"
#include "tests/cli/process.hpp"

namespace karikomi::match {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::unique_ptr<Engine> othello() {
    return std::move(*make_engine("othello"));
}

TEST(MatchOpenings, ReadsMovesWrittenInManyWays) {
    const auto referee = othello();
    for (const char* line :
         {"f5d6c3", "F5D6C3", " f5 d6 c3 ", "f5,d6,c3", "startpos moves f5 d6 c3",
          "position startpos moves f5 d6 c3", "f5d6c3\r"}) {
        const auto o = parse_opening(*referee, line);
        ASSERT_TRUE(o) << line << ": " << o.error().what;
        EXPECT_THAT(o->moves, ElementsAre("f5", "d6", "c3")) << line;
        EXPECT_THAT(o->position, IsEmpty());
        EXPECT_EQ(*parse_opening(*referee, o->text()), *o);
    }
}

TEST(MatchOpenings, ReadsPositions) {
    const auto referee = othello();
    ASSERT_TRUE(referee->set_position("", "f5d6"));
    const std::string position = referee->position_text();
    const auto plain = parse_opening(*referee, position);
    ASSERT_TRUE(plain) << plain.error().what;
    EXPECT_EQ(plain->position, position);
    const auto played = parse_opening(*referee, position + " moves c3");
    ASSERT_TRUE(played) << played.error().what;
    EXPECT_EQ(played->position, position);
    EXPECT_THAT(played->moves, ElementsAre("c3"));
    EXPECT_EQ(*parse_opening(*referee, played->text()), *played);
}

// Transcripts do not write passes. White has no move after c1, and Black plays on.
TEST(MatchOpenings, PutsInPasses) {
    const auto referee = othello();
    const std::string empty_row = "--------";
    std::string board = "XO-X-OXX";
    for (int i = 0; i < 6; ++i) board += empty_row;
    board += "XO------";  // so that the game is not over afterwards
    const auto o = parse_opening(*referee, board + " X moves c1 e1");
    ASSERT_TRUE(o) << o.error().what;
    EXPECT_THAT(o->moves, ElementsAre("c1", "pa", "e1"));
}

TEST(MatchOpenings, SaysWhatIsWrong) {
    const auto referee = othello();
    const auto o = parse_opening(*referee, "f5a1");
    ASSERT_FALSE(o);
    EXPECT_THAT(o.error().what, HasSubstr("move 2: 'a1'"));
}

std::unique_ptr<Openings> random_openings(std::uint64_t seed, const std::string& source) {
    OpeningOptions options;
    options.source = source;
    options.seed = seed;
    options.depth = 2;
    auto made = Openings::make(options, othello());
    EXPECT_TRUE(made) << made.error().what;
    return std::move(*made);
}

TEST(MatchOpenings, RandomOnesAreLegalDifferentAndRepeatable) {
    const auto openings = random_openings(3, "random:8");
    const auto referee = othello();
    std::set<std::string> seen;
    for (std::size_t i = 0; i < 50; ++i) {
        const Opening o = openings->get(i);
        EXPECT_THAT(o.moves, SizeIs(8));
        const auto read = parse_opening(*referee, o.text());
        ASSERT_TRUE(read) << o.text();
        seen.insert(referee->position_text());
    }
    EXPECT_THAT(seen, SizeIs(50));
    // Asked for alone, number 30 is the same: a resumed run begins anywhere.
    EXPECT_EQ(random_openings(3, "random:8")->get(30), openings->get(30));
    EXPECT_NE(random_openings(4, "random:8")->get(30), openings->get(30));
}

TEST(MatchOpenings, FewDifferentOnesDoNotHang) {
    const auto openings = random_openings(1, "random:1");
    for (std::size_t i = 0; i < 10; ++i) EXPECT_THAT(openings->get(i).moves, SizeIs(1));
}

TEST(MatchOpenings, Lists) {
    const tests::TemporaryFolder folder;
    OpeningOptions options;
    options.source = folder.write("list", "# three\nf5d6c3\n\nf5f6 # short\nf5d6c5\n");
    auto list = Openings::make(options, othello());
    ASSERT_TRUE(list) << list.error().what;
    EXPECT_EQ((*list)->size(), 3U);
    EXPECT_EQ((*list)->get(1).text(), "f5 f6");
    EXPECT_EQ((*list)->get(4).text(), "f5 f6") << "begins again at its end";
    options.source = folder.write("bad", "f5d6c3\nf5f5\n");
    const auto bad = Openings::make(options, othello());
    ASSERT_FALSE(bad);
    EXPECT_THAT(bad.error().what, HasSubstr("bad:2: move 2"));
    options.source = folder.file("none");
    EXPECT_FALSE(Openings::make(options, othello()));
    options.source = "random:x";
    EXPECT_FALSE(Openings::make(options, othello()));
}

}  // namespace
}  // namespace karikomi::match
