/// karikomi match: games between engines, ours or others by their protocol, with honest statistics.
#include "karikomi/lab/match/match.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/files.hpp"
#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/match_moves.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/play_options.hpp"
#include "karikomi/cli/trust.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/evidence/record.hpp"
#include "karikomi/lab/match/export.hpp"

namespace karikomi::cli {
namespace {

using match::Match;
using match::MatchConfig;
using match::MatchView;
using match::Outcome;

struct MatchOptions {
    std::vector<std::string> engines;
    std::string game;
    std::string sprt;
    std::string half_width;
    std::string format = "jsonl";
    std::string out;
    PlayOptions play;
    std::int64_t games = 0;
    bool gauntlet = false;
    std::string chart;
    std::int64_t plies = 10;
};

/// "elo0=0,elo1=5,alpha=.05,beta=.05,model=logistic"
match::Sprt sprt_of(const std::string& text) {
    match::Sprt test;
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t equals = part.find('=');
        const std::string key = part.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
        if (key == "model" && (value == "logistic" || value == "normalised")) {
            test.logistic = value == "logistic";
            continue;
        }
        double* to = key == "elo0"    ? &test.elo0
                     : key == "elo1"  ? &test.elo1
                     : key == "alpha" ? &test.alpha
                     : key == "beta"  ? &test.beta
                                      : nullptr;
        if (to == nullptr) {
            throw Failure({fmt::format("--sprt: '{}' is unknown", part),
                           "use elo0=, elo1=, alpha=, beta=, model=normalised|logistic"});
        }
        *to = number_of("--sprt " + key, value);
    }
    const auto chance = [](double p) { return p > 0 && p < 0.5; };
    if (!(test.elo0 < test.elo1) || !chance(test.alpha) || !chance(test.beta)) {
        throw Failure({fmt::format("--sprt: '{}' makes no test", text),
                       "elo0 below elo1, alpha and beta between 0 and 0.5"});
    }
    return test;
}

MatchConfig config_of(const MatchOptions& o) {
    MatchConfig c = o.play.read_with(o.engines, o.game);
    c.gauntlet = o.gauntlet;
    if (!o.sprt.empty()) c.sprt = sprt_of(o.sprt);
    if (!o.half_width.empty()) {
        c.half_width = number_of("--half-width", o.half_width);
        if (!(c.half_width > 0)) throw Failure({"--half-width: must be above 0", "give Elo"});
    }
    const bool decides = c.sprt || c.half_width > 0;
    c.games = o.games > 0 ? static_cast<std::uint64_t>(o.games) : decides ? 0 : 100;
    return c;
}

// ---- What is shown ------------------------------------------------------------------------------

std::string interval_text(const match::Interval& i) {
    return fmt::format("{:+.1f} [{:+.1f}, {:+.1f}]", i.value, i.low, i.high);
}

std::string score_line(const match::Scoreboard::Row& row) {
    const auto& t = row.games;
    const bool paired = row.pairs.pairs() > 0;
    const match::Estimate e = paired ? estimate(row.pairs) : estimate(t);
    return fmt::format("{}-{}-{} ({:.1f} %), Elo {}, LOS {:.1f} %", t.wins, t.draws, t.losses,
                       100.0 * estimate(t).score, interval_text(e.elo), 100.0 * e.los);
}

void print_row(const match::Scoreboard::Row& row) {
    const match::Estimate e = estimate(row.pairs);
    fmt::print("  won-drawn-lost  {}\n", score_line(row));
    fmt::print("  pairs           {}, by points 0, 1/2, 1, 3/2, 2: {}\n", row.pairs.pairs(),
               fmt::join(row.pairs.n, " "));
    fmt::print("  normalised Elo  {}\n", interval_text(e.nelo));
    if (row.margins > 1) {
        const auto n = static_cast<double>(row.margins);
        const double mean = row.margin_sum / n;
        const double variance = (row.margin_square - n * mean * mean) / (n - 1);
        fmt::print("  discs a game    {:+.2f} +- {:.2f}\n", mean,
                   1.96 * std::sqrt(std::max(variance, 0.0) / n));
    }
}

void print_result(const match::Scoreboard& board, const std::vector<std::string>& names,
                  const Json& result) {
    const auto& pairings = board.pairings();
    for (std::size_t i = 0; i < pairings.size(); ++i) {
        fmt::print("{} against {}\n", bold(names[static_cast<std::size_t>(pairings[i].a)]),
                   bold(names[static_cast<std::size_t>(pairings[i].b)]));
        print_row(board.row(i));
    }
    if (result.contains("ratings")) {
        Table table({{"engine", false}, {"Elo"}});
        for (const auto& [name, elo] : result["ratings"].items()) {
            table.add({name, fmt::format("{:+.1f}", elo.get<double>())});
        }
        fmt::print("\n{}\n", table.text());
    }
    const Json& first = result["first_player"];
    const auto text = [](const Json& j) { return j.dump(); };
    fmt::print("  first player    won {}, drawn {}, lost {}\n", text(first["wins"]),
               text(first["draws"]), text(first["losses"]));
    fmt::print("  plies a game    {} (+- {}, {}..{})\n", text(result["plies"]["mean"]),
               text(result["plies"]["deviation"]), text(result["plies"]["shortest"]),
               text(result["plies"]["longest"]));
    for (const Json& f : result["faults"]) {
        const int n = f["crash"].get<int>() + f["hang"].get<int>() + f["illegal_move"].get<int>() +
                      f["time"].get<int>();
        if (n == 0) continue;
        fmt::print("  faults          {}: {} crashes, {} hangs, {} illegal moves, {} time losses\n",
                   f["engine"].get<std::string>(), text(f["crash"]), text(f["hang"]),
                   text(f["illegal_move"]), text(f["time"]));
    }
    if (result.contains("sprt")) {
        const Json& s = result["sprt"];
        fmt::print("  SPRT            LLR {:.3f} in [{:.3f}, {:.3f}]: {}\n", s["llr"].get<double>(),
                   s["lower"].get<double>(), s["upper"].get<double>(),
                   s["verdict"].get<std::string>());
        if (result.value("elo_biased", false)) {
            fmt::print(
                "  the test ended the match, so this Elo is biased away from zero: play a fixed "
                "number of games with a fresh seed for one to quote\n");
        }
    }
}

/// One line a game for programs, a moving line for people.
class Watcher {
public:
    Watcher(Session& session, const Match& m)
        : session_(session), match_(m), progress_("match", m.total_games(), m.board().games()) {}

