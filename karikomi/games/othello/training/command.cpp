/// karikomi train othello: an evaluation from self-play, in rounds of playing and fitting.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/text.hpp"
#include "karikomi/engine/training.hpp"
#include "karikomi/games/othello/facets.hpp"
#include "karikomi/games/othello/training/fit.hpp"
#include "karikomi/games/othello/training/self_play.hpp"
#include "karikomi/version.hpp"

namespace karikomi::othello {
namespace {

namespace fs = std::filesystem;

constexpr int kGamesPerChunk = 256;

fs::path round_folder(const OptionValues& o, int round) {
    return fs::path(training_folder(o, "othello")) / fmt::format("round_{:03}", round);
}

/// What a finished round leaves behind, beside its games and its weights.
Json round_record(const OptionValues& o, int round, int chunks, const Fit& fit) {
    Json phases = Json::array();
    std::size_t samples = 0;
    std::size_t held_out = 0;
    double error = 0;
    for (int p = 0; p < kPhases; ++p) {
        const PhaseError& e = fit.errors[static_cast<std::size_t>(p)];
        samples += e.samples;
        held_out += e.held_out;
        error += e.held_out_mae * static_cast<double>(e.held_out);
        phases.push_back({{"discs", 4 + 2 * p},
                          {"samples", e.samples},
                          {"held_out", e.held_out},
                          {"mae", e.held_out_mae},
                          {"rms", e.held_out_rms},
                          {"training_rms", e.training_rms}});
    }
    return {{"round", round},
            {"evaluation", fit.weights.id()},
            {"commit", std::string(kCommit)},
            {"games", chunks * kGamesPerChunk},
            {"depth", o.number("--depth")},
            {"play_nodes", o.number("--play-nodes")},
            {"solve_from", o.number("--solve-from")},
            {"lambda", o.number("--lambda")},
            {"seed", o.number("--seed")},
            {"mix", o.number("--mix")},
            {"ridge", o.number("--ridge")},
            {"refine", o.flag("--refine")},
            {"iterations", o.number("--iterations")},
            {"positions", samples + held_out},
            {"held_out_mae", error / static_cast<double>(std::max<std::size_t>(held_out, 1))},
            {"phases", phases}};
}

std::string round_text(const Json& record) {
    std::string out =
        fmt::format("round {}: {} games, {} positions, evaluation {}\n", record["round"].get<int>(),
                    record["games"].get<int>(), grouped(record["positions"].get<std::uint64_t>()),
                    record["evaluation"].get<std::string>());
    Table table({{"discs"}, {"samples"}, {"held-out MAE"}, {"RMS"}, {"training RMS"}});
    for (const Json& p : record["phases"]) {
        table.add({fmt::format("{}", p["discs"].get<int>()),
                   grouped(p["samples"].get<std::uint64_t>()),
                   fmt::format("{:.2f}", p["mae"].get<double>()),
                   fmt::format("{:.2f}", p["rms"].get<double>()),
                   fmt::format("{:.2f}", p["training_rms"].get<double>())});
    }
    return out + fmt::format("{}held-out error {:.3f} discs\n\n", table.text(),
                             record["held_out_mae"].get<double>());
}

class Trainer {
public:
    explicit Trainer(const CommandCall& call)
        : call_(call), o_(call.options), console_(call.console) {}

