/// Text for people: aligned tables, grouped numbers, colour where it is welcome.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace karikomi {

bool is_utf8(std::string_view bytes);

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

}  // namespace karikomi