    void see(const MatchView& view) {
        const Json game = to_json(view.last, match_.names());
        session_.log(is_fault(view.last.result.end) ? "fault" : "game", game);
        session_.stream(game);
        std::string now = score_line(view.board.row(view.last.slot.pairing));
        if (const auto& t = match_.config().sprt) {
            now += fmt::format(", LLR {:.2f} [{:.2f}, {:.2f}]", view.llr, t->lower(), t->upper());
        }
        if (view.seconds > 0) {
            now += fmt::format(", {:.2f} games/s", static_cast<double>(view.played) / view.seconds);
        }
        if (!view.workers.empty()) now += ", " + view.workers;
        progress_.show(static_cast<double>(view.board.games()), now);
    }
    void done() { progress_.clear(); }

private:
    Session& session_;
    const Match& match_;
    Progress progress_;
};

// ---- Running ------------------------------------------------------------------------------------

Outcome play(Match& m, const PlayOptions& options, Session& session) {
    const StopToken stop = session.stop();
    const auto queue = options.queue_for(m.config(), m.run_id());
    Watcher watcher(session, m);
    auto outcome = m.run(
        *queue, [&](const MatchView& view) { watcher.see(view); }, stop);
    watcher.done();
    if (!outcome) throw Failure(outcome.error(), kBroken);
    return *outcome;
}

// ---- Looking at records -------------------------------------------------------------------------

/// `match show DB`, `match export DB`: reading only, also while the match runs.
const std::string& database_of(const MatchOptions& o) {
    if (o.engines.size() != 2) {
        throw Failure({fmt::format("match {}: needs one database", o.engines[0]),
                       fmt::format("write karikomi match {} FILE", o.engines[0])});
    }
    return o.engines[1];
}

void keep(const match::Store& store, Session& session) {
    if (!session.wants_evidence()) return;
    session.keep_as_evidence(take(evidence::record_of_match(store, command_text(session))));
}

int show(const MatchOptions& o, Session& session) {
    const std::string& file = database_of(o);
    const auto store = take(match::Store::read(file));
    const MatchConfig config = take(match::config_of(store->get("config")));
    const auto names = store->get("names").get<std::vector<std::string>>();
    match::Scoreboard board(
        match::pairings_of(static_cast<int>(config.engines.size()), config.gauntlet));
    store->each_game([&](const match::GameRow& row) { board.add(summary_of(row)); });
    session.begin(store->get("engines"));
    Json result = {{"event", "result"},
                   {"game", config.game},
                   {"database", file},
                   {"config", store->get("config")},
                   {"identities", store->get("engines")},
                   {"machines", store->get("machines")},
                   {"runner", store->get("runner")},
                   {"created", store->get("created")}};
    result.update(match::result_json(config, board, names));
    if (!session.json()) print_result(board, names, result);
    keep(*store, session);
    session.finish(result);
    return kDone;
}

std::uint64_t export_all(const match::Store& store, const match::Exporter& exporter,
                         const std::string& out) {
    const auto names = store.get("names").get<std::vector<std::string>>();
    std::FILE* file = out.empty() ? stdout : std::fopen(out.c_str(), "w");
    if (file == nullptr) {
        throw Failure({fmt::format("--out: cannot write '{}'", out), "name another file"});
    }
    std::uint64_t games = 0;
    store.each_game([&](const match::GameRow& row) {
        const std::string text = take(exporter.text(row, names));
        std::fwrite(text.data(), 1, text.size(), file);
        ++games;
    });
    const bool written = std::fflush(file) == 0 && std::ferror(file) == 0;
    if (!out.empty()) std::fclose(file);
    if (!written) throw Failure({"cannot write the games", "check the disk or the pipe"}, kBroken);
    return games;
}

/// A format whose files hold one game. Of several each gets a file of its own: r-1.psq, r-2.psq.
std::uint64_t export_single(const match::Store& store, const match::Exporter& exporter,
                            const MatchOptions& o) {
    const auto names = store.get("names").get<std::vector<std::string>>();
    std::vector<std::string> games;
    store.each_game(
        [&](const match::GameRow& row) { games.push_back(take(exporter.text(row, names))); });
    if (o.out.empty() && games.size() > 1) {
        std::string upper = o.format;
        for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        throw Failure({fmt::format("--format {}: {} holds one game, and there are {}", o.format,
                                   upper, games.size()),
                       fmt::format("give --out r.{0} for r-1.{0}, r-2.{0}, ..., or another format",
                                   o.format)});
    }
    const std::filesystem::path path = o.out;
    for (std::size_t i = 0; i < games.size(); ++i) {
        if (o.out.empty()) {
            fmt::print("{}", games[i]);
            continue;
        }
        const std::string number = games.size() > 1 ? fmt::format("-{}", i + 1) : "";
        const std::string name = path.stem().string() + number + path.extension().string();
        write_output("--out", (path.parent_path() / name).string(), games[i]);
    }
    return games.size();
}

int export_games(const MatchOptions& o, Session& session) {
    const auto store = take(match::Store::read(database_of(o)));
    const MatchConfig config = take(match::config_of(store->get("config")));
    const auto exporter = take(match::Exporter::make(o.format, config));
    session.begin(nullptr);
    const std::uint64_t games = exporter.single() ? export_single(*store, exporter, o)
                                                  : export_all(*store, exporter, o.out);
    session.log("result", {{"games", games}});
    return kDone;
}

int run(const MatchOptions& o, Session& session) {
    if (!o.engines.empty() && o.engines[0] == "show") return show(o, session);
    if (!o.engines.empty() && o.engines[0] == "export") return export_games(o, session);
    if (!o.engines.empty() && o.engines[0] == "moves") {
        return show_moves(database_of(o), static_cast<int>(o.plies), o.chart, session);
    }
    MatchConfig config;
    if (!o.play.resume.empty()) {
        if (!o.engines.empty()) {
            throw Failure({"--resume: the engines are in the database", "give no engines"});
        }
        const auto recorded = take(match::Store::read(o.play.resume));
        config = take(match::config_of(recorded->get("config")));
        const auto fact = [&](const char* name) {
            const Json j = recorded->get(name);
            return j.is_string() ? j.get<std::string>() : std::string();
        };
        require_own_commands(o.play.resume, config, fact("run"), fact(kSealFact),
                             o.play.allow_commands);
        o.play.set_how(config);
        if (o.games > 0) config.games = static_cast<std::uint64_t>(o.games);
    } else {
        config = config_of(o);
    }
    const std::string database = o.play.database_for("match");
    const auto m = take(Match::make(config, database));
    // Whoever was allowed to run them here may go on without being asked again.
    if (!commands_of(config).empty()) {
        m->store().set(kSealFact, seal_of(m->run_id(), config));
    }
    Json fingerprints = Json::array();
    for (const auto& id : m->identities()) fingerprints.push_back(to_json(id));
    session.begin(fingerprints);
    const Outcome outcome = play(*m, o.play, session);
    Json result = m->result();
    const bool kept = database != ":memory:";
    const std::string resume = o.play.resume_text("match", database);
    result["database"] = kept ? Json(database) : Json(nullptr);
    result["complete"] = outcome != Outcome::Stopped;
    if (outcome == Outcome::Stopped && kept) result["resume"] = resume;
    if (!session.json()) {
        print_result(m->board(), m->names(), result);
        if (kept) fmt::print("  records         {}\n", database);
        if (outcome == Outcome::Stopped && kept) fmt::print("\nstopped; go on with: {}\n", resume);
    }
    keep(m->store(), session);
    session.finish(result);
    const bool undecided = m->config().sprt && outcome != Outcome::H1;
    return outcome == Outcome::Stopped || undecided ? kNo : kDone;
}

}  // namespace

