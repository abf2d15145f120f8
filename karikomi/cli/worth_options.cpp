#include "karikomi/cli/worth_options.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

/// No seed that a match of the documentation chose a setting by: what is measured must be fresh.
constexpr std::int64_t kFreshSeed = 20261119;

// Elo. Games of larger budgets cost more: about a thousand games are +-20, about 350 +-35.
constexpr double kFirstWidth = 20;
constexpr double kWidth = 35;

/// One number for all budgets, or one for each.
std::vector<double> widths_of(const std::string& text, std::size_t budgets) {
    std::vector<double> out;
    if (text.empty()) {
        out.resize(budgets, kWidth);
        out.front() = kFirstWidth;
        return out;
    }
    for (const std::string& part : curve::split_list(text)) {
        out.push_back(number_of("--half-width", part));
        if (!(out.back() >= 1)) {
            throw Failure({fmt::format("--half-width: {} Elo are out of reach", part),
                           "give 1 or more; 20 take about a thousand games"});
        }
    }
    if (out.size() == 1) out.resize(budgets, out[0]);
    if (out.size() != budgets) {
        throw Failure({fmt::format("--half-width: {} numbers for {} budgets", out.size(), budgets),
                       "give one for all or one for each"});
    }
    return out;
}

}  // namespace

WorthSettings::WorthSettings() {
    play.seed = kFreshSeed;
    play.engine.hash_mb = 16;
}

void WorthSettings::add_to(Command& command) {
    add_game(command, game);
    add_name(command, "--budgets", budgets, "LIST",
             "Of each move, for both sides: nodes as 40k, time as 100ms or 1s, depth as d8");
    add_name(command, "--half-width", half_width, "LIST",
             "Elo, for each budget: play until it is known so well")
        .default_text("20, then 35");
    add_list(command, "--only", only, "SUBJECT",
             "Only this: a technique, 'all', 'A x B'; may be repeated")
        .once_each();
    add_number(command, "--most", most, {2, 1'000'000}, "Games of a match at most");
    add_number(command, "--positions", positions, {1, 10'000},
               "Positions on which it is counted how often a technique acts");
    add_text(command, "--hours", hours, "H", "Stop after so many hours; the same command goes on");
    play.add_to(command, PlayOptions::Limits::Refused);
    command.remove_option("--resume");  // the same command goes on
    command.remove_option("--rule");    // a game with another rule has a name of its own
}

evidence::WorthOptions WorthSettings::read() const {
    if (!play.limits.empty()) {
        throw Failure({fmt::format("--{}: there are budgets instead", play.limits.begin()->first),
                       "write --budgets 20k,160k,100ms"});
    }
    evidence::WorthOptions out;
    const auto parsed = curve::parse_budgets(budgets);
    if (!parsed) throw Failure({"--budgets: " + parsed.error().what, parsed.error().remedy});
    const auto widths = widths_of(half_width, parsed->size());
    for (std::size_t i = 0; i < widths.size(); ++i) {
        out.budgets.push_back({(*parsed)[i], widths[i]});
    }
    out.subjects = only;
    out.most_games = static_cast<std::uint64_t>(most);
    out.match = play.read();
    out.match.game = game;
    return out;
}

double WorthSettings::time_limit() const {
    if (hours.empty()) return 0;
    const double h = number_of("--hours", hours);
    if (!(h > 0)) throw Failure({"--hours: must be above 0", "give hours, as in 0.5"});
    return h;
}

std::string WorthSettings::folder(const std::string& parameters) const {
    if (play.database == "none") {
        throw Failure({"--db: the games must be kept, so that a run can go on", "name a folder"});
    }
    std::string found = play.database;
    if (found.empty()) found = state_file(fmt::format("worth-{}-{}-{}", game, parameters, kCommit));
    if (found.empty()) throw Failure({"lab: there is no folder for the games", "use --db FOLDER"});
    std::error_code failed;
    std::filesystem::create_directories(found, failed);
    if (failed) {
        throw Failure({fmt::format("--db: '{}': {}", found, failed.message()), "name another"});
    }
    return found;
}

bool play_on(const WorthSettings& o, const std::string& name, match::Match& m,
             const StopToken& stop, Session& session) {
    const auto queue = o.play.queue_for(m.config(), m.run_id());
    Progress progress(name, m.total_games(), m.board().games());
    const auto watch = [&](const match::MatchView& view) {
        const auto& row = view.board.row(0);
        const match::Estimate e =
            row.pairs.pairs() > 0 ? match::estimate(row.pairs) : match::estimate(row.games);
        if (is_fault(view.last.result.end)) session.log("fault", to_json(view.last, m.names()));
        progress.show(
            static_cast<double>(view.board.games()),
            fmt::format("{:+.0f} [{:+.0f}, {:+.0f}]", e.elo.value, e.elo.low, e.elo.high));
    };
    auto outcome = m.run(*queue, watch, stop);
    if (!outcome) throw Failure(outcome.error(), kBroken);
    return *outcome != match::Outcome::Stopped;
}

CellRun run_cell(const WorthSettings& o, const evidence::WorthOptions& options,
                 const evidence::Cell& cell, const std::string& folder, const StopToken& stop,
                 Session& session) {
    const match::MatchConfig config = take(evidence::match_of(options, cell));
    const std::string database = evidence::database_of(folder, cell);
    const bool begun = std::filesystem::exists(database);
    if (!begun && !take(evidence::changes_search(config))) {
        return {take(evidence::record_of_nothing(cell, config, command_text(session))), true};
    }
    const auto m = take(match::Match::make(config, database));
    CellRun run;
    run.complete = play_on(o, cell.id, *m, stop, session);
    if (m->board().row(0).pairs.pairs() < match::kLeastPairs) return run;
    evidence::ActsOptions acts;
    acts.positions = static_cast<std::size_t>(o.positions);
    const Json counted = take(evidence::acts_of(config, cell, m->store(), acts));
    run.record = take(evidence::record_of_cell(cell, m->store(), counted, command_text(session)));
    return run;
}

}  // namespace karikomi::cli
