// The USI driver against recorded dialogues: two programs say, word by word, what Debian's
// fairy-stockfish 11.1 said, and check what they are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "tests/lab/match/match_runs.hpp"

namespace karikomi::match {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Reads "> line" (must come) and "< line" (is said) from its first argument; writes what was wrong
// to its second.
constexpr const char* kReplay = R"(#!/bin/sh
while read -r mark text <&3; do
    if [ "$mark" = "<" ]; then
        printf '%s\n' "$text"
    else
        read -r line || { echo "nothing came, wanted: $text" >>"$2"; exit 9; }
        [ "$line" = "$text" ] || { echo "came: $line, wanted: $text" >>"$2"; exit 9; }
    fi
done 3<"$1"
)";

// A banner before anything is asked, empty lines, options with spaces in their names, complaints
// about what it does not know: all of it real.
const std::string kGreeting =
    "< Fairy-Stockfish 11.1 LB 64 by Fabian Fichter\n"
    "> usi\n"
    "< id name Fairy-Stockfish 11.1 LB 64\n"
    "< id author Fabian Fichter\n"
    "<\n"
    "< option name Debug Log File type string default \n"
    "< option name Threads type spin default 1 min 1 max 512\n"
    "< option name Hash type spin default 16 min 1 max 131072\n"
    "< option name Clear Hash type button\n"
    "< usiok\n"
    "> setoption name USI_Ponder value false\n"
    "< No such option: USI_Ponder\n"
    "> setoption name USI_Hash value 8\n"
    "< No such option: USI_Hash\n"
    "> setoption name Hash value 8\n"
    "> setoption name Threads value 1\n";
const std::string kNewGame = "> isready\n< readyok\n> usinewgame\n";
const std::string kFirstMove =
    "> position startpos\n"
    "> go nodes 1000\n"
    "< info depth 4 seldepth 4 multipv 1 score cp 421 nodes 290 nps 10000 tbhits 0 time 29 "
    "pv 7i7h 8b5b 7g7f\n"
    "< info depth 6 seldepth 6 multipv 1 score cp 277 upperbound nodes 1000 nps 33333 tbhits 0 "
    "time 30 pv 7i7h 1c1d\n"
    "< bestmove 7i7h ponder 1c1d\n";
const std::string kSecondMove =
    "> position startpos moves 7i7h\n"
    "> go nodes 1000\n"
    "< info depth 3 seldepth 3 multipv 1 score mate -3 nodes 139 nps 17375 tbhits 0 time 8 "
    "pv 3a3b\n"
    "< bestmove  3a3b\n";
const std::string kDrawn = "> gameover draw\n< Unknown command: gameover draw\n";

TEST(MatchDialogue, RecordedFromFairyStockfish) {
    const tests::TemporaryFolder folder;
    const std::string script = folder.write("replay.sh", kReplay);
    const std::string wrong = folder.file("wrong");
    const auto engine = [&](const std::string& name, const std::string& dialogue) {
        const std::string file = folder.write(name, dialogue);
        return "usi?name=" + name + ":sh " + script + " " + file + " " + wrong;
    };
    // Started once to be known, and once to play both games.
    const std::string a = engine("a", kGreeting + kNewGame + kFirstMove + kDrawn + kNewGame +
                                          kSecondMove + kDrawn + "> quit\n");
    const std::string b = engine("b", kGreeting + kNewGame + kSecondMove + kDrawn + kNewGame +
                                          kFirstMove + kDrawn + "> quit\n");
    // The first start asks only who it is; then it is told to go.
    const Played p = play({a, b, "--game", "shogi", "--nodes", "1000", "--hash", "8", "--openings",
                           "start", "--max-plies", "2", "--games", "2", "--db", "none"});
    const Words complaints = tests::lines_of(tests::read_file(wrong));
    for (const std::string& c : complaints) EXPECT_EQ(c, "came: quit, wanted: isready");
    EXPECT_THAT(complaints, SizeIs(2)) << "the starts that asked only who it is";
    ASSERT_THAT(p.games, SizeIs(2));
    for (const Json& g : p.games) {
        EXPECT_EQ(g["reason"], "move_limit") << g.dump(1);
        EXPECT_EQ(g["moves"], "7i7h 3a3b");
        EXPECT_EQ(g["scores"][0], 2.77);
        EXPECT_EQ(g["scores"][1], -1000.0);
        EXPECT_EQ(g["depths"][0], 6);
        EXPECT_EQ(g["nodes"][0], 1000);
    }
}

