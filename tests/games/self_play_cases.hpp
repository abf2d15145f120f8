/// What self-play for training owes in every game. A test class brings `options(name)`,
/// `play(options)`, `same(a, b)` and `first_chunk(options)`.
#pragma once

#include <filesystem>

#include <gtest/gtest.h>

namespace karikomi::tests {

template <class Training> void expect_games_of_the_seed(const Training& training) {
    const auto one = training.play(training.options("one"));
    auto two = training.options("two");
    two.threads = 2;
    EXPECT_TRUE(training.same(one, training.play(two))) << "two threads play other games";
    auto other = training.options("other");
    ++other.seed;
    EXPECT_FALSE(training.same(one, training.play(other))) << "the seed does nothing";
}

template <class Training> void expect_resumed_games(const Training& training) {
    const auto whole = training.play(training.options("whole"));
    auto part = training.options("part");
    part.chunks = 1;
    (void)training.play(part);
    const auto before = std::filesystem::last_write_time(training.first_chunk(part));
    part.chunks = training.options("part").chunks;
    EXPECT_TRUE(training.same(whole, training.play(part)));
    EXPECT_EQ(std::filesystem::last_write_time(training.first_chunk(part)), before)
        << "played again";
}

}  // namespace karikomi::tests
