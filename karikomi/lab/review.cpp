#include "karikomi/lab/review.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::lab {
namespace {

/// A proven result counts as much as so many units, not as infinity.
constexpr double kDecisive = 40;
constexpr std::size_t kLongestLine = 8;  ///< moves of a better line that are shown
/// Below this, in the game's unit, a comment calls no move a loss.
constexpr double kWorthSaying = 0.5;

using Words = std::vector<std::string>;

Words moves_of(const PlayedGame& game) {
    Words moves;
    for (const PlayedMove& m : game.moves) moves.push_back(m.move);
    return moves;
}

/// The moves of `line` after `before` in this style, or as they are.
Words names_in(const GameModule& module, const PlayedGame& game, const Words& before,
               const Words& line, const std::string& style) {
    if (style.empty() || !module.notation) return line;
    Words all = before;
    all.insert(all.end(), line.begin(), line.end());
    const auto names = module.notation->names(game.start, all, style);
    if (!names || names->size() != all.size()) return line;
    return {names->begin() + static_cast<std::ptrdiff_t>(before.size()), names->end()};
}

/// The position at the engine, searched. Nothing: it was stopped before there was a value.
Expected<std::optional<Judgement>> judge(Engine& engine, const ReviewPlan& plan) {
    Judgement j;
    const double sign = engine.side_to_move() == 0 ? 1 : -1;
    if (const auto winner = engine.winner()) {
        j.is_final = true;
        if (*winner != Winner::Nobody) j.value = *winner == Winner::First ? kDecisive : -kDecisive;
        return std::optional(j);
    }
    SearchRequest request;
    request.limits = plan.limits;
    request.stop = plan.stop;
    engine.new_game();
    const auto found = engine.search(request);
    if (!found) return found.error();
    const bool has_value = !found->lines.empty() && found->lines.front().bound != Bound::None;
    if (!has_value || plan.stop.stop_requested()) return std::optional<Judgement>();
    const Line& best = found->lines.front();
    const double value = static_cast<double>(best.value) / engine.info().unit;
    j.value = sign * std::clamp(value, -kDecisive, kDecisive);
    if (is_decisive(best.value)) {
        j.value = best.value > 0 ? sign * kDecisive : -sign * kDecisive;
        j.plies_to_win = plies_to_end(best.value);
    }
    j.depth = best.depth;
    j.line.assign(best.pv.begin(), best.pv.begin() + static_cast<std::ptrdiff_t>(
                                                         std::min(best.pv.size(), kLongestLine)));
    return std::optional(j);
}

void sum_up(Review& review, const ReviewPlan& plan) {
    std::array<double, 2> sum{};
    std::array<int, 2> count{};
    std::vector<ReviewedMove*> lost;
    for (ReviewedMove& m : review.moves) {
        if (!m.after) continue;
        const auto side = static_cast<std::size_t>(m.side);
        sum.at(side) += m.loss;
        ++count.at(side);
        if (m.loss >= plan.turning_loss) lost.push_back(&m);
    }
    for (std::size_t side = 0; side < 2; ++side) {
        if (count.at(side) > 0) review.mean_loss.at(side) = sum.at(side) / count.at(side);
    }
    std::sort(lost.begin(), lost.end(), [](const ReviewedMove* a, const ReviewedMove* b) {
        return a->loss == b->loss ? a->number < b->number : a->loss > b->loss;
    });
    if (lost.size() > plan.most) lost.resize(plan.most);
    for (ReviewedMove* m : lost) m->turning = true;
}

}  // namespace

std::vector<const ReviewedMove*> Review::turning_points() const {
    std::vector<const ReviewedMove*> out;
    for (const ReviewedMove& m : moves) {
        if (m.turning) out.push_back(&m);
    }
    return out;
}

Expected<Review> review_game(Engine& engine, const GameModule& module, const PlayedGame& game,
                             const ReviewPlan& plan) {
    Review review;
    review.game = module.name;
    review.title = module.title;
    review.played = game;
    if (const Status s = engine.set_position(game.start); !s) return s.error();
    const Words all = moves_of(game);
    const Words names = names_in(module, game, {}, all, plan.style);
    Words before;
    std::string diagram;
    int side = 0;
    for (std::size_t i = 0;; ++i) {
        if (plan.progress) plan.progress(i, all.size());
        const auto judged = judge(engine, plan);
        if (!judged) return judged.error();
        if (!*judged) break;
        Judgement here = **judged;
        here.names = names_in(module, game, before, here.line, plan.style);
        if (!review.moves.empty()) {
            ReviewedMove& last = review.moves.back();
            last.after = here;
            const double change = here.value - last.before.value;
            const bool is_best = !last.before.line.empty() && last.before.line.front() == last.move;
            if (!is_best) last.loss = std::max(0.0, last.side == 0 ? -change : change);
            last.diagram = diagram;
        }
        if (i == all.size()) {
            review.complete = true;
            break;
        }
        diagram = engine.draw_board();
        side = engine.side_to_move();
        ReviewedMove& m = review.moves.emplace_back();
        m.number = static_cast<int>(i) + 1;
        m.side = side;
        m.move = all[i];
        m.name = names[i];
        m.before = here;
        if (const Status s = engine.play(all[i]); !s) {
            return Error{fmt::format("move {}: {}", i + 1, s.error().what), s.error().remedy};
        }
        before.push_back(all[i]);
    }
    sum_up(review, plan);
    return review;
}

