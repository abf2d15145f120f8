#include "karikomi/games/shogi/game.hpp"

#include <charconv>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace karikomi::shogi {

void Ordering::score(const Position& p, std::span<ScoredMove<Move>> moves, Depth /*depth*/) {
    const Board& b = p.board();
    const int sign = b.side() == kBlack ? 1 : -1;
    const auto& squares = kPieceSquares.board;
    for (ScoredMove<Move>& m : moves) {
        if (m.move.is_declaration()) {
            m.score = 900'000;
            continue;
        }
        if (m.move.is_drop()) continue;
        const Piece piece = b.on(m.move.from());
        const Piece captured = b.on(m.move.to());
        const PieceType t = type_of(piece);
        if (captured != kNoPiece) {
            m.score = 4 * capture_gain(type_of(captured)) - kPieceValue[t] / 8;
        } else {
            const Piece placed = m.move.promotes() ? static_cast<Piece>(piece | kPromoted) : piece;
            m.score = sign * (squares[placed][m.move.to()] - squares[piece][m.move.from()]);
        }
    }
}

Expected<Position> Notation::parse(std::string_view text) {
    if (text.empty() || text == "startpos") return Position();
    const auto diagram = parse_sfen(text);
    if (!diagram) return diagram.error();
    return Position(*diagram);
}

Expected<Move> Notation::parse_move(const Position& pos, std::string_view text) {
    const auto m = parse_usi(text);
    if (!m) return m.error();
    if (pos.is_legal(*m)) return *m;
    if (m->is_declaration()) {
        return Error{"a win cannot be declared here", "see docs/games/shogi.md for the conditions"};
    }
    return Error{format_usi(*m) + " is not a legal move", "see `karikomi show shogi`"};
}

namespace {

/// By which rule the game is over; empty: it goes on.
const char* ending_of(const Position& pos, const GameHistory::Repetition& repetition) {
    const Board& b = pos.board();
    if (pos.is_declared()) return "declaration";
    if (pos.outcome(0)) {
        if (repetition.times >= 4) {
            return repetition.we_check == repetition.they_check ? "repetition" : "perpetual_check";
        }
        const int most = pos.rules().max_moves;
        return most > 0 && pos.move_number() > most ? "max_moves" : "try";
    }
    if (b.has_legal_move()) return "";
    return b.in_check() ? "mate" : "no_move";
}

Error not_a_choice(std::string_view name, std::string_view value, const std::string& choices) {
    return Error{fmt::format("{} '{}' is unknown", name, value.substr(0, 20)),
                 fmt::format("use one of {}", choices)};
}

}  // namespace

Situation Notation::situation(const Position& pos) {
    Situation out;
    const GameHistory::Repetition repetition = pos.history().all();
    out.ending = ending_of(pos, repetition);
    if (repetition.times > 1) out.numbers["repetitions"] = repetition.times;
    const Board& b = pos.board();
    for (const Colour c : {kBlack, kWhite}) {
        if (b.king(c) == kNowhere || relative_rank(c, b.king(c)) > 2) continue;
        const EnteredForce force = entered_force(b, c);
        const std::string who = c == kBlack ? "first" : "second";
        out.numbers["entered_pieces_" + who] = force.pieces;
        out.numbers["points_" + who] = force.points;
    }
    return out;
}

Status Notation::set_rule(Rules& rules, std::string_view name, std::string_view value) {
    if (name == "declaration") {
        const auto found = std::find(kDeclarations.begin(), kDeclarations.end(), value);
        if (found == kDeclarations.end()) {
            return not_a_choice(name, value, fmt::format("{}", fmt::join(kDeclarations, ", ")));
        }
        rules.declaration = static_cast<Declaration>(found - kDeclarations.begin());
        return {};
    }
    if (name == "promotions") {
        if (value != "useful" && value != "every")
            return not_a_choice(name, value, "useful, every");
        rules.promotions = value == "every" ? Promotions::Every : Promotions::Useful;
        return {};
    }
    if (name == "max_moves") {
        int n = -1;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
        if (error != std::errc{} || end != value.data() + value.size() || n < 0 || n > kMostMoves) {
            return Error{
                fmt::format("max_moves '{}' is not a number of moves", value.substr(0, 20)),
                fmt::format("use 0 (no limit) to {}", kMostMoves)};
        }
        rules.max_moves = n;
        return {};
    }
    // Not a rule that players agree on, so no list of rules shows it: what one of them makes of it.
    if (name == "draw_value") {
        int v = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), v);
        const bool whole = error == std::errc{} && end == value.data() + value.size();
        if (!whole || std::abs(v) > kMaxEval) {
            return Error{fmt::format("draw_value '{}' is not a value", value.substr(0, 20)),
                         fmt::format("use -{} to {}", kMaxEval, kMaxEval)};
        }
        rules.draw_for_black = v;
        return {};
    }
    return Error{fmt::format("there is no rule '{}' to set", name.substr(0, 20)),
                 "use declaration, max_moves or promotions"};
}

std::vector<std::string> Notation::split_moves(std::string_view text) {
    std::vector<std::string> moves;
    std::string word;
    for (const char c : text) {
        if (c != ' ' && c != ',' && c != '\t' && c != '\r' && c != '\n') {
            word += c;
        } else if (!word.empty()) {
            moves.push_back(std::exchange(word, {}));
        }
    }
    if (!word.empty()) moves.push_back(word);
    return moves;
}

}  // namespace karikomi::shogi