void add_match(Program& program) {
    Command command = program.add(
        "match", "Play games between engines and say who is better",
        {"karikomi match internal:GAME 'internal:GAME?off=all' --depth "
         "6 --games 10",
         "karikomi match internal:GAME internal:GAME?depth=1 --depth 4 --sprt elo1=200"});
    const auto o = std::make_shared<MatchOptions>();
    add_list(command, "ENGINE", o->engines, "",
             "internal:GAME[?SETTINGS] or PROTOCOL[?SETTINGS]:COMMAND; see docs/match.md");
    add_name(command, "--game", o->game, "GAME", "The game, where no engine is internal");
    add_number(command, "--games", o->games, {1, 1'000'000'000},
               "Number, rounded up to pairs (default: 100; --sprt, --half-width: no limit)");
    add_text(command, "--half-width", o->half_width, "ELO",
             "Play until Elo is known to so many either way, or to a fifth of itself");
    add_text(command, "--sprt", o->sprt, "TEST",
             "elo0=0,elo1=5,alpha=.05,beta=.05[,model=logistic]");
    add_switch(command, "--gauntlet", o->gauntlet, "The first engine against each other one");
    o->play.add_to(command);
    command.takes_evidence();
    add_text(command, "--format", o->format, "NAME",
             "export: jsonl, usi or a record format of the game");
    add_name(command, "--out", o->out, "FILE", "export: write there (default: stdout)");
    add_number(command, "--plies", o->plies, {1, 1000}, "moves: in one row");
    add_name(command, "--chart", o->chart, "FILE", "moves: draw depth and time as SVG");
    command.add_footer(R"(

Records:
  match show FILE      the score of a database, also while its match runs
  match export FILE    its games; see --format
  match moves FILE     depth, nodes and time by move number)");
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
