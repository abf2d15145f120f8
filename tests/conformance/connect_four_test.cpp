#include "examples/connect_four/connect_four.hpp"

#include <gtest/gtest.h>

#include "karikomi/conformance/conformance.hpp"

namespace karikomi {
namespace {

TEST(Conformance, ConnectFour) {
    const auto report = conformance::check<connect_four::Game>();
    EXPECT_TRUE(report.passed()) << report.text();
    EXPECT_TRUE(report.warnings().empty()) << report.text();
}

}  // namespace
}  // namespace karikomi
