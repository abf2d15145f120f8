/// A first calibration, until the laboratory has its own commands: searches random positions at
/// every depth with all techniques off, fits the cells and the model, and prints the game's
///   parameter file with them. build/bench/calibrate connect_four 4000 13 1 >
///   params/connect_four.json
#include <cstdio>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "karikomi/engine/params.hpp"
#include "karikomi/games/registry.hpp"
#include "karikomi/lab/regression.hpp"
#include "karikomi/version.hpp"

namespace {

using namespace karikomi;

using bench::play_randomly;
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

Calibration fit_all(const Samples& samples, const GameInfo& game) {
    std::vector<CalibrationCell> cells;
    std::vector<lab::CellFit> fits;
    for (const auto& [key, pairs] : samples) {
        if (static_cast<std::int64_t>(pairs.size()) < lab::kLeastSamples) continue;
        lab::CellFit f = lab::fit_cell(pairs);
        std::tie(f.stage, f.shallow, f.deep) = key;
        fits.push_back(f);
        const Regression r{rounded(f.fit.a), rounded(f.fit.b), rounded(f.fit.sigma)};
        cells.push_back({f.stage, f.shallow, f.deep, r, f.samples});
    }
    std::optional<CalibrationModel> model;
    if (!fits.empty()) model = lab::fit_model(fits, game.stages);
    return Calibration(game.stages, cells, model, game.evaluation);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        fmt::print(stderr, "usage: calibrate GAME POSITIONS MAX_DEPTH SEED > params/GAME.json\n");
        return 2;
    }
    auto made = make_engine(argv[1]);
    if (!made) {
        fmt::print(stderr, "calibrate: {}; {}\n", made.error().what, made.error().remedy);
        return 2;
    }
    Engine& engine = **made;
    const SearchParams shipped = engine.params();
    SearchParams off = shipped;
    off.selective.disable_all();
    if (const Status s = engine.set_params(off); !s) return 3;
    const int wanted = std::atoi(argv[2]);
    const Depth max_depth = std::atoi(argv[3]);
    Random random(static_cast<std::uint64_t>(std::atoll(argv[4])));
    Samples samples;
    for (int done = 0; done < wanted;) {
        const auto plies = 4 + random.below(26);
        if (!play_randomly(engine, plies, random)) continue;
        add_position(engine, engine.stage(), max_depth, samples);
        ++done;
        if (done % 500 == 0) fmt::print(stderr, "{} of {} positions\n", done, wanted);
    }
    SearchParams fitted = shipped;
    fitted.calibration = fit_all(samples, engine.info());
    const Json provenance = {
        {"command",
         fmt::format("build/bench/calibrate {} {} {} {}", argv[1], wanted, max_depth, argv[4])},
        {"positions", wanted},
        {"commit", kCommit},
        {"method",
         "random positions, all techniques off, least squares per cell; the declared "
         "parameters are kept as they were"}};
    fmt::print("{}\n", pretty(write_params(fitted, engine.info(), provenance)));
    return 0;
}
