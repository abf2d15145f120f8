// Manual pages and shell completion know every command and every option that the help knows.
#include <algorithm>
#include <regex>

#include "tests/cli/call.hpp"

namespace karikomi::tests {
namespace {

using testing::HasSubstr;

// What stands at the start of the lines below a heading of the help.
Words words_below(const std::string& help, const std::string& heading) {
    Words words;
    bool inside = false;
    for (const std::string& line : lines_of(help)) {
        if (line == heading) {
            inside = true;
        } else if (line.empty()) {
            inside = false;
        } else if (inside && line.starts_with("  ") && line[2] != ' ') {
            words.push_back(line.substr(2, line.find(' ', 2) - 2));
        }
    }
    return words;
}

struct Known {
    std::string path;  // "lab fit"; empty: the program
    std::string help;
    Words options;
};

// From the help alone, so that nothing of what is tested is believed.
std::vector<Known> all_commands(const std::string& path = "") {
    Known here{path, text_of(path + " --help"), {}};
    const std::regex option("(^|\\n)  (-[^ \\n]+)");
    for (std::sregex_iterator i(here.help.begin(), here.help.end(), option), end; i != end; ++i) {
        const std::string names = (*i)[2];
        std::istringstream in(names);
        for (std::string name; std::getline(in, name, ',');) here.options.push_back(name);
    }
    std::vector<Known> all = {here};
    for (const std::string& name : words_below(here.help, "Commands:")) {
        for (Known& k : all_commands(path.empty() ? name : path + " " + name)) all.push_back(k);
    }
    return all;
}

const std::vector<Known>& commands() {
    static const std::vector<Known> all = all_commands();
    return all;
}

TEST(Manual, HasAPageOfEveryCommandWithEveryOption) {
    ASSERT_GT(commands().size(), 30U);
    const TemporaryFolder folder;
    text_of("man --out " + folder.file("man1"));
    for (const Known& command : commands()) {
        std::string name = "karikomi" + (command.path.empty() ? "" : "-" + command.path);
        std::replace(name.begin(), name.end(), ' ', '-');
        const std::string page = read_file(folder.file("man1/" + name + ".1"));
        EXPECT_THAT(page, HasSubstr(".SH NAME\n")) << name;
        EXPECT_THAT(page, HasSubstr(".SH EXAMPLES\n")) << name;
        for (const std::string& option : command.options) {
            const std::string shown = std::regex_replace(option, std::regex("-"), "\\-");
            EXPECT_THAT(page, HasSubstr("\\fB" + shown + "\\fR")) << name;
        }
    }
    for (const char* link : {"karikomi-shogi", "karikomi-othello", "pbrain-karikomi"}) {
        EXPECT_THAT(read_file(folder.file(std::string("man1/") + link + ".1")),
                    testing::StartsWith(".so man1/karikomi-"));
    }
}

TEST(Manual, HidesWhatRoffWouldRead) {
    const std::string page = text_of("man usi");
    EXPECT_THAT(page, HasSubstr("printf \\(aqusi\\enisready"));
    EXPECT_THAT(page, testing::Not(HasSubstr("\n'")));
}

TEST(Manual, RefusesWhatIsNoCommand) {
    EXPECT_THAT(refusal({"man", "lab", "fti"}), HasSubstr("there is no command 'lab fti'"));
    EXPECT_THAT(refusal({"completion", "tcsh"}), HasSubstr("use bash, zsh or fish"));
}

class Completion : public testing::TestWithParam<const char*> {};

// How a shell's script writes a command and an option.
std::string written(const std::string& shell, const std::string& option) {
    if (shell != "fish") return option;
    return option.starts_with("--") ? "-l " + option.substr(2) : "-s " + option.substr(1);
}
std::string written_command(const std::string& shell, std::string path) {
    if (shell == "zsh") std::replace(path.begin(), path.end(), ' ', '_');
    return path;
}

TEST_P(Completion, KnowsEveryCommandAndOption) {
    const std::string shell = GetParam();
    const std::string script = text_of("completion " + shell);
    const auto knows = [&](const std::string& text) {
        return script.find(text) != std::string::npos;
    };
    for (const Known& command : commands()) {
        EXPECT_TRUE(knows(written_command(shell, command.path))) << command.path;
        for (const std::string& option : command.options) {
            EXPECT_TRUE(knows(written(shell, option))) << command.path << " " << option;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Shells, Completion, testing::Values("bash", "zsh", "fish"),
                         [](const auto& shell) { return std::string(shell.param); });

// bash is there wherever the tests run; zsh and fish are asked by tests/packages.
std::string completed(const Words& words) {
    std::string line =
        "source <(" + std::string(KARIKOMI_BINARY) + " completion bash); COMP_WORDS=(";
    for (const std::string& word : words) line += "'" + word + "' ";
    line += "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _karikomi; echo \"${COMPREPLY[*]}\"";
    const Output o = run({"/bin/bash", "-c", line});
    EXPECT_EQ(o.exit_code, 0) << o.err;
    return o.out;
}

TEST(CompletionOfBash, OffersWhatFits) {
    EXPECT_EQ(completed({"karikomi", "anal"}), "analyze\n");
    EXPECT_EQ(completed({"karikomi", "lab", "fu"}), "futility\n");
    EXPECT_EQ(completed({"karikomi", "analyze", "oth"}), "othello\n");
    EXPECT_EQ(completed({"karikomi", "lab", "fit", "--sig"}), "--sigma\n");
    EXPECT_EQ(completed({"karikomi", "review", "--language", ""}), "en ja\n");
    EXPECT_EQ(completed({"karikomi", "review", "--language", "ja", "--num"}), "--number\n");
    EXPECT_EQ(completed({"karikomi", "review", "--log", "/etc/host"}).find("/etc/host"), 0U);
}

}  // namespace
}  // namespace karikomi::tests
