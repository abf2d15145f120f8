#include <gtest/gtest.h>

#include "karikomi/conformance/conformance.hpp"
#include "karikomi/games/shogi/game.hpp"

namespace karikomi {
namespace {

TEST(Conformance, Shogi) {
    conformance::Options<shogi::Game> options;
    options.games = 4;
    options.equals_plain_search = false;  // what quiescence leaves out depends on the window
    const auto report = conformance::check<shogi::Game>(options);
    EXPECT_TRUE(report.passed()) << report.text();
    EXPECT_TRUE(report.warnings().empty()) << report.text();
}

}  // namespace
}  // namespace karikomi
