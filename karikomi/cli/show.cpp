/// karikomi show: a position, drawn, with what can be said of it without a search.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/report.hpp"

namespace karikomi::cli {
namespace {

void print_text(const Engine& engine, const Json& facts) {
    fmt::print("{}\n", engine.draw_board());
    const auto field = [](const char* name, const std::string& text) {
        fmt::print("{:<13} {}\n", name, text);
    };
    if (!facts["result"].is_null()) {
        const std::string result = facts["result"];
        field("result", bold(result == "draw" ? "draw" : result + " player wins"));
        return;
    }
    const std::vector<std::string> legal = engine.legal_moves();
    field("to move", bold(facts["side"].get<std::string>()) + " player");
    field("legal moves", fmt::format("{} ({})", fmt::join(legal, " "), legal.size()));
    if (facts.contains("forbidden")) {
        const std::vector<std::string> cells = facts["forbidden"];
        field("forbidden", cells.empty() ? "none" : fmt::format("{}", fmt::join(cells, " ")));
    }
    field("static value",
          fmt::format("{} for the player to move", describe_value(facts["static_value"])));
}

int run(const PositionOptions& options, Session& session) {
    const std::unique_ptr<Engine> engine = take(make_engine(options.engine_name()));
    options.apply(*engine);
    session.begin(nullptr);
    Json facts = {{"game", engine->info().name},  {"position", engine->position_text()},
                  {"side", side_of(*engine)},     {"legal", engine->legal_moves()},
                  {"result", result_of(*engine)}, {"static_value", engine->static_value()},
                  {"board", engine->draw_board()}};
    if (const auto cells = engine->forbidden_moves()) facts["forbidden"] = *cells;
    if (!session.json()) print_text(*engine, facts);
    session.finish(facts);
    return kDone;
}

}  // namespace

void add_show(Program& program) {
    Command command = program.add("show", "Draw a position; list its legal moves",
                                  {"karikomi show GAME", "karikomi show GAME --json"});
    const auto options = std::make_shared<PositionOptions>();
    options->add_to(command);
    command.does([options](Session& session) { return run(*options, session); });
}

}  // namespace karikomi::cli
