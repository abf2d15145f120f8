/// karikomi params: every number of the search, with its range and meaning.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/param_list.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

struct ParamsOptions {
    std::string game;
    bool markdown = false;
    bool file = false;
    TuningOptions tuning;
};

const char* type_name(ParamType type) {
    switch (type) {
        case ParamType::Flag:
            return "flag";
        case ParamType::Integer:
            return "integer";
        case ParamType::Real:
            return "real";
        case ParamType::Choice:
            return "choice";
        case ParamType::IntegerList:
            return "integer list";
        case ParamType::RealList:
            return "real list";
    }
    return "";
}

/// Bounds are declared as float: 0.1f is meant as 0.1, not as 0.10000000149.
double shortest(double bound) {
    return std::stod(fmt::format("{}", static_cast<float>(bound)));
}

Json bound_of(const ParamInfo& p, double bound) {
    const bool whole = p.type == ParamType::Integer || p.type == ParamType::IntegerList;
    return whole ? Json(static_cast<std::int64_t>(bound)) : Json(shortest(bound));
}

std::string range_of(const ParamInfo& p) {
    if (p.type == ParamType::Flag) return "true, false";
    if (p.type == ParamType::Choice) return fmt::format("{}", fmt::join(p.choices, ", "));
    return fmt::format("{}..{}", shortest(p.min), shortest(p.max));
}

std::string value_of(const ParamInfo& p) {
    return p.value.is_string() ? p.value.get<std::string>() : p.value.dump();
}

Json to_row(const ParamInfo& p) {
    Json row = {{"path", p.path}, {"type", type_name(p.type)}, {"value", p.value}};
    if (p.type == ParamType::Choice) {
        row["choices"] = p.choices;
    } else if (p.type != ParamType::Flag) {
        row["min"] = bound_of(p, p.min);
        row["max"] = bound_of(p, p.max);
    }
    row["unit"] = p.unit;
    row["meaning"] = p.doc;
    return row;
}

void print_text(const std::vector<ParamInfo>& list, const std::string& headline) {
    fmt::print("{}\n", headline);
    std::string section;
    for (auto at = list.begin(); at != list.end();) {
        section = at->path.substr(0, at->path.find('.'));
        Table table({{"name", false}, {"value"}, {"range"}, {"unit", false}, {"meaning", false}});
        for (; at != list.end() && at->path.starts_with(section + "."); ++at) {
            table.add({at->path.substr(section.size() + 1), value_of(*at), range_of(*at), at->unit,
                       at->doc});
        }
        fmt::print("\n{}\n{}", bold(section), table.text());
    }
}

/// The parameters of one game, or of none: then they are the library's defaults.
struct Chosen {
    std::unique_ptr<Engine> engine;
    SearchParams params;
};

Chosen choose(const ParamsOptions& o) {
    Chosen chosen;
    if (!o.game.empty()) {
        chosen.engine = take(make_engine(o.game));
        chosen.params = o.tuning.apply(chosen.engine->params(), chosen.engine->info());
        return chosen;
    }
    if (o.file || !o.tuning.params_file.empty() || !o.tuning.only.empty()) {
        throw Failure({"--file, --params and --only need a game",
                       fmt::format("name one of {}", fmt::join(game_names(), ", "))});
    }
    chosen.params = o.tuning.apply({}, {});
    return chosen;
}

int run(const ParamsOptions& o, Session& session) {
    if (int{session.json()} + int{o.markdown} + int{o.file} > 1) {
        throw Failure({"--json, --markdown and --file exclude each other", "choose one"});
    }
    const Chosen chosen = choose(o);
    const Json mark =
        chosen.engine ? Json(fingerprint(chosen.params, chosen.engine->info())) : Json(nullptr);
    session.begin(mark);
    const std::vector<ParamInfo> list = list_params(chosen.params);
    if (o.markdown) {
        fmt::print("{}", params_markdown());
    } else if (o.file) {
        const Json provenance = {
            {"made_by", "karikomi params --file"}, {"version", kVersion}, {"commit", kCommit}};
        Json document = write_params(chosen.params, chosen.engine->info(), provenance);
        document.erase("checksum");  // for somebody to edit
        fmt::print("{}\n", document.dump(2));
    } else if (!session.json()) {
        print_text(list,
                   chosen.engine
                       ? fmt::format("{}, parameters {}", bold(o.game), mark.get<std::string>())
                       : "Defaults of the library; name a game for its own values.");
    }
    Json document = {{"game", o.game.empty() ? Json(nullptr) : Json(o.game)},
                     {"fingerprint", mark},
                     {"parameters", Json::array()}};
    for (const ParamInfo& p : list) document["parameters"].push_back(to_row(p));
    session.finish(document);
    return kDone;
}

}  // namespace

void add_params(Program& program) {
    Command command =
        program.add("params", "List every parameter: value, range, unit, meaning",
                    {"karikomi params GAME", "karikomi params GAME --set iid.enabled=false --json",
                     "karikomi params GAME --file"});
    const auto o = std::make_shared<ParamsOptions>();
    add_text(command, "GAME", o->game, "",
             fmt::format("{} (default: the library's values)", fmt::join(game_names(), ", ")));
    add_switch(command, "--markdown", o->markdown, "Print docs/parameters.md");
    add_switch(command, "--file", o->file, "Print a file that --params reads back");
    o->tuning.add_to(command, TuningOptions::Profile::Without);
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
