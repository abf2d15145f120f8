/// Squares as "h8" and as X,Y pairs with Y = 0 at the top, which Gomocup, SGF and PSQ have.
#pragma once

#include <algorithm>
#include <charconv>
#include <string>

#include <fmt/format.h>

namespace karikomi::match {

/// Renju counts rows from the bottom and writes its board with '/', Othello counts from the top.
class Squares {
public:
    Squares() = default;
    explicit Squares(const std::string& board)
        : from_bottom_(board.find('/') != std::string::npos) {
        const auto rows = std::count(board.begin(), board.end(), '/') + 1;
        size_ = from_bottom_ ? static_cast<int>(rows) : 8;
    }
    int size() const { return size_; }
    bool from_bottom() const { return from_bottom_; }

    struct Pair {
        int x = 0;
        int y = 0;
    };
    Pair pair_of(const std::string& move) const {
        int row = 0;
        if (move.empty()) return {-1, -1};
        std::from_chars(move.data() + 1, move.data() + move.size(), row);
        return {move[0] - 'a', from_bottom_ ? size_ - row : row - 1};
    }
    std::string move_of(Pair p) const {
        if (p.x < 0 || p.x >= 26) return fmt::format("({},{})", p.x, p.y);
        const int row = from_bottom_ ? size_ - p.y : p.y + 1;
        return fmt::format("{}{}", static_cast<char>('a' + p.x), row);
    }

private:
    int size_ = 15;
    bool from_bottom_ = true;
};

}  // namespace karikomi::match
