#include "karikomi/lab/coverage.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "karikomi/base/random.hpp"
#include "karikomi/core/parallel.hpp"
#include "karikomi/engine/json.hpp"

namespace karikomi::lab {
namespace {

constexpr std::size_t kSides = 2;
constexpr std::size_t kUsed = kLevels.size();  ///< place of the t that a technique uses
constexpr std::size_t kPlaces = kLevels.size() + 1;
using Sides = std::array<std::array<std::int64_t, kPlaces>, kSides>;

/// What a technique may ask of a pair of depths.
struct Ask {
    BoundForm bound = BoundForm::Normal;
    double t = 0;  ///< beside the levels
};

/// What one game adds to a cell.
struct GameCount {
    std::int64_t samples = 0;
    Sides asked{};   ///< [above, below][level]: samples that have a bound
    Sides beyond{};  ///< ... and lie beyond it

    void add(const GameCount& other) {
        samples += other.samples;
        for (std::size_t side = 0; side < kSides; ++side) {
            for (std::size_t i = 0; i < kPlaces; ++i) {
                asked[side][i] += other.asked[side][i];
                beyond[side][i] += other.beyond[side][i];
            }
        }
    }
};

/// Counts by game, so that games can be drawn again.
class Tally {
public:
    explicit Tally(std::size_t games) : games_(games) {}

    void add(const std::vector<PairSample>& samples, const Prediction& p, const Ask& ask) {
        // A low cut errs where the deep value is higher than promised, a high cut where it is
        // lower.
        std::array<std::array<double, kPlaces>, kSides> margins{};
        std::array<std::array<bool, kPlaces>, kSides> cuts{};
        for (std::size_t i = 0; i < kPlaces; ++i) {
            const double t = i == kUsed ? ask.t : kLevels[i].z;
            const double sigmas[] = {p.t_of_low_cut(t, ask.bound), p.t_of_high_cut(t, ask.bound)};
            for (std::size_t side = 0; side < kSides; ++side) {
                margins[side][i] = p->sigma * sigmas[side];
                cuts[side][i] = sigmas[side] < SideAt::kNoMargin / 2;
            }
        }
        for (const PairSample& s : samples) {
            GameCount& game = games_[static_cast<std::size_t>(s.game)];
            const double error = s.deep - p->a * s.shallow - p->b;
            ++game.samples;
            decided_ += std::isfinite(s.deep) ? 0 : 1;
            for (std::size_t side = 0; side < kSides; ++side) {
                const double beyond = side == 0 ? error : -error;
                for (std::size_t i = 0; i < kPlaces; ++i) {
                    if (!cuts[side][i]) continue;
                    ++game.asked[side][i];
                    if (beyond > margins[side][i]) ++game.beyond[side][i];
                }
            }
        }
    }

    /// Counts and intervals into the cell.
    void finish(CellCoverage& cell, int rounds, std::uint64_t seed) {
        std::erase_if(games_, [](const GameCount& g) { return g.samples == 0; });
        GameCount all;
        for (const GameCount& g : games_) all.add(g);
        cell.samples = all.samples;
        cell.decided = decided_;
        cell.games = static_cast<std::int64_t>(games_.size());
        for (std::size_t i = 0; i < kPlaces; ++i) {
            (i == kUsed ? cell.used_tail : cell.tails[i]) = {all.beyond[0][i], all.beyond[1][i],
                                                             all.asked[0][i], all.asked[1][i]};
        }
        if (all.samples > 0) draw(cell, all, rounds, seed);
    }

private:
    void draw(CellCoverage& cell, const GameCount& all, int rounds, std::uint64_t seed) const {
        std::array<std::array<std::vector<double>, kPlaces>, kSides> drawn;
        Random random(seed, 0);
        for (int round = 0; round < rounds; ++round) {
            GameCount sum;
            for (std::size_t i = 0; i < games_.size(); ++i) {
                sum.add(games_[random.below(games_.size())]);
            }
            for (std::size_t side = 0; side < kSides; ++side) {
                for (std::size_t i = 0; i < kPlaces; ++i) {
                    if (sum.asked[side][i] == 0) continue;
                    drawn[side][i].push_back(static_cast<double>(sum.beyond[side][i]) /
                                             static_cast<double>(sum.asked[side][i]));
                }
            }
        }
        for (std::size_t i = 0; i < kPlaces; ++i) {
            TailShares& to = i == kUsed ? cell.used : cell.shares[i];
            to = {share(all, 0, i, drawn[0][i]), share(all, 1, i, drawn[1][i])};
        }
    }

