/// karikomi completion: scripts by which shells complete commands, options and values, made of the
/// command line itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/command_tree.hpp"
#include "karikomi/cli/commands.hpp"
#include "karikomi/engine/json.hpp"

namespace karikomi::cli {
namespace {

/// What a shell offers for a value.
enum class Offer { Nothing, Values, Files, Folders };

Offer offer_of(const OptionText& o) {
    if (!o.values.empty()) return Offer::Values;
    if (o.type == "FOLDER" || o.type == "DIR") return Offer::Folders;
    return o.type == "FILE" ? Offer::Files : Offer::Nothing;
}

void collect(const CommandText& command, std::vector<const CommandText*>& all) {
    all.push_back(&command);
    for (const CommandText& below : command.commands) collect(below, all);
}

std::vector<const CommandText*> all_of(const CommandText& command) {
    std::vector<const CommandText*> all;
    collect(command, all);
    return all;
}

/// Below the program's own name: "lab fit".
std::string words_of(const CommandText& command) {
    return fmt::format("{}", fmt::join(command.path.begin() + 1, command.path.end(), " "));
}

std::vector<std::string> names_of(const std::vector<CommandText>& commands) {
    std::vector<std::string> names;
    for (const CommandText& c : commands) names.push_back(c.path.back());
    return names;
}

/// In single quotes, for bash and zsh.
std::string in_quotes(std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

// ---- bash ---------------------------------------------------------------------------------------

std::string bash_offer(const OptionText& o) {
    switch (offer_of(o)) {
        case Offer::Values:
            return fmt::format("words {}", fmt::join(o.values, " "));
        case Offer::Files:
            return "files";
        case Offer::Folders:
            return "folders";
        case Offer::Nothing:
            break;
    }
    return "nothing";
}

std::string bash_case(const CommandText& c) {
    std::vector<std::string> options;
    std::string values;
    std::string arguments;
    for (const OptionText& o : c.options) {
        if (o.is_argument) {
            arguments = bash_offer(o);
            continue;
        }
        options.insert(options.end(), o.names.begin(), o.names.end());
        if (!o.type.empty()) {
            values += fmt::format("                {}) offer={} ;;\n", fmt::join(o.names, " | "),
                                  in_quotes(bash_offer(o)));
        }
    }
    if (!c.commands.empty()) {
        arguments = fmt::format("words {}", fmt::join(names_of(c.commands), " "));
    }
    if (arguments.empty()) arguments = "nothing";
    return fmt::format(
        "        {})\n            options={}\n            offer={}\n            case $before in\n"
        "{}            esac\n            ;;\n",
        in_quotes(words_of(c)), in_quotes(fmt::format("{}", fmt::join(options, " "))),
        in_quotes(arguments), values);
}

std::string bash_script(const CommandText& tree) {
    std::vector<std::string> paths;
    std::string cases;
    for (const CommandText* c : all_of(tree)) {
        if (c->path.size() > 1) paths.push_back(in_quotes(words_of(*c)));
        cases += bash_case(*c);
    }
    return fmt::format(R"sh(# bash completion of karikomi; made by `karikomi completion bash`.
_karikomi() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
    local path='' at next options='' offer=''
    COMPREPLY=()
    for ((at = 1; at < COMP_CWORD; ++at)); do
        next="${{path:+$path }}${{COMP_WORDS[at]}}"
        case $next in
            {}) path=$next ;;
        esac
    done
    case $path in
{}    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
    fi
    case $offer in
        words\ *) mapfile -t COMPREPLY < <(compgen -W "${{offer#words }}" -- "$word") ;;
        files)
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            compopt -o filenames 2>/dev/null
            ;;
        folders)
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            compopt -o filenames 2>/dev/null
            ;;
    esac
}}
complete -F _karikomi karikomi
)sh",
                       fmt::join(paths, " | "), cases);
}

// ---- zsh ----------------------------------------------------------------------------------------

/// In the texts of _arguments and _describe a colon and brackets mean something.
std::string zsh_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string zsh_offer(const OptionText& o) {
    const std::string type = zsh_text(o.type);
    switch (offer_of(o)) {
        case Offer::Values:
            return fmt::format(":{}:({})", type, fmt::join(o.values, " "));
        case Offer::Files:
            return fmt::format(":{}:_files", type);
        case Offer::Folders:
            return fmt::format(":{}:_files -/", type);
        case Offer::Nothing:
            break;
    }
    return fmt::format(":{}: ", type);
}

std::string zsh_function_name(const CommandText& c) {
    return fmt::format("_{}", fmt::join(c.path, "_"));
}

