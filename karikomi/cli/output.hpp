/// Text for people: aligned tables, grouped numbers, colour where it is welcome, progress.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace karikomi::cli {

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t n);
/// Microseconds as "1.234 s": one unit only, so that columns compare at a glance.
std::string duration(std::int64_t us);
/// At most `width` characters, with "..." where something is left out.
std::string shortened(std::string_view text, std::size_t width);
/// "1 thread", "2 threads".
std::string counted(std::int64_t n, std::string_view thing);

/// Bold on a terminal that wants colour (NO_COLOR unset), plain everywhere else.
std::string bold(std::string_view text);
std::string dim(std::string_view text);
/// Columns of the terminal on stdout; 0 when it is none.
std::size_t terminal_width();

/// A table whose columns are as wide as their contents. Numbers look right on the right.
class Table {
public:
    struct Column {
        std::string title;
        bool right = true;
    };
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    void add_rule() { rows_.emplace_back(); }
    bool empty() const { return rows_.empty(); }
    std::string text() const;

private:
    std::string line(const std::vector<std::string>& cells,
                     const std::vector<std::size_t>& widths) const;

    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;  ///< an empty one is a rule
};

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
