/// One program, one subcommand a file. This one reads the command line and prints errors.
#include "karikomi/program.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/system.hpp"
#include "karikomi/cli/commands.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

using Arguments = std::vector<std::string>;

bool is_option(const std::string& argument) {
    const bool dashed = argument.size() > 1 && argument[0] == '-';
    return dashed && (argument[1] < '0' || argument[1] > '9');  // -5 is a number
}

std::string path_of(const CLI::App& command) {
    if (command.get_parent() == nullptr) return command.get_name();
    return path_of(*command.get_parent()) + " " + command.get_name();
}

std::string see_help(const CLI::App& command) {
    return fmt::format("see `{} --help`", path_of(command));
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

[[noreturn]] void refuse_command(const std::string& wrong, const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    const std::string near = nearest_name(wrong, names);
    const std::string of = app.get_parent() == nullptr ? "" : fmt::format(" of `{}`", path_of(app));
    throw Failure({fmt::format("unknown command '{}'{}", wrong, of),
                   near.empty() ? fmt::format("use one of {}", fmt::join(names, ", "))
                                : fmt::format("did you mean '{}'?", near)});
}

[[noreturn]] void refuse_option(const std::string& wrong, const CLI::App& command) {
    const std::string near = nearest_name(wrong, option_names(command));
    throw Failure({fmt::format("unknown option '{}' of `{}`", wrong, path_of(command)),
                   near.empty() ? see_help(command) : fmt::format("did you mean '{}'?", near)});
}

/// Refuses unknown names before CLI11 reads the line: it would take what follows a misspelt option
/// for the game, and complain of that. Returns the command that was chosen.
const CLI::App* check_names(const CLI::App& app, const Arguments& arguments) {
    const CLI::App* command = &app;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument == "--") break;
        if (is_option(argument)) {
            const std::string name = argument.substr(0, argument.find('='));
            const CLI::Option* option = command->get_option_no_throw(name);
            if (option == nullptr) refuse_option(name, *command);
            const bool takes_next = option->get_items_expected_max() > 0 && name == argument;
            if (takes_next) ++i;  // a value may look like anything
        } else if (!command->get_subcommands({}).empty()) {
            const auto all = command->get_subcommands(
                [&](const CLI::App* sub) { return sub->get_name() == argument; });
            if (all.empty()) refuse_command(argument, *command);
            command = all.front();
        }
    }
    return command;
}

/// What CLI11 complains of, in our words where its own would puzzle.
Error parse_error(const CLI::ParseError& e, const CLI::App& command) {
    if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr) {
        const Arguments extra = command.remaining();
        const std::string first = extra.empty() ? std::string() : extra.front();
        return {fmt::format("unexpected argument '{}' of `{}`", first, path_of(command)),
                see_help(command)};
    }
    if (dynamic_cast<const CLI::RequiredError*>(&e) != nullptr) {
        return {fmt::format("{}: {}", command.get_name(), e.what()), see_help(command)};
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&e) != nullptr) {
        const std::string text = e.what();
        return {text.substr(0, text.find(':')) + ": takes one value, given once",
                see_help(command)};
    }
    return {e.what(), see_help(command)};
}

int fail(const Error& error, int code, Session* session) {
    std::fflush(stdout);  // what is done comes before the complaint
    fmt::print(stderr, "{}\n", error_line(error));
    if (session != nullptr) session->log_error(error, code);
    return code;
}

/// Results that could not be written are no results.
int written(int code) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    throw Failure({"cannot write to stdout", "check the disk or the pipe"}, kBroken);
}

int run_job(const Program& program, Session& session) {
    const int code = program.job(session);
    if (session.log_trouble().empty()) return written(code);
    throw Failure({fmt::format("--log: {}", session.log_trouble()), "check the disk"}, kBroken);
}

void add_all(Program& program) {
    program.app->description("Karikomi: one selective-search engine for many games.");
    program.app->set_version_flag("--version", [] {
        return fmt::format("karikomi {} (commit {}, {})", kVersion, kCommit, kCompiler);
    });
    program.app->footer("Examples:\n  karikomi demo --quick\n" +
                        with_game("  karikomi analyze GAME --depth 12\n") +
                        "  karikomi analyze --help");
    for (const AddCommand add : command_list()) add(program);
}

/// A GUI wants a program and no arguments, so links by these names are the commands.
Arguments with_command_of_name(const std::string& program, Arguments arguments) {
    const std::string command = command_of_link(os::program_name(program));
    if (!command.empty()) arguments.insert(arguments.begin(), command);
    return arguments;
}

int run(const std::string& path, Arguments arguments, std::vector<GameModule> games) {
    Program program;
    const std::string name = os::program_name(path);
    std::optional<Session> session;
    try {
        require(register_games(std::move(games)));
        add_all(program);
        if (command_of_link(name).empty()) program.app->name(name);
        arguments = with_command_of_name(path, std::move(arguments));
        const CLI::App* command = check_names(*program.app, arguments);
        try {
            program.app->parse(Arguments(arguments.rbegin(), arguments.rend()));
        } catch (const CLI::CallForHelp&) {
            fmt::print("{}", program.app->help());
            return written(kDone);
        } catch (const CLI::CallForVersion& e) {
            fmt::print("{}\n", e.what());
            return written(kDone);
        } catch (const CLI::ParseError& e) {
            throw Failure(parse_error(e, *command));
        }
        if (!program.job) throw Failure({"no command given", see_help(*command)});
        session.emplace(command->get_name(), arguments, program.json, program.log_file,
                        program.evidence_file);
        return run_job(program, *session);
    } catch (const Failure& f) {
        return fail(f.error, f.code, session ? &*session : nullptr);
    } catch (const std::bad_alloc&) {
        return fail({"out of memory", "use a smaller --hash or fewer --threads"}, kBroken,
                    session ? &*session : nullptr);
    } catch (const std::exception& e) {
        return fail({fmt::format("internal error: {}", e.what()), "please report it"}, kBroken,
                    session ? &*session : nullptr);
    }
}

}  // namespace
}  // namespace karikomi::cli

namespace karikomi {

int run(int argc, char** argv, std::vector<GameModule> games) {
    const os::Standard standard;
    const std::string program = argc > 0 ? argv[0] : "karikomi";
    return cli::run(program, {argv + std::min(argc, 1), argv + argc}, std::move(games));
}

}  // namespace karikomi
