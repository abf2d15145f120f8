/// An opening book as text, in the form that YaneuraOu's tools read and write:
///   #YANEURAOU-DB2016 1.00
///   sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
///   7g7f 3c3d 40 32 1        (move, answer, value, depth, times played)
/// A position is found whatever its move number.
#pragma once

#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "karikomi/games/shogi/board.hpp"

namespace karikomi::shogi {

struct BookMove {
    Move move;
    Move answer;  ///< expected; raw() is kNoMove where there is none
    Value value = 0;
    int depth = 0;
    long count = 1;  ///< how often it was played; the larger, the likelier
};

/// How a move is chosen among those of a position.
struct BookTaste {
    Value margin = 0;     ///< narrow: 0; wide: moves that are at most so much worse than the best
    bool flipped = true;  ///< a position also serves for the one with the colours exchanged
    int least_depth = 0;  ///< moves from shallower searches are left out
};

class Book {
public:
    static Expected<Book> load(const std::filesystem::path& file);
    /// Reads nothing but what is asked for: for files that do not fit into memory. Their positions
    /// must be sorted by their text, as this program and YaneuraOu's tools write them.
    static Expected<Book> open(const std::filesystem::path& file);
    /// `name` is for messages.
    static Expected<Book> read(std::istream& in, const std::string& name);

    std::size_t size() const { return positions_.size(); }  ///< positions in memory
    /// The legal moves of a position, in the order of the file.
    std::vector<BookMove> moves(const Board& b) const;
    /// The same, or those of the flipped position, turned.
    std::vector<BookMove> moves_either_way(const Board& b) const;
    /// One of the good moves, the more often played the likelier. `random` decides.
    std::optional<BookMove> choose(const Board& b, const BookTaste& taste,
                                   std::uint64_t random) const;

private:
    std::vector<BookMove> raw_moves(const Board& b) const;

    std::unordered_map<Key, std::vector<BookMove>> positions_;
    std::shared_ptr<class SortedBookFile> file_;  ///< read on the fly
};

/// The first line of a book.
inline constexpr std::string_view kBookHead = "#YANEURAOU-DB2016 1.00";

/// The book that is built into the program; empty where there is none.
const std::shared_ptr<const Book>& built_in_book();

/// "board side hands": an SFEN without the move number, by which books are sorted.
std::string book_text(const Board& b);
/// One move of a book as its line says; nothing where it has no move to play ("none", "resign").
std::optional<BookMove> parse_book_move(std::string_view line);
std::string format_book_move(const BookMove& m);

/// The colours exchanged and the board turned by half: the same game seen from the other side.
Board flipped(const Board& b);
Move flipped(Move m);

}  // namespace karikomi::shogi
