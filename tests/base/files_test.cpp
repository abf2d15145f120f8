#include "karikomi/base/files.hpp"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/cli/process.hpp"

namespace karikomi {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
protected:
    const tests::TemporaryFolder temporary_;
    const fs::path folder_ = temporary_.path();
    const fs::path file_ = folder_ / "a.bin";
};

TEST_F(Files, ComeBackAsTheyWereWritten) {
    const std::string bytes = std::string("x\0y\r\n", 5) + std::string(300'000, 'z');
    ASSERT_TRUE(write_file(file_, bytes));
    EXPECT_EQ(*read_file(file_), bytes);
    ASSERT_TRUE(write_file(file_, "")) << "a shorter one replaces it";
    EXPECT_EQ(*read_file(file_), "");
    EXPECT_FALSE(fs::exists(folder_ / "a.bin.new"));
}

TEST_F(Files, WhatIsRefusedLeavesTheOldOne) {
    EXPECT_FALSE(read_file(folder_ / "absent"));
    EXPECT_FALSE(read_file(folder_)) << "a folder";
    fs::create_directories(file_);  // in the way
    EXPECT_FALSE(write_file(file_, "new"));
    EXPECT_TRUE(fs::is_directory(file_));
    EXPECT_FALSE(fs::exists(folder_ / "a.bin.new")) << "nothing is left behind";
    EXPECT_FALSE(write_file(folder_ / "no" / "folder", "new"));
}

TEST_F(Files, ADeviceIsNotReplaced) {
    EXPECT_TRUE(write_file("/dev/null", "gone"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_FALSE(write_file("/dev/full", "no room"));
}

TEST_F(Files, AFileThatIsKeptOpenIsTheNewOne) {
    ASSERT_TRUE(write_file(file_, "old"));
    const int f = write_file_and_keep(file_, "new", nullptr);
    ASSERT_GE(f, 0);
    EXPECT_TRUE(write_at(f, "er", 3));
    ::close(f);
    EXPECT_EQ(*read_file(file_), "newer");
    EXPECT_LT(write_file_and_keep(file_, "refused", [](int) { return false; }), 0);
    EXPECT_EQ(*read_file(file_), "newer");
}

}  // namespace
}  // namespace karikomi
