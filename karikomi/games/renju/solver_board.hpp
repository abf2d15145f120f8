/// The position that a solver works on: moves by ply, counted nodes, limits, and a memory of chains
/// of fours that failed.
#pragma once

#include <chrono>

#include "karikomi/core/move_list.hpp"
#include "karikomi/games/renju/four_search.hpp"
#include "karikomi/games/renju/solver.hpp"

namespace karikomi::renju {

class SolverBoard {
public:
    explicit SolverBoard(std::size_t megabytes)
        : undo_(kStackSize), table_(std::bit_floor((megabytes << 20) / sizeof(Entry))) {}

    void start(const Position& pos, const SolveLimits& limits) {
        pos_ = pos;
        limits_ = limits;
        if (limits_.nodes == 0) limits_.nodes = kUsualNodes;
        start_ = Clock::now();
        nodes_ = 0;
        stopped_ = false;
        forget_line();
    }

    // What FourSearch asks for.
    Position& position() { return pos_; }
    void make(Move m, int ply) { pos_.make(m, undo_[static_cast<std::size_t>(ply)]); }
    void unmake(Move m, int ply) { pos_.unmake(m, undo_[static_cast<std::size_t>(ply)]); }
    void pass() { pos_.make_null(undo_.back()); }
    bool enter_node(int /*ply*/) {
        ++nodes_;
        if (nodes_ >= limits_.nodes) stopped_ = true;
        if (nodes_ % 256 == 0 && is_late()) stopped_ = true;
        return stopped_;
    }
    bool stopped() const { return stopped_; }
    /// Refutations hold for the position whoever asks, so they are never forgotten.
    int refuted() const {
        const Entry& e = table_[pos_.key() & (table_.size() - 1)];
        return e.key == pos_.key() ? e.fours : -1;
    }
    void refute(int fours) { table_[pos_.key() & (table_.size() - 1)] = {pos_.key(), fours}; }
    void note(int ply, Cell c) { line_[static_cast<std::size_t>(ply)] = c; }

    /// So many more nodes, whatever the limit was.
    void grant(std::uint64_t nodes) {
        limits_.nodes = nodes_ + nodes;
        limits_.time_ms = 0;
        stopped_ = false;
    }
    /// Only so many nodes from now on, 0 for all; tells the limit that there was.
    std::uint64_t hold_back(std::uint64_t nodes) {
        const std::uint64_t before = limits_.nodes;
        if (nodes > 0) limits_.nodes = std::min(before, nodes_ + nodes);
        return before;
    }
    /// The limit that there was; the search may go on if only the nodes had run out.
    void release(std::uint64_t limit) {
        limits_.nodes = limit;
        stopped_ = nodes_ >= limits_.nodes || is_late();
    }
    bool is_over() const { return stopped_ || nodes_ >= limits_.nodes || is_late(); }
    void forget_line() { line_.assign(kStackSize, kNoCell); }
    std::uint64_t nodes() const { return nodes_; }
    std::int64_t nodes_left() const {
        return static_cast<std::int64_t>(limits_.nodes - std::min(nodes_, limits_.nodes));
    }
    std::int64_t time_us() const {
        return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start_).count();
    }
    /// `plies` moves from here, as noted; where nothing was noted, five, an answer to five, or
    /// anything. The position stays as it is.
    std::vector<Cell> play_out(int ply, int plies) {
        std::vector<Cell> line;
        for (int i = ply; i < ply + plies; ++i) {
            Cell c = line_[static_cast<std::size_t>(i)];
            if (c == kNoCell || !pos_.is_legal(Move::from_cell(c))) c = natural_move();
            if (c == kNoCell) break;
            line.push_back(c);
            make(Move::from_cell(c), i);
        }
        for (int i = static_cast<int>(line.size()) - 1; i >= 0; --i) {
            unmake(Move::from_cell(line[static_cast<std::size_t>(i)]), ply + i);
        }
        return line;
    }
    Cell natural_move() const {
        MoveList<Move, std::size_t{kMaxSize} * kMaxSize> moves;
        pos_.generate_candidates(moves);
        return moves.empty() ? kNoCell : moves[0].move.cell();
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint64_t kUsualNodes = 1'000'000;
    struct Entry {
        Key key = 0;
        int fours = 0;
    };

    bool is_late() const {
        if (limits_.stop.stop_requested()) return true;
        return limits_.time_ms > 0 && time_us() >= 1000 * limits_.time_ms;
    }

    Position pos_;
    std::vector<Undo> undo_;
    std::vector<Entry> table_;
    std::vector<Cell> line_;
    SolveLimits limits_;
    Clock::time_point start_;
    std::uint64_t nodes_ = 0;
    bool stopped_ = false;
};

}  // namespace karikomi::renju