/// A wrong guess is stopped and its move thrown away, a right one is hit, the last one is stopped.
TEST(MatchDialogue, ThinksOnTheOthersTime) {
    const tests::TemporaryFolder folder;
    const std::string script = folder.write("replay.sh", kReplay);
    const std::string wrong = folder.file("wrong");
    const auto engine = [&](const std::string& name, const std::string& setting,
                            const std::string& dialogue) {
        const std::string file = folder.write(name, dialogue + "> quit\n");
        return "usi?name=" + name + setting + ":sh " + script + " " + file + " " + wrong;
    };
    const auto greeting = [](const std::string& ponder) {
        return "> usi\n< usiok\n> setoption name USI_Ponder value " + ponder +
               "\n> setoption name USI_Hash value 8\n";
    };
    const std::string a = engine("a", "&ponder=true",
                                 greeting("true") + kNewGame +
                                     "> position startpos\n"
                                     "> go btime 0 wtime 0 byoyomi 9000\n"
                                     "< bestmove 7g7f ponder 3c3d\n"
                                     "> position startpos moves 7g7f 3c3d\n"
                                     "> go ponder btime 0 wtime 0 byoyomi 9000\n"
                                     "< info depth 9 score cp 77\n"
                                     "> stop\n"
                                     "< bestmove 2g2f ponder 8c8d\n"
                                     "> position startpos moves 7g7f 8c8d\n"
                                     "> go btime 0 wtime 0 byoyomi 9000\n"
                                     "< bestmove 2g2f ponder 8d8e\n"
                                     "> position startpos moves 7g7f 8c8d 2g2f 8d8e\n"
                                     "> go ponder btime 0 wtime 0 byoyomi 9000\n"
                                     "< info depth 5 score cp 44\n"
                                     "> ponderhit\n"
                                     "< bestmove 8h7g ponder 3c3d\n"
                                     "> position startpos moves 7g7f 8c8d 2g2f 8d8e 8h7g 3c3d\n"
                                     "> go ponder btime 0 wtime 0 byoyomi 9000\n"
                                     "> stop\n"
                                     "< bestmove 7i7h\n"
                                     "> gameover draw\n");
    const std::string b = engine("b", "",
                                 greeting("false") + kNewGame +
                                     "> position startpos moves 7g7f\n"
                                     "> go btime 0 wtime 0 byoyomi 9000\n"
                                     "< bestmove 8c8d ponder 2g2f\n"
                                     "> position startpos moves 7g7f 8c8d 2g2f\n"
                                     "> go btime 0 wtime 0 byoyomi 9000\n"
                                     "< bestmove 8d8e\n"
                                     "> gameover draw\n");
    const Played p =
        play({a, b, "--game", "shogi", "--move-time", "9000", "--hash", "8", "--openings", "start",
              "--max-plies", "5", "--games", "1", "--db", "none"});
    // A program that is told something else ends; the dialogue has no second game of the pair.
    ASSERT_THAT(p.games, SizeIs(2));
    EXPECT_EQ(p.games[0]["moves"], "7g7f 8c8d 2g2f 8d8e 8h7g") << p.games[0].dump(1);
    EXPECT_EQ(p.games[0]["scores"][4], 0.44);
    EXPECT_EQ(p.games[0]["depths"][4], 5);
}

}  // namespace
}  // namespace karikomi::match
