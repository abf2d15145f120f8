#include "karikomi/protocols/lines.hpp"

#include <atomic>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace karikomi::protocols {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// A pipe and a reader at its end that has no wishes.
class Lines : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(pipe(pipe_), 0); }
    void TearDown() override {
        reader_.reset();
        close(pipe_[0]);
        finish();
    }
    void start(std::function<bool(const InputLine&)> on_line = {}) {
        if (!on_line) on_line = [](const InputLine&) { return true; };
        reader_.emplace(pipe_[0], LineReader::Events{std::move(on_line), [this] { ended_ = true; },
                                                     [this] { grace_over_ = true; }});
    }
    void write(const std::string& bytes) const {
        for (std::size_t at = 0; at < bytes.size();) {
            const ssize_t n = ::write(pipe_[1], bytes.data() + at, bytes.size() - at);
            ASSERT_GT(n, 0);
            at += static_cast<std::size_t>(n);
        }
    }
    void finish() {
        if (pipe_[1] >= 0) close(pipe_[1]);
        pipe_[1] = -1;
    }
    std::vector<std::string> rest() {
        std::vector<std::string> lines;
        while (const auto line = reader_->next()) lines.push_back(line->text);
        return lines;
    }

    int pipe_[2] = {-1, -1};
    std::optional<LineReader> reader_;
    std::atomic<bool> ended_{false};
    std::atomic<bool> grace_over_{false};
};

TEST_F(Lines, ComeInOrderWithEitherEnd) {
    start();
    write("one\r\ntwo\n\n \r\nthree\rfour\nlast");
    finish();
    EXPECT_THAT(rest(), ElementsAre("one", "two", "", " ", "three\rfour", "last"));
    EXPECT_TRUE(ended_);
}

TEST_F(Lines, AreNumberedFromOne) {
    start();
    write("a\nb\n");
    EXPECT_EQ(reader_->next()->number, 1U);
    EXPECT_EQ(reader_->next()->number, 2U);
}

TEST_F(Lines, MayArriveInPieces) {
    start();
    for (const char* piece : {"o", "ne\nt", "wo", "\n"}) {
        write(piece);
        std::this_thread::sleep_for(5ms);
    }
    EXPECT_EQ(reader_->next()->text, "one");
    EXPECT_EQ(reader_->next()->text, "two");
}

TEST_F(Lines, MayHoldAnyBytes) {
    start();
    std::string bytes;
    for (int c = 0; c < 256; ++c) {
        if (c != '\n') bytes += static_cast<char>(c);
    }
    write(bytes + "\n" + bytes);
    finish();
    EXPECT_THAT(rest(), ElementsAre(bytes, bytes));
}

TEST_F(Lines, LongerThanTheLimitAreCutAndMarked) {
    start();
    std::thread writer([this] {
        write(std::string(kLongestLine, 'x') + "\n" + std::string(5 * kLongestLine, 'y') + "\nz\n");
        finish();
    });
    const auto full = reader_->next();
    EXPECT_EQ(full->text.size(), kLongestLine);
    EXPECT_TRUE(full->whole);
    const auto cut = reader_->next();
    EXPECT_EQ(cut->text, std::string(kLongestLine, 'y'));
    EXPECT_FALSE(cut->whole);
    const auto after = reader_->next();
    EXPECT_EQ(after->text, "z");
    EXPECT_TRUE(after->whole);
    EXPECT_FALSE(reader_->next());
    writer.join();
}

TEST_F(Lines, WaitForABusyOwnerAndNoneIsLost) {
    start();
    constexpr int kMany = 50000;
    std::string all;
    for (int i = 0; i < kMany; ++i) all += std::to_string(i) + "\n";
    write(all);  // many times what a pipe holds: the reader must take it in
    finish();
    const auto lines = rest();
    ASSERT_THAT(lines, SizeIs(kMany));
    for (int i = 0; i < kMany; ++i)
        ASSERT_EQ(lines[static_cast<std::size_t>(i)], std::to_string(i));
}

TEST_F(Lines, AreSeenWhenTheyArriveAndNotWhenTheyAreTaken) {
    std::atomic<int> seen{0};
    start([&](const InputLine&) {
        ++seen;
        return true;
    });
    write("one\ntwo\n");
    for (int i = 0; i < 1000 && seen < 2; ++i) std::this_thread::sleep_for(2ms);
    EXPECT_EQ(seen, 2);
}

TEST_F(Lines, EndAfterAGoodbye) {
    start([](const InputLine& line) { return line.text != "quit"; });
    write("one\nquit\nthree\n");
    EXPECT_THAT(rest(), ElementsAre("one", "quit"));
}

TEST_F(Lines, GraceEndsAfterTheInput) {
    start();
    finish();
    EXPECT_THAT(rest(), IsEmpty());
    EXPECT_FALSE(grace_over_);
    for (int i = 0; i < 1000 && !grace_over_; ++i) std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(grace_over_);
}

TEST_F(Lines, ReaderGoesAtOnceInTheMiddleOfALine) {
    start();
    write("half a li");
    const auto before = std::chrono::steady_clock::now();
    reader_.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - before, 2s);
    EXPECT_FALSE(grace_over_);
}

TEST(LineReader, TakesAClosedDescriptorForAnEndedInput) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    close(ends[0]);
    close(ends[1]);
    LineReader reader(ends[0], {[](const InputLine&) { return true; }, [] {}, [] {}});
    EXPECT_FALSE(reader.next());
}

TEST(Speaker, WritesAtOnceAndKnowsWhenNobodyListens) {
    std::vector<std::string> transcript;
    std::FILE* full = std::fopen("/dev/full", "w");
    ASSERT_NE(full, nullptr);
    Speaker speaker(full, [&](Direction d, std::string_view line) {
        transcript.push_back((d == Direction::In ? "> " : "< ") + std::string(line));
    });
    EXPECT_FALSE(speaker.is_broken());
    speaker.heard("go");
    speaker.say("=== F5");
    EXPECT_TRUE(speaker.is_broken());
    speaker.say("more");
    EXPECT_THAT(transcript, ElementsAre("> go", "< === F5", "< more"));
    std::fclose(full);
}

}  // namespace
}  // namespace karikomi::protocols
