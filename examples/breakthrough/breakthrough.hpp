/// Breakthrough on 6x6: pawns step one row forward, straight or diagonally, and capture diagonally.
/// Who reaches the far row wins. A game outside Karikomi, as docs/adding-a-game.md describes it.
#pragma once

#include <array>
#include <bit>
#include <cctype>

#include <karikomi/engine/game_module.hpp>

namespace breakthrough {

using karikomi::Depth, karikomi::Error, karikomi::Expected, karikomi::Key, karikomi::MoveCode,
    karikomi::ScoredMove, karikomi::Value;

inline constexpr int kSize = 6;
using Board = std::uint64_t;  ///< a bit a square, a1 first, row by row

constexpr Board bit(int square) {
    return Board{1} << square;
}
constexpr Board row(int y) {
    return Board{0x3F} << (y * kSize);
}

struct Move {
    MoveCode code = karikomi::kNoMove;
    static Move make(int from, int to) { return {static_cast<MoveCode>(from * 36 + to + 1)}; }
    static Move from_raw(MoveCode c) { return {c}; }
    MoveCode raw() const { return code; }
    int from() const { return (code - 1) / 36; }
    int to() const { return (code - 1) % 36; }
    bool operator==(const Move&) const = default;
};

struct Undo {
    bool captured = false;
};

class Position {
public:
    int side() const { return side_; }
    Board own() const { return pieces_[static_cast<std::size_t>(side_)]; }
    Board other() const { return pieces_[static_cast<std::size_t>(1 - side_)]; }
    Board of(int player) const { return pieces_[static_cast<std::size_t>(player)]; }
    int piece_count() const { return std::popcount(own() | other()); }
    Key key() const {
        Key k = (pieces_[0] * 0x9E3779B97F4A7C15ull) ^ (pieces_[1] + static_cast<Key>(side_));
        for (const Key factor : {0xBF58476D1CE4E5B9ull, 0x94D049BB133111EBull}) {
            k = (k ^ (k >> 29)) * factor;
        }
        return k ^ (k >> 32);
    }
    std::optional<Value> outcome(int ply) const {
        const bool lost = (other() & row(side_ == 0 ? 0 : kSize - 1)) != 0 || own() == 0;
        return lost ? std::optional(karikomi::loss_in(ply)) : std::nullopt;
    }
    Value no_moves_value(int ply) const { return karikomi::loss_in(ply); }

    template <class List> void generate(List& moves) const {
        for (Board left = own(); left != 0; left &= left - 1) {
            const int from = std::countr_zero(left);
            for (int turn = -1; turn <= 1; ++turn) {
                const Move m = Move::make(from, from + forward(side_) + turn);
                if (is_step(m) && is_legal(m)) moves.push(m);
            }
        }
    }
    bool is_legal(Move m) const {
        if (m.code == 0 || m.from() >= 36 || !is_step(m) || (own() & bit(m.from())) == 0)
            return false;
        const bool straight = m.from() % kSize == m.to() % kSize;
        return (own() & bit(m.to())) == 0 && !(straight && captures(m));
    }
    void make(Move m, Undo& undo) {
        undo.captured = captures(m);
        pieces_[static_cast<std::size_t>(side_)] ^= bit(m.from()) | bit(m.to());
        side_ = 1 - side_;
        if (undo.captured) pieces_[static_cast<std::size_t>(side_)] ^= bit(m.to());
    }
    void unmake(Move m, const Undo& undo) {
        if (undo.captured) pieces_[static_cast<std::size_t>(side_)] ^= bit(m.to());
        side_ = 1 - side_;
        pieces_[static_cast<std::size_t>(side_)] ^= bit(m.from()) | bit(m.to());
    }
    int stage() const { return piece_count() > 18 ? 0 : piece_count() > 12 ? 1 : 2; }
    int history_slot(Move m) const { return m.code - 1; }
    bool is_tactical(Move m) const {
        return captures(m) || m.to() / kSize == (side_ == 0 ? kSize - 1 : 0);
    }
    /// Pawns take each other on one square, as long as that pays.
    Value exchange_value(Move m) const {
        const int attackers = std::popcount(takers(m.to(), side_) & ~bit(m.from()));
        const int defenders = std::popcount(takers(m.to(), 1 - side_));
        return (captures(m) ? kPawn : 0) - std::max(0, won(defenders, attackers));
    }
    bool captures(Move m) const { return (other() & bit(m.to())) != 0; }
    bool operator==(const Position&) const = default;

    static constexpr Value kPawn = 100;

private:
    static int forward(int player) { return player == 0 ? kSize : -kSize; }
    bool is_step(Move m) const {
        const int rows = m.to() / kSize - m.from() / kSize;
        const int columns = m.to() % kSize - m.from() % kSize;
        return rows == (side_ == 0 ? 1 : -1) && columns >= -1 && columns <= 1;
    }
    /// Pieces of a player that could capture on this square.
    Board takers(int square, int player) const {
        Board found = 0;
        for (const int turn : {-1, 1}) {
            const int from = square - forward(player) + turn;
            const bool inside = from >= 0 && from < 36 && (square % kSize + turn + 1) % 7 != 0;
            if (inside) found |= of(player) & bit(from);
        }
        return found;
    }
    /// By the side that takes first, with so many pieces on either side.
    static Value won(int takers, int answers) {
        return takers == 0 ? 0 : kPawn - std::max(0, won(answers, takers - 1));
    }

