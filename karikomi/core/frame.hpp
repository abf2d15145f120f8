/// One ply's record on the search stack.
#pragma once

#include <array>

#include "karikomi/core/concepts.hpp"

namespace karikomi {

/// A line of best play, as long as the room allows.
template <Game G> class PvLine {
public:
    void clear() { length_ = 0; }
    void set(typename G::Move first, const PvLine& rest) {
        moves_[0] = first;
        length_ = std::min(rest.length_ + 1, kMaxPly);
        std::copy_n(rest.moves_.begin(), length_ - 1, moves_.begin() + 1);
    }
    int size() const { return length_; }
    typename G::Move operator[](int i) const { return moves_[static_cast<std::size_t>(i)]; }

private:
    int length_ = 0;
    std::array<typename G::Move, kMaxPly> moves_;
};

template <Game G> struct Frame {
    typename G::Undo undo{};            ///< of the move played from this ply
    int slot = G::kHistorySlots;        ///< history slot of that move
    MoveCode move = kNoMove;            ///< that move
    std::array<MoveCode, 2> killers{};  ///< quiet moves that cut sibling nodes
    MoveCode best = kNoMove;            ///< of the last search of this node
    Value static_value = kNoValue;      ///< of this node, where it was asked for
    Depth reduction = 0;                ///< of the move being searched from this ply
    int number = 0;                     ///< ... and its number among the node's moves
    int cuts = 0;                       ///< nodes of this ply that cut, since the ply two above
    Key known_key = 0;                  ///< the position whose static value is known ...
    Value known_value = kNoValue;       ///< ... is worth this
    bool quiet = true;                  ///< the move played from this ply
    bool in_check = false;              ///< here
    bool follows_pv = false;            ///< on the principal variation of the last iteration
    int kind = 0;                       ///< what that move captured, as the game counts
    int judged = 0;                     ///< history that the move played from this ply went by
    bool table_hit = false;             ///< the table knew this node
    bool table_pv = false;              ///< this node is or was on a principal variation
    PvLine<G> pv;
};

/// What a node inherits from its parent, by value: nothing has to be restored afterwards, and
/// threads have nothing to share.
struct Lineage {
    MoveCode excluded = kNoMove;  ///< exclusion search: this move does not exist
    static_assert(kTechniqueNames.size() <= 16);
    std::uint16_t off = 0;           ///< techniques not to be used from here on, one bit each
    std::uint16_t once = 0;          ///< techniques not to be used at this very node
    std::uint8_t extensions = 0;     ///< plies by which the line was extended
    std::uint8_t nesting = 0;        ///< Multi-ProbCut inside Multi-ProbCut
    bool store = true;               ///< may write to the table
    bool aspiration_failed = false;  ///< the iteration is a retry

    bool allows(Technique t) const { return (((off | once) >> static_cast<int>(t)) & 1) == 0; }
    /// Not from here on; or, with `nested`, not at the next node only.
    Lineage without(Technique t, bool nested = false) const {
        Lineage l = *this;
        auto& bits = nested ? l.once : l.off;
        bits = static_cast<std::uint16_t>(bits | 1 << static_cast<int>(t));
        return l;
    }
    /// For a search that only verifies: results are good in themselves, so they may be stored.
    Lineage for_probe() const {
        Lineage l = *this;
        l.store = true;
        return l;
    }
    /// What the moves of this node hand on.
    Lineage for_child() const {
        Lineage l = *this;
        l.excluded = kNoMove;
        l.once = 0;
        return l;
    }
};

}  // namespace karikomi
