/// The engine as a player of one game of Othello: chooses moves, thinks on the opponent's time.
#pragma once

#include "karikomi/protocols/line_loop.hpp"
#include "karikomi/protocols/othello_game.hpp"

namespace karikomi::protocols {

class OthelloPlayer {
public:
    struct Answer {
        std::string move;          ///< "f5", or "pa"; also where the game is over
        std::optional<Line> line;  ///< nothing when there was nothing to think about
        std::uint64_t nodes = 0;
        double seconds = 0;
    };

    OthelloPlayer(Engine& engine, Thinker& thinker)
        : engine_(engine), thinker_(thinker), game_(engine) {}

    OthelloGame& game() { return game_; }
    const OthelloGame& game() const { return game_; }
    std::uint64_t searches() const { return searches_; }

    /// The best move of the game's position, for the line with this number.
    Answer choose(std::uint64_t line, const Limits& limits, const InfoSink& sink = {});
    Expected<Result> search(std::uint64_t line, Patience patience, const Limits& limits,
                            const InfoSink& sink = {});
    /// Thinks until any command arrives: about the answer to the reply that choose() expected, or
    /// about the reply itself.
    void ponder(std::uint64_t line);

private:
    struct Expectation {
        std::string before;  ///< the position of the last chosen move
        std::string move;
        std::string reply;  ///< may be empty
    };

    Engine& engine_;
    Thinker& thinker_;
    OthelloGame game_;
    Expectation expected_;
    std::uint64_t searches_ = 0;
};

/// A value in discs, as text with two decimals.
std::string discs_text(Value value, const GameInfo& info);

}  // namespace karikomi::protocols
