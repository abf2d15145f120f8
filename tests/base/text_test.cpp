/// Text, numbers and hashes: the same on every machine.
#include "karikomi/base/text.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/base/hash.hpp"
#include "karikomi/base/random.hpp"

namespace karikomi {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Words, AreTakenOneByOne) {
    std::string_view text = "  set \t game (;GM[x] ;)  ";
    EXPECT_EQ(take_word(text), "set");
    EXPECT_EQ(take_word(text), "game");
    EXPECT_EQ(text, "(;GM[x] ;)");
    text = " ";
    EXPECT_EQ(take_word(text), "");
}

TEST(Words, NumbersAreReadStrictly) {
    EXPECT_EQ(parse_whole("-12"), -12);
    for (const char* bad : {"", "x", "1x", "1.5", " 1", "99999999999999999999"}) {
        EXPECT_FALSE(parse_whole(bad)) << bad;
    }
    EXPECT_FALSE(parse_whole<std::uint8_t>("256"));
    EXPECT_EQ(parse_decimal("+1.5"), 1.5);
    for (const char* bad : {"", "x", "1.5s", "inf", "nan", "--1"}) {
        EXPECT_FALSE(parse_decimal(bad)) << bad;
    }
}

TEST(Words, AreSplit) {
    EXPECT_THAT(split_words(" a\tbc \r\n d"), ElementsAre("a", "bc", "d"));
    EXPECT_THAT(split_words("h8,i9 ,j10", " ,"), ElementsAre("h8", "i9", "j10"));
    EXPECT_THAT(split_words(" \t "), IsEmpty());
    EXPECT_THAT(split("a,,b,", ','), ElementsAre("a", "", "b", ""));
    EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Words, LettersOfAsciiAlone) {
    EXPECT_EQ(lower_case("F5 \xC3\x84"), "f5 \xC3\x84");
    EXPECT_EQ(upper_case("pa"), "PA");
    EXPECT_EQ(trimmed(" \t x y\r\n"), "x y");
    EXPECT_EQ(trimmed(" \n"), "");
}

TEST(Hash, IsFnv1a) {  // the known answers of its authors
    EXPECT_EQ(fnv_of("").value(), 0xcbf29ce484222325ULL);
    EXPECT_EQ(fnv_of("a").value(), 0xaf63dc4c8601ec8cULL);
    EXPECT_EQ(fnv_of("foobar").text(), "85944171f73967e8");
    EXPECT_EQ(Fnv().add("foo").add("bar").value(), fnv_of("foobar").value());
    const std::array<std::byte, 3> bytes = {std::byte{'f'}, std::byte{'o'}, std::byte{'o'}};
    EXPECT_EQ(fnv_of(std::span<const std::byte>(bytes)).value(), fnv_of("foo").value());
    EXPECT_EQ(Fnv().add_number(0x61).value(),
              Fnv().add(std::string_view("a\0\0\0\0\0\0\0", 8)).value());
    EXPECT_EQ(fnv_of("foobar").folded(), 0x85944171U ^ 0xf73967e8U);
}

TEST(Random, IsSplitmix64) {  // the known answers of its reference implementation
    Random random(1234567);
    EXPECT_EQ(random.next(), 6457827717110365317ULL);
    EXPECT_EQ(random.next(), 3203168211198807973ULL);
    EXPECT_EQ(mixed(1234567), 6457827717110365317ULL);
}

TEST(Random, StreamsDoNotDependOnTheOrderOfWork) {
    EXPECT_EQ(Random(3, 5).next(), Random(3, 5).next());
    EXPECT_NE(Random(3, 5).next(), Random(3, 6).next());
    EXPECT_NE(Random(3, 5).next(), Random(4, 5).next());
}

TEST(Random, GivesNumbersInRange) {
    Random random(1);
    double sum = 0;
    for (int i = 0; i < 10'000; ++i) {
        ASSERT_LT(random.below(7), 7U);
        const double x = random.unit();
        ASSERT_TRUE(x >= 0 && x < 1);
        sum += x;
    }
    EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
    std::uniform_int_distribution<int> dice(1, 6);  // it serves the standard's distributions
    const int thrown = dice(random);
    EXPECT_TRUE(thrown >= 1 && thrown <= 6);
}

}  // namespace
}  // namespace karikomi
