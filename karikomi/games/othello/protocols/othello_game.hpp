/// A game of Othello on an engine: the moves played, taking back, passes, the score. It knows no
/// rules of its own; the engine does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "karikomi/engine/engine.hpp"
#include "karikomi/games/othello/protocols/game_text.hpp"

namespace karikomi::protocols {

struct Discs {
    int black = 0;
    int white = 0;
};

Discs count_discs(std::string_view position);
/// Black's discs minus White's, empties to the winner.
int final_score(std::string_view position);

class OthelloGame {
public:
    struct Played {
        RecordedMove move;
        std::string before;     ///< the position it was played in
        bool implicit = false;  ///< a pass that nobody sent
    };

    explicit OthelloGame(Engine& engine) : engine_(engine) { clear(); }

    void clear();  ///< the usual start
    /// All of the game, or the first `moves` moves. An error leaves everything as it was.
    Status set(const GameRecord& record, std::size_t moves = std::string::npos);
    /// A move of the side to move. Where that side cannot move, its pass may be left out.
    Status play(const RecordedMove& move);
    /// A move of this side, whose turn it must be, or the other must have to pass.
    Status play_as(const RecordedMove& move);
    /// The side to move cannot move but the other can, and this side wants to: passes.
    Status turn_to(Side side);
    /// Takes back moves that were sent, with the passes that were not. False when there are fewer.
    bool undo(std::size_t moves = 1);
    void rewind(std::size_t moves);  ///< to the first so many moves, passes of either kind counted

    Side to_move() const { return engine_.side_to_move(); }
    bool is_over() const { return engine_.winner().has_value(); }
    bool must_pass() const;
    std::vector<std::string> squares() const;  ///< legal moves without a pass
    Discs discs() const { return count_discs(now_); }
    const std::vector<Played>& moves() const { return moves_; }
    /// The position after this many moves.
    const std::string& position_after(std::size_t moves) const {
        return moves < moves_.size() ? moves_[moves].before : now_;
    }
    const std::string& position() const { return now_; }
    const std::array<std::optional<TimeControl>, 2>& time() const { return time_; }

    /// Puts the engine back to where the game is, after it has looked at something else.
    void restore();

private:
    Status play_on(const RecordedMove& move, bool implicit);

    Engine& engine_;
    std::vector<Played> moves_;
    std::string now_;
    std::array<std::optional<TimeControl>, 2> time_;
};

/// "Black" or "White".
std::string_view name_of(Side side);

}  // namespace karikomi::protocols
