#include "karikomi/games/renju/threat_search.hpp"

namespace karikomi::renju {
namespace {

constexpr std::size_t kWays = 4;

bool makes_three(Point p) {
    return p == Point::Three || p == Point::ThreePlus || p == Point::DoubleThree ||
           p == Point::MaybeFoul;
}

std::vector<Cell> all_cells(const Position& pos) {
    std::vector<Cell> cells;
    for (int y = 0; y < pos.size(); ++y) {
        for (std::uint32_t row = pos.lines().empty_in_row(y); row != 0; row &= row - 1) {
            cells.push_back(cell_at(std::countr_zero(row), y));
        }
    }
    return cells;
}

}  // namespace

ThreatSearch::ThreatSearch(SolverBoard& board, std::size_t megabytes, Threats threats)
    : board_(board),
      table_(std::max<std::size_t>(std::bit_floor((megabytes << 20) / sizeof(Entry)), kWays)),
      threats_(threats) {}

// ---- Memory -------------------------------------------------------------------------------------

const ThreatSearch::Entry* ThreatSearch::find(Key key) const {
    const std::size_t at = key & (table_.size() - 1) & ~(kWays - 1);
    for (std::size_t i = at; i < at + kWays; ++i) {
        if (table_[i].key == key) return &table_[i];
    }
    return nullptr;
}

void ThreatSearch::store(Key key, const Numbers& n, std::uint64_t work) {
    const std::size_t at = key & (table_.size() - 1) & ~(kWays - 1);
    Entry* to = &table_[at];
    for (std::size_t i = at; i < at + kWays; ++i) {
        if (table_[i].key == key) {
            to = &table_[i];
            break;
        }
        if (table_[i].work < to->work) to = &table_[i];
    }
    *to = {key, n, static_cast<std::uint32_t>(std::min<std::uint64_t>(work, ~0U))};
}

ThreatSearch::Numbers ThreatSearch::known(Key key) const {
    const Entry* e = find(key);
    return e != nullptr ? e->numbers : Numbers{};
}

// ---- Nodes --------------------------------------------------------------------------------------

std::optional<ThreatSearch::Numbers> ThreatSearch::look_at_attack(int ply, Moves& moves,
                                                                  bool fours_first) {
    const Position& pos = board_.position();
    const int other = 1 - attacker_;
    if (pos.stones() == pos.size() * pos.size()) return loss();
    if (pos.count(attacker_, Point::Five) > 0) return win(1);
    if (pos.count(other, Point::Five) > 1) return loss();
    if (pos.count(other, Point::Five) == 1) {
        pos.each_five(other, [&](Cell c) {
            if (!pos.is_forbidden(c)) moves.add(c);
        });
        return moves.size == 0 ? std::optional(loss()) : std::nullopt;
    }
    if (fours_first) {
        bool unsure = false;  // no matter: the fours are among the moves
        if (const int plies = try_fours(ply, kFourBudget, unsure); plies > 0) return win(plies);
    }
    // With a straight four of the other side to come, only fours are quick enough.
    const bool late = pos.count(other, Point::FourOpen) > 0;
    pos.each_near([&](Cell c) {
        const Point p = pos.point(c, attacker_);
        if ((makes_four(p) || (!late && makes_three(p)) ||
             (makes_three(p) && makes_four(pos.point(c, other)))) &&
            !pos.is_forbidden(c)) {
            moves.add(c);
        }
    });
    if (threats_ == Threats::Quiet) add_quiet_threats(ply, moves);
    if (moves.overflowed) covered_ = false;
    return moves.size == 0 ? std::optional(loss()) : std::nullopt;
}

int ThreatSearch::try_fours(int ply, std::int64_t budget, bool& unsure) {
    FourSearch<SolverBoard> fours(board_, budget);
    const int plies = fours.attack(ply, kMostPlies);
    unsure = plies == 0 && (fours.gave_up() || fours.was_cut() || board_.stopped());
    return plies;
}

/// Moves after which the attacker would win by fours if he could move again. The board comes back
/// as it was.
void ThreatSearch::add_quiet_threats(int ply, Moves& moves) {
    const Position& pos = board_.position();
    const Key key = pos.key();
    if (const auto known = lists_.find(key); known != lists_.end()) {
        for (const Cell c : known->second.cells) moves.add(c);
        return;
    }
    List list;
    for (const Cell c : all_cells(pos)) {
        if (moves.has(c) || pos.is_forbidden(c)) continue;
        board_.make(Move::from_cell(c), ply);
        // Whoever can make a straight four now is quicker than a threat of fours.
        const bool slow = pos.count(1 - attacker_, Point::FourOpen) > 0;
        if (!slow && pos.has_four(attacker_)) {
            board_.pass();
            bool unsure = false;
            if (try_fours(ply + 1, kTestBudget, unsure) > 0) list.cells.push_back(c);
            if (unsure) covered_ = false;
            board_.pass();
        }
        board_.unmake(Move::from_cell(c), ply);
        if (board_.stopped()) return;
    }
    for (const Cell c : list.cells) moves.add(c);
    if (lists_.size() >= kMostLists) lists_.clear();
    lists_.emplace(key, std::move(list));
}

/// The chain is played out. With a stone of the defender on a cell outside the zone, it still can
/// be: its fours stay fours, and no answer of it makes a four of the defender's.
std::vector<Cell> ThreatSearch::find_zone(int ply, int plies) {
    const Position& pos = board_.position();
    const int defender = 1 - attacker_;
    const bool black_attacks = pos.rules().rule == Rule::Renju && attacker_ == kBlack;
    std::vector<Cell> zone = board_.play_out(ply, plies);
    const std::size_t moves = zone.size();
    Position after = pos;  // with the answers alone
    bool fouls = false;    // they depend on more than these cells
    const auto add_fours = [&] {
        after.each_near([&](Cell c) {
            const Point p = after.point(c, defender);
            if (makes_four(p) || p == Point::Five || p == Point::Foul) zone.push_back(c);
        });
    };
    add_fours();
    for (std::size_t i = 0; i < moves; ++i) {
        const Cell c = zone[i];
        const bool attacks = i % 2 == 0;
        fouls |= attacks && black_attacks && may_be_foul(pos.point(c, kBlack));
        board_.make(Move::from_cell(c), ply + static_cast<int>(i));
        if (!attacks) continue;
        pos.each_five(attacker_, [&](Cell answer) {
            fouls |= pos.is_forbidden(answer);
            zone.push_back(answer);
            if (after.lines().is_empty(answer)) after.add_stone(answer, defender);
        });
        add_fours();
    }
    for (std::size_t i = moves; i-- > 0;) {
        board_.unmake(Move::from_cell(zone[i]), ply + static_cast<int>(i));
    }
    if (fouls) return all_cells(pos);
    std::sort(zone.begin(), zone.end());
    zone.erase(std::unique(zone.begin(), zone.end()), zone.end());
    return zone;
}

std::optional<ThreatSearch::Numbers> ThreatSearch::look_at_quiet_defence(int ply, Moves& moves) {
    const Position& pos = board_.position();
    const Key key = pos.key();
    auto known = lists_.find(key);
    if (known == lists_.end()) {
        List list;
        board_.pass();
        board_.forget_line();
        bool unsure = false;
        const int plies = try_fours(ply, kFourBudget, unsure);
        if (unsure) covered_ = false;
        list.is_threat = plies > 0;
        std::vector<Cell> zone;
        if (list.is_threat) zone = find_zone(ply, plies);
        board_.pass();
        list.rest = plies + 1;
        for (const Cell c : zone) {
            if (pos.is_forbidden(c)) continue;
            board_.make(Move::from_cell(c), ply);
            const int longer = try_fours(ply + 1, kTestBudget, unsure);
            board_.unmake(Move::from_cell(c), ply);
            if (board_.stopped()) return Numbers{};
            if (longer == 0) list.cells.push_back(c);
            list.rest = std::max(list.rest, longer + 1);
        }
        if (board_.stopped()) return Numbers{};
        if (lists_.size() >= kMostLists) lists_.clear();
        known = lists_.emplace(key, std::move(list)).first;
    }
    const List& list = known->second;
    if (!list.is_threat) return loss();
    for (const Cell c : list.cells) moves.add(c);
    moves.rest = list.rest;
    if (moves.size == 0) return win(list.rest);
    // Too many to look at: then nothing is proven here, but nothing is denied either.
    if (moves.overflowed) {
        covered_ = false;
        return loss();
    }
    return std::nullopt;
}

std::optional<ThreatSearch::Numbers> ThreatSearch::look_at_defence(int ply, Moves& moves) {
    const Position& pos = board_.position();
    const int me = 1 - attacker_;
    if (pos.count(me, Point::Five) > 0) return loss();
    const int fives = pos.count(attacker_, Point::Five);
    if (fives > 1) return win(2);
    if (fives == 1) {
        pos.each_five(attacker_, [&](Cell c) {
            if (!pos.is_forbidden(c)) moves.add(c);
        });
        moves.rest = 2;
        return moves.size == 0 ? std::optional(win(2)) : std::nullopt;
    }
    if (pos.count(attacker_, Point::FourOpen) == 0) {
        return threats_ == Threats::Quiet ? look_at_quiet_defence(ply, moves) : loss();
    }
    moves.rest = 4;  // a straight four
    pos.each_four(attacker_, [&](Cell c) {
        if (!pos.is_forbidden(c)) moves.add(c);
    });
    pos.each_four(me, [&](Cell c) {
        if (!makes_four(pos.point(c, attacker_)) && !pos.is_forbidden(c)) moves.add(c);
    });
    return moves.size == 0 ? std::optional(win(moves.rest)) : std::nullopt;
}

/// The node's numbers from those of its moves: the attacker needs one that wins, the defender one
/// that holds.
ThreatSearch::Numbers ThreatSearch::expand(const Moves& moves, bool attacking) const {
    Numbers n;
    Number least = kInfinite;
    Number sum = 0;
    int shortest = kStackSize;
    int longest = 0;
    for (int i = 0; i < moves.size; ++i) {
        const Cell c = moves.cells[static_cast<std::size_t>(i)];
        const Numbers child = known(board_.position().key_after(c));
        least = std::min(least, attacking ? child.proof : child.disproof);
        sum = std::min(sum + (attacking ? child.disproof : child.proof), kInfinite);
        if (attacking && child.is_proven() && child.plies < shortest) {
            shortest = child.plies;
            n.best = c;
        }
        if (!attacking) longest = std::max(longest, child.plies);
    }
    n.proof = attacking ? least : sum;
    n.disproof = attacking ? sum : least;
    n.plies = attacking ? shortest + 1 : std::max(longest + 1, moves.rest);
    return n;
}

ThreatSearch::Numbers ThreatSearch::step(int ply, const Moves& moves, bool attacking, Limit limit) {
    for (;;) {
        const Numbers n = expand(moves, attacking);
        if (n.is_settled() || board_.stopped() || n.proof >= limit.proof ||
            n.disproof >= limit.disproof) {
            return n;
        }
        // The most promising move, as long as it stays the most promising.
        Cell chosen = kNoCell;
        Number best = kInfinite + 1;
        Number second = kInfinite;
        Numbers of_chosen;
        for (int i = 0; i < moves.size; ++i) {
            const Cell c = moves.cells[static_cast<std::size_t>(i)];
            const Numbers child = known(board_.position().key_after(c));
            const Number v = attacking ? child.proof : child.disproof;
            if (v < best) {
                second = best;
                best = v;
                chosen = c;
                of_chosen = child;
            } else if (v < second) {
                second = v;
            }
        }
        const Limit below =
            attacking ? Limit{std::min(limit.proof, std::min(second, kInfinite) + 1),
                              std::min(limit.disproof - n.disproof + of_chosen.disproof, kInfinite)}
                      : Limit{std::min(limit.proof - n.proof + of_chosen.proof, kInfinite),
                              std::min(limit.disproof, std::min(second, kInfinite) + 1)};
        board_.make(Move::from_cell(chosen), ply);
        if (!board_.enter_node(ply + 1)) (void)search(ply + 1, below);
        board_.unmake(Move::from_cell(chosen), ply);
    }
}

ThreatSearch::Numbers ThreatSearch::search(int ply, Limit limit) {
    const Position& pos = board_.position();
    const Key key = pos.key();
    const bool attacking = attacks(pos);
    const std::uint64_t before = board_.nodes();
    Moves moves;
    std::optional<Numbers> settled;
    if (ply >= kMostPlies) {
        settled = loss();
        covered_ = false;
    } else {
        // Fours alone are tried once: whoever comes back knows that they do not win.
        settled = attacking ? look_at_attack(ply, moves, find(key) == nullptr)
                            : look_at_defence(ply, moves);
    }
    if (board_.stopped() && !(settled && settled->is_proven())) return {};
    const Numbers n = settled ? *settled : step(ply, moves, attacking, limit);
    if (!board_.stopped() || n.is_proven()) store(key, n, board_.nodes() - before + 1);
    return n;
}

ThreatSearch::Answer ThreatSearch::solve() {
    attacker_ = board_.position().side();
    const Numbers n = search(0, {kInfinite, kInfinite});
    if (n.is_proven()) return Answer::Win;
    return n.disproof == 0 && covered_ ? Answer::No : Answer::Unknown;
}

std::vector<Cell> ThreatSearch::line() {
    std::vector<Cell> line;
    const Position& pos = board_.position();
    board_.grant(kLineNodes);
    int made = 0;
    for (int ply = 0; ply < kMostPlies && !pos.outcome(0); ++ply) {
        Moves moves;
        const bool attacking = attacks(pos);
        board_.forget_line();
        const auto settled =
            attacking ? look_at_attack(ply, moves, true) : look_at_defence(ply, moves);
        if (settled && !settled->is_proven()) break;
        if (settled && attacking) {
            for (const Cell c : board_.play_out(ply, settled->plies)) line.push_back(c);
            break;
        }
        // Where every defence loses by fours, any will do.
        Cell chosen = settled ? board_.natural_move() : kNoCell;
        int most = settled ? kStackSize : -1;
        for (int i = 0; i < moves.size; ++i) {
            const Cell c = moves.cells[static_cast<std::size_t>(i)];
            const Numbers child = known(pos.key_after(c));
            if (!child.is_proven()) continue;
            const int rank = attacking ? kStackSize - child.plies : child.plies;
            if (rank > most) most = rank, chosen = c;
        }
        if (chosen == kNoCell) break;  // forgotten: the line ends here
        line.push_back(chosen);
        board_.make(Move::from_cell(chosen), ply);
        ++made;
    }
    while (made-- > 0) board_.unmake(Move::from_cell(line[static_cast<std::size_t>(made)]), made);
    return line;
}

}  // namespace karikomi::renju
