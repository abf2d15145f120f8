/// The board of a Gomocup conversation: stones by owner, in the order in which they came.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/base/expected.hpp"

namespace karikomi::protocols {

/// Column and row, from the top left.
struct Pair {
    int x = 0;
    int y = 0;
    bool operator==(const Pair&) const = default;
};
/// "7,8", blanks allowed around the numbers.
std::optional<Pair> parse_pair(std::string_view text);
std::string format_pair(Pair p);

enum class Owner : int { Own = 1, Opponent = 2 };
struct Stone {
    Pair at;
    Owner owner = Owner::Own;
};
/// A move of an opening: "7,8", as Gomocup announced it, or "7,8,1"; whose it is follows from the
/// order.
Expected<Pair> parse_opening_move(std::string_view text);
/// "7,8,1"; owner 3 (a line that has won, in a continuous game) belongs to nobody and is refused.
Expected<Stone> parse_stone(std::string_view text);

class GomocupBoard {
public:
    void clear(int size) {
        size_ = size;
        stones_.clear();
    }
    int size() const { return size_; }  ///< 0: no board yet
    const std::vector<Stone>& stones() const { return stones_; }
    bool is_full() const { return static_cast<int>(stones_.size()) == size_ * size_; }
    bool is_on_board(Pair p) const { return p.x >= 0 && p.y >= 0 && p.x < size_ && p.y < size_; }
    bool is_empty(Pair p) const;

    Status add(const Stone& stone);
    Status remove(Pair p);
    /// All stones at once; a failed call changes nothing.
    Status set(const std::vector<Stone>& stones);

    /// The brain is Black (moves first)? By the numbers of stones, it being the brain's turn; where
    /// they cannot tell, by the owner of the first stone.
    bool own_is_black() const;
    /// As the engine reads it, the brain to move.
    std::string position_text() const;
    /// ... and with the opponent to move, after a move of the brain.
    std::string reply_text() const;
    std::string move_text(Pair p) const;  ///< "h8"
    std::optional<Pair> pair_of(std::string_view move) const;
    /// Some empty cell, near the centre.
    std::optional<Pair> any_cell() const;

private:
    std::string text(bool own_is_black, bool black_to_move) const;

    int size_ = 0;
    std::vector<Stone> stones_;
};

}  // namespace karikomi::protocols
