#include "karikomi/cli/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "karikomi/base/text.hpp"
#include "karikomi/cli/command_line.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::cli {
namespace {

/// What a value may be: every game where the help says so, the parts of "en|ja".
std::vector<std::string> values_of(const OptionText& option) {
    if (option.type == "GAME") return game_names();
    std::vector<std::string> values;
    if (option.type.find('|') == std::string::npos) return values;
    for (const std::string_view part : split(option.type, '|')) values.emplace_back(part);
    return values;
}

OptionText text_of(const CLI::Option& option) {
    OptionText text;
    text.is_argument = option.get_positional();
    text.is_required = option.get_required();
    text.is_list = option.get_expected_max() > 1;
    text.group = option.get_group();
    text.help = option.get_description();
    const std::string shown = option.get_default_str();
    if (!shown.empty()) text.help += fmt::format(" (default: {})", shown);
    const bool takes_value = option.get_items_expected_max() > 0;
    if (text.is_argument) {
        text.names = {option.get_name(true)};
        text.type = option.get_type_name().empty() ? text.names.front() : option.get_type_name();
        if (text.names.front() == "GAME") text.type = "GAME";
    } else {
        for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
        for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
        if (takes_value) text.type = option.get_type_name();
    }
    text.values = values_of(text);
    return text;
}

CommandText text_of(const CLI::App& app, std::vector<std::string> path) {
    CommandText text;
    text.path = std::move(path);
    text.path.push_back(app.get_name());
    text.summary = app.get_description();
    text.footer = app.get_footer();
    for (const CLI::Option* option : app.get_options()) text.options.push_back(text_of(*option));
    for (const CLI::App* below : app.get_subcommands({})) {
        text.commands.push_back(text_of(*below, text.path));
    }
    return text;
}

}  // namespace

CommandText command_tree(const Program& program) {
    return text_of(*program.app, {});
}

}  // namespace karikomi::cli