    Share share(const GameCount& all, std::size_t side, std::size_t level,
                std::vector<double>& drawn) const {
        const std::int64_t count = all.beyond[side][level];
        const std::int64_t of = all.asked[side][level];
        if (of == 0) return {};  // it never cuts, so it keeps every promise
        // Drawing games again cannot find what is in none of them, nor doubt a single game.
        const bool blind = count == 0 || count == of || games_.size() < 3;
        const double value = static_cast<double>(count) / static_cast<double>(of);
        if (blind || drawn.empty()) {
            const auto games = static_cast<std::int64_t>(games_.size());
            const Share by_games = share_of(count == 0 ? 0 : games, games);
            return games_.size() < 3 ? Share{value, 0, 1}
                                     : Share{value, by_games.low, by_games.high};
        }
        std::sort(drawn.begin(), drawn.end());
        const auto at = [&drawn](double q) {
            return drawn[static_cast<std::size_t>(q * static_cast<double>(drawn.size() - 1))];
        };
        return {value, at(0.025), at(0.975)};
    }

    std::vector<GameCount> games_;
    std::int64_t decided_ = 0;
};

struct Looked {
    CellCoverage cell;
    Prediction own;
    Prediction model;
    const Prediction& read() const { return own ? own : model; }
};

std::vector<Looked> cells_to_look_at(const SampleTable& table, const Calibration& calibration) {
    std::vector<Looked> out;
    for (int stage = 0; stage < table.stages(); ++stage) {
        for (Depth deep = 1; deep <= table.depth(); ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                const Prediction own = calibration.cell_prediction(stage, shallow, deep);
                const Prediction model = calibration.model_prediction(stage, shallow, deep);
                if (!own && !model) continue;
                CellCoverage cell;
                cell.stage = stage, cell.shallow = shallow, cell.deep = deep;
                cell.from_model = !own;
                out.push_back({cell, own, model});
            }
        }
    }
    return out;
}

// ---- What the techniques probe ------------------------------------------------------------------

enum class Reads : std::uint8_t { Cells, Model, CellsThenModel };
/// A technique in the form that the parameters give it.
struct Probes {
    ProbedCoverage head;
    Reads reads = Reads::Cells;
    std::vector<std::pair<Depth, Depth>> pairs;  ///< (shallow, deep)
};

Probes multi_probcut_probes(const SearchParams& params, Depth deepest) {
    const auto& p = params.selective.of<MultiProbCut>();
    const bool model = p.mode == MultiProbCut::Mode::Model;
    Probes out{{"", kTechnique<MultiProbCut>, p.enabled, p.bound, p.t, false, {}},
               model ? Reads::Model : Reads::Cells,
               {}};
    out.head.name = model ? "multi_probcut, model" : "multi_probcut, pairs";
    for (Depth deep = p.min_depth; deep <= deepest; ++deep) {
        if (model) {
            out.pairs.emplace_back(MultiProbCut::model_shallow(p, deep), deep);
            continue;
        }
        for (std::size_t i = 0; i < MultiProbCut::kPairs; ++i) {
            if (p.pair_deep[i] == 0 || deep < p.pair_deep[i] || p.pair_shallow[i] >= deep) continue;
            out.pairs.emplace_back(p.pair_shallow[i], deep);
        }
    }
    return out;
}

std::vector<Probes> probcut_probes(const SearchParams& params, Depth deepest) {
    const auto& p = params.selective.of<ProbCut>();
    std::vector<Probes> out;
    const auto add = [&](std::string name, Depth reduction, double t, bool high_only) {
        Probes& at = out.emplace_back();
        at.head = {std::move(name), kTechnique<ProbCut>, p.enabled, p.bound, t, high_only, {}};
        at.reads = Reads::CellsThenModel;
        for (Depth deep = std::max(p.min_depth, reduction + 1); deep <= deepest; ++deep) {
            at.pairs.emplace_back(deep - reduction, deep);
        }
    };
    switch (p.variant) {
        case ProbCut::Variant::Basic:
            add("probcut, basic", p.depth_reduction, p.t, false);
            break;
        case ProbCut::Variant::Staged:
            for (std::size_t i = 0; i < p.stage_reductions.size(); ++i) {
                if (p.stage_reductions[i] < 1) continue;
                add("probcut, staged by " + std::to_string(p.stage_reductions[i]),
                    p.stage_reductions[i], p.stage_t[i], true);
            }
            break;
        case ProbCut::Variant::Captures:
            // A fixed margin promises nothing.
            if (p.capture_margin == 0) add("probcut, captures", p.depth_reduction, p.t, true);
            break;
    }
    return out;
}

Prediction read_at(const Calibration& c, Reads reads, int stage, Depth shallow, Depth deep) {
    const Prediction model = c.model_prediction(stage, shallow, deep);
    if (reads == Reads::Model) return model;
    const Prediction own = c.cell_prediction(stage, shallow, deep);
    return own || reads == Reads::Cells ? own : model;
}

std::vector<ProbedCoverage> measure_probed(const SampleTable& held_out, const SearchParams& params,
                                           const CoverageOptions& o) {
    std::vector<Probes> all = probcut_probes(params, held_out.depth());
    std::erase_if(all, [](const Probes& p) { return !p.head.enabled; });
    all.insert(all.begin(), multi_probcut_probes(params, held_out.depth()));
    std::vector<ProbedCoverage> out;
    for (Probes& at : all) {
        Tally tally(held_out.games());
        for (int stage = 0; stage < held_out.stages(); ++stage) {
            for (const auto& [shallow, deep] : at.pairs) {
                const Prediction read = read_at(params.calibration, at.reads, stage, shallow, deep);
                if (!read) continue;
                tally.add(held_out.cell(stage, shallow, deep, SampleTable::Decided::Kept), read,
                          {at.head.bound, at.head.t});
            }
        }
        tally.finish(at.head.all, o.rounds, o.seed);
        if (at.head.all.samples > 0) out.push_back(std::move(at.head));
    }
    return out;
}

}  // namespace