    int run() {
        const std::string& from = o_.text("--from");
        auto weights =
            std::make_shared<const Weights>(from == "none" ? Weights() : take(Weights::load(from)));
        blank_ = from == "none";
        Json last;
        for (int round = 1; round <= o_.integer("--rounds"); ++round) {
            const fs::path file = round_folder(o_, round) / "weights.bin";
            if (fs::exists(file)) {
                weights = std::make_shared<const Weights>(take(Weights::load(file)));
                blank_ = false;
                continue;
            }
            const int chunks = play(weights, round);
            if (console_.stop().stop_requested()) return say_stopped(console_);
            weights = std::make_shared<const Weights>(fit(*weights, round, chunks, last));
            blank_ = false;
            require(weights->save(file));
        }
        if (!o_.text("--out").empty()) require(weights->save(o_.text("--out")));
        console_.finish(last);
        return kDone;
    }

private:
    int play(const std::shared_ptr<const Weights>& weights, int round) {
        SelfPlayOptions p;
        p.folder = round_folder(o_, round);
        p.chunks = std::max(1, o_.integer("--games") / kGamesPerChunk);
        p.games_per_chunk = kGamesPerChunk;
        p.depth = blank_ ? 1 : o_.integer("--depth");  // nothing to search for without weights
        p.nodes = blank_ ? 0 : static_cast<std::uint64_t>(o_.number("--play-nodes"));
        p.solve_from = o_.integer("--solve-from");
        p.lambda = static_cast<float>(o_.number("--lambda")) / 100;
        p.seed = static_cast<std::uint64_t>(o_.number("--seed")) * 1000 +
                 static_cast<std::uint64_t>(round);
        set_run(p, call_, fmt::format("round {}: playing", round));
        const int chunks = take(play_games(weights, p));
        console_.end_progress();
        return chunks;
    }
    /// The last rounds whole; of earlier ones what the solver labelled, which better play leaves.
    std::vector<Sample> samples_for(int round) const {
        std::vector<Sample> all;
        for (int r = 1; r <= round; ++r) {
            auto some = take(read_chunks({round_folder(o_, r)}));
            if (r + o_.integer("--mix") <= round) {
                std::erase_if(some, [](const Sample& s) { return s.exact == 0; });
            }
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }
    Weights fit(const Weights& before, int round, int chunks, Json& record) {
        const auto samples = samples_for(round);
        FitOptions f;
        const std::string work = fmt::format("round {}: fitting", round);
        f.ridge = static_cast<float>(o_.number("--ridge"));
        f.iterations = o_.integer("--iterations");
        f.threads = o_.integer("--threads");
        f.use_mobility = !o_.flag("--no-mobility");
        f.refine = o_.flag("--refine") && !blank_ ? &before : nullptr;
        f.progress = [&](const std::string& what, int done, int all) {
            console_.progress(work, done, all, what);
        };
        Fit result = fit_weights(samples, f);
        console_.end_progress();
        record = round_record(o_, round, chunks, result);
        std::ofstream(round_folder(o_, round) / "round.json") << record.dump(1) << '\n';
        console_.stream(record);
        console_.log("round", record);
        if (!console_.json()) console_.print(round_text(record));
        return std::move(result.weights);
    }

    const CommandCall& call_;
    const OptionValues& o_;
    Console& console_;
    bool blank_ = true;  ///< no weights yet
};

}  // namespace

CommandFacet train_facet() {
    CommandFacet facet;
    facet.options = self_play_options();
    for (OptionInfo& o : round_options()) facet.options.push_back(std::move(o));
    const std::vector<OptionInfo> own = {
        number_option("--depth", 5, 1, 20, "depth of the search that plays"),
        number_option("--play-nodes", 0, 0, 1'000'000'000,
                      "nodes a move instead of --depth; 0: no"),
        number_option("--solve-from", 16, 4, 24, "empties from which play is exact"),
        switch_option("--no-mobility", "fit without the two mobility terms"),
        switch_option("--refine",
                      "pull towards the weights that played, not towards the coarser fit")};
    facet.options.insert(facet.options.end(), own.begin(), own.end());
    facet.examples = {
        "karikomi train othello --folder /tmp/othello --rounds 2 --games 512 --depth 2",
        "karikomi train othello --folder data --rounds 4 --games 60000 --threads 16 --out w.bin"};
    facet.footer = fmt::format("Othello {}", kGamesPerChunk);
    facet.run = [](const CommandCall& call) {
        call.console.begin(nullptr);
        return Trainer(call).run();
    };
    return facet;
}

}  // namespace karikomi::othello
