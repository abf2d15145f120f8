#include "karikomi/lab/match/export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::match {
namespace {

GameEnd end_of(End end) {
    switch (end) {
        case End::ByRules:
            return GameEnd::ByRules;
        case End::Resigned:
            return GameEnd::Resigned;
        case End::MoveLimit:
            return GameEnd::MoveLimit;
        case End::Illegal:
            return GameEnd::Illegal;
        case End::Hang:
        case End::Time:
            return GameEnd::Time;
        case End::ByScore:
        case End::Crash:
        case End::Stopped:
            break;
    }
    return GameEnd::Agreed;
}

PlayedGame played(const GameRow& row, const std::vector<std::string>& names, const Rules& rules) {
    PlayedGame game;
    game.start = row.opening.position;
    game.names = {names.at(static_cast<std::size_t>(row.slot.first)),
                  names.at(static_cast<std::size_t>(row.slot.second))};
    game.event = "karikomi match";
    game.date = row.started;
    game.winner = row.result.winner;
    game.end = end_of(row.result.end);
    for (const MoveNote& n : row.result.moves) {
        PlayedMove& to = game.moves.emplace_back();
        to.move = n.move;
        to.value = n.score;
        if (n.asked) to.time_ms = n.time_ms;
    }
    for (const auto& [name, value] : rules) game.rules[name] = value;
    return game;
}

std::string to_usi(const GameRow& row) {
    const std::string& start = row.opening.position;
    std::string line = start.empty() ? "startpos" : "sfen " + start;
    if (!row.result.moves.empty()) line += " moves";
    for (const MoveNote& n : row.result.moves) line += " " + n.move;
    return line + "\n";
}

}  // namespace

Expected<Exporter> Exporter::make(const std::string& format, const MatchConfig& config) {
    Exporter out;
    out.format_ = format;
    out.rules_ = config.rules;
    std::vector<std::string> known = {"jsonl", "usi"};
    if (format == known[0] || format == known[1]) return out;
    const auto module = game_called(name_by_rules(config.game, config.rules));
    if (!module) return module.error();
    out.module_ = *module;
    if (const auto& records = out.module_->records) {
        const FormatInfo* const info = records->find(format);
        if (info != nullptr && info->write && info->is_text) return out.info_ = info, out;
        for (const FormatInfo& f : records->formats) {
            if (f.write && f.is_text && f.name != "usi") known.push_back(f.name);
        }
    }
    return Error{fmt::format("--format: {} is not written as '{}'", config.game, format),
                 fmt::format("use one of {}", fmt::join(known, ", "))};
}

Expected<std::string> Exporter::text(const GameRow& row,
                                     const std::vector<std::string>& names) const {
    if (info_ == nullptr) {
        if (format_ == "usi") return to_usi(row);
        return to_json(row, names).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    auto text = module_->records->write(played(row, names, rules_), format_);
    if (!text) {
        return Error{fmt::format("game {}: {}", row.slot.game, text.error().what),
                     text.error().remedy};
    }
    return *text + info_->separator;
}

}  // namespace karikomi::match
