/// A list of moves on the stack: the generators write it, the picker orders it.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace karikomi {

template <class Move> struct ScoredMove {
    Move move{};
    std::int32_t score = 0;  ///< larger is tried earlier
};

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

    void push(Move m) {
        assert(size_ < Capacity);
        std::construct_at(&items_[size_++], Item{m, 0});
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
