/// A book that is being made: positions with searched moves, the best-first order in which it
/// grows, counts of games, and the text that it is kept as.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "karikomi/engine/engine.hpp"
#include "karikomi/engine/record.hpp"
#include "karikomi/games/shogi/book.hpp"
#include "karikomi/games/shogi/notation.hpp"

namespace karikomi::shogi {

/// A position is kept once for both of its forms (book.hpp, flipped).
class BookDraft {
public:
    struct Entry {
        Board board;
        int ply = 1;  ///< number of the next move, as it was met first
        std::vector<BookMove> moves;
    };

    /// What a file holds; nothing where there is none. A last line without an end is of a writer
    /// that was killed: its position is left out.
    static Expected<BookDraft> load(const std::filesystem::path& file);
    /// Sorted by position.
    std::string text() const;
    static std::string text_of(const Entry& entry);

    std::size_t size() const { return entries_.size(); }
    const std::map<std::string, Entry>& entries() const { return entries_; }
    /// Empty where the position is not here; turned where its flipped form is.
    std::vector<BookMove> moves(const Board& b) const;
    /// In place of what was there.
    void put(const Board& b, int ply, std::vector<BookMove> moves);
    /// Deeper moves win, counts add up.
    void merge(const BookDraft& other);
    /// Counts a game's moves of the first plies, those of a side that lost left out.
    void count_game(const Diagram& start, const std::vector<Move>& moves,
                    std::optional<Winner> winner, int plies);
    /// Moves to positions of the book are worth what those are worth, and so on up.
    void back_up();

    /// Remarks in the file, in the order of their texts.
    std::set<std::string> notes;

private:
    Entry* find(const Board& b, bool& turned);

    std::map<std::string, Entry> entries_;
};

/// Where a book grows.
struct Growth {
    Diagram start;
    int plies = 16;        ///< from the start
    Value max_loss = 150;  ///< that both sides together may give away on the way
    Value step_cost = 5;   ///< of every ply, so that the book grows in breadth too
};
/// Positions that are to be analysed next, the most promising first: not in the book, or known
/// from games only. At most `most`.
std::vector<Diagram> frontier(const BookDraft& book, const Growth& growth, std::size_t most);

struct Analysis {
    Limits limits;
    int width = 3;
};
/// The best moves of a position by a search with an empty table, and values for `known` ones.
Expected<std::vector<BookMove>> analyse(Engine& engine, const Diagram& position,
                                        const Analysis& how, const std::vector<BookMove>& known,
                                        const StopToken& stop);

}  // namespace karikomi::shogi
