// A GUI gone mad, by USI: right commands, damaged ones and noise, in any order. However it goes,
// every `go` gets exactly one answer and every `isready` exactly one `readyok`.
// KARIKOMI_USI_LINES and KARIKOMI_STRESS_SEED change the run.
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "karikomi/protocols/lines.hpp"
#include "tests/protocols/partner.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::tests {
namespace {

using namespace std::chrono_literals;
constexpr Milliseconds kAnswerTime = 60s;  // with sanitizers on a busy machine

int number_from(const char* variable, int otherwise) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::atoi(text) : otherwise;
}

class MadUsi {
public:
    MadUsi(Partner& partner, unsigned seed) : partner_(partner), random_(seed) {}

    void run(int lines) {
        for (int i = 0; i < lines; ++i) {
            send(chance(70) ? command() : chance(80) ? damaged(command()) : noise());
            // A long search may be going on: nothing but this is sure to end it.
            if (chance(30)) send("stop");
            listen(Milliseconds(0));
        }
        send("stop");
        send("isready");
        while (ready_ < readies_ || answers_ < searches_) {
            ASSERT_TRUE(listen(kAnswerTime))
                << ready_ << " of " << readies_ << ", " << answers_ << " of " << searches_;
        }
        while (listen(Milliseconds(100))) {
        }  // what else it says, answers to `usi` for example; no second answer may be among it
        EXPECT_EQ(ready_, readies_);
        EXPECT_EQ(answers_, searches_);
        EXPECT_GT(answers_, lines / 20);
        partner_.say("quit");
        EXPECT_EQ(partner_.wait(kAnswerTime), 0);
    }

private:
    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
    bool chance(int percent) { return below(100) < percent; }

    std::string command() {
        static const char* const kCommands[] = {
            "go depth 2",
            "go nodes 200",
            "go btime 0 wtime 0 byoyomi 3",
            "go infinite",
            "go ponder btime 10 wtime 10",
            "go ponder",
            "ponderhit",
            "ponderhit byoyomi 2",
            "go mate 5",
            "go movetime 2",
            "go depth 1 searchmoves 7g7f P*5e",
            "isready",
            "usi",
            "usinewgame",
            "gameover win",
            "stop",
            "position startpos",
            "position startpos moves 7g7f 3c3d 8h2b+ 3a2b",
            "position startpos moves 7g7f 3c3c",
            "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
            "position sfen 7nl/7k1/9/6B2/9/9/9/9/9 b GS 1",
            "position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "setoption name MultiPV value 3",
            "setoption name MultiPV value 1",
            "setoption name SkillLevel value 3",
            "setoption name SkillLevel value 10",
            "setoption name EnteringKingRule value TryRule",
            "setoption name Clear_Hash",
            "setoption name MaxMovesToDraw value 5",
            "setoption name ResignValue value 300"};
        return kCommands[below(static_cast<int>(std::size(kCommands)))];
    }
    std::string damaged(std::string line) {
        for (int i = 1 + below(3); i > 0 && !line.empty(); --i) {
            const auto at = static_cast<std::size_t>(below(static_cast<int>(line.size())));
            switch (below(4)) {
                case 0:
                    line.erase(at, 1);
                    break;
                case 1:
                    line.insert(at, 1, static_cast<char>(below(256)));
                    break;
                case 2:
                    line[at] = static_cast<char>(below(256));
                    break;
                default:
                    line = line.substr(0, at) + " " + line;
                    break;
            }
        }
        return line;
    }
    std::string noise() {
        std::string line;
        for (int i = below(60); i > 0; --i) line += static_cast<char>(below(256));
        return line;
    }

    void send(std::string line) {
        std::erase(line, '\n');
        std::string_view rest = line;
        const std::string_view word = protocols::take_word(rest);
        if (word == "quit") return;
        if (word == "go") ++searches_;
        if (word == "isready") ++readies_;
        partner_.say(line);
    }
    bool listen(Milliseconds limit) {
        bool heard = false;
        while (const auto line = partner_.hear(limit)) {
            heard = true;
            if (line->starts_with("bestmove ") || line->starts_with("checkmate ")) ++answers_;
            if (*line == "readyok") ++ready_;
            limit = Milliseconds(0);
        }
        return heard;
    }

    Partner& partner_;
    std::mt19937 random_;
    int searches_ = 0;
    int answers_ = 0;
    int readies_ = 0;
    int ready_ = 0;
};

TEST(UsiStress, EveryQuestionIsAnsweredOnce) {
    const unsigned seed = static_cast<unsigned>(
        number_from("KARIKOMI_STRESS_SEED", static_cast<int>(std::random_device()() >> 1)));
    SCOPED_TRACE("KARIKOMI_STRESS_SEED=" + std::to_string(seed));
    const auto partner = start_process({KARIKOMI_BINARY, "usi", "--hash", "4"});
    MadUsi(*partner, seed).run(number_from("KARIKOMI_USI_LINES", test::rounds(2000)));
}

}  // namespace
}  // namespace karikomi::tests
