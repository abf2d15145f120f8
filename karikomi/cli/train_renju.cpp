/// karikomi train renju, gomoku, standard_gomoku: rounds of playing and fitting.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "karikomi/cli/train.hpp"
#include "karikomi/games/renju/training/fit.hpp"
#include "karikomi/games/renju/training/self_play.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

namespace fs = std::filesystem;

renju::Rule rule_of(const std::string& game) {
    return game == "gomoku"            ? renju::Rule::Freestyle
           : game == "standard_gomoku" ? renju::Rule::Standard
                                       : renju::Rule::Renju;
}

Json errors_json(const renju::FitErrors& e) {
    return {{"label_loss", e.label_loss},
            {"result_loss", e.result_loss},
            {"best_move_first", e.first_share},
            {"gain_rms", e.gain_rms}};
}

class RenjuTrainer {
public:
    RenjuTrainer(const RenjuTrainOptions& options, Session& session)
        : o_(options), session_(session), rule_(rule_of(options.game)) {}

    int run() {
        renju::Weights weights = o_.from == "hand" ? renju::Weights::by_hand(rule_)
                                                   : take(renju::Weights::load(o_.from));
        if (weights.rule() != rule_) {
            throw Failure({fmt::format("{}: made for another rule", o_.from), "choose another"});
        }
        Json last;
        for (int round = 1; round <= static_cast<int>(o_.rounds); ++round) {
            const fs::path file = folder(round) / "weights.bin";
            if (fs::exists(file)) {
                weights = take(renju::Weights::load(file));
                continue;
            }
            play(round, weights);
            if (interrupt_.requested()) {
                fmt::print(stderr, "stopped; the same command goes on from here\n");
                return kNo;
            }
            weights = fit(round, weights, last);
            require(weights.save(file));
        }
        if (!o_.out.empty()) require(weights.save(o_.out));
        session_.finish(last);
        return kDone;
    }

private:
    fs::path folder(int round) const {
        return fs::path(o_.folder) / fmt::format("round_{:03}", round);
    }
    void play(int round, const renju::Weights& weights) {
        renju::SelfPlayOptions p;
        Progress progress(fmt::format("round {}: playing", round), 1000);
        p.folder = folder(round);
        p.chunks = std::max(1, static_cast<int>(o_.games) / p.games_per_chunk);
        p.nodes = static_cast<std::uint64_t>(o_.nodes);
        p.seed = static_cast<std::uint64_t>(o_.seed) * 1000 + static_cast<std::uint64_t>(round);
        set_run(p, o_.threads, o_.play_seconds, interrupt_, progress);
        (void)take(renju::play_games(std::make_shared<const renju::Weights>(weights), p));
        progress.clear();
    }
    renju::Weights fit(int round, const renju::Weights& from, Json& record) {
        std::vector<std::vector<renju::TrainingGame>> rounds;
        for (int r = std::max(1, round - static_cast<int>(o_.mix) + 1); r <= round; ++r) {
            rounds.push_back(take(renju::read_games(folder(r))));
        }
        if (rounds.back().empty()) {
            throw Failure({"no game was finished", "give more --play-seconds"}, kNo);
        }
        renju::FitOptions f;
        Progress progress(fmt::format("round {}: fitting", round), 1000);
        f.lambda = static_cast<double>(o_.lambda) / 100;
        f.ridge = static_cast<double>(o_.ridge);
        f.epochs = static_cast<int>(o_.iterations);
        f.progress = [&](const std::string& what, double share) {
            progress.show(1000 * share, what);
        };
        const renju::Fit result = renju::fit_weights(from, rounds, f);
        progress.clear();
        record = round_record(round, from, result);
        std::ofstream(folder(round) / "round.json") << record.dump(1) << '\n';
        session_.stream(record);
        session_.log("round", record);
        if (!session_.json()) fmt::print("{}\n", record.dump(1));
        std::fflush(stdout);
        return result.weights;
    }
    Json round_record(int round, const renju::Weights& from, const renju::Fit& fit) const {
        return {{"game", o_.game},
                {"round", round},
                {"evaluation", fit.weights.id()},
                {"from", from.id()},
                {"commit", std::string(kCommit)},
                {"games", fit.games},
                {"positions", fit.positions + fit.held_out},
                {"held_out", fit.held_out},
                {"black_wins", fit.black_wins},
                {"draws", fit.draws},
                {"nodes", o_.nodes},
                {"seed", o_.seed},
                {"lambda", o_.lambda},
                {"mix", o_.mix},
                {"ridge", o_.ridge},
                {"iterations", o_.iterations},
                {"scales", fit.scales},
                {"before", errors_json(fit.before)},
                {"after", errors_json(fit.after)}};
    }

    const RenjuTrainOptions& o_;
    Session& session_;
    renju::Rule rule_;
    Interrupt interrupt_;
};

}  // namespace

int train_renju(const RenjuTrainOptions& options, Session& session) {
    session.begin(nullptr);
    return RenjuTrainer(options, session).run();
}

}  // namespace karikomi::cli
