/// karikomi train: an evaluation from self-play, in rounds of playing and fitting.
#include "karikomi/cli/train.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/games/othello/training/fit.hpp"
#include "karikomi/games/othello/training/self_play.hpp"
#include "karikomi/games/renju/training/self_play.hpp"
#include "karikomi/games/shogi/training/self_play.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

namespace fs = std::filesystem;

struct TrainOptions {
    std::string game;
    std::string folder;
    std::string from = "none";
    std::string out;
    std::int64_t rounds = 3;
    std::int64_t games = 20'000;
    std::int64_t depth = 5;
    std::int64_t nodes = 4000;
    std::int64_t play_nodes = 0;
    std::int64_t solve_from = 16;
    std::int64_t lambda = 80;
    std::int64_t play_seconds = 0;
    std::int64_t mix = 2;
    std::int64_t ridge = 20;
    std::int64_t iterations = 40;
    std::int64_t threads = 1;
    std::int64_t seed = 1;
    bool no_mobility = false;
    bool refine = false;
};

constexpr int kGamesPerChunk = 256;

fs::path round_folder(const TrainOptions& o, int round) {
    return fs::path(o.folder) / fmt::format("round_{:03}", round);
}

/// What a finished round leaves behind, beside its games and its weights.
Json round_record(const TrainOptions& o, int round, int chunks, const othello::Fit& fit) {
    Json phases = Json::array();
    std::size_t samples = 0;
    std::size_t held_out = 0;
    double error = 0;
    for (int p = 0; p < othello::kPhases; ++p) {
        const othello::PhaseError& e = fit.errors[static_cast<std::size_t>(p)];
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
            {"depth", o.depth},
            {"play_nodes", o.play_nodes},
            {"solve_from", o.solve_from},
            {"lambda", o.lambda},
            {"seed", o.seed},
            {"mix", o.mix},
            {"ridge", o.ridge},
            {"refine", o.refine},
            {"iterations", o.iterations},
            {"positions", samples + held_out},
            {"held_out_mae", error / static_cast<double>(std::max<std::size_t>(held_out, 1))},
            {"phases", phases}};
}

