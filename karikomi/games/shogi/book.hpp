/// An opening book as text, in the form that YaneuraOu's tools read and write:
///   #YANEURAOU-DB2016 1.00
///   sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
///   7g7f 3c3d 40 32 1        (move, answer, value, depth, times played)
/// A position is found whatever its move number.
#pragma once

#include <filesystem>
#include <istream>
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

class Book {
public:
    static Expected<Book> load(const std::filesystem::path& file);
    /// `name` is for messages.
    static Expected<Book> read(std::istream& in, const std::string& name);

    std::size_t size() const { return positions_.size(); }  ///< positions
    /// The legal moves of a position, in the order of the file.
    std::vector<BookMove> moves(const Board& b) const;
    /// One of the moves that are at most `margin` worse than the best, by their counts. `random`
    /// decides.
    std::optional<BookMove> choose(const Board& b, Value margin, std::uint64_t random) const;

private:
    std::unordered_map<Key, std::vector<BookMove>> positions_;
};

}  // namespace karikomi::shogi
