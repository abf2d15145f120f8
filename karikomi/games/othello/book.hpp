/// The opening book: positions with what searches and games have found out about their moves, the
/// minimax over their graph, and the choice of a move (docs/book.md).
///
/// A position is kept once for its eight pictures and both colours: as the side to move sees it, in
/// the canonical picture. Positions in which the side to move must pass are not kept; the move that
/// leads there leads on to the position after the pass.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "karikomi/core/types.hpp"
#include "karikomi/games/othello/board.hpp"
#include "karikomi/games/othello/endgame_table.hpp"

namespace karikomi::othello {

/// A move as a search of its position saw it.
struct BookLink {
    std::uint8_t square = 0;
    std::int16_t value = 0;       ///< 1/100 disc, for the mover
    std::uint8_t depth = 0;       ///< plies; 0: not known
    std::uint8_t confidence = 0;  ///< percent; 0: not known
    bool solved = false;          ///< searched to the end of the game, with that confidence
    friend bool operator==(const BookLink&, const BookLink&) = default;
};
/// Whether `a` rests on more search than `b`: solved, then deeper, then more confident.
bool is_stronger(const BookLink& a, const BookLink& b);

/// How games went that came through a position, for its side to move.
struct BookResults {
    std::uint32_t wins = 0;
    std::uint32_t draws = 0;
    std::uint32_t losses = 0;
    std::int64_t discs = 0;  ///< sum of the final differences

    std::uint64_t games() const { return std::uint64_t{wins} + draws + losses; }
    void add(int result);
    void add(const BookResults& more);
    BookResults turned() const { return {losses, draws, wins, -discs}; }
    friend bool operator==(const BookResults&, const BookResults&) = default;
};

struct BookEntry {
    Board board;                  ///< canonical
    std::vector<BookLink> links;  ///< best first; one of each set of symmetric moves
    int level = -1;               ///< of the strongest analysis; -1: not known
    BookResults results;

    bool analysed() const { return !links.empty(); }
    friend bool operator==(const BookEntry&, const BookEntry&) = default;
};
/// Both together: of each move the stronger value, of the games the sum.
BookEntry merged(const BookEntry& a, const BookEntry& b);
/// An entry for any picture of a position: turns board and moves into the canonical ones, leaves
/// one of each set of symmetric moves and sorts them.
BookEntry canonical_entry(const Board& board, std::vector<BookLink> links);

/// What a move leads to.
struct BookStep {
    Board board;              ///< of the next position in which somebody can move
    bool same_mover = false;  ///< the other side had to pass
    bool over = false;
    int score = 0;  ///< when over: discs, for who made the move
};
BookStep book_step(const Board& board, Square square);
/// The moves of a position, one of each set that its symmetries make equal.
std::vector<Square> distinct_moves(const Board& board);

class Book {
public:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    std::size_t size() const { return entries_.size(); }
    std::span<const BookEntry> entries() const { return entries_; }
    const BookEntry& entry(std::size_t index) const { return entries_[index]; }
    /// Any picture of the position.
    std::size_t index_of(const Board& board) const {
        return index_of_canonical(canonical(board).board);
    }
    std::size_t index_of_canonical(const Board& board) const;
    const BookEntry* find(const Board& board) const;
    /// Instead of what stood there.
    void put(BookEntry entry);
    /// Where its values come from, for people: each different text once, the last kMostNotes.
    const std::vector<std::string>& notes() const { return notes_; }
    void add_note(const std::string& note);
    static constexpr std::size_t kMostNotes = 32;

private:
    struct Hash {
        std::size_t operator()(const Board& board) const { return hash_key(board); }
    };
    std::vector<BookEntry> entries_;
    std::unordered_map<Board, std::uint32_t, Hash> places_;
    std::vector<std::string> notes_;
};

/// Minimax over the whole book. A move's value is that of the position it leads to, where the book
/// has it, and else what the search of its own position said. Discs only get more, so the graph has
/// no cycles and one pass from the fullest boards to the emptiest is enough.
class BookValues {
public:
    /// `draw`: what a proven draw is worth, in 1/100 disc: +draw for the mover where `for_mover`
    /// is asked below, -draw where it is not.
    explicit BookValues(const Book& book, Value draw = 0);

    /// kNoValue where nobody has analysed the position.
    Value value(std::size_t index, bool for_mover = true) const {
        return values_[for_mover ? 0 : 1][index];
    }
    /// A move of a position in the book's own picture; kNoValue where nothing is known of it.
    Value move_value(const BookEntry& entry, Square square, bool for_mover = true) const;
    Value draw() const { return draw_; }

private:
    const Book* book_;
    Value draw_;
    std::vector<Value> values_[2];
};

/// A move of the book for whoever plays or shows it.
struct BookMove {
    Square square = kNoSquare;
    Value value = 0;            ///< after minimax, 1/100 disc, for the mover
    Value searched = kNoValue;  ///< by the search of this position
    int depth = 0;
    int confidence = 0;
    bool solved = false;
    bool in_book = false;  ///< the book goes on after it
    BookResults results;   ///< of the games that went on with it, for the mover
};

/// All moves that the book knows something of, best first.
std::vector<BookMove> book_moves(const Book& book, const BookValues& values,
                                 const Position& position);
/// One of the moves that lose at most `randomness` discs against the best; better ones more often.
/// 0 is the best move. The same seed chooses the same move.
std::optional<BookMove> choose_move(std::span<const BookMove> moves, const Board& board,
                                    double randomness, std::uint64_t seed);

/// A book in use: what protocols and engines ask. It does not change, so any thread may ask.
class BookPlayer {
public:
    explicit BookPlayer(std::shared_ptr<const Book> book, int contempt = 0);

    const Book& book() const { return *book_; }
    /// NBoard's: what a draw is worth to Black, in 1/100 disc.
    int contempt() const { return contempt_; }
    void set_contempt(int contempt);

    std::vector<BookMove> moves(const Position& position) const;
    std::optional<BookMove> choose(const Position& position, double randomness = 0,
                                   std::uint64_t seed = 0) const;
    /// The best moves on both sides as far as the book goes, passes included.
    std::vector<Square> line(Position position, std::size_t most = 60) const;

private:
    std::shared_ptr<const Book> book_;
    int contempt_;
    BookValues values_;
};

/// The book that is built into the program.
std::shared_ptr<const Book> shipped_book();

// ---- Text: one line a position ------------------------------------------------------------------
/// `<64 cells> X; f5:+0.50/18@95; c3:-2.00/end@100; level 21; games 5 3 4 +37;`
/// value / depth @ confidence; games: wins, draws, losses and discs of the side to move.
std::string format_book_line(const BookEntry& entry);
/// Also plain OBF lines with scores, in any picture and colour.
Expected<BookEntry> parse_book_line(std::string_view line);

}  // namespace karikomi::othello
