#include <gtest/gtest.h>

#include "karikomi/conformance/conformance.hpp"
#include "karikomi/games/renju/game.hpp"

namespace karikomi {
namespace {

TEST(Conformance, Renju) {
    const auto report = conformance::check<renju::Game>();
    EXPECT_TRUE(report.passed()) << report.text();
    EXPECT_TRUE(report.warnings().empty()) << report.text();
}

}  // namespace
}  // namespace karikomi
