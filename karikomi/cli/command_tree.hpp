/// The command line as data: what manual pages and shell completion are made of.
#pragma once

#include <string>
#include <vector>

namespace karikomi::cli {

struct Program;

struct OptionText {
    std::vector<std::string> names;   ///< "-h", "--help"; of an argument: its name alone
    std::string group;                ///< heading in the help
    std::string type;                 ///< what the help calls its value; empty: it takes none
    std::string help;                 ///< with the default
    std::vector<std::string> values;  ///< all that it may be, where they are few and known
    bool is_argument = false;         ///< told by its place and not by a name
    bool is_required = false;
    bool is_list = false;
};

struct CommandText {
    std::vector<std::string> path;  ///< {"karikomi", "lab", "fit"}
    std::string summary;
    std::string footer;  ///< examples, and what the help says below them
    std::vector<OptionText> options;
    std::vector<CommandText> commands;
};

/// With everything that has been added so far.
CommandText command_tree(const Program& program);

}  // namespace karikomi::cli
