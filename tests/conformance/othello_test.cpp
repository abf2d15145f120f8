#include <gtest/gtest.h>

#include "karikomi/conformance/conformance.hpp"
#include "karikomi/games/othello/game.hpp"

namespace karikomi {
namespace {

TEST(Conformance, Othello) {
    const auto report = conformance::check<othello::Game>();
    EXPECT_TRUE(report.passed()) << report.text();
    EXPECT_TRUE(report.warnings().empty()) << report.text();
}

}  // namespace
}  // namespace karikomi
