/// Victory by continuous threats (VCT): fours and open threes, by depth-first proof-number search
/// (Nagai's df-pn). After an open three the defender may try every move that could help: cells that
/// make a four for either side. Any other move leaves the straight four where it is, so the claim
/// of a win is a proof against all moves. Stones only come, so no position repeats.
///
/// With quiet threats the attacker may also make any move after which he would win by fours if the
/// defender passed. The defender then may try every move that touches that chain of fours: its
/// cells, and cells that make a four for him once its answers stand. Each is tested; any other move
/// loses to the chain as it is.
#pragma once

#include <unordered_map>

#include "karikomi/games/renju/solver_board.hpp"

namespace karikomi::renju {

class ThreatSearch {
public:
    ThreatSearch(SolverBoard& board, std::size_t megabytes, Threats threats);

    /// No: none of the attacker's threats of the kind asked for was left out, nor looked at with
    /// too few nodes.
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
    static constexpr std::int64_t kTestBudget = 200;  ///< ... after a quiet move or its answer
    static constexpr std::size_t kMostLists = 100'000;
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
        int rest = 0;  ///< plies in which a defence that is not listed loses
        bool overflowed = false;
        void add(Cell c) {
            if (size == kMostMoves) {
                overflowed = true;
                return;
            }
            cells[static_cast<std::size_t>(size++)] = c;
        }
        bool has(Cell c) const {
            return std::find(cells.begin(), cells.begin() + size, c) != cells.begin() + size;
        }
    };
    /// What a node with quiet threats came to, which is dear to find out.
    struct List {
        std::vector<Cell> cells;
        int rest = 0;
        bool is_threat = true;
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
    std::optional<Numbers> look_at_attack(int ply, Moves& moves, bool fours_first);
    std::optional<Numbers> look_at_defence(int ply, Moves& moves);
    void add_quiet_threats(int ply, Moves& moves);
    /// Against the chain of fours that threatens; nothing when there is none.
    std::optional<Numbers> look_at_quiet_defence(int ply, Moves& moves);
    /// The cells that a defence must touch, after the chain has been found at this ply.
    std::vector<Cell> find_zone(int ply, int plies);
    /// Plies of the attacker's win by fours, he being to move; doubts are remembered.
    int try_fours(int ply, std::int64_t budget, bool& unsure);
    bool attacks(const Position& pos) const { return pos.side() == attacker_; }

    SolverBoard& board_;
    std::vector<Entry> table_;
    std::unordered_map<Key, List> lists_;
    Threats threats_;
    bool covered_ = true;  ///< nothing was left out so far
    int attacker_ = kBlack;
};

}  // namespace karikomi::renju
