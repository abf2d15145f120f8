/// A game with most abilities that can be told to break any one rule of a game: two heaps, take one
/// to three from one of them, who takes the last wins.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/core/concepts.hpp"

namespace karikomi::toy {

enum class Fault : std::uint8_t {
    None,
    TooManyMoves,
    TooManyInStages,
    MoveTwice,
    CodeZero,
    LegalAnything,
    LegalNothing,
    UnmakeForgets,
    NullForgets,
    NullKeepsKey,
    KeyIsFixed,
    KeyLeavesOut,
    KeyCounts,
    EndIgnoresPly,
    EndTooLarge,
    NoMovesIgnorePly,
    StageTooLarge,
    SlotTooLarge,
    ScoreTooLarge,
    NoCandidates,
    WrongCandidates,
    StagesMissWins,
    WrongStage,
    EvaluationDecides,
    EvaluationDrifts,
    IncrementForgets,
    MovesLeftGrow,
    LeavesWrong,
    TextAmbiguous,
    TextUnreadable,
    PositionTextWrong,
    SplitWrong,
    ReadsNonsense,
    OrderDrifts,
    HorizonSeesWindow,
    NeverEnds,
    KeyUnmixed,
};
inline Fault fault = Fault::None;
inline int drift = 0;  ///< something that is kept from one call to the next

struct Move {
    MoveCode code = kNoMove;
    MoveCode raw() const { return code; }
    static Move from_raw(MoveCode c) { return {c}; }
    int heap() const { return (code - 1) / 3; }
    int count() const { return (code - 1) % 3 + 1; }
    bool operator==(const Move&) const = default;
};

struct Undo {
    int forgotten = 0;
};

class Position {
public:
    std::array<int, 2> heaps = {7, 9};
    int plies = 0;
    int tally = 0;  ///< moves made and taken back, where unmake forgets

