#include "karikomi/lab/evidence/record.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "karikomi/base/files.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/match/match.hpp"
#include "karikomi/lab/store/machine.hpp"
#include "karikomi/version.hpp"

namespace karikomi::evidence {
namespace {

namespace fs = std::filesystem;

constexpr int kFormat = 1;

Error no_results(const std::string& file, const std::string& why) {
    return {fmt::format("'{}': is no results file: {}", file, why),
            "docs/evidence.md has the format"};
}

/// A file's document: {"format": 1, "records": [...]}, and whatever else it has.
Expected<Json> read_document(const std::string& file) {
    const auto text = read_file(file);
    if (!text) return Error{fmt::format("'{}': cannot be read", file), "name another file"};
    Json document = Json::parse(*text, nullptr, false);
    if (document.is_discarded()) return no_results(file, "no JSON");
    if (!document.is_object() || document.value("format", Json(nullptr)) != kFormat) {
        return no_results(file, fmt::format("it has no \"format\": {}", kFormat));
    }
    const auto at = document.find("records");
    if (at == document.end() || !at->is_array()) return no_results(file, "it has no \"records\"");
    for (const Json& record : *at) {
        if (record.is_object() && record.contains("id") && record["id"].is_string()) continue;
        return no_results(file, "a record has no \"id\"");
    }
    return document;
}

Json counts_of(const match::Scoreboard::Row& row) {
    const match::Trinomial& t = row.games;
    return {{"games", t.games()},         {"wins", t.wins},
            {"draws", t.draws},           {"losses", t.losses},
            {"pairs", row.pairs.pairs()}, {"pentanomial", row.pairs.n}};
}

Json result_of(const match::Scoreboard::Row& row) {
    const match::Estimate e =
        row.pairs.pairs() > 0 ? match::estimate(row.pairs) : match::estimate(row.games);
    Json out = match::to_json(e.elo);
    out["unit"] = "Elo";
    out["confidence"] = 0.95;
    out["basis"] = row.pairs.pairs() > 0 ? "pairs" : "games";
    return out;
}

/// By what the number of games was decided: an honest reader wants to know.
Json stop_of(const match::MatchConfig& c, const match::Scoreboard& board) {
    if (c.sprt) return {{"rule", "sequential test"}, {"test", match::to_json(*c.sprt)}};
    if (c.half_width > 0) {
        const bool reached = match::is_precise(board.row(0).pairs, c.half_width);
        return {{"rule", "half-width"}, {"half_width", c.half_width}, {"reached", reached}};
    }
    const std::uint64_t games = (c.games + c.games % 2) * board.pairings().size();
    return {{"rule", "games"}, {"games", games}, {"reached", board.games() >= games}};
}

void add_rows(Json& record, const match::Scoreboard& board, const std::vector<std::string>& names) {
    if (board.pairings().size() == 1) {
        record["counts"] = counts_of(board.row(0));
        record["result"] = result_of(board.row(0));
        return;
    }
    record["rows"] = Json::array();
    for (std::size_t i = 0; i < board.pairings().size(); ++i) {
        const match::Pairing& p = board.pairings()[i];
        record["rows"].push_back({{"engine", names.at(static_cast<std::size_t>(p.a))},
                                  {"against", names.at(static_cast<std::size_t>(p.b))},
                                  {"counts", counts_of(board.row(i))},
                                  {"result", result_of(board.row(i))}});
    }
}

}  // namespace

Expected<Shipped> shipped_of(const std::string& game, const match::Rules& rules) {
    const auto engine = make_engine(match::name_by_rules(game, rules));
    if (!engine) return engine.error();
    return Shipped{fingerprint((*engine)->params(), (*engine)->info()),
                   (*engine)->info().evaluation};
}

std::string_view name_of(Age age) {
    switch (age) {
        case Age::Current:
            return "current";
        case Age::OlderParameters:
            return "older parameters";
        case Age::OlderEvaluation:
            return "older evaluation";
        case Age::Unknown:
            break;
    }
    return "parameters not recorded";
}

Age age_of(const Json& record, const Shipped& now) {
    const Json evaluation = record.value("evaluation", Json(nullptr));
    if (evaluation.is_string() && evaluation != now.evaluation) return Age::OlderEvaluation;
    const Json parameters = record.value("parameters", Json(nullptr));
    if (!parameters.is_string()) return Age::Unknown;
    return parameters == now.parameters ? Age::Current : Age::OlderParameters;
}

Json conditions_now() {
    return {{"commit", kCommit},
            {"version", kVersion},
            {"compiler", kCompiler},
            {"machine", lab::machine_json()},
            {"date", lab::utc_now()}};
}

Expected<Json> record_of_match(const match::Store& store, const std::string& command) {
    const Json recorded = store.get("config");
    const auto config = match::config_of(recorded);
    if (!config) return config.error();
    const Json names = store.get("names");
    match::Scoreboard board(
        match::pairings_of(static_cast<int>(config->engines.size()), config->gauntlet));
    store.each_summary([&](const match::GameSummary& g) { board.add(g); });
    Json record = {{"kind", "match"}, {"source", "run"}, {"game", config->game}};
    record["command"] = command.empty() ? Json(nullptr) : Json(command);
    record["engines"] = store.get("engines");
    for (std::size_t i = 0; i < config->engines.size(); ++i) {
        record["engines"][i]["engine"] = config->engines[i].text;
    }
    // Of the day when the games began; databases of earlier versions do not know it.
    const Json shipped = store.get("shipped");
    for (const char* key : {"parameters", "evaluation"}) {
        record[key] = shipped.is_object() ? shipped[key] : Json(nullptr);
    }
    const Json runner = store.get("runner");
    for (const char* key : {"commit", "version", "compiler"}) record[key] = runner[key];
    record["machine"] = store.get("machines");
    record["date"] = store.get("created");
    record["config"] = recorded;
    record["stop"] = stop_of(*config, board);
    const std::vector<std::string> all = names.get<std::vector<std::string>>();
    add_rows(record, board, all);
    record["faults"] = board.to_json(all)["faults"];
    return record;
}

Json record_of_document(const std::string& kind, const std::string& command, const Json& document,
                        const Json& fingerprint) {
    Json record = {{"kind", kind}, {"source", "run"}};
    const bool named =
        document.is_object() && document.contains("game") && document["game"].is_string();
    record["game"] = named ? document["game"] : Json(nullptr);
    record["command"] = command;
    record["parameters"] = fingerprint;
    if (named) {
        const auto shipped = shipped_of(document["game"]);
        record["evaluation"] = shipped ? Json(shipped->evaluation) : Json(nullptr);
    }
    record.update(conditions_now());
    record["result"] = document;
    return record;
}

Expected<Records> read_records(const std::string& file) {
    Records out;
    if (!fs::exists(file)) return out;
    const auto document = read_document(file);
    if (!document) return document.error();
    for (const Json& record : document->at("records")) {
        const std::string id = record["id"];
        if (!out.emplace(id, record).second) return no_results(file, "'" + id + "' is there twice");
    }
    return out;
}

Expected<Records> read_folder(const std::string& folder) {
    std::error_code failed;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    if (failed) {
        return Error{fmt::format("'{}': {}", folder, failed.message()),
                     "name the folder of the results"};
    }
    std::sort(files.begin(), files.end());
    Records all;
    for (const fs::path& file : files) {
        auto records = read_records(file.string());
        if (!records) return records.error();
        for (auto& [id, record] : *records) {
            record["file"] = file.string();
            if (all.emplace(id, record).second) continue;
            return no_results(file.string(), fmt::format("'{}' is in another file too", id));
        }
    }
    return all;
}

Status save_record(const std::string& file, const Json& record) {
    Json document = {{"format", kFormat}, {"records", Json::array()}};
    if (fs::exists(file)) {
        auto old = read_document(file);
        if (!old) return old.error();
        document = std::move(*old);
    }
    Json& records = document["records"];
    const auto same = [&](const Json& r) { return r["id"] == record.at("id"); };
    const auto found = std::find_if(records.begin(), records.end(), same);
    if (found == records.end()) {
        records.push_back(record);
    } else {
        *found = record;
    }
    std::error_code failed;
    const fs::path folder = fs::path(file).parent_path();
    if (!folder.empty()) fs::create_directories(folder, failed);
    if (!failed && write_file(file, pretty(document) + "\n")) return {};
    return Error{fmt::format("'{}': cannot be written", file), "name another file"};
}

}  // namespace karikomi::evidence
