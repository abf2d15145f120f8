/// The last word before a move.
#include <gtest/gtest.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/shogi/usi/usi.hpp"
#include "tests/protocols/partner.hpp"

namespace karikomi::tests {
namespace {

using namespace std::chrono_literals;

TEST(UsiLastLine, SaysTheMoveItsValueAndTheTable) {
    const auto partner = start_thread([](int input, std::FILE* output) {
        const auto engine = std::move(*make_engine("shogi"));
        protocols::UsiOptions options;
        options.hash_mb = 1;
        protocols::run_usi(*engine, options, {}, {input, output});
        return 0;
    });
    partner->say("isready");
    ASSERT_EQ(partner->hear(20s).value_or(""), "readyok");
    // Limits that end searches at many points of an iteration; the same on every machine.
    for (int nodes = 3000; nodes < 20000; nodes += 700) {
        partner->say("usinewgame");
        partner->say("position startpos moves 2g2f 8c8d 2f2e 8d8e");
        partner->say("go nodes " + std::to_string(nodes));
        std::string last;
        std::string move;
        while (const auto line = partner->hear(20s)) {
            if (line->starts_with("bestmove ")) {
                move = line->substr(9, line->find(' ', 9) - 9);
                break;
            }
            last = *line;
        }
        EXPECT_NE(last.find(" pv " + move), std::string::npos) << nodes << ": " << last;
        EXPECT_EQ(last.find("lowerbound"), std::string::npos) << nodes << ": " << last;
        EXPECT_EQ(last.find("hashfull 0 "), std::string::npos) << nodes << ": " << last;
    }
    partner->say("quit");
    EXPECT_EQ(partner->wait(20s).value_or(-1), 0);
}

}  // namespace
}  // namespace karikomi::tests