    Key key() const {
        if (fault == Fault::KeyIsFixed) return 1;
        Key k = static_cast<Key>(heaps[0] * 32 + (fault == Fault::KeyLeavesOut ? 0 : heaps[1]));
        k = k * 2 + static_cast<Key>(plies & 1) + 1;
        if (fault == Fault::KeyCounts) k += static_cast<Key>(plies) << 12;
        if (fault == Fault::KeyUnmixed) return k;
        k *= 0x9E3779B97F4A7C15ull;
        return (k ^ (k >> 29)) * 0xBF58476D1CE4E5B9ull;
    }
    int side() const { return plies & 1; }
    std::optional<Value> outcome(int ply) const {
        if (fault == Fault::NoMovesIgnorePly || fault == Fault::NeverEnds) return std::nullopt;
        if (heaps[0] + heaps[1] > 0) return std::nullopt;
        if (fault == Fault::EndTooLarge) return -kWin - 1;
        return loss_in(fault == Fault::EndIgnoresPly ? 0 : ply);
    }
    Value no_moves_value(int ply) const {
        return loss_in(fault == Fault::NoMovesIgnorePly ? 0 : ply);
    }
    template <class List> void generate(List& list) const {
        for (int code = 1; code <= 6; ++code) {
            const Move m{static_cast<MoveCode>(code)};
            if (fits(m)) list.push(m);
        }
        if (fault == Fault::TooManyMoves) {
            for (int code = 7; code <= 12; ++code) list.push({static_cast<MoveCode>(code)});
        }
        if (fault == Fault::MoveTwice) list.push(first());
        if (fault == Fault::CodeZero) list.push(Move{});
        if (fault == Fault::NeverEnds && heaps[0] + heaps[1] == 0) list.push({7});
    }
    template <class List> void generate_candidates(List& list) const {
        if (fault == Fault::NoCandidates) return;
        if (fault == Fault::WrongCandidates) list.push({50});
        for (int code = 1; code <= 6; ++code) {
            const Move m{static_cast<MoveCode>(code)};
            if (fits(m)) list.push(m);
        }
    }
    template <class List> void generate_tactical(List& list) const { push(list, true); }
    template <class List> void generate_quiet(List& list) const { push(list, false); }
    bool is_legal(Move m) const {
        if (fault == Fault::LegalAnything) return true;
        return fault != Fault::LegalNothing && fits(m);
    }
    void make(Move m, Undo&) {
        if (m.code <= 6) heaps[static_cast<std::size_t>(m.heap())] -= m.count();
        ++plies;
        ++tally;
    }
    void unmake(Move m, const Undo&) {
        if (m.code <= 6) heaps[static_cast<std::size_t>(m.heap())] += m.count();
        --plies;
        if (fault != Fault::UnmakeForgets) --tally;
    }
    bool allows_null_move() const { return heaps[0] + heaps[1] > 3; }
    void make_null(Undo&) { plies += fault == Fault::NullKeepsKey ? 2 : 1; }
    void unmake_null(const Undo&) {
        plies -= fault == Fault::NullKeepsKey ? 2 : 1;
        if (fault == Fault::NullForgets) heaps[0] = std::max(heaps[0] - 1, 0);
    }
    bool is_tactical(Move m) const {
        return m.count() == (fault == Fault::WrongStage ? 1 + plies % 3 : 3);
    }
    int stage() const { return fault == Fault::StageTooLarge ? 2 : heaps[0] > 3 ? 0 : 1; }
    int history_slot(Move m) const { return fault == Fault::SlotTooLarge ? 99 : m.code; }
    int moves_left() const { return fault == Fault::MovesLeftGrow ? plies : heaps[0] + heaps[1]; }
    std::uint64_t count_leaves(Depth depth) {
        if (depth == 0) return 1;
        std::uint64_t n = fault == Fault::LeavesWrong ? 1 : 0;
        MoveList<Move, 16> moves;
        if (!outcome(0)) generate(moves);
        for (const auto& m : moves) {
            Position next = *this;
            Undo undo;
            next.make(m.move, undo);
            n += next.count_leaves(depth - 1);
        }
        return n;
    }
    bool operator==(const Position&) const = default;

private:
    bool fits(Move m) const {
        return m.code >= 1 && m.code <= 6 && m.count() <= heaps[static_cast<std::size_t>(m.heap())];
    }
    bool takes_last(Move m) const { return fits(m) && m.count() == heaps[0] + heaps[1]; }
    Move first() const {
        for (MoveCode code = 1; code <= 6; ++code) {
            if (fits({code})) return {code};
        }
        return {1};
    }
    template <class List> void push(List& list, bool tactical) const {
        for (int code = 1; code <= 6; ++code) {
            const Move m{static_cast<MoveCode>(code)};
            if (fault == Fault::StagesMissWins && takes_last(m) && !(m == first())) continue;
            if (fits(m) && (m.count() == 3) == tactical) list.push(m);
        }
        if (fault == Fault::TooManyInStages && !tactical) {
            for (int code = 7; code <= 15; ++code) list.push({static_cast<MoveCode>(code)});
        }
    }
};

struct Evaluator {
    static constexpr std::string_view id() { return "toy-1"; }
    int sum = 0;
    void reset(const Position& p) { sum = p.heaps[0] * 3 + p.heaps[1]; }
    void after_make(const Position& p, Move) {
        if (fault != Fault::IncrementForgets || p.heaps[0] > 2) reset(p);
    }
    void after_unmake(const Position& p, Move) { reset(p); }
    Value evaluate(const Position&) const {
        if (fault == Fault::EvaluationDecides) return kDecisive;
        return sum * 7 % 23 - 11 + (fault == Fault::EvaluationDrifts ? ++drift : 0);
    }
    Value evaluate_move(const Position& p, Move m) const {
        Position next = p;
        Undo undo;
        next.make(m, undo);
        Evaluator e;
        e.reset(next);
        return -e.evaluate(next);
    }
};

struct Ordering {
    static void score(const Position&, std::span<ScoredMove<Move>> moves, Depth) {
        for (auto& m : moves) {
            m.score = m.move.count() * 10;
            if (fault == Fault::ScoreTooLarge) m.score = 2'000'000;
            if (fault == Fault::OrderDrifts) m.score = (++drift * 7919) % 100;
        }
    }
};

struct Horizon {
    template <class W> static Value search(W& worker, Value alpha, Value, int) {
        const Value v = worker.evaluate();
        return fault == Fault::HorizonSeesWindow && alpha > -kInfinity ? alpha + 1 : v;
    }
};

struct Notation {
    static Expected<Position> parse(std::string_view text) {
        Position p;
        if (text.empty()) return p;
        if (text.size() != 3 || text[0] < 'a' || text[1] < 'a') {
            if (fault == Fault::ReadsNonsense) return p;
            return Error{"no position", "write two heaps and the side"};
        }
        p.heaps = {text[0] - 'a', text[1] - 'a'};
        p.plies = text[2] == '1' ? 1 : 0;
        return p;
    }
    static Expected<Move> parse_move(const Position& pos, std::string_view text) {
        for (MoveCode code = 1; code <= 12; ++code) {
            if (format_move(pos, {code}) == text) return Move{code};
        }
        return Error{"no move", "write a heap and a number"};
    }
    static std::string format_move(const Position&, Move m) {
        if (fault == Fault::TextAmbiguous) return std::to_string(m.count());
        if (fault == Fault::TextUnreadable) return "m" + std::to_string(++drift);
        return (m.heap() == 0 ? "l" : "r") + std::to_string(m.count() + (m.code > 6 ? 3 : 0));
    }
    static std::vector<std::string> split_moves(std::string_view text) {
        std::vector<std::string> out;
        for (std::size_t i = 0; i + 1 < text.size(); i += 3) {
            out.emplace_back(text.substr(i, fault == Fault::SplitWrong ? 1 : 2));
        }
        return out;
    }
    static std::string format(const Position& p) {
        std::string out = {static_cast<char>('a' + p.heaps[0]), static_cast<char>('a' + p.heaps[1]),
                           p.side() == 1 ? '1' : '0'};
        if (fault == Fault::PositionTextWrong) out[0] = 'c';
        return out;
    }
    static std::string draw(const Position& p) { return format(p) + "\n"; }
};

struct Game {
    using Move = toy::Move;
    using Undo = toy::Undo;
    using Position = toy::Position;
    using Evaluator = toy::Evaluator;
    using Ordering = toy::Ordering;
    using Horizon = toy::Horizon;
    using Notation = toy::Notation;
    static constexpr std::string_view kName = "toy";
    static constexpr std::size_t kMaxMoves = 8;
    static constexpr int kHistorySlots = 13;
    static constexpr int kStages = 2;
};
static_assert(karikomi::Game<Game>);

}  // namespace karikomi::toy
