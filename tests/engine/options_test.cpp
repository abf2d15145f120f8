// Options of facets: read by their declarations.
#include "karikomi/engine/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace karikomi {
namespace {

using testing::HasSubstr;

const std::vector<OptionInfo> kDeclared = {
    switch_option("--fast", "quickly"), number_option("--depth", 5, 1, 20, "plies"),
    number_option("--nodes", 0, 1, 1000, "nodes"), real_option("--loss", 2.5, 0, 64, "DISCS", "x"),
    text_option("--book", "FILE", "a book")};

TEST(OptionValues, HaveTheirDefaultsUntilTheyAreGiven) {
    const OptionValues v(kDeclared);
    EXPECT_FALSE(v.flag("--fast"));
    EXPECT_EQ(v.number("--depth"), 5);
    EXPECT_EQ(v.number("--nodes"), 0) << "one below the least: not set";
    EXPECT_EQ(v.real("--loss"), 2.5);
    EXPECT_EQ(v.text("--book"), "");
    EXPECT_FALSE(v.is_given("--depth"));
}

TEST(OptionValues, AreSetByTheirDeclarations) {
    OptionValues v(kDeclared);
    EXPECT_TRUE(v.set("--fast", "true"));
    EXPECT_TRUE(v.set("--depth", "20"));
    EXPECT_TRUE(v.set("--loss", "0.25"));
    EXPECT_TRUE(v.set("--book", "b"));
    EXPECT_TRUE(v.flag("--fast"));
    EXPECT_EQ(v.integer("--depth"), 20);
    EXPECT_EQ(v.real("--loss"), 0.25);
    EXPECT_EQ(v.text("--book"), "b");
    EXPECT_TRUE(v.is_given("--depth"));
}

TEST(OptionValues, RefuseWhatIsNotDeclaredSo) {
    OptionValues v(kDeclared);
    EXPECT_THAT(v.set("--depth", "21").error().what, HasSubstr("--depth: 21 outside 1..20"));
    EXPECT_THAT(v.set("--depth", "x").error().what, HasSubstr("not a whole number"));
    EXPECT_THAT(v.set("--loss", "65").error().what, HasSubstr("not a number of discs"));
    EXPECT_THAT(v.set("--book", "").error().what, HasSubstr("empty"));
    EXPECT_FALSE(v.set("--other", "1"));
    EXPECT_EQ(v.number("--depth"), 5) << "what is refused changes nothing";
    EXPECT_THROW(v.text("--other"), std::logic_error);
}

}  // namespace
}  // namespace karikomi
