/// karikomi train renju, gomoku, standard_gomoku: rounds of playing and fitting.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/training.hpp"
#include "karikomi/games/renju/facets.hpp"
#include "karikomi/games/renju/training/fit.hpp"
#include "karikomi/games/renju/training/self_play.hpp"
#include "karikomi/version.hpp"

namespace karikomi::renju {
namespace {

namespace fs = std::filesystem;

Json errors_json(const FitErrors& e) {
    return {{"label_loss", e.label_loss},
            {"result_loss", e.result_loss},
            {"best_move_first", e.first_share},
            {"gain_rms", e.gain_rms}};
}

class RenjuTrainer {
public:
    RenjuTrainer(const CommandCall& call, std::string game, Rule rule)
        : call_(call),
          o_(call.options),
          console_(call.console),
          game_(std::move(game)),
          rule_(rule),
          folder_(training_folder(o_, game_)) {}

    int run() {
        const std::string& from = o_.text("--from");
        Weights weights =
            from == "none" || from == "hand" ? Weights::by_hand(rule_) : take(Weights::load(from));
        if (weights.rule() != rule_) {
            throw Failure({fmt::format("{}: made for another rule", from), "choose another"});
        }
        Json last;
        for (int round = 1; round <= o_.integer("--rounds"); ++round) {
            const fs::path file = folder(round) / "weights.bin";
            if (fs::exists(file)) {
                weights = take(Weights::load(file));
                continue;
            }
            play(round, weights);
            if (console_.stop().stop_requested()) return say_stopped(console_);
            weights = fit(round, weights, last);
            require(weights.save(file));
        }
        if (!o_.text("--out").empty()) require(weights.save(o_.text("--out")));
        console_.finish(last);
        return kDone;
    }

private:
    fs::path folder(int round) const {
        return fs::path(folder_) / fmt::format("round_{:03}", round);
    }
    void play(int round, const Weights& weights) {
        SelfPlayOptions p;
        p.folder = folder(round);
        p.chunks = std::max(1, o_.integer("--games") / p.games_per_chunk);
        p.nodes = static_cast<std::uint64_t>(o_.number("--nodes"));
        p.seed = static_cast<std::uint64_t>(o_.number("--seed")) * 1000 +
                 static_cast<std::uint64_t>(round);
        set_run(p, call_, fmt::format("round {}: playing", round));
        (void)take(play_games(std::make_shared<const Weights>(weights), p));
        console_.end_progress();
    }
    Weights fit(int round, const Weights& from, Json& record) {
        std::vector<std::vector<TrainingGame>> rounds;
        for (int r = std::max(1, round - o_.integer("--mix") + 1); r <= round; ++r) {
            rounds.push_back(take(read_games(folder(r))));
        }
        if (rounds.back().empty()) {
            throw Failure({"no game was finished", "give more --play-seconds"}, kNo);
        }
        FitOptions f;
        const std::string work = fmt::format("round {}: fitting", round);
        f.lambda = static_cast<double>(o_.number("--lambda")) / 100;
        f.ridge = static_cast<double>(o_.number("--ridge"));
        f.epochs = o_.integer("--iterations");
        f.progress = [&](const std::string& what, double share) {
            console_.progress(work, share, 1, what);
        };
        const Fit result = fit_weights(from, rounds, f);
        console_.end_progress();
        record = round_record(round, from, result);
        std::ofstream(folder(round) / "round.json") << record.dump(1) << '\n';
        console_.stream(record);
        console_.log("round", record);
        if (!console_.json()) console_.print(record.dump(1) + "\n");
        return result.weights;
    }
    Json round_record(int round, const Weights& from, const Fit& fit) const {
        return {{"game", game_},
                {"round", round},
                {"evaluation", fit.weights.id()},
                {"from", from.id()},
                {"commit", std::string(kCommit)},
                {"games", fit.games},
                {"positions", fit.positions + fit.held_out},
                {"held_out", fit.held_out},
                {"black_wins", fit.black_wins},
                {"draws", fit.draws},
                {"nodes", o_.number("--nodes")},
                {"seed", o_.number("--seed")},
                {"lambda", o_.number("--lambda")},
                {"mix", o_.number("--mix")},
                {"ridge", o_.number("--ridge")},
                {"iterations", o_.number("--iterations")},
                {"scales", fit.scales},
                {"before", errors_json(fit.before)},
                {"after", errors_json(fit.after)}};
    }

    const CommandCall& call_;
    const OptionValues& o_;
    Console& console_;
    std::string game_;
    Rule rule_;
    std::string folder_;
};

}  // namespace

CommandFacet train_facet(const std::string& game, Rule rule) {
    CommandFacet facet;
    facet.options = self_play_options();
    for (OptionInfo& o : round_options()) facet.options.push_back(std::move(o));
    facet.options.push_back(
        number_option("--nodes", 4000, 1, 1'000'000'000, "nodes a move of self-play"));
    if (rule == Rule::Renju) {
        facet.examples = {
            "karikomi train renju --folder /tmp/renju --rounds 1 --games 256 --nodes 200"};
        facet.footer = fmt::format("renju and gomoku {}", SelfPlayOptions().games_per_chunk);
    }
    facet.run = [game, rule](const CommandCall& call) {
        call.console.begin(nullptr);
        return RenjuTrainer(call, game, rule).run();
    };
    return facet;
}

}  // namespace karikomi::renju