void print_round(const Json& record) {
    fmt::print("round {}: {} games, {} positions, evaluation {}\n", record["round"].get<int>(),
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
    fmt::print("{}held-out error {:.3f} discs\n\n", table.text(),
               record["held_out_mae"].get<double>());
    std::fflush(stdout);
}

class Trainer {
public:
    Trainer(const TrainOptions& options, Session& session) : o_(options), session_(session) {}

    int run() {
        auto weights = std::make_shared<const othello::Weights>(
            o_.from == "none" ? othello::Weights() : take(othello::Weights::load(o_.from)));
        blank_ = o_.from == "none";
        Json last;
        for (int round = 1; round <= static_cast<int>(o_.rounds); ++round) {
            const fs::path file = round_folder(o_, round) / "weights.bin";
            if (fs::exists(file)) {
                weights =
                    std::make_shared<const othello::Weights>(take(othello::Weights::load(file)));
                blank_ = false;
                continue;
            }
            const int chunks = play(weights, round);
            if (interrupt_.requested()) return stopped();
            weights = std::make_shared<const othello::Weights>(fit(*weights, round, chunks, last));
            blank_ = false;
            require(weights->save(file));
        }
        if (!o_.out.empty()) require(weights->save(o_.out));
        session_.finish(last);
        return kDone;
    }

private:
    int stopped() {
        fmt::print(stderr, "stopped; the same command goes on from here\n");
        return kNo;
    }
    int play(const std::shared_ptr<const othello::Weights>& weights, int round) {
        othello::SelfPlayOptions p;
        Progress progress(fmt::format("round {}: playing", round), 1000);
        p.folder = round_folder(o_, round);
        p.chunks = std::max(1, static_cast<int>(o_.games) / kGamesPerChunk);
        p.games_per_chunk = kGamesPerChunk;
        p.depth = blank_ ? 1 : static_cast<int>(o_.depth);  // nothing to search for without weights
        p.nodes = blank_ ? 0 : static_cast<std::uint64_t>(o_.play_nodes);
        p.solve_from = static_cast<int>(o_.solve_from);
        p.lambda = static_cast<float>(o_.lambda) / 100;
        p.seed = static_cast<std::uint64_t>(o_.seed) * 1000 + static_cast<std::uint64_t>(round);
        set_run(p, o_.threads, o_.play_seconds, interrupt_, progress);
        const int chunks = take(othello::play_games(weights, p));
        progress.clear();
        return chunks;
    }
    /// The last rounds whole; of earlier ones what the solver labelled, which better play leaves.
    std::vector<othello::Sample> samples_for(int round) const {
        std::vector<othello::Sample> all;
        for (int r = 1; r <= round; ++r) {
            auto some = take(othello::read_chunks({round_folder(o_, r)}));
            if (r + o_.mix <= round) {
                std::erase_if(some, [](const othello::Sample& s) { return s.exact == 0; });
            }
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }
    othello::Weights fit(const othello::Weights& before, int round, int chunks, Json& record) {
        const auto samples = samples_for(round);
        othello::FitOptions f;
        Progress progress(fmt::format("round {}: fitting", round), 1000);
        f.ridge = static_cast<float>(o_.ridge);
        f.iterations = static_cast<int>(o_.iterations);
        f.threads = static_cast<int>(o_.threads);
        f.use_mobility = !o_.no_mobility;
        f.refine = o_.refine && !blank_ ? &before : nullptr;
        f.progress = [&](const std::string& what, int done, int all) {
            progress.show(1000.0 * done / all, what);
        };
        othello::Fit result = othello::fit_weights(samples, f);
        progress.clear();
        record = round_record(o_, round, chunks, result);
        std::ofstream(round_folder(o_, round) / "round.json") << record.dump(1) << '\n';
        session_.stream(record);
        session_.log("round", record);
        if (!session_.json()) print_round(record);
        return std::move(result.weights);
    }

    const TrainOptions& o_;
    Session& session_;
    Interrupt interrupt_;
    bool blank_ = true;  ///< no weights yet
};

int run(const TrainOptions& options, Session& session) {
    if (options.game == "shogi") {
        return train_shogi({options.folder, options.games, options.nodes, options.play_seconds,
                            options.threads, options.seed},
                           session);
    }
    if (options.game.ends_with("gomoku") || options.game == "renju") {
        return train_renju(
            {options.game, options.folder, options.from == "none" ? "hand" : options.from,
             options.out, options.rounds, options.games, options.nodes, options.play_seconds,
             options.lambda, options.mix, options.ridge, options.iterations, options.threads,
             options.seed},
            session);
    }
    if (options.game != "othello") {
        throw Failure({fmt::format("there is nothing to train for '{}'", options.game),
                       "use othello, shogi, renju, gomoku or standard_gomoku"});
    }
    session.begin(nullptr);
    return Trainer(options, session).run();
}

}  // namespace

void set_run(ChunkOptions& run, std::int64_t threads, std::int64_t play_seconds,
             const Interrupt& interrupt, Progress& progress) {
    run.threads = static_cast<int>(threads);
    run.seconds = static_cast<double>(play_seconds);
    run.stop = &interrupt.flag();
    run.progress = [&progress](int done, int all) {
        progress.show(1000.0 * done / all, fmt::format("{} of {} chunks", done, all));
    };
}

void add_train(Program& program) {
    CLI::App& command = program.add(
        "train", "Train a game's evaluation from self-play, in rounds that can be resumed",
        {"karikomi train othello --folder /tmp/othello --rounds 2 --games 512 --depth 2",
         "karikomi train othello --folder data --rounds 4 --games 60000 --threads 16 --out w.bin",
         "karikomi train shogi --folder /tmp/shogi --games 16 --nodes 500",
         "karikomi train renju --folder /tmp/renju --rounds 1 --games 256 --nodes 200"});
    const auto o = std::make_shared<TrainOptions>();
    add_game(command, o->game, {"othello", "shogi", "renju", "gomoku", "standard_gomoku"});
    add_name(command, "--folder", o->folder, "DIR",
             "Games, weights and records of every round (default: training/GAME)");
    add_name(command, "--from", o->from, "FILE",
             "Weights to begin with; none: all zero, renju and gomoku: set by hand");
    add_text(command, "--out", o->out, "FILE", "Where the last round's weights go too");
    add_number(command, "--rounds", o->rounds, {1, 1000}, "Rounds; finished ones are skipped");
    add_number(command, "--games", o->games, {1, 100'000'000}, "Games a round, in whole batches");
    add_number(command, "--play-seconds", o->play_seconds, {0, 1'000'000},
               "Most time to play in a round; 0: no limit");
    add_number(command, "--depth", o->depth, {1, 20}, "Depth of the search that plays");
    add_number(command, "--nodes", o->nodes, {1, 1'000'000'000},
               "Shogi, renju, gomoku: nodes a move");
    add_number(command, "--play-nodes", o->play_nodes, {0, 1'000'000'000},
               "Othello: nodes a move of the whole search instead of --depth; 0: no");
    add_number(command, "--solve-from", o->solve_from, {4, 24}, "Empties from which play is exact");
    add_number(command, "--lambda", o->lambda, {0, 100},
               "Per cent of a label that comes from the positions after it; 100: the result");
    add_number(command, "--mix", o->mix, {1, 100}, "Fit on the games of this many last rounds");
    add_number(command, "--ridge", o->ridge, {0, 100'000}, "Pull towards the coarser fit, samples");
    add_number(command, "--iterations", o->iterations, {1, 1000}, "Steps of the fit");
    add_number(command, "--threads", o->threads, {1, 1024}, "Threads");
    add_number(command, "--seed", o->seed, {0, 1'000'000'000}, "Seed of the games");
    add_switch(command, "--no-mobility", o->no_mobility, "Fit without the two mobility terms");
    add_switch(command, "--refine", o->refine,
               "Othello: pull towards the weights that played, not towards the coarser fit");
    command.footer(command.get_footer() +
                   fmt::format("\n\nGames in a batch: Othello {}, renju and gomoku {}, shogi {}; "
                               "at least one batch is played.",
                               kGamesPerChunk, renju::SelfPlayOptions().games_per_chunk,
                               shogi::SelfPlayOptions().games_per_chunk));
    command.callback([&program, o] {
        if (o->folder.empty()) o->folder = "training/" + o->game;
        program.job = [o](Session& session) { return run(*o, session); };
    });
}

}  // namespace karikomi::cli
