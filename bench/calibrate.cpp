/// A first calibration, until the laboratory has its own commands: searches random positions at
/// every depth with all techniques off, fits the cells and the model, and prints the game's
///   parameter file with them. build/bench/calibrate connect_four 4000 13 1 >
///   params/connect_four.json
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/random_positions.hpp"
#include "karikomi/core/parallel.hpp"
#include "karikomi/engine/params.hpp"
#include "karikomi/games/registry.hpp"
#include "karikomi/lab/regression.hpp"
#include "karikomi/version.hpp"

namespace {

using namespace karikomi;

using bench::Random;

using Samples = std::map<std::tuple<int, Depth, Depth>, std::vector<lab::PairSample>>;

/// One search gives the value at every depth.
void add_position(Engine& engine, int stage, Depth max_depth, Samples& samples) {
    std::vector<double> value(static_cast<std::size_t>(max_depth) + 1, kNoValue);
    value[0] = engine.static_value();
    SearchRequest request;
    request.limits.depth = max_depth;
    engine.new_game();
    (void)engine.search(request, [&](const Info& info) {
        const auto at = static_cast<std::size_t>(info.line.depth);
        if (!is_decisive(info.line.value)) value[at] = info.line.value;
    });
    for (Depth deep = 1; deep <= max_depth; ++deep) {
        for (Depth shallow = 0; shallow < deep; ++shallow) {
            const double s = value[static_cast<std::size_t>(shallow)];
            const double d = value[static_cast<std::size_t>(deep)];
            if (s != kNoValue && d != kNoValue) samples[{stage, shallow, deep}].push_back({s, d});
        }
    }
}

double rounded(double x) {
    return std::round(x * 1e4) / 1e4;
}

constexpr std::int64_t kLeastForModel = 30;  // a smooth model bears noisier cells

/// `known` cells stay, and new ones are made only for searches deeper than `known_up_to`: what was
/// measured without any technique is better than what needed one.
Calibration fit_all(const Samples& samples, const GameInfo& game,
                    const std::vector<CalibrationCell>& known, Depth known_up_to) {
    std::vector<CalibrationCell> cells = known;
    std::vector<lab::CellFit> fits;
    for (const CalibrationCell& c : known) {
        fits.push_back({c.stage, c.shallow, c.deep, c.fit, 0, 1, c.samples});
    }
    for (const auto& [key, pairs] : samples) {
        const auto n = static_cast<std::int64_t>(pairs.size());
        if (n < kLeastForModel || std::get<2>(key) <= known_up_to) continue;
        lab::CellFit f = lab::fit_cell(pairs);
        std::tie(f.stage, f.shallow, f.deep) = key;
        fits.push_back(f);
        if (n < lab::kLeastSamples) continue;
        const Regression r{rounded(f.fit.a), rounded(f.fit.b), rounded(f.fit.sigma)};
        cells.push_back({f.stage, f.shallow, f.deep, r, f.samples});
    }
    std::optional<CalibrationModel> model;
    if (!fits.empty()) model = lab::fit_model(fits, game.stages);
    return Calibration(game.stages, cells, model, game.evaluation);
}

/// Threads with an engine each, taking positions by number, so that the result does not depend on
/// how many there are.
struct Crew {
    const char* game;
    int wanted;
    Depth max_depth;
    std::uint64_t seed;
    float confidence = 0;  ///< of Multi-ProbCut; 0: off
    std::atomic<int> next{0};
    std::mutex mutex{};
    Samples samples{};

    void work() {
        auto made = make_engine(game);
        Engine& engine = **made;
        SearchParams off = engine.params();
        off.selective.disable_all();
        if (confidence > 0) {
            // The model speaks beyond the depth it was fitted on: here, where it is being extended.
            CalibrationModel model = off.calibration.smooth_model().value_or(CalibrationModel{});
            model.max_deep = Calibration::kDepths - 1;
            off.calibration = Calibration(engine.info().stages, off.calibration.cells(), model,
                                          off.calibration.evaluation());
            off.selective.multi_probcut.enabled = true;
            off.selective.multi_probcut.t = confidence;
        }
        if (!engine.set_params(off)) return;
        Samples mine;
        for (int i = next++; i < wanted; i = next++) {
            Random random(seed * 1'000'003 + static_cast<std::uint64_t>(i));
            while (!reach_position(engine, random)) continue;
            add_position(engine, engine.stage(), max_depth, mine);
            if (i % 500 == 0) fmt::print(stderr, "{} of {} positions\n", i, wanted);
        }
        const std::lock_guard lock(mutex);
        for (auto& [key, pairs] : mine) {
            auto& all = samples[key];
            all.insert(all.end(), pairs.begin(), pairs.end());
        }
    }

private:
    /// Random plies, then a few sensible ones: nearer to what a search meets than random alone.
    static bool reach_position(Engine& engine, Random& random) {
        const std::uint64_t longest = engine.info().name == "connect_four" ? 26 : 50;
        if (!bench::play_randomly(engine, 4 + random.below(longest), random)) return false;
        SearchRequest request;
        request.limits.depth = 2;
        for (std::uint64_t left = random.below(5); left > 0 && !engine.winner(); --left) {
            const auto found = engine.search(request);
            if (!found || !engine.play(found->best_move)) return false;
        }
        return !engine.winner();
    }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5 || argc > 7) {
        fmt::print(
            stderr,
            "usage: calibrate GAME POSITIONS MAX_DEPTH SEED [THREADS [T]] > params/GAME.json\n"
            "T: Multi-ProbCut stays on with this confidence, for depths out of reach without\n");
        return 2;
    }
    const auto made = make_engine(argv[1]);
    if (!made) {
        fmt::print(stderr, "calibrate: {}; {}\n", made.error().what, made.error().remedy);
        return 2;
    }
    const int wanted = std::atoi(argv[2]);
    const int threads = argc >= 6 ? std::max(1, std::atoi(argv[5])) : 1;
    Crew crew{argv[1], wanted, std::atoi(argv[3]), static_cast<std::uint64_t>(std::atoll(argv[4]))};
    if (argc == 7) crew.confidence = static_cast<float>(std::atof(argv[6]));
    run_crew(threads, [&](int) { crew.work(); });
    const Engine& engine = **made;
    SearchParams fitted = engine.params();
    const Calibration& old = fitted.calibration;
    const bool deepen = crew.confidence > 0 && old.smooth_model().has_value();
    fitted.calibration =
        fit_all(crew.samples, engine.info(), deepen ? old.cells() : std::vector<CalibrationCell>{},
                deepen ? old.smooth_model()->max_deep : 0);
    const Json provenance = {
        {"command", fmt::format("{}", fmt::join(argv, argv + argc, " "))},
        {"positions", wanted},
        {"commit", kCommit},
        {"method",
         "random plies, then a few by a shallow search; all techniques off (but for Multi-ProbCut "
         "where T is given), least squares per cell; declared parameters kept as they were"}};
    fmt::print("{}\n", pretty(write_params(fitted, engine.info(), provenance)));
    return 0;
}
