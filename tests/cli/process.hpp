// Runs programs as a user does and keeps what they print.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace karikomi::tests {

struct Output {
    int exit_code = -1;  // 128 + number when a signal ended it
    std::string out;
    std::string err;
};

// A folder of its own for each test, gone afterwards.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    std::string file(const std::string& name) const { return (path_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const;

private:
    std::filesystem::path path_;
};

std::string read_file(const std::string& path);
std::vector<std::string> lines_of(const std::string& text);

// A program in the background. Its output goes to files, so that no full pipe can block it.
class Process {
public:
    explicit Process(const std::vector<std::string>& command);
    ~Process();  // ends the program if it still runs
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void send(int signal) const;
    // False when the text has not appeared on stdout in time.
    bool wait_for_output(const std::string& text, std::chrono::milliseconds limit) const;
    // What it has printed so far.
    std::string output() const { return read_file(folder_.file("out")); }
    // Nothing when it still runs after this time.
    std::optional<Output> wait(std::chrono::milliseconds limit);

private:
    TemporaryFolder folder_;
    pid_t pid_ = -1;
    bool running_ = false;
};

// Runs to the end; four minutes are more than any of our commands needs, sanitizers and all.
Output run(const std::vector<std::string>& command);

}  // namespace karikomi::tests
