#include "karikomi/games/renju/training/move_fit.hpp"

#include <random>

#include "karikomi/games/renju/game.hpp"

namespace karikomi::renju {
namespace {

constexpr int kOrderUnit = 4000;  ///< score for a chance of e : 1
constexpr std::size_t kBatch = 512;
constexpr double kRate = 0.02;
constexpr int kEpochs = 6;
constexpr std::size_t kMostQuiets = 300'000;
constexpr std::uint64_t kQuietEvery = 13;  ///< one candidate in so many

}  // namespace

std::vector<std::vector<std::uint32_t>> shared_by_shape(Rule rule,
                                                        const std::array<int, 4>& colours,
                                                        std::size_t& parts) {
    std::vector<std::vector<std::uint32_t>> shared(4 * kCodeClasses);
    constexpr std::size_t kParts = kShapes + kPoints;
    for (std::size_t table = 0; table < 4; ++table) {
        const PatternTable& patterns = patterns_of(style_of(rule, colours[table]));
        for (std::size_t c = 0; c < kCodeClasses; ++c) {
            const Code code = code_classes().example[c];
            auto& mine = shared[table * kCodeClasses + c];
            for (int d = 0; d < 4; ++d) {
                mine.push_back(static_cast<std::uint32_t>(
                    table * kParts + static_cast<std::size_t>(shape_in(code, d))));
            }
            mine.push_back(
                static_cast<std::uint32_t>(table * kParts + kShapes + patterns.points[code]));
        }
    }
    parts = 4 * kParts;
    return shared;
}

MoveFit::MoveFit(const Weights& from, const std::vector<std::vector<TrainingGame>>& rounds,
                 const FitOptions& options)
    : o_(options), rule_(from.rule()) {
    // The newest first: there is more than enough.
    std::mt19937_64 random(2);
    for (std::size_t r = rounds.size(); r-- > 0;) {
        for (const TrainingGame& g : rounds[r]) {
            if (choices_.size() >= o_.most_move_samples) return;
            each_seen(g, rule_, labels_of(g, 1, 0), [&](const Seen& s) { look(s, random()); });
        }
    }
}

void MoveFit::look(const Seen& s, std::uint64_t dice) {
    MoveList<Move, Game::kMaxMoves> moves;
    s.pos.generate_candidates(moves);
    const int me = s.pos.side();
    const CodeClasses& classes = code_classes();
    Choice choice{candidates_.size(), static_cast<std::uint16_t>(moves.size()), 0,
                  static_cast<std::uint8_t>(me), s.held_out};
    bool found = false;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const Cell c = moves[i].move.cell();
        candidates_.push_back({classes.of[s.pos.code(c, me)], classes.of[s.pos.code(c, 1 - me)]});
        if (number_of_cell(c) != s.ply.best) continue;
        choice.best = static_cast<std::uint16_t>(i);
        found = true;
    }
    if (found && moves.size() > 1) {
        choices_.push_back(choice);
    } else {
        candidates_.resize(choice.first);
    }
    Position pos = s.pos;
    for (std::size_t i = dice % kQuietEvery; i < moves.size(); i += kQuietEvery) {
        if (quiets_.size() < kMostQuiets && !pos.is_tactical(moves[i].move)) {
            add_quiet(pos, moves[i].move, s.held_out);
        }
    }
}

void MoveFit::add_quiet(Position& pos, Move m, bool held_out) {
    std::vector<Term> terms;
    const int me = pos.side();
    const CodeClasses& classes = code_classes();
    Quiet q{terms_.size(), 0, 0, {}, static_cast<std::uint8_t>(me), held_out};
    q.cell = {classes.of[pos.code(m.cell(), me)], classes.of[pos.code(m.cell(), 1 - me)]};
    cell_terms(pos, 1 - me, terms);
    q.before = static_cast<std::uint16_t>(terms.size());
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    Undo undo;
    pos.make(m, undo);
    const bool fits = !pos.outcome(0) && is_quiet(pos);
    if (fits) value_terms(pos, terms);
    pos.unmake(m, undo);
    if (!fits) {
        terms_.resize(q.first);
        return;
    }
    q.after = static_cast<std::uint16_t>(terms.size());
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    quiets_.push_back(q);
}

double MoveFit::gain_of(const Quiet& q, const TiedTables& values) const {
    const auto all = std::span(terms_).subspan(q.first, std::size_t{q.before} + q.after);
    // Both are the other side's: what the move took from it is the mover's gain.
    return values.sum(all.first(q.before)) - values.sum(all.subspan(q.before));
}

