/// The engine as a player of one game of Othello: chooses moves, thinks on the opponent's time.
#pragma once

#include <random>

#include "karikomi/games/othello/protocols/othello_game.hpp"
#include "karikomi/games/othello/protocols/settings.hpp"
#include "karikomi/protocols/line_loop.hpp"

namespace karikomi::protocols {

class OthelloPlayer {
public:
    struct Answer {
        std::string move;          ///< "f5", or "pa"; also where the game is over
        std::optional<Line> line;  ///< nothing when there was nothing to think about
        bool from_book = false;    ///< then `games` is how many of the book's came this way
        std::uint64_t games = 0;
        std::uint64_t nodes = 0;
        double seconds = 0;
    };

    OthelloPlayer(Engine& engine, Thinker& thinker, const OthelloSettings& settings)
        : engine_(engine), thinker_(thinker), randomness_(settings.randomness), game_(engine) {
        if (settings.book) book_.emplace(settings.book);
    }

    OthelloGame& game() { return game_; }
    const OthelloGame& game() const { return game_; }
    std::uint64_t searches() const { return searches_; }

    /// The best move of the game's position, for the line with this number.
    Answer choose(std::uint64_t line, const Limits& limits, const InfoSink& sink = {});
    Expected<Result> search(std::uint64_t line, Patience patience, const SearchRequest& request,
                            const InfoSink& sink = {});
    /// What the book knows of the game's position, best first.
    std::vector<Answer> book_moves() const;
    /// What a draw of the book is worth to Black, in discs.
    void set_contempt(double discs);
    /// Thinks until any command arrives: about the answer to the reply that choose() expected, or
    /// about the reply itself.
    void ponder(std::uint64_t line);

private:
    struct Expectation {
        std::string before;  ///< the position of the last chosen move
        std::string move;
        std::string reply;  ///< may be empty
    };

    Answer to_answer(const othello::BookMove& move, const othello::Position& position) const;
    std::optional<Answer> choose_from_book();

    Engine& engine_;
    Thinker& thinker_;
    std::optional<othello::BookPlayer> book_;
    double randomness_;
    std::mt19937_64 random_{std::random_device()()};
    OthelloGame game_;
    Expectation expected_;
    std::uint64_t searches_ = 0;
};

/// A value in discs, as text with two decimals.
std::string discs_text(Value value, const GameInfo& info);

}  // namespace karikomi::protocols