    std::array<Board, 2> pieces_ = {row(0) | row(1), row(4) | row(5)};
    int side_ = 0;
};

/// Material, and the square of how far each pawn has come.
struct Evaluator {
    static constexpr std::string_view id() { return "breakthrough-1"; }
    Value evaluate(const Position& p) const { return count(p, p.side()) - count(p, 1 - p.side()); }

private:
    static Value count(const Position& p, int player) {
        Value v = 0;
        for (int y = 0; y < kSize; ++y) {
            const int come = player == 0 ? y : kSize - 1 - y;
            v += std::popcount(p.of(player) & row(y)) * (Position::kPawn + 4 * come * come);
        }
        return v;
    }
};

struct Ordering {
    static void score(const Position& p, std::span<ScoredMove<Move>> moves, Depth) {
        for (auto& m : moves) m.score = 10 * p.exchange_value(m.move);
    }
};

/// A leaf is worth its value after the captures that pay.
struct Quiescence {
    template <class W> static Value search(W& worker, Value alpha, Value beta, int ply) {
        Value best = worker.evaluate();
        if (best >= beta || ply >= karikomi::kStackSize - 2) return best;
        karikomi::MoveList<Move, 36> moves;
        worker.position().generate(moves);
        for (const auto& scored : moves) {
            const Move m = scored.move;
            const auto& pos = worker.position();
            if (!pos.is_tactical(m) || (pos.captures(m) && pos.exchange_value(m) <= 0)) continue;
            worker.make(m, ply);
            Value v = 0;
            if (!worker.enter_node(ply + 1)) {
                const auto over = worker.position().outcome(ply + 1);
                v = over ? -*over : -search(worker, -beta, -std::max(alpha, best), ply + 1);
            }
            worker.unmake(m, ply);
            if (worker.stopped()) return 0;
            best = std::max(best, v);
            if (best >= beta) break;
        }
        return best;
    }
};

inline karikomi::BoardFacet board() {
    karikomi::BoardFacet b = karikomi::grid_board(kSize, kSize);
    b.sides = {"Black", "White"};
    return b;
}

/// A position is the list of its moves from the start, each written as two squares: "b2b3a5b4".
struct Notation {
    static std::string square(int s) {
        return {static_cast<char>('a' + s % kSize), static_cast<char>('1' + s / kSize)};
    }
    static std::string format_move(const Position&, Move m) {
        return square(m.from()) + square(m.to());
    }
    static Expected<Move> parse_move(const Position& pos, std::string_view text) {
        karikomi::MoveList<Move, 36> moves;
        pos.generate(moves);
        for (const auto& m : moves) {
            if (format_move(pos, m.move) == text) return m.move;
        }
        return Error{"'" + std::string(text.substr(0, 20)) + "' is not a legal move", "write b2b3"};
    }
    static std::vector<std::string> split_moves(std::string_view text) {
        std::string joined;
        for (const char c : text) {
            if (std::isspace(static_cast<unsigned char>(c)) == 0) joined += c;
        }
        std::vector<std::string> moves;
        for (std::size_t i = 0; i < joined.size(); i += 4) moves.push_back(joined.substr(i, 4));
        return moves;
    }
    static Expected<Position> parse(std::string_view text) {
        Position pos;
        for (const std::string& word : split_moves(text)) {
            const auto move = parse_move(pos, word);
            if (!move || pos.outcome(0))
                return Error{"'" + word + "' cannot be played", "see rules"};
            Undo undo;
            pos.make(*move, undo);
        }
        return pos;
    }
    static std::string cells(const Position& pos) {
        std::string out;
        for (int y = kSize - 1; y >= 0; --y) {
            for (int s = y * kSize; s < (y + 1) * kSize; ++s) {
                out += (pos.of(0) & bit(s)) != 0 ? 'X' : (pos.of(1) & bit(s)) != 0 ? 'O' : '.';
            }
        }
        return out;
    }
    static std::string draw(const Position& pos) { return draw_grid(board(), cells(pos)); }
};

struct Game {
    using Move = breakthrough::Move;
    using Undo = breakthrough::Undo;
    using Position = breakthrough::Position;
    using Evaluator = breakthrough::Evaluator;
    using Ordering = breakthrough::Ordering;
    using Horizon = Quiescence;
    using Notation = breakthrough::Notation;
    static constexpr std::string_view kName = "breakthrough";
    static constexpr std::size_t kMaxMoves = 36;
    static constexpr int kHistorySlots = 36 * 36;
    static constexpr int kStages = 3;
};
static_assert(karikomi::Game<Game> && karikomi::HasExchange<Game>);

}  // namespace breakthrough
