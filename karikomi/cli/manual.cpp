/// karikomi man: manual pages (roff), made of the help of every command.
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/files.hpp"
#include "karikomi/base/text.hpp"
#include "karikomi/cli/command_tree.hpp"
#include "karikomi/cli/commands.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

namespace fs = std::filesystem;

struct ManOptions {
    std::vector<std::string> command;
    std::string out;
};

/// Text in which roff sees nothing of its own.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else if (c == '\'') {
            out += "\\(aq";
        } else {
            out += c;
        }
    }
    if (!out.empty() && out.front() == '.') out.insert(0, "\\&");
    return out;
}

std::string page_name(const CommandText& command) {
    return fmt::format("{}", fmt::join(command.path, "-"));
}

/// The day of the release, where the build says it; none otherwise: pages are the same every day.
std::string day_of_release() {
    const char* const seconds = std::getenv("SOURCE_DATE_EPOCH");
    const auto number = seconds == nullptr ? std::nullopt : parse_whole<std::time_t>(seconds);
    if (!number) return {};
    const std::time_t time = *number;
    char day[11] = "";
    std::strftime(day, sizeof day, "%Y-%m-%d", std::gmtime(&time));
    return day;
}

std::string synopsis(const CommandText& command) {
    std::string text =
        fmt::format(".B {}\n", roff(fmt::format("{}", fmt::join(command.path, " "))));
    text += "[\\fIOPTIONS\\fR]\n";
    for (const OptionText& o : command.options) {
        if (!o.is_argument) continue;
        const std::string name =
            fmt::format("\\fI{}\\fR{}", roff(o.names.front()), o.is_list ? " ..." : "");
        text += o.is_required ? name + "\n" : fmt::format("[{}]\n", name);
    }
    if (!command.commands.empty()) text += "[\\fICOMMAND\\fR]\n";
    return text;
}

std::string entry(const OptionText& o) {
    std::vector<std::string> names;
    for (const std::string& name : o.names) {
        names.push_back(fmt::format("\\f{}{}\\fR", o.is_argument ? 'I' : 'B', roff(name)));
    }
    std::string head = fmt::format("{}", fmt::join(names, ", "));
    if (!o.is_argument && !o.type.empty()) head += fmt::format(" \\fI{}\\fR", roff(o.type));
    return fmt::format(".TP\n{}\n{}\n", head, roff(o.help));
}

std::string options_of(const CommandText& command) {
    std::vector<std::string> headings;
    for (const OptionText& o : command.options) {
        if (std::find(headings.begin(), headings.end(), o.group) == headings.end()) {
            headings.push_back(o.group);
        }
    }
    std::string text;
    for (const std::string& heading : headings) {
        std::string arguments;
        std::string options;
        for (const OptionText& o : command.options) {
            if (o.group == heading) (o.is_argument ? arguments : options) += entry(o);
        }
        if (!arguments.empty()) text += ".SH ARGUMENTS\n" + arguments;
        if (!options.empty()) text += ".SH " + roff(upper_case(heading)) + "\n" + options;
    }
    return text;
}

/// "Example:" and what is indented below it become a section with lines as they stand.
std::string notes_of(const CommandText& command) {
    std::string text;
    bool as_it_stands = false;
    const auto end_lines = [&] {
        if (as_it_stands) text += ".fi\n";
        as_it_stands = false;
    };
    for (const std::string_view line : split(command.footer, '\n')) {
        const bool is_indented = line.starts_with("  ");
        if (line.starts_with("Example")) {
            end_lines();
            text += ".SH EXAMPLES\n";
        } else if (is_indented) {
            if (!as_it_stands) text += ".nf\n";
            as_it_stands = true;
            text += roff(line.substr(2)) + "\n";
        } else if (line.empty()) {
            end_lines();
        } else {
            end_lines();
            text += ".PP\n" + roff(line) + "\n";
        }
    }
    end_lines();
    return text;
}

