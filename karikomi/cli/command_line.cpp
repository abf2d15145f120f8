#include "karikomi/cli/command_line.hpp"

#include <charconv>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "karikomi/cli/evidence_file.hpp"
#include "karikomi/engine/console.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::cli {
namespace {

std::int64_t parse_number(const std::string& name, const std::string& text, Range range) {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    const bool is_number = stop == end && !text.empty() && code != std::errc::invalid_argument;
    if (!is_number) {
        throw Failure({fmt::format("{}: '{}' is not a whole number", name, text),
                       fmt::format("give one in {}..{}", range.min, range.max)});
    }
    if (code == std::errc::result_out_of_range || value < range.min || value > range.max) {
        throw Failure({fmt::format("{}: {} outside {}..{}", name, text, range.min, range.max),
                       "choose a value inside"});
    }
    return value;
}

/// Help in which an option's default stands at the end of its line, and no line is empty in vain.
class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter() {
        column_width(24);
        label("SUBCOMMAND", "COMMAND");
        label("Positionals", "Arguments");
    }
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        const std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
        return CLI::detail::find_and_replace(text, "\n\n\n", "\n\n");
    }
    std::string make_description(const CLI::App* app) const override {
        return app->get_description() + "\n\n";
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        const bool takes_value = option->get_items_expected_max() > 0;
        return takes_value ? " " + option->get_type_name() : std::string();
    }
    std::string make_option_desc(const CLI::Option* option) const override {
        std::string text = option->get_description();
        if (option->get_required()) text += " (required)";
        const std::string shown = option->get_default_str();
        return shown.empty() ? text : fmt::format("{} (default: {})", text, shown);
    }
    std::string make_option_name(const CLI::Option* option, bool positional) const override {
        return option->get_name(positional, !positional);
    }
};

}  // namespace

std::string with_game(std::string example) {
    static constexpr std::string_view kWord = "GAME";
    const auto names = game_names();
    const std::string name = names.empty() ? std::string(kWord) : names.front();
    for (std::size_t at = example.find(kWord); at != std::string::npos;
         at = example.find(kWord, at + name.size())) {
        example.replace(at, kWord.size(), name);
    }
    return example;
}

// ---- Options ------------------------------------------------------------------------------------

Option& Option::type_name(const std::string& name) {
    option_->type_name(name);
    return *this;
}
Option& Option::group(const std::string& title) {
    option_->group(title);
    return *this;
}
Option& Option::required() {
    option_->required();
    return *this;
}
Option& Option::default_text(const std::string& text) {
    option_->default_str(text);
    return *this;
}
Option& Option::environment(const std::string& variable) {
    option_->envname(variable);
    return *this;
}
Option& Option::once_each() {
    option_->allow_extra_args(false);
    return *this;
}
Option& Option::separated_by(char delimiter) {
    option_->delimiter(delimiter);
    return *this;
}

Option add_number(const Command& command, const std::string& name, std::int64_t& to, Range range,
                  const std::string& help) {
    const bool has_default = to >= range.min;
    const auto read = [&to, name, range](const std::string& text) {
        to = parse_number(name, text, range);
    };
    Option option = add_read(command, name, read, help);
    option.type_name("N");
    if (has_default) option.default_text(std::to_string(to));
    return option;
}

Option add_text(const Command& command, const std::string& name, std::string& to,
                const std::string& type, const std::string& help) {
    Option option(command.app().add_option(name, to, help));
    option.type_name(type);
    if (!to.empty()) option.default_text(to);
    return option;
}

Option add_name(const Command& command, const std::string& name, std::string& to,
                const std::string& type, const std::string& help) {
    const auto read = [&to, name, type](const std::string& text) {
        if (text.empty()) throw Failure({name + ": the name is empty", "give a " + type});
        to = text;
    };
    return add_read(command, name, read, help).type_name(type);
}

Option add_list(const Command& command, const std::string& name, std::vector<std::string>& to,
                const std::string& type, const std::string& help) {
    return Option(command.app().add_option(name, to, help)).type_name(type);
}

Option add_switch(const Command& command, const std::string& name, bool& to,
                  const std::string& help) {
    return Option(command.app().add_flag(name, to, help));
}

Option add_read(const Command& command, const std::string& name,
                const std::function<void(const std::string& text)>& read, const std::string& help) {
    return Option(command.app().add_option_function<std::string>(name, read, help));
}

Option add_seen(const Command& command, const std::string& name, const std::function<void()>& seen,
                const std::string& help) {
    return Option(command.app().add_flag_callback(name, seen, help));
}

// ---- Commands -----------------------------------------------------------------------------------

void Command::does(std::function<int(Session&)> job) {
    app_->callback([program = program_, job = std::move(job)] { program->job = job; });
}

void Command::add_footer(const std::string& text) {
    app_->footer(app_->get_footer() + text);
}

void Command::takes_evidence() {
    if (!keeps_evidence()) return;
    add_name(*this, "--evidence", program_->evidence_file, "FILE",
             "Keep the result with its conditions in this results file (docs/evidence.md)");
}

void Command::has_commands() {
    app_->require_subcommand(0, 1);
}

void Command::remove_option(const std::string& name) {
    app_->remove_option(app_->get_option(name));
}

Program::Program() : app(std::make_unique<CLI::App>("", "karikomi")) {
    app->formatter(std::make_shared<HelpFormatter>());
    app->require_subcommand(0, 1);
    app->set_help_flag("-h,--help", "Show this help and exit");
}

Program::~Program() = default;

Command Program::add(const std::string& name, const std::string& description,
                     const std::vector<std::string>& examples) {
    return add_below(*app, name, description, examples);
}

Command Program::add_to(const Command& parent, const std::string& name,
                        const std::string& description, const std::vector<std::string>& examples) {
    return add_below(parent.app(), name, description, examples);
}

Command Program::add_below(CLI::App& parent, const std::string& name,
                           const std::string& description,
                           const std::vector<std::string>& examples) {
    CLI::App& app_below = *parent.add_subcommand(name, description);
    app_below.group("Commands");
    std::string footer = examples.size() > 1 ? "Examples:" : "Example:";
    for (const std::string& example : examples) footer += "\n  " + with_game(example);
    app_below.footer(footer);
    const Command command(*this, app_below);
    add_switch(command, "--json", json, "Machine output: JSON on stdout, all else on stderr");
    add_name(command, "--log", log_file, "FILE", "Append what happens to FILE as JSON lines");
    return command;
}

}  // namespace karikomi::cli
