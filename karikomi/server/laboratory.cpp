#include "karikomi/server/laboratory.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/match/match.hpp"
#include "karikomi/lab/samples.hpp"
#include "karikomi/lab/tune/tune.hpp"

namespace karikomi::server {
namespace {

namespace fs = std::filesystem;
using lab::Database;

constexpr std::size_t kMostRuns = 200;
constexpr std::size_t kMostPoints = 120;  // of a curve
constexpr std::uintmax_t kMostReport = 64U << 20U;

/// Only what lies in the folder itself and is a plain file.
bool is_plain_file(const fs::path& path) {
    std::error_code trouble;
    return fs::is_regular_file(fs::symlink_status(path, trouble));
}

/// What the server lets through; others would be listed for nothing.
bool is_plain_name(const std::string& name) {
    const auto fits = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
    };
    return name.size() <= 120 && name[0] != '.' && name[0] != '_' && name[0] != '-' &&
           std::all_of(name.begin(), name.end(), fits);
}

std::string utc_of(fs::file_time_type time) {
    const auto system =
        std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(time));
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(system)));
}

/// The file's last change, that of its log included: SQLite writes there first.
fs::file_time_type changed(const fs::path& path) {
    std::error_code trouble;
    const auto own = fs::last_write_time(path, trouble);
    const auto log = fs::last_write_time(path.string() + "-wal", trouble);
    return trouble ? own : std::max(own, log);
}

std::vector<fs::path> files_with(const fs::path& folder, const std::string& ending) {
    std::vector<fs::path> files;
    std::error_code trouble;
    for (const auto& entry : fs::directory_iterator(folder, trouble)) {
        const fs::path& path = entry.path();
        if (path.extension() != ending || !is_plain_name(path.filename().string())) continue;
        if (is_plain_file(path)) files.push_back(path);
    }
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        const auto ta = changed(a);
        const auto tb = changed(b);
        return ta == tb ? a < b : ta > tb;
    });
    if (files.size() > kMostRuns) files.resize(kMostRuns);
    return files;
}

// ---- Matches ------------------------------------------------------------------------------------

/// How the match looked after so many games: of the first pairing.
Json point_of(const match::Scoreboard& board, const std::optional<match::Sprt>& sprt) {
    const auto& row = board.row(0);
    const bool paired = row.pairs.pairs() > 0;
    const match::Estimate e = paired ? estimate(row.pairs) : estimate(row.games);
    Json out = {{"games", row.games.games()}, {"elo", to_json(e.elo)}};
    if (sprt) out["llr"] = log_likelihood_ratio(row.pairs, *sprt);
    return out;
}

Expected<Json> match_json(const std::string& path, bool with_course) {
    const auto store = match::Store::read(path);
    if (!store) return store.error();
    const auto config = match::config_of((*store)->get("config"));
    if (!config) return config.error();
    const auto names = (*store)->get("names").get<std::vector<std::string>>();
    std::vector<match::GameSummary> games;
    (*store)->each_summary([&](const match::GameSummary& g) { games.push_back(g); });
    match::Scoreboard board(match::pairings_of(static_cast<int>(names.size()), config->gauntlet));
    Json course = Json::array();
    const std::size_t step = std::max<std::size_t>(1, games.size() / kMostPoints);
    for (std::size_t i = 0; i < games.size(); ++i) {
        if (games[i].slot.pairing >= board.pairings().size()) continue;  // of another program
        board.add(games[i]);
        const bool shown = (i + 1) % step == 0 || i + 1 == games.size();
        if (with_course && shown) course.push_back(point_of(board, config->sprt));
    }
    Json out = {{"kind", "match"},
                {"game", config->game},
                {"names", names},
                {"played", games.size()},
                {"wanted", config->games * board.pairings().size()},
                {"result", match::result_json(*config, board, names)}};
    if (with_course) out["course"] = course;
    return out;
}

// ---- Tuning -------------------------------------------------------------------------------------

Json course_of(const tune::Spsa& spsa) {
    const auto& history = spsa.history();
    const std::size_t step = std::max<std::size_t>(1, history.size() / kMostPoints);
    Json trials = Json::array();
    Json values = Json::array();
    for (std::size_t p = 0; p < spsa.options().params.size(); ++p) values.push_back(Json::array());
    for (std::size_t i = 0; i < history.size(); ++i) {
        if ((i + 1) % step != 0 && i + 1 != history.size()) continue;
        trials.push_back(i + 1);
        for (std::size_t p = 0; p < values.size(); ++p) values[p].push_back(history[i][p]);
    }
    return {{"trials", trials}, {"values", values}};
}