std::string value_text(const Judgement& j, Tongue tongue) {
    const bool japanese = tongue == Tongue::Japanese;
    if (j.is_final) {
        if (j.value == 0) return japanese ? "引き分け" : "draw";
        if (japanese) return j.value > 0 ? "先手勝ち" : "後手勝ち";
        return j.value > 0 ? "won" : "lost";
    }
    if (j.plies_to_win > 0) {
        if (japanese) return fmt::format("{}手で{}", j.plies_to_win, j.value > 0 ? "勝ち" : "負け");
        return fmt::format("{} in {}", j.value > 0 ? "win" : "loss", j.plies_to_win);
    }
    const std::string text = fmt::format("{:+.1f}", j.value);
    return text == "-0.0" || text == "+0.0" ? "0.0" : text;
}

std::string sentence_of(const ReviewedMove& m, Tongue tongue) {
    const bool japanese = tongue == Tongue::Japanese;
    if (!m.after) return {};
    const std::string better =
        m.before.names.empty() || m.loss <= 0 ? std::string() : m.before.names.front();
    const std::string line = fmt::format("{}", fmt::join(m.before.names, " "));
    // For the mover: a win let slip, or a loss walked into.
    const bool was_won = m.before.plies_to_win > 0 && (m.before.value > 0) == (m.side == 0);
    const bool is_lost =
        (m.after->plies_to_win > 0 || (m.after->is_final && m.after->value != 0)) &&
        (m.after->value > 0) != (m.side == 0);
    const bool was_lost = m.before.plies_to_win > 0 && !was_won;
    if (japanese) {
        const std::string what = was_won && !is_lost    ? "勝ちを逃す"
                                 : is_lost && !was_lost ? "負けになる"
                                                        : fmt::format("{:.1f}の損", m.loss);
        const std::string end = better.empty() ? "" : fmt::format("。最善は{}（{}）", better, line);
        return fmt::format("{}手目 {} {}{}", m.number, m.name, what, end);
    }
    const std::string what = was_won && !is_lost    ? "let a win slip"
                             : is_lost && !was_lost ? "walked into a loss"
                                                    : fmt::format("lost {:.1f}", m.loss);
    const std::string end = better.empty() ? "" : fmt::format("; better {} ({})", better, line);
    return fmt::format("{}. {} {}{}", m.number, m.name, what, end);
}

namespace {

Json to_json(const Judgement& j) {
    Json out = {{"value", j.value}, {"text", value_text(j, Tongue::English)}, {"depth", j.depth}};
    if (j.plies_to_win > 0) out["plies_to_win"] = j.plies_to_win;
    if (j.is_final) out["final"] = true;
    if (!j.line.empty()) {
        out["line"] = j.line;
        out["names"] = j.names;
    }
    return out;
}

}  // namespace

Json to_json(const Review& review) {
    Json moves = Json::array();
    for (const ReviewedMove& m : review.moves) {
        Json row = {{"number", m.number},
                    {"side", m.side == 0 ? "first" : "second"},
                    {"move", m.move},
                    {"name", m.name},
                    {"before", to_json(m.before)}};
        if (m.after) {
            row["after"] = to_json(*m.after);
            row["loss"] = m.loss;
        }
        if (m.turning) {
            row["turning"] = true;
            row["diagram"] = m.diagram;
            row["words"] = {{"en", sentence_of(m, Tongue::English)},
                            {"ja", sentence_of(m, Tongue::Japanese)}};
        }
        moves.push_back(std::move(row));
    }
    Json turning = Json::array();
    for (const ReviewedMove* m : review.turning_points()) turning.push_back(m->number);
    const auto mean = [&](std::size_t side) {
        const auto& value = review.mean_loss.at(side);
        return value ? Json(*value) : Json();
    };
    return {{"game", review.game},
            {"title", review.title},
            {"names", review.played.names},
            {"event", review.played.event},
            {"date", review.played.date},
            {"moves", moves},
            {"turning_points", turning},
            {"mean_loss", {{"first", mean(0)}, {"second", mean(1)}}},
            {"played", review.played.moves.size()},
            {"complete", review.complete}};
}

PlayedGame annotated(const Review& review, Tongue tongue) {
    PlayedGame game = review.played;
    const bool japanese = tongue == Tongue::Japanese;
    const auto add = [](std::string& to, const std::string& line) {
        if (!to.empty()) to += '\n';
        to += line;
    };
    for (const ReviewedMove& m : review.moves) {
        if (!m.after) continue;
        const auto i = static_cast<std::size_t>(m.number) - 1;
        std::string& comment = game.moves[i].comment;
        add(comment, fmt::format(fmt::runtime(japanese ? "先手の評価値 {}"
                                                       : "value for the first player {}"),
                                 value_text(*m.after, tongue)));
        if (m.loss < kWorthSaying) continue;
        add(comment, sentence_of(m, tongue));
        if (!m.turning || m.before.line.empty()) continue;
        PlayedBranch branch;
        branch.begin = i;
        for (const std::string& move : m.before.line) branch.moves.push_back({move});
        game.branches.push_back(std::move(branch));
    }
    return game;
}

}  // namespace karikomi::lab