Coverage measure_coverage(const SampleTable& held_out, const Calibration& calibration,
                          const CoverageOptions& o) {
    std::vector<Looked> cells = cells_to_look_at(held_out, calibration);
    const auto samples_of = [&](const CellCoverage& c) {
        return held_out.cell(c.stage, c.shallow, c.deep, SampleTable::Decided::Kept);
    };
    const Ask ask{o.bound, 0};
    std::atomic<std::size_t> next{0};
    run_crew(o.threads, [&](int) {
        for (std::size_t i = next++; i < cells.size(); i = next++) {
            Looked& at = cells[i];
            Tally tally(held_out.games());
            tally.add(samples_of(at.cell), at.read(), ask);
            tally.finish(at.cell, o.cell_rounds, o.seed + i + 1);
        }
    });
    Tally all(held_out.games());
    Tally cell_fits(held_out.games());
    Tally model(held_out.games());
    Coverage out;
    out.bound = o.bound;
    for (const Looked& at : cells) {
        if (at.cell.samples == 0) continue;
        const auto samples = samples_of(at.cell);
        all.add(samples, at.read(), ask);
        if (at.own) cell_fits.add(samples, at.own, ask);
        if (at.model) model.add(samples, at.model, ask);
        out.cells.push_back(at.cell);
    }
    all.finish(out.all, o.rounds, o.seed);
    cell_fits.finish(out.cell_fits, o.rounds, o.seed);
    model.finish(out.model, o.rounds, o.seed);
    if (o.shipped != nullptr) out.probed = measure_probed(held_out, *o.shipped, o);
    return out;
}

Share share_of(std::int64_t count, std::int64_t of) {
    if (of <= 0) return {};
    constexpr double kZ = 1.96;
    const auto n = static_cast<double>(of);
    const double p = static_cast<double>(count) / n;
    const double middle = (p + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
    const double half = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n)) / (1 + kZ * kZ / n);
    return {p, std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

double excess_points(const CellCoverage& c, std::size_t level) {
    if (c.samples == 0) return 0;
    const auto beyond = static_cast<double>(c.tails[level].above + c.tails[level].below) / 2;
    return 100 * (beyond / static_cast<double>(c.samples) - (1 - kLevels[level].p));
}

Json to_json(const CellCoverage& c) {
    Json levels = Json::array();
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
        const auto& [above, below] = c.shares[i];
        const double allowed = 1 - kLevels[i].p;
        levels.push_back({{"level", kLevels[i].percent},
                          {"allowed", allowed},
                          {"above", above.value},
                          {"above_low", above.low},
                          {"above_high", above.high},
                          {"above_ratio", above.value / allowed},
                          {"below", below.value},
                          {"below_low", below.low},
                          {"below_high", below.high},
                          {"below_ratio", below.value / allowed},
                          {"excess_points", excess_points(c, i)}});
    }
    return {{"stage", c.stage},           {"shallow", c.shallow}, {"deep", c.deep},
            {"samples", c.samples},       {"games", c.games},     {"decided", c.decided},
            {"from_model", c.from_model}, {"levels", levels}};
}

Json to_json(const ProbedCoverage& p) {
    const auto share = [](const Share& s) {
        return Json{{"share", s.value}, {"low", s.low}, {"high", s.high}};
    };
    return {{"pairs_of", p.name},
            {"technique", name_of(p.technique)},
            {"enabled", p.enabled},
            {"bound", kBoundForms[static_cast<std::size_t>(p.bound)]},
            {"t", p.t},
            {"allowed", 0.5 * std::erfc(p.t / std::sqrt(2.0))},
            {"high_cuts_only", p.high_cuts_only},
            {"above", share(p.all.used.above)},
            {"below", share(p.all.used.below)},
            {"by_level", to_json(p.all)}};
}

Json to_json(const Coverage& coverage) {
    Json cells = Json::array();
    for (const CellCoverage& c : coverage.cells) cells.push_back(to_json(c));
    Json probed = Json::array();
    for (const ProbedCoverage& p : coverage.probed) probed.push_back(to_json(p));
    return {{"bound", kBoundForms[static_cast<std::size_t>(coverage.bound)]},
            {"probed", probed},
            {"all", to_json(coverage.all)},
            {"own_cells", to_json(coverage.cell_fits)},
            {"model", to_json(coverage.model)},
            {"cells", cells}};
}

}  // namespace karikomi::lab
