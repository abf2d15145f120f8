/// The command line's grammar: commands and their options. CLI11 does the work behind it, in
/// command_line.cpp, command_tree.cpp and program.cpp only: its header alone takes longer to
/// compile than most of the commands.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {  // NOLINT: the library's name
class App;
class Option;
}  // namespace CLI

namespace karikomi::cli {

class Session;
struct Program;

/// An option that has just been added, for what only some options have.
class Option {
public:
    explicit Option(CLI::Option* option) : option_(option) {}
    Option& type_name(const std::string& name);  ///< what the help calls its value
    Option& group(const std::string& title);     ///< heading in the help
    Option& required();
    Option& default_text(const std::string& text);     ///< that the help shows
    Option& environment(const std::string& variable);  ///< where the value may come from too
    Option& once_each();                               ///< of a list: one value each time
    Option& separated_by(char delimiter);              ///< of a list: several values in one

private:
    CLI::Option* option_;
};

/// A subcommand; a handle that may be copied.
class Command {
public:
    Command(Program& program, CLI::App& app) : program_(&program), app_(&app) {}

    /// What the program does when this command is chosen.
    void does(std::function<int(Session&)> job);
    /// --evidence FILE: its result is a figure that others may want to quote.
    void takes_evidence();
    void add_footer(const std::string& text);  ///< of the help, below the examples
    void has_commands();                       ///< of its own; one may be chosen
    void remove_option(const std::string& name);
    CLI::App& app() const { return *app_; }

private:
    Program* program_;
    CLI::App* app_;
};

/// The command line as a whole: the parser, and the job that it has chosen.
struct Program {
    std::unique_ptr<CLI::App> app;
    bool json = false;
    std::string log_file;
    std::string evidence_file;
    std::function<int(Session&)> job;

    Program();
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    /// A subcommand with the options that all have; `examples` are shown under its help, with a
    /// game's name for "GAME".
    Command add(const std::string& name, const std::string& description,
                const std::vector<std::string>& examples);
    /// The same, as a command of a command.
    Command add_to(const Command& parent, const std::string& name, const std::string& description,
                   const std::vector<std::string>& examples);

private:
    Command add_below(CLI::App& parent, const std::string& name, const std::string& description,
                      const std::vector<std::string>& examples);
};

/// An example with the name of a game of this program for "GAME".
std::string with_game(std::string example);

/// A whole number option. Its present value is shown as the default unless it is below the range,
/// which means "not set".
struct Range {
    std::int64_t min;
    std::int64_t max;
};
Option add_number(const Command& command, const std::string& name, std::int64_t& to, Range range,
                  const std::string& help);
Option add_text(const Command& command, const std::string& name, std::string& to,
                const std::string& type, const std::string& help);
/// A text that must say something: a file or a game. (An unset shell variable says nothing.)
Option add_name(const Command& command, const std::string& name, std::string& to,
                const std::string& type, const std::string& help);
/// Any number of texts.
Option add_list(const Command& command, const std::string& name, std::vector<std::string>& to,
                const std::string& type, const std::string& help);
Option add_switch(const Command& command, const std::string& name, bool& to,
                  const std::string& help);
/// Whose value, or whose being there, somebody else reads.
Option add_read(const Command& command, const std::string& name,
                const std::function<void(const std::string& text)>& read, const std::string& help);
Option add_seen(const Command& command, const std::string& name, const std::function<void()>& seen,
                const std::string& help);

}  // namespace karikomi::cli
