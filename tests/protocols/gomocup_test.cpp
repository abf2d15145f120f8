/// The Gomocup protocol under junk: every question is answered once, whatever stands in it. Plays
/// against the protocol inside this process, so that many lines go in little time.
#include "karikomi/games/renju/gomocup/gomocup.hpp"

#include <random>
#include <regex>

#include <gtest/gtest.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/renju/gomocup/gomocup_board.hpp"
#include "tests/protocols/partner.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::tests {
namespace {

using namespace std::chrono_literals;
using protocols::GomocupBoard;
using protocols::Owner;

TEST(GomocupBoard, TheColourFollowsFromTheStones) {
    GomocupBoard board;
    board.clear(15);
    EXPECT_TRUE(board.own_is_black());
    ASSERT_TRUE(board.add({{7, 7}, Owner::Opponent}));
    EXPECT_FALSE(board.own_is_black());
    EXPECT_EQ(board.position_text(), "15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15 w");
    ASSERT_TRUE(board.add({{8, 6}, Owner::Own}));
    EXPECT_TRUE(board.own_is_black());  // as many of each
    EXPECT_FALSE(board.add({{8, 6}, Owner::Own}));
    EXPECT_FALSE(board.add({{15, 6}, Owner::Own}));
    EXPECT_EQ(board.move_text({8, 6}), "i9");
    EXPECT_EQ(board.pair_of("i9"), (protocols::Pair{8, 6}));
    ASSERT_TRUE(board.remove({7, 7}));
    EXPECT_TRUE(board.own_is_black());  // the first stone is its own
}

class MadManager {
public:
    explicit MadManager(unsigned seed)
        : random_(seed), partner_(start_thread([](int input, std::FILE* output) {
              const auto engine = std::move(*make_engine("renju"));
              protocols::run_gomocup(*engine, {}, {input, output});
              return 0;
          })) {}

    void run(int lines) {
        ask("INFO max_depth 1", 0);
        ask("INFO max_node 300", 0);
        ask("INFO max_memory 40000000", 0);
        ask("START 15", 1);
        while (sent_ < lines && !testing::Test::HasFailure()) act();
        partner_->say("END");
        EXPECT_EQ(partner_->wait(20s), 0);
        EXPECT_GT(moves_, lines / 50);
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    std::string pair() {
        return std::to_string(below(17) - 1) + "," + std::to_string(below(17) - 1);
    }
    std::string junk() {
        static const char* const kWords[] = {"START",
                                             "TURN",
                                             "BOARD ",
                                             "7,7",
                                             "1,2,3",
                                             "DONE",
                                             "INFO",
                                             "-",
                                             "999999999999999999999",
                                             ",,",
                                             "\t",
                                             "é",
                                             "RECTSTART",
                                             "TAKEBACK",
                                             "PLAY",
                                             "x",
                                             "SWAP2BOARD\x01"};
        std::string text = "J";  // never a command
        for (int n = below(5); n > 0; --n) {
            text += std::string(kWords[below(static_cast<int>(std::size(kWords)))]) + " ";
        }
        if (below(10) == 0) text += static_cast<char>(1 + below(9));
        return text;
    }

    void act() {
        switch (below(16)) {
            case 0:
                return ask(below(4) == 0 ? "RESTART" : "START " + std::to_string(5 + below(20)), 1);
            case 1:
            case 2:
            case 3:
                return ask("TURN " + pair(), 1);
            case 4:
                return ask("BEGIN", 1);
            case 5:
            case 6:
                return board("BOARD", 1);
            case 7:
                return board("YXBOARD", -1);
            case 8:
                return ask("TAKEBACK " + pair(), 1);
            case 9:
                return ask(std::string("INFO rule ") + "01245"[below(5)], 0);
            case 10:
                return ask("INFO " + junk(), 0);
            case 11:
                return ask("YXSHOWFORBID", 1);
            case 12:
                return ask(below(2) == 0 ? "YXSTOP" : "", 0);
            case 13:
                return ask("YXNBEST " + std::to_string(below(4)), 1);
            case 14:
                return ask("PLAY " + pair(), 1);
            default:
                return ask(junk(), 1);
        }
    }
    /// `answers`: 1, or -1 for one only when a line was broken.
    void board(const std::string& command, int answers) {
        std::string text = command;
        for (int n = below(30); n > 0; --n) {
            text += "\n" + (below(40) == 0 ? junk() : pair() + "," + std::to_string(1 + below(2)));
            ++sent_;
        }
        ask(text + "\nDONE", answers);
    }

    /// Everything that is said before the answer to ABOUT belongs to the question.
    void ask(const std::string& text, int answers) {
        static const std::regex kMove(R"(\d+,\d+)");
        ++sent_;
        partner_->say(text);
        partner_->say("ABOUT");
        int heard = 0;
        for (;;) {
            const auto line = partner_->hear(20s);
            ASSERT_TRUE(line) << "no answer to " << text;
            if (line->starts_with("name=")) break;
            if (line->starts_with("MESSAGE ")) continue;
            ++heard;
            if (std::regex_match(*line, kMove)) ++moves_;
        }
        if (answers >= 0) {
            ASSERT_EQ(heard, answers) << text;
        }
        ASSERT_LE(heard, 1) << text;
    }

    std::mt19937 random_;
    std::unique_ptr<Partner> partner_;
    int sent_ = 0;
    int moves_ = 0;
};

/// A list that has no DONE once swallowed all that followed, END included.
TEST(Gomocup, AListWithoutItsEndIsEndedByTheNextCommand) {
    const auto partner = start_thread([](int input, std::FILE* output) {
        const auto engine = std::move(*make_engine("renju"));
        protocols::run_gomocup(*engine, {}, {input, output});
        return 0;
    });
    const auto expect = [&](const std::string& said) {
        const auto line = partner->hear(20s);
        ASSERT_TRUE(line) << "instead of " << said;
        EXPECT_EQ(line->substr(0, said.size()), said);
    };
    partner->say("START 15");
    expect("OK");
    partner->say("BOARD\n7,7,1\n8,8,2\nSTART 15");
    expect("ERROR DONE is missing before START");
    expect("OK");
    partner->say("BOARD\n7,7,1\nEND");
    EXPECT_EQ(partner->wait(20s), 0);
}

TEST(Gomocup, AHundredThousandLinesOfAllKinds) {
    MadManager(1).run(test::rounds(100'000));
}

}  // namespace
}  // namespace karikomi::tests