Expected<Json> tune_json(const std::string& path, bool with_course) {
    const auto config = tune::read_climb(path);
    if (!config) return config.error();
    const auto spsa = tune::read_course(path);
    if (!spsa) return spsa.error();
    Json params = Json::array();
    const auto estimates = spsa->estimates();
    for (std::size_t i = 0; i < config->options.params.size(); ++i) {
        const tune::SpsaParam& p = config->options.params[i];
        Json row = {{"path", p.path}, {"start", p.start}, {"min", p.min}, {"max", p.max}};
        if (i < estimates.size()) {
            row["value"] = estimates[i].value;
            row["low"] = estimates[i].low;
            row["high"] = estimates[i].high;
            row["last"] = estimates[i].last;
        }
        params.push_back(row);
    }
    Json out = {{"kind", "tune"},
                {"game", config->match.game},
                {"played", spsa->finished()},
                {"wanted", config->options.trials},
                {"params", params}};
    if (with_course) out["course"] = course_of(*spsa);
    return out;
}

// ---- Samples ------------------------------------------------------------------------------------

Expected<Json> samples_json(const std::string& path) {
    const auto store = lab::SampleStore::read(path);
    if (!store) return store.error();
    Json stages = Json::array();
    for (const auto& [stage, n] : (*store)->by_stage()) stages.push_back({stage, n});
    std::int64_t units = 0;
    for (const Json& source : (*store)->sources()) units += source["units"].get<std::int64_t>();
    return Json{{"kind", "lab"},
                {"game", (*store)->conditions().value("game", std::string())},
                {"samples", (*store)->size()},
                {"units", units},
                {"stages", stages}};
}

// ---- The folder ---------------------------------------------------------------------------------

class Folder {
public:
    explicit Folder(fs::path path) : path_(std::move(path)) {}

    Json list() {
        const std::lock_guard lock(mutex_);
        Json runs = Json::array();
        for (const fs::path& file : files_with(path_, ".db")) runs.push_back(in_short(file));
        Json reports = Json::array();
        for (const fs::path& file : files_with(path_, ".html")) {
            reports.push_back(
                {{"name", file.filename().string()}, {"changed", utc_of(changed(file))}});
        }
        return {{"folder", path_.string()}, {"runs", runs}, {"reports", reports}};
    }

    Expected<Json> run(const std::string& name) {
        const std::lock_guard lock(mutex_);
        const fs::path file = path_ / name;
        if (!is_plain_file(file)) {
            return Error{fmt::format("there is no run '{}'", name), "see the list of runs"};
        }
        auto out = read(file, true);
        if (out) add_state(file, *out);
        return out;
    }

    Expected<std::string> report(const std::string& name) const {
        const fs::path file = path_ / name;
        const Error none{fmt::format("there is no report '{}'", name), "see the list of reports"};
        if (!is_plain_file(file)) return none;
        std::error_code trouble;
        if (fs::file_size(file, trouble) > kMostReport || trouble) {
            return Error{"the report is too large to be shown", "open the file itself"};
        }
        std::ifstream in(file, std::ios::binary);
        if (!in) return none;
        return std::string(std::istreambuf_iterator<char>(in), {});
    }

private:
    struct Known {
        fs::file_time_type changed;
        Json json;
    };

    static Expected<Json> read(const fs::path& file, bool with_course) {
        try {
            const auto kind = Database::kind_of(file.string());
            if (!kind) return kind.error();
            if (*kind == "match") return match_json(file.string(), with_course);
            if (*kind == "tune") return tune_json(file.string(), with_course);
            if (*kind == "lab") return samples_json(file.string());
            return Json{{"kind", *kind}};
        } catch (const std::exception& e) {
            return Error{fmt::format("{}: {}", file.filename().string(), e.what()), ""};
        }
    }
    static void add_state(const fs::path& file, Json& json) {
        json["name"] = file.filename().string();
        json["changed"] = utc_of(changed(file));
        json["running"] = Database::is_in_use(file.string());
    }
    /// Read again only when it has changed: the page asks every few seconds.
    Json in_short(const fs::path& file) {
        const auto now = changed(file);
        const auto it = known_.find(file.string());
        if (it == known_.end() || it->second.changed != now) {
            auto fresh = read(file, false);
            Json json = fresh ? std::move(*fresh)
                              : Json{{"kind", "unknown"}, {"error", fresh.error().what}};
            known_[file.string()] = {now, std::move(json)};
        }
        Json out = known_[file.string()].json;
        add_state(file, out);
        return out;
    }

    fs::path path_;
    std::mutex mutex_;
    std::map<std::string, Known> known_;  ///< by path
};

}  // namespace

Laboratory page_lab(const std::string& folder) {
    const auto shared = std::make_shared<Folder>(folder);
    return {[shared] { return shared->list(); },
            [shared](const std::string& name) { return shared->run(name); },
            [shared](const std::string& name) { return shared->report(name); }};
}

}  // namespace karikomi::server