std::string see_also(const CommandText& command) {
    std::vector<std::string> pages;
    if (command.path.size() > 1) {
        const std::vector<std::string> above(command.path.begin(), command.path.end() - 1);
        pages.push_back(fmt::format("{}", fmt::join(above, "-")));
    }
    for (const CommandText& below : command.commands) pages.push_back(page_name(below));
    std::vector<std::string> names;
    for (const std::string& page : pages) names.push_back(fmt::format("\\fB{}\\fR(1)", roff(page)));
    return names.empty() ? "" : fmt::format(".SH SEE ALSO\n{}\n", fmt::join(names, ",\n"));
}

std::string page_of(const CommandText& command) {
    std::string text = fmt::format(
        ".TH {} 1 \"{}\" \"karikomi {}\" \"Karikomi\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}",
        roff(upper_case(page_name(command))), day_of_release(), kVersion, roff(page_name(command)),
        roff(command.summary), synopsis(command));
    text += options_of(command);
    if (!command.commands.empty()) {
        text += ".SH COMMANDS\n";
        for (const CommandText& below : command.commands) {
            text +=
                fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(below.path.back()), roff(below.summary));
        }
    }
    text += notes_of(command);
    text +=
        ".SH EXIT STATUS\n.TP\n0\nDone.\n.TP\n1\nIt ran, and the answer is no, or not the whole "
        "answer.\n.TP\n2\nWrong usage or bad input.\n.TP\n3\nSomething broke: the disk, the "
        "memory, the network.\n";
    return text + see_also(command);
}

void write_page(const fs::path& folder, const std::string& name, const std::string& text,
                Json& written) {
    const fs::path file = folder / (name + ".1");
    if (!write_file(file, text)) {
        throw Failure({fmt::format("'{}' cannot be written", file.string()), "check the folder"},
                      kBroken);
    }
    written.push_back(file.string());
}

void write_pages(const fs::path& folder, const CommandText& command, Json& written) {
    write_page(folder, page_name(command), page_of(command), written);
    for (const CommandText& below : command.commands) write_pages(folder, below, written);
}

/// The names by which GUIs start the program lead to the pages of what they stand for.
void write_link_pages(const fs::path& folder, Json& written) {
    for (const GameModule* m : games()) {
        for (const ProtocolFacet& facet : m->protocols) {
            for (const std::string& link : facet.links) {
                write_page(folder, link, fmt::format(".so man1/karikomi-{}.1\n", facet.name),
                           written);
            }
        }
    }
}

const CommandText& chosen(const CommandText& all, const std::vector<std::string>& names) {
    const CommandText* at = &all;
    for (const std::string& name : names) {
        const auto below =
            std::find_if(at->commands.begin(), at->commands.end(),
                         [&](const CommandText& c) { return c.path.back() == name; });
        if (below == at->commands.end()) {
            throw Failure({fmt::format("there is no command '{}'", fmt::join(names, " ")),
                           "see `karikomi --help`"});
        }
        at = &*below;
    }
    return *at;
}

int run(const ManOptions& o, const CommandText& all, Session& session) {
    session.begin(nullptr);
    if (o.out.empty()) {
        const std::string page = page_of(chosen(all, o.command));
        if (!session.json()) fmt::print("{}", page);
        session.finish({{"page", page}});
        return kDone;
    }
    std::error_code failed;
    fs::create_directories(o.out, failed);
    Json written = Json::array();
    write_pages(o.out, chosen(all, o.command), written);
    if (o.command.empty()) write_link_pages(o.out, written);
    if (!session.json()) fmt::print("{} pages in {}\n", written.size(), o.out);
    session.finish({{"files", written}});
    return kDone;
}

}  // namespace

void add_man(Program& program) {
    Command command = program.add("man", "Write the manual page of a command, or of all of them",
                                  {"karikomi man analyze", "karikomi man --out /tmp/man/man1"});
    const auto o = std::make_shared<ManOptions>();
    add_list(command, "COMMAND", o->command, "", "Whose page (default: the program's)");
    add_name(command, "--out", o->out, "FOLDER", "Write all pages there, one a command");
    command.does(
        [o, &program](Session& session) { return run(*o, command_tree(program), session); });
}

}  // namespace karikomi::cli
