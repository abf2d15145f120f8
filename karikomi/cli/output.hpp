/// Output for people who wait.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "karikomi/engine/text.hpp"

namespace karikomi::cli {

/// One line on stderr that says how far long work has come; silent where stderr is no terminal.
class Progress {
public:
    /// total 0: not known. `before` of them were done by an earlier run.
    Progress(std::string what, std::uint64_t total, std::uint64_t before = 0);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `done` of the total, and what comes next.
    void show(double done, std::string_view now);
    /// Takes the line away, before other output.
    void clear();

private:
    std::string what_;
    double total_;
    double before_;
    std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point last_{};  ///< when the line was written
    bool enabled_;
    bool shown_ = false;
};

}  // namespace karikomi::cli