std::string zsh_function(const CommandText& c) {
    std::string text =
        fmt::format("{}() {{\n    local line state\n    _arguments -C", zsh_function_name(c));
    for (const OptionText& o : c.options) {
        if (o.is_argument) {
            text +=
                fmt::format(" \\\n        {}", in_quotes((o.is_list ? "*" : "") + zsh_offer(o)));
            continue;
        }
        for (const std::string& name : o.names) {
            const std::string value = o.type.empty() ? "" : zsh_offer(o);
            text += fmt::format(" \\\n        {}",
                                in_quotes(fmt::format("*{}[{}]{}", name, zsh_text(o.help), value)));
        }
    }
    if (c.commands.empty()) return text + "\n}\n";
    text +=
        " \\\n        '1: :->command' \\\n        '*:: :->rest'\n    case $state in\n"
        "        command)\n            local -a commands=(";
    for (const CommandText& below : c.commands) {
        text += fmt::format("\n                {}",
                            in_quotes(below.path.back() + ":" + zsh_text(below.summary)));
    }
    text +=
        "\n            )\n            _describe command commands\n            ;;\n"
        "        rest)\n            case $line[1] in\n";
    for (const CommandText& below : c.commands) {
        text +=
            fmt::format("                {}) {} ;;\n", below.path.back(), zsh_function_name(below));
    }
    return text + "            esac\n            ;;\n    esac\n}\n";
}

std::string zsh_script(const CommandText& tree) {
    std::string text =
        "#compdef karikomi\n# zsh completion of karikomi; made by `karikomi completion zsh`.\n";
    for (const CommandText* c : all_of(tree)) text += zsh_function(*c);
    return text + "_karikomi \"$@\"\n";
}

// ---- fish ---------------------------------------------------------------------------------------

std::string fish_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

std::string fish_offer(const OptionText& o) {
    switch (offer_of(o)) {
        case Offer::Values:
            return fmt::format(" -x -a {}",
                               fish_quoted(fmt::format("{}", fmt::join(o.values, " "))));
        case Offer::Files:
            return " -r -F";
        case Offer::Folders:
            return " -x -a '(__fish_complete_directories)'";
        case Offer::Nothing:
            break;
    }
    return " -x";
}

std::string fish_lines(const CommandText& c) {
    const std::string when =
        fmt::format("complete -c karikomi -n {}",
                    fish_quoted(fmt::format("__karikomi_at {}",
                                            fmt::join(c.path.begin() + 1, c.path.end(), " "))));
    std::string text;
    for (const CommandText& below : c.commands) {
        text +=
            fmt::format("{} -f -a {} -d {}\n", when, below.path.back(), fish_quoted(below.summary));
    }
    for (const OptionText& o : c.options) {
        text += when;
        if (!o.is_argument) {
            for (const std::string& name : o.names) {
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            }
            text += fmt::format(" -d {}", fish_quoted(o.help));
        }
        text += (o.type.empty() ? "" : fish_offer(o)) + "\n";
    }
    return text;
}

std::string fish_script(const CommandText& tree) {
    std::vector<std::string> paths;
    std::string lines;
    for (const CommandText* c : all_of(tree)) {
        if (c->path.size() > 1) paths.push_back(fish_quoted(words_of(*c)));
        lines += fish_lines(*c);
    }
    return fmt::format(R"sh(# fish completion of karikomi; made by `karikomi completion fish`.
set -g __karikomi_commands {}
# Whether the words before the cursor choose this command, and none below it.
function __karikomi_at
    set -l path ''
    set -l wanted ''
    for word in $argv
        set wanted "$wanted $word"
    end
    for word in (commandline -opc)[2..-1]
        if contains -- "$path $word" " "$__karikomi_commands
            set path "$path $word"
        end
    end
    test "$path" = "$wanted"
end
complete -c karikomi -f
{})sh",
                       fmt::join(paths, " "), lines);
}

// ---- The command --------------------------------------------------------------------------------

int run(const std::string& shell, const CommandText& tree, Session& session) {
    session.begin(nullptr);
    std::string script;
    if (shell == "bash") script = bash_script(tree);
    if (shell == "zsh") script = zsh_script(tree);
    if (shell == "fish") script = fish_script(tree);
    if (script.empty()) {
        throw Failure(
            {fmt::format("'{}' is no shell that is known here", shell), "use bash, zsh or fish"});
    }
    if (!session.json()) fmt::print("{}", script);
    session.finish({{"shell", shell}, {"script", script}});
    return kDone;
}

}  // namespace

void add_completion(Program& program) {
    Command command = program.add(
        "completion", "Print the script by which a shell completes commands and options",
        {"karikomi completion bash"});
    command.add_footer(
        "\n\nWhere a shell looks for it:\n"
        "  bash  ~/.local/share/bash-completion/completions/karikomi\n"
        "  zsh   a folder of $fpath, as _karikomi\n"
        "  fish  ~/.config/fish/completions/karikomi.fish\n"
        "The Debian package brings all three.");
    const auto shell = std::make_shared<std::string>();
    add_text(command, "SHELL", *shell, "bash|zsh|fish", "Which shell").required();
    command.does([shell, &program](Session& session) {
        return run(*shell, command_tree(program), session);
    });
}

}  // namespace karikomi::cli
