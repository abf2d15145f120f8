#include "karikomi/games/shogi/position.hpp"

namespace karikomi::shogi {
namespace {

constexpr int kFullPoints = 54;  // of all 38 pieces that are no kings

int points_of(Hand hand) {
    int points = 0;
    for (const PieceType t : kHandOrder) {
        points += hand.count(t) * (t == kRook || t == kBishop ? 5 : 1);
    }
    return points;
}
int big_pieces(const Board& b, Colour c, Bitboard where) {
    return (b.pieces(c, kBishop, kRook, kHorse, kDragon) & where).count();
}

/// Points of pieces that the set lacks.
int missing_points(const Board& b) {
    const int kings = b.pieces(kKing).count();
    int points =
        b.occupied().count() - kings + points_of(b.hand(kBlack)) + points_of(b.hand(kWhite));
    for (const Colour c : {kBlack, kWhite}) points += 4 * big_pieces(b, c, kAllSquares);
    return kFullPoints - points;
}

constexpr Square try_square(Colour c) {
    return c == kBlack ? square_at(5, 0) : square_at(5, 8);
}

const Diagram& start_diagram() {
    static const Diagram kStart = *parse_sfen(kStartSfen);
    return kStart;
}

}  // namespace

EnteredForce entered_force(const Board& board, Colour c) {
    const Bitboard zone = far_ranks(c, 3);
    EnteredForce f;
    f.pieces = ((board.pieces(c) - board.pieces(kKing)) & zone).count();
    f.points = f.pieces + 4 * big_pieces(board, c, zone) + points_of(board.hand(c));
    return f;
}

Position::Position() : Position(start_diagram()) {}

Position::Position(const Diagram& diagram, const Rules& rules)
    : board_(diagram.board), move_number_(diagram.move_number) {
    set_rules(rules);
    history_.push(board_.board_key(), board_.hand(kBlack), board_.in_check(), kNoPiece);
}

void Position::set_rules(const Rules& rules) {
    rules_ = rules;
    special_ = declared_ || rules.max_moves > 0 || rules.declaration == Declaration::Try;
}

int Position::stage() const {
    int in_hands = 0;
    for (const Colour c : {kBlack, kWhite}) {
        const Hand h = board_.hand(c);
        for (const PieceType t : kHandOrder) in_hands += h.count(t);
    }
    return in_hands < 3 ? 0 : in_hands < 9 ? 1 : 2;
}

Key Position::structure_key(int which) const {
    constexpr Key kStep = 0x9e3779b97f4a7c15ULL;
    Key key = 0;
    const auto mix = [&key](std::uint64_t word) {
        key = (key ^ word) * kStep;
        key ^= key >> 32;
    };
    if (which == 2) {
        mix(board_.hand(kBlack).raw());
        mix(board_.hand(kWhite).raw());
        return key;
    }
    for (const Colour c : {kBlack, kWhite}) {
        const Bitboard b =
            which == 0 ? board_.pieces(c, kPawn) : board_.pieces(c, kKing, kGold, kSilver);
        mix(b.lo);
        mix(b.hi);
    }
    return key;
}

// ---- The end of a game --------------------------------------------------------------------------
std::optional<Value> Position::special_outcome(int ply) const {
    if (declared_) return loss_in(ply);
    const Colour them = opposite(board_.side());
    if (rules_.declaration == Declaration::Try && board_.king(them) == try_square(them)) {
        return loss_in(ply);
    }
    if (history_.may_repeat()) {
        if (const auto v = repetition_value(ply)) return v;
    }
    if (rules_.max_moves > 0 && move_number_ > rules_.max_moves) {
        // Mate by the last move still counts.
        if (!board_.in_check() || board_.has_legal_move()) return draw_value(ply);
    }
    return std::nullopt;
}

std::optional<Value> Position::repetition_value(int ply) const {
    using Kind = GameHistory::Kind;
    const GameHistory::Repetition whole = history_.all();
    if (whole.times >= 4) {
        if (whole.we_check == whole.they_check) return draw_value(ply);
        return whole.they_check ? win_in(ply) : loss_in(ply);
    }
    if (ply == 0) return std::nullopt;
    const GameHistory::Repetition r = history_.nearest(board_.side());
    // More in hand than at a time before the root is no proof: that time was played for a reason,
    // and nobody has to go through it again.
    const bool in_search = r.distance < ply;
    switch (r.kind) {
        case Kind::None:
            return std::nullopt;
        case Kind::Superior:
            return in_search ? std::optional(kAlmostWon) : std::nullopt;
        case Kind::Inferior:
            return in_search ? std::optional(-kAlmostWon) : std::nullopt;
        case Kind::Same:
            break;
    }
    if (r.we_check == r.they_check) return draw_value(ply);
    return r.they_check ? kAlmostWon : -kAlmostWon;
}

bool Position::declaration_wins() const {
    const Declaration d = rules_.declaration;
    if (d == Declaration::None || d == Declaration::Try || board_.in_check() || declared_) {
        return false;
    }
    const Colour c = board_.side();
    const EnteredForce f = entered_force(board_, c);
    if (f.pieces < 10) return false;
    int points = f.points;
    const bool handicap = d == Declaration::Points24Handicap || d == Declaration::Points27Handicap;
    if (handicap && c == kWhite) points += missing_points(board_);
    const bool by_24 = d == Declaration::Points24 || d == Declaration::Points24Handicap;
    return points >= (by_24 ? 31 : c == kBlack ? 28 : 27);
}

void Position::make_declaration(Undo& undo) {
    make_null(undo);
    declared_ = true;
    special_ = true;
    ++move_number_;
}

void Position::unmake_declaration(const Undo& undo) {
    --move_number_;
    declared_ = false;
    set_rules(rules_);
    unmake_null(undo);
}

void Position::make_null(Undo& undo) {
    board_.do_pass(undo.board);
    history_.push(board_.board_key(), board_.hand(kBlack), false, kNoPiece);
    undo.wall = history_.push_wall();
}

void Position::unmake_null(const Undo& undo) {
    history_.pop_wall(undo.wall);
    history_.pop();
    board_.undo_pass(undo.board);
}

}  // namespace karikomi::shogi
