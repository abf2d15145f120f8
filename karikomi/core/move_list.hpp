/// A list of moves on the stack: the generators write it, the picker orders it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "karikomi/core/types.hpp"

namespace karikomi {

template <class Move> struct ScoredMove {
    Move move{};
    /// Static value of the position after it, for the side to move there, where the ordering came
    /// across it: nobody has to evaluate that position again.
    std::int16_t value_after = kNoValue;
    std::int32_t score = 0;  ///< larger is tried earlier
};

/// The rules allow more moves than the game said. Ends the search with an error that can be caught.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_move(std::size_t capacity) {
    throw std::length_error("more than " + std::to_string(capacity) +
                            " moves in one list: set the game's kMaxMoves to the most that its "
                            "rules allow");
}

template <class Move, std::size_t Capacity> class MoveList {
    using Item = ScoredMove<Move>;
    static_assert(std::is_trivially_copyable_v<Move> && std::is_trivially_destructible_v<Move>);

public:
    // The room is not cleared: a node must not pay for moves that it will not have.
    MoveList() {}  // NOLINT(modernize-use-equals-default)
    MoveList(const MoveList& other) : size_(other.size_) {
        std::uninitialized_copy(other.begin(), other.end(), items_);
    }
    MoveList& operator=(const MoveList&) = delete;

    /// Throws where there is no more room: one comparison that is never true in a right game.
    void push(Move m) {
        if (size_ >= Capacity) [[unlikely]]
            refuse_move(Capacity);
        std::construct_at(&items_[size_++], Item{m, kNoValue, 0});
    }
    void clear() { size_ = 0; }
    /// Drops the moves from index `size` on.
    void shrink(std::size_t size) { size_ = size; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Item* begin() { return items_; }
    Item* end() { return items_ + size_; }
    const Item* begin() const { return items_; }
    const Item* end() const { return items_ + size_; }
    Item& operator[](std::size_t i) { return items_[i]; }
    const Item& operator[](std::size_t i) const { return items_[i]; }

private:
    std::size_t size_ = 0;
    union {
        Item items_[Capacity];  // NOLINT(readability-identifier-naming): private, in a union
    };
};

}  // namespace karikomi
