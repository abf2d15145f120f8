#include "karikomi/cli/lab.hpp"

#include <charconv>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/play_options.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/store/machine.hpp"
#include "karikomi/lab/subject.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {

void LabOptions::add_to(Command& command) {
    add_game(command, game);
    add_name(command, "--weights", weights_file, "FILE",
             "Weights of the evaluation instead of the built-in ones");
    add_name(command, "--db", database, "FILE",
             "The samples (default: lab-GAME.db in ~/.local/state/karikomi)");
    add_number(command, "--threads", threads, {1, 512}, "Positions at once");
    add_number(command, "--hash", hash_mb, {1, 65536}, "Table of each search, MB").type_name("MB");
    add_number(command, "--seed", seed, {0, 1'000'000'000'000}, "Of everything random");
}

std::unique_ptr<Engine> LabOptions::engine() const {
    return take(make_engine(game, {weights_file}));
}

std::string LabOptions::file() const {
    if (!database.empty()) return database;
    const std::string usual = state_file(fmt::format("lab-{}.db", game));
    if (usual.empty()) throw Failure({"lab: there is no folder for the samples", "use --db FILE"});
    return usual;
}

std::string command_text(const Session& session) {
    return shell_text(session.arguments());
}

Json lab_conditions(const Session& session, const GameInfo& info, const SearchParams& params) {
    return {{"command", command_text(session)},
            {"commit", kCommit},
            {"version", kVersion},
            {"evaluation", info.evaluation},
            {"fingerprint", fingerprint(params, info)},
            {"machine", lab::machine_json()},
            {"date", lab::utc_now()}};
}

GameInfo info_of(const lab::SampleStore& store, const Engine& engine) {
    GameInfo info = engine.info();
    info.evaluation = lab::foreign_evaluation(store).value_or(info.evaluation);
    return info;
}

std::unique_ptr<lab::SampleStore> read_samples(const LabOptions& options, const Engine& engine,
                                               Whose whose) {
    const std::string file = options.file();
    const std::string collect = fmt::format("karikomi lab collect {}", options.game);
    if (!std::filesystem::exists(file)) {
        throw Failure({fmt::format("lab: there are no samples in '{}'", file),
                       fmt::format("collect some: {}", collect)});
    }
    auto store = take(lab::SampleStore::read(file));
    const Json conditions = store->conditions();
    const std::string& name = engine.info().name;
    if (conditions.at("game") != name) {
        throw Failure({fmt::format("database '{}': is of {}, not of {}", file,
                                   conditions.at("game").get<std::string>(), name),
                       "name another with --db"});
    }
    if (const auto foreign = lab::foreign_evaluation(*store)) {
        if (whose == Whose::Any) return store;
        throw Failure(
            {fmt::format("database '{}': its samples are of {}, which this command cannot "
                         "search with",
                         file, *foreign),
             "name another with --db; `lab fit`, `lab verify --only coverage` and `lab "
             "report` take it"});
    }
    if (conditions.at("evaluation") != engine.info().evaluation) {
        throw Failure(
            {fmt::format("database '{}': samples of evaluation {}, the engine has {}", file,
                         conditions.at("evaluation").get<std::string>(), engine.info().evaluation),
             fmt::format("collect new ones: {} --db NEW", collect)});
    }
    return store;
}

std::unique_ptr<match::Match> play_with_and_without(const LabOptions& options, Technique technique,
                                                    const std::string& params_file,
                                                    std::int64_t games,
                                                    const match::TimeControl& time,
                                                    const StopToken& stop) {
    std::string files;
    if (!params_file.empty()) files += "params=" + params_file + "&";
    if (!options.weights_file.empty()) files += "weights=" + options.weights_file + "&";
    match::MatchConfig config;
    config.game = options.game;
    config.games = static_cast<std::uint64_t>(games);
    config.concurrency = static_cast<int>(options.threads);
    config.hash_mb = static_cast<int>(options.hash_mb);
    config.openings.seed = static_cast<std::uint64_t>(options.seed);
    config.time = time;
    config.engines = {
        take(match::parse_engine(fmt::format("internal:{}?{}name=with", options.game, files))),
        take(match::parse_engine(fmt::format("internal:{}?{}off={}&name=without", options.game,
                                             files, name_of(technique))))};
    auto m = take(match::Match::make(config, ":memory:"));
    const auto queue = queue::make_local_queue(match::game_makers({}), config.concurrency);
    auto outcome = m->run(*queue, {}, stop);
    if (!outcome) throw Failure(outcome.error(), kBroken);
    return m;
}

std::vector<std::pair<Depth, Depth>> parse_pairs(const std::string& text) {
    std::vector<std::pair<Depth, Depth>> out;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) {
        Depth shallow = -1, deep = -1;
        const char* const end = part.data() + part.size();
        const auto first = std::from_chars(part.data(), end, shallow);
        const bool colon = first.ptr != end && *first.ptr == ':';
        const auto second = std::from_chars(first.ptr + (colon ? 1 : 0), end, deep);
        if (!colon || second.ptr != end || shallow < 0 || deep <= shallow ||
            deep >= Calibration::kDepths) {
            throw Failure({fmt::format("--pairs: '{}' is no pair of depths", part),
                           "write SHALLOW:DEEP,... as in 2:6,4:10"});
        }
        out.emplace_back(shallow, deep);
    }
    return out;
}

void add_lab(Program& program) {
    Command lab = program.add(
        "lab", "The laboratory: samples, fitted parameters, evidence (docs/laboratory.md)",
        {"karikomi lab collect GAME --games 5 --depth 4 --db none"});
    lab.has_commands();
    add_lab_collect(program, lab);
    add_lab_fit(program, lab);
    add_lab_verify(program, lab);
    add_lab_export(program, lab);
    add_lab_futility(program, lab);
    add_lab_calibrate(program, lab);
    add_lab_report(program, lab);
    add_lab_positions(program, lab);
    add_lab_agreement(program, lab);
    add_lab_worth(program, lab);
    add_lab_evidence(program, lab);
}

}  // namespace karikomi::cli
