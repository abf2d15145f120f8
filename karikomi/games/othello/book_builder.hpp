/// Builds Othello's opening book by search: analyses the most promising positions that the book
/// does not have yet, and plays games with it (docs/book.md).
///
/// Best first on the deviation from best play: a position is the sooner looked at the less both
/// sides together have given away on the way to it, by the book's own minimax. So the book knows
/// answers to good moves of either side, and to the plausible mistakes of both.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "karikomi/engine/engine.hpp"
#include "karikomi/games/othello/book_file.hpp"

namespace karikomi::othello {

struct BookBuildOptions {
    Limits limits;                     ///< of the search of one position
    Position root = start_position();  ///< where the book begins
    int plies = 12;                    ///< the book has moves for this many plies after the root
    double max_loss = 3.0;        ///< discs that both sides together may give away from the root on
    int width = 4;                ///< moves of a position that get a value
    double ply_cost = 0.25;       ///< discs: how much later a position comes for each ply
    std::uint64_t positions = 0;  ///< analyse at most this many; 0: all
    std::uint64_t games = 0;      ///< play until the root has this many games
    double randomness = 1.0;      ///< discs: how far games stray from the best move
    std::uint64_t seed = 1;
    bool deepen = false;  ///< analyse again what the book has from a weaker search
};

struct BookProgress {
    std::size_t positions = 0;  ///< in the book, safe on disk
    std::uint64_t analysed = 0;
    std::uint64_t waiting = 0;  ///< known now to be worth analysing; grows with the book
    std::uint64_t games = 0;    ///< played in this run
    double seconds = 0;         ///< of this run
    std::string now;            ///< the position or game that is done
    bool saved = false;         ///< all of the above has just been written to disk
};

struct BookOutcome {
    std::uint64_t analysed = 0;
    std::uint64_t games = 0;
    std::uint64_t nodes = 0;
    std::uint64_t waiting = 0;  ///< 0: nothing is left within plies and loss
    bool stopped = false;
};

/// A position that the book lacks.
struct BookCandidate {
    Board board;          ///< canonical
    int ply = 0;          ///< from the root
    Value deviation = 0;  ///< 1/100 disc given away on the way to it, by both sides together
};
/// All that are worth analysing, most promising first.
std::vector<BookCandidate> book_candidates(const Book& book, const BookBuildOptions& o);

class BookBuilder {
public:
    /// Instead of the engine's own, for tests.
    using Search = std::function<Expected<Result>(Engine&, const SearchRequest&)>;

    BookBuilder(BookFile& file, Engine& engine, BookBuildOptions options)
        : file_(file), engine_(engine), o_(std::move(options)) {}
    void search_with(Search search) { search_ = std::move(search); }
    void stop_on(StopToken stop) { stop_ = std::move(stop); }
    void report_to(std::function<void(const BookProgress&)> sink) { sink_ = std::move(sink); }

    /// All positions, then all games. What was done before is not done again.
    Expected<BookOutcome> run();

private:
    struct Played;  ///< a game so far
    Status expand_all();
    std::vector<BookCandidate> candidates() const;
    Expected<bool> analyse(const Board& board);
    Expected<Result> search(const Position& position, SearchRequest request);
    Status play_game(std::uint64_t number);
    Expected<Square> game_move(const Played& game, std::uint64_t seed);
    Status save(const BookEntry& entry, const std::string& now);
    Status settle(const std::string& now, bool at_once);
    bool stopped();
    bool enough() const { return o_.positions > 0 && outcome_.analysed >= o_.positions; }

    BookFile& file_;
    Engine& engine_;
    BookBuildOptions o_;
    Search search_;
    StopToken stop_;
    std::function<void(const BookProgress&)> sink_;
    BookOutcome outcome_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> done_;  ///< analysed in this run
    std::size_t safe_positions_ = 0;
    double started_ = 0;
    double synced_ = 0;
};

}  // namespace karikomi::othello
