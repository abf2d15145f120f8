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
using Sides = std::array<std::array<std::int64_t, kLevels.size()>, kSides>;

/// What one game adds to a cell.
struct GameCount {
    std::int64_t samples = 0;
    Sides beyond{};  ///< [above, below][level]

    void add(const GameCount& other) {
        samples += other.samples;
        for (std::size_t side = 0; side < kSides; ++side) {
            for (std::size_t i = 0; i < kLevels.size(); ++i) {
                beyond[side][i] += other.beyond[side][i];
            }
        }
    }
};

/// Counts by game, so that games can be drawn again.
class Tally {
public:
    explicit Tally(std::size_t games) : games_(games) {}

    void add(const std::vector<PairSample>& samples, const Regression& r) {
        for (const PairSample& s : samples) {
            GameCount& game = games_[static_cast<std::size_t>(s.game)];
            const double error = s.deep - r.a * s.shallow - r.b;
            ++game.samples;
            decided_ += std::isfinite(s.deep) ? 0 : 1;
            for (std::size_t i = 0; i < kLevels.size(); ++i) {
                if (error > kLevels[i].z * r.sigma) ++game.beyond[0][i];
                if (error < -kLevels[i].z * r.sigma) ++game.beyond[1][i];
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
        for (std::size_t i = 0; i < kLevels.size(); ++i) {
            cell.tails[i] = {all.beyond[0][i], all.beyond[1][i]};
        }
        if (all.samples > 0) draw(cell, all, rounds, seed);
    }

private:
    void draw(CellCoverage& cell, const GameCount& all, int rounds, std::uint64_t seed) const {
        std::array<std::array<std::vector<double>, kLevels.size()>, kSides> drawn;
        Random random(seed, 0);
        for (int round = 0; round < rounds; ++round) {
            GameCount sum;
            for (std::size_t i = 0; i < games_.size(); ++i) {
                sum.add(games_[random.below(games_.size())]);
            }
            for (std::size_t side = 0; side < kSides; ++side) {
                for (std::size_t i = 0; i < kLevels.size(); ++i) {
                    drawn[side][i].push_back(static_cast<double>(sum.beyond[side][i]) /
                                             static_cast<double>(sum.samples));
                }
            }
        }
        for (std::size_t i = 0; i < kLevels.size(); ++i) {
            cell.shares[i] = {share(all, 0, i, drawn[0][i]), share(all, 1, i, drawn[1][i])};
        }
    }

    Share share(const GameCount& all, std::size_t side, std::size_t level,
                std::vector<double>& drawn) const {
        const std::int64_t count = all.beyond[side][level];
        // Drawing games again cannot find what is in none of them, nor doubt a single game.
        const bool blind = count == 0 || count == all.samples || games_.size() < 3;
        if (blind || drawn.empty()) {
            const auto games = static_cast<std::int64_t>(games_.size());
            const Share by_games = share_of(count == 0 ? 0 : games, games);
            const double value = static_cast<double>(count) / static_cast<double>(all.samples);
            return games_.size() < 3 ? Share{value, 0, 1}
                                     : Share{value, by_games.low, by_games.high};
        }
        std::sort(drawn.begin(), drawn.end());
        const auto at = [&drawn](double q) {
            return drawn[static_cast<std::size_t>(q * static_cast<double>(drawn.size() - 1))];
        };
        return {static_cast<double>(count) / static_cast<double>(all.samples), at(0.025),
                at(0.975)};
    }

    std::vector<GameCount> games_;
    std::int64_t decided_ = 0;
};

struct Looked {
    CellCoverage cell;
    const Regression* own = nullptr;
    const Regression* model = nullptr;
};

std::vector<Looked> cells_to_look_at(const SampleTable& table, const Calibration& calibration) {
    std::vector<Looked> out;
    for (int stage = 0; stage < table.stages(); ++stage) {
        for (Depth deep = 1; deep <= table.depth(); ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                const Regression* own = calibration.cell(stage, shallow, deep);
                const Regression* model = calibration.model(stage, shallow, deep);
                if (own == nullptr && model == nullptr) continue;
                CellCoverage cell;
                cell.stage = stage, cell.shallow = shallow, cell.deep = deep;
                cell.from_model = own == nullptr;
                out.push_back({cell, own, model});
            }
        }
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
    std::atomic<std::size_t> next{0};
    run_crew(o.threads, [&](int) {
        for (std::size_t i = next++; i < cells.size(); i = next++) {
            Looked& at = cells[i];
            Tally tally(held_out.games());
            tally.add(samples_of(at.cell), at.own != nullptr ? *at.own : *at.model);
            tally.finish(at.cell, o.cell_rounds, o.seed + i + 1);
        }
    });
    Tally all(held_out.games());
    Tally cell_fits(held_out.games());
    Tally model(held_out.games());
    Coverage out;
    for (const Looked& at : cells) {
        if (at.cell.samples == 0) continue;
        const auto samples = samples_of(at.cell);
        all.add(samples, at.own != nullptr ? *at.own : *at.model);
        if (at.own != nullptr) cell_fits.add(samples, *at.own);
        if (at.model != nullptr) model.add(samples, *at.model);
        out.cells.push_back(at.cell);
    }
    all.finish(out.all, o.rounds, o.seed);
    cell_fits.finish(out.cell_fits, o.rounds, o.seed);
    model.finish(out.model, o.rounds, o.seed);
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

Json to_json(const Coverage& coverage) {
    Json cells = Json::array();
    for (const CellCoverage& c : coverage.cells) cells.push_back(to_json(c));
    return {{"all", to_json(coverage.all)},
            {"own_cells", to_json(coverage.cell_fits)},
            {"model", to_json(coverage.model)},
            {"cells", cells}};
}

}  // namespace karikomi::lab