void MoveFit::fit_order(Weights::Tables& out) {
    std::size_t parts = 0;
    auto shared = shared_by_shape(rule_, {0, 1, 1, 0}, parts);
    TiedTables tables(std::vector<double>(kMoveEntries), std::move(shared), parts, o_.ridge);
    std::vector<double> chances;
    const double all = static_cast<double>(choices_.size());
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
        for (std::size_t at = 0; at < choices_.size(); at += kBatch) {
            const std::size_t end = std::min(at + kBatch, choices_.size());
            for (std::size_t i = at; i < end; ++i) {
                const Choice& c = choices_[i];
                if (c.held_out) continue;
                const auto list = candidates_of(c);
                chances.clear();
                double sum = 0;
                for (const Candidate& m : list) {
                    chances.push_back(std::exp(tables.value(move_entry(c.mover, true, m.make)) +
                                               tables.value(move_entry(c.mover, false, m.take))));
                    sum += chances.back();
                }
                for (std::size_t j = 0; j < list.size(); ++j) {
                    const double slope = chances[j] / sum - (j == c.best ? 1 : 0);
                    tables.add_gradient(move_entry(c.mover, true, list[j].make), slope);
                    tables.add_gradient(move_entry(c.mover, false, list[j].take), slope);
                }
            }
            const double done = (epoch + static_cast<double>(at) / all) / kEpochs;
            tables.step(kRate * (1 - done), static_cast<double>(end - at), all);
            if (o_.progress) o_.progress("order of moves", done);
        }
    }
    // Fives and the like never come up here: generation deals with them.
    const Weights hand = Weights::by_hand(rule_);
    for (int k = 0; k < 2; ++k) {
        const auto& own = patterns_of(style_of(rule_, k)).points;
        const auto& other = patterns_of(style_of(rule_, 1 - k)).points;
        for (std::size_t c = 0; c < kCodeClasses; ++c) {
            MoveTerms& m = out[static_cast<std::size_t>(k)].moves[c];
            const Code code = code_classes().example[c];
            const auto score = [&](bool make) {
                const double v = kOrderUnit * tables.value(move_entry(k, make, c));
                return static_cast<std::int32_t>(std::lround(std::clamp(v, -400'000., 400'000.)));
            };
            const auto plain = [](std::uint8_t p) {
                return static_cast<Point>(p) < Point::FourThree || may_be_foul(Point(p));
            };
            m.order_make = plain(own[code]) ? score(true) : hand.of(k).moves[c].order_make;
            m.order_take = plain(other[code]) ? score(false) : hand.of(k).moves[c].order_take;
        }
    }
}

void MoveFit::fit_gains(const TiedTables& values, Weights::Tables& out) {
    constexpr double kFar = 1.5;  // beyond, an error pulls no harder
    std::size_t parts = 0;
    auto shared = shared_by_shape(rule_, {0, 1, 1, 0}, parts);
    TiedTables tables(std::vector<double>(kMoveEntries), std::move(shared), parts, o_.ridge);
    const double all = static_cast<double>(quiets_.size());
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
        for (std::size_t at = 0; at < quiets_.size(); at += kBatch) {
            const std::size_t end = std::min(at + kBatch, quiets_.size());
            for (std::size_t i = at; i < end; ++i) {
                const Quiet& q = quiets_[i];
                if (q.held_out) continue;
                const auto make = move_entry(q.mover, true, q.cell.make);
                const auto take = move_entry(q.mover, false, q.cell.take);
                const double off = tables.value(make) + tables.value(take) - gain_of(q, values);
                const double slope = std::clamp(off, -kFar, kFar);
                tables.add_gradient(make, slope);
                tables.add_gradient(take, slope);
            }
            const double done = (epoch + static_cast<double>(at) / all) / kEpochs;
            tables.step(kRate * (1 - done), static_cast<double>(end - at), all);
            if (o_.progress) o_.progress("gains", done);
        }
    }
    for (int k = 0; k < 2; ++k) {
        for (std::size_t c = 0; c < kCodeClasses; ++c) {
            MoveTerms& m = out[static_cast<std::size_t>(k)].moves[c];
            const auto units = [&](bool make) {
                const double v = kLogit * tables.value(move_entry(k, make, c));
                return static_cast<std::int16_t>(std::lround(std::clamp(v, -9'000., 9'000.)));
            };
            m.gain_make = units(true);
            m.gain_take = units(false);
        }
    }
}

void MoveFit::judge_order(const Weights::Tables& tables, FitErrors& errors) const {
    double first = 0;
    double n = 0;
    for (const Choice& c : choices_) {
        if (!c.held_out) continue;
        const auto& moves = tables[c.mover].moves;
        const auto list = candidates_of(c);
        const auto score = [&](const Candidate& m) {
            return moves[m.make].order_make + moves[m.take].order_take;
        };
        int better = 0;
        for (const Candidate& m : list) better += score(m) > score(list[c.best]) ? 1 : 0;
        first += better == 0 ? 1 : 0;
        n += 1;
    }
    errors.first_share = first / std::max(n, 1.0);
}

void MoveFit::judge_gains(const TiedTables& values, const Weights::Tables& tables, double scale,
                          FitErrors& errors) const {
    double sum = 0;
    double n = 0;
    for (const Quiet& q : quiets_) {
        if (!q.held_out) continue;
        const auto& moves = tables[q.mover].moves;
        const double guess = (moves[q.cell.make].gain_make + moves[q.cell.take].gain_take) / scale;
        const double off = guess - gain_of(q, values);
        sum += off * off;
        n += 1;
    }
    errors.gain_rms = kLogit * std::sqrt(sum / std::max(n, 1.0));
}

}  // namespace karikomi::renju
