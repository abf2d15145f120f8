/// A list of moves on the stack: the generators write it, the picker orders it.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace karikomi {

template <class Move> struct ScoredMove {
    Move move{};
    std::int32_t score = 0;  ///< larger is tried earlier
};

template <class Move, std::size_t Capacity> class MoveList {
public:
    void push(Move m) {
        assert(size_ < Capacity);
        items_[size_++].move = m;
    }
    void clear() { size_ = 0; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    ScoredMove<Move>* begin() { return items_; }
    ScoredMove<Move>* end() { return items_ + size_; }
    const ScoredMove<Move>* begin() const { return items_; }
    const ScoredMove<Move>* end() const { return items_ + size_; }
    ScoredMove<Move>& operator[](std::size_t i) { return items_[i]; }
    const ScoredMove<Move>& operator[](std::size_t i) const { return items_[i]; }

private:
    std::size_t size_ = 0;
    // Left unset on purpose: a node must not pay for clearing room that it will not use.
    ScoredMove<Move> items_[Capacity];
};

}  // namespace karikomi
