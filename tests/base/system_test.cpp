// What operating systems do differently, as far as it can be seen from here.
#include "karikomi/base/system.hpp"

#include <cstring>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "karikomi/base/input.hpp"
#include "tests/cli/process.hpp"

namespace karikomi::os {
namespace {

class System : public testing::Test {
protected:
    const tests::TemporaryFolder folder_;
    const std::filesystem::path file_ = folder_.file("a");
};

TEST_F(System, OnlyOneDescriptorHasTheLock) {
    const int first = open_file(file_, Open::UpdateOrCreate);
    const int second = open_file(file_, Open::Update);
    ASSERT_GE(first, 0);
    ASSERT_GE(second, 0);
    EXPECT_EQ(lock_file(first), Lock::Taken);
    EXPECT_EQ(lock_file(second), Lock::Busy);
    EXPECT_TRUE(std::ifstream(file_)) << "readers are not kept out";
    close_file(first);
    EXPECT_EQ(lock_file(second), Lock::Taken) << "it went with the descriptor";
    close_file(second);
}

TEST_F(System, AReplacedFileIsNotTheOpenOne) {
    const int f = open_file(file_, Open::Fresh);
    EXPECT_EQ(write_file_at(f, "old", 3, 0), 3);
    EXPECT_TRUE(is_file_at(f, file_));
    const auto other = folder_.write("b", "new");
    ASSERT_TRUE(replace_file(other, file_)) << "also while it is open";
    EXPECT_FALSE(is_file_at(f, file_));
    EXPECT_EQ(tests::read_file(file_), "new");
    close_file(f);
}

TEST_F(System, WhatIsMissingOrInTheWaySaysWhy) {
    EXPECT_LT(open_file(folder_.file("none"), Open::Update), 0);
    EXPECT_EQ(errno, ENOENT);
    EXPECT_FALSE(remove_file(folder_.file("none")));
    EXPECT_EQ(errno, ENOENT);
}

TEST(SystemText, IsRecodedBothWays) {
    const std::string utf8 = "▲７六歩 将棋 ①";  // the last is of code page 932 only
    const Recoded sjis = recode(utf8, Charset::Utf8, Charset::ShiftJis);
    ASSERT_FALSE(sjis.failed_at);
    EXPECT_EQ(recode(sjis.text, Charset::ShiftJis, Charset::Utf8).text, utf8);
    EXPECT_TRUE(recode("\x81", Charset::ShiftJis, Charset::Utf8).failed_at);
    EXPECT_TRUE(recode("刈込 🙂", Charset::Utf8, Charset::ShiftJis).failed_at);
    EXPECT_EQ(recode("", Charset::Utf8, Charset::ShiftJis).text, "");
}

TEST(SystemProgram, HasAName) {
    EXPECT_EQ(program_name("/usr/bin/karikomi-shogi"), "karikomi-shogi");
    EXPECT_EQ(program_name("karikomi"), "karikomi");
    EXPECT_FALSE(program_file().empty());
    EXPECT_GT(memory_mb(), 100);
}

TEST(SystemMemory, IsZeroWhereItWasNeverTouched) {
    constexpr std::size_t kBytes = std::size_t{3} << 20;
    auto* const p = static_cast<unsigned char*>(take_zeros(kBytes));
    ASSERT_NE(p, nullptr);
    for (std::size_t i = 0; i < kBytes; i += 4096) EXPECT_EQ(p[i], 0);
    std::memset(p, 1, kBytes);
    give_back_zeros(p, kBytes);
}

TEST(SystemInput, IsWokenFromAnotherThread) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    Input input(ends[0]);
    char c = 0;
    ASSERT_EQ(::write(ends[1], "x", 1), 1);
    EXPECT_EQ(input.read(&c, 1), 1);
    EXPECT_EQ(c, 'x');
    std::thread waker([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        input.wake();
    });
    EXPECT_EQ(input.read(&c, 1), 0) << "nobody has written";
    waker.join();
    EXPECT_EQ(Input(-1).read(&c, 1), 0) << "a closed one has ended";
    close(ends[0]);
    close(ends[1]);
}

}  // namespace
}  // namespace karikomi::os
