/// A solve as seen from its root: steps of growing confidence, root moves, lines.
#pragma once

#include "karikomi/games/othello/endgame_search.hpp"
#include "karikomi/games/othello/solver.hpp"

namespace karikomi::othello {

/// What a solve works with.
struct SolveTools {
    EndgameTable& table;
    const Weights* weights = nullptr;  ///< null: no evaluation
    int threads = 1;
};

/// Below this many empties no selective cut is tried, so every level gives the exact score.
bool has_selective_levels(const SolveTools& tools, int empties);

/// One position, solved again and again at higher levels. The side to move has a move.
class RootSolve {
public:
    RootSolve(const SolveTools& tools, const Board& board, const SolveRequest& request);

    /// One step; false when it was stopped, and then result() is still that of the last one.
    bool step(Selectivity level);
    const SolveResult& result() const { return result_; }
    std::uint64_t nodes() const { return nodes_; }

private:
    /// Scores that are told apart; outside they are bounds.
    struct Window {
        int alpha = -64;
        int beta = 64;
    };
    bool by_sign() const { return request_.mode == SolveMode::WinLossDraw; }
    Window widest() const;
    EndgameMoves root_moves(EndgameSearch& search, Bits mask) const;
    BestMove search_moves(EndgameSearch& search, Bits mask, const int* guess);
    void complete_line(EndgameSearch& search, SolveLine& line) const;
    void publish(std::vector<SolveLine> lines, Selectivity level);

    SolveTools tools_;
    Board board_;
    int empties_;
    const SolveRequest& request_;
    StopSignal stop_;
    std::vector<Square> order_;  ///< root moves to try first
    std::vector<int> guesses_;   ///< scores of the last step's lines
    SolveResult result_;
    std::uint64_t nodes_ = 0;
};

}  // namespace karikomi::othello
