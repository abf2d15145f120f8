/// Victory by continuous threats (VCT): fours and open threes, by depth-first proof-number search
/// (Nagai's df-pn). After an open three the defender may try every move that could help: cells that
/// make a four for either side. Any other move leaves the straight four where it is, so the claim
/// of a win is a proof against all moves. Stones only come, so no position repeats.
#pragma once

#include "karikomi/games/renju/solver_board.hpp"

namespace karikomi::renju {

class ThreatSearch {
public:
    ThreatSearch(SolverBoard& board, std::size_t megabytes);

    enum class Answer : std::uint8_t { Win, No, Unknown };
    /// For the side to move.
    Answer solve();
    /// After a win: how, with the longest resistance that was looked at.
    std::vector<Cell> line();

private:
    using Number = std::uint32_t;
    static constexpr Number kInfinite = 1U << 28;
    static constexpr int kMostMoves = 96;
    static constexpr std::int64_t kFourBudget = 400;  ///< nodes of a VCF at each attacking node
    static constexpr int kMostPlies = kStackSize - 40;
    static constexpr std::uint64_t kLineNodes = 100'000;  ///< to find a proven line again

    /// Proof and disproof numbers for the attacker, whoever is to move.
    struct Numbers {
        Number proof = 1;
        Number disproof = 1;
        int plies = 0;        ///< to the win, once proven
        Cell best = kNoCell;  ///< the attacker's winning move; none: it wins by fours at once
        bool is_proven() const { return proof == 0; }
        bool is_settled() const { return proof == 0 || disproof == 0; }
    };
    struct Entry {
        Key key = 0;
        Numbers numbers;
        std::uint32_t work = 0;
    };
    struct Moves {
        std::array<Cell, kMostMoves> cells;
        int size = 0;
        void add(Cell c) {
            if (size < kMostMoves) cells[static_cast<std::size_t>(size++)] = c;
        }
    };
    struct Limit {
        Number proof;
        Number disproof;
    };

    static Numbers win(int plies, Cell best = kNoCell) { return {0, kInfinite, plies, best}; }
    static Numbers loss() { return {kInfinite, 0, 0, kNoCell}; }

    const Entry* find(Key key) const;
    void store(Key key, const Numbers& n, std::uint64_t work);
    Numbers known(Key key) const;

    Numbers search(int ply, Limit limit);
    Numbers expand(const Moves& moves, bool attacking) const;
    Numbers step(int ply, const Moves& moves, bool attacking, Limit limit);
    /// Settles the node at once, or lists its moves.
    std::optional<Numbers> look_at_attack(int ply, Moves& moves, bool try_fours);
    std::optional<Numbers> look_at_defence(Moves& moves);
    bool attacks(const Position& pos) const { return pos.side() == attacker_; }

    SolverBoard& board_;
    std::vector<Entry> table_;
    int attacker_ = kBlack;
};

}  // namespace karikomi::renju
