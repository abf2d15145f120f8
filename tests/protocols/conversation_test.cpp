// Plays the recorded conversations of tests/protocols/conversations against the real program and,
// where no signal is needed, against the protocol in this process. docs: conversations/README.md.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>
#include <signal.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/othello/book_file.hpp"
#include "karikomi/games/othello/protocols/gtp.hpp"
#include "karikomi/games/othello/protocols/nboard.hpp"
#include "karikomi/games/renju/gomocup/gomocup.hpp"
#include "karikomi/games/shogi/usi/usi.hpp"
#include "tests/protocols/partner.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::tests {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

const fs::path kFolder = fs::path(KARIKOMI_SOURCE_DIR) / "tests/protocols";
constexpr Milliseconds kPatience = 20s;  // with sanitizers on a busy machine

struct Step {
    int line = 0;
    std::string sign;  // ">", "<", "<*", "@eof", ...
    std::string text;
};

struct Script {
    std::string name;
    std::vector<std::string> arguments;  // the first is the command
    std::vector<Step> steps;
    bool needs_process = false;

    friend void PrintTo(const Script& script, std::ostream* out) { *out << script.name; }
};

std::string replaced(std::string text, const std::string& name, const std::string& value) {
    for (std::size_t at = 0; (at = text.find(name)) != std::string::npos;) {
        text.replace(at, name.size(), value);
    }
    return text;
}

std::string here(const std::string& text) {
    return replaced(text, "${here}", kFolder.string());
}

// \r, \t, \\ and \xHH are bytes.
std::string unescaped(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        if (c == 'x') {
            out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            out += c == 'r' ? '\r' : c == 't' ? '\t' : c;
        }
    }
    return out;
}

Script read_script(const fs::path& path) {
    Script script;
    script.name = path.stem().string();
    std::ifstream in(path);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.empty() || line[0] == '#') continue;
        const std::size_t blank = std::min(line.find(' '), line.size());
        Step step{number, line.substr(0, blank), line.substr(std::min(blank + 1, line.size()))};
        if (step.sign == "$") {
            std::istringstream words(step.text);
            for (std::string word; words >> word;) script.arguments.push_back(word);
        } else if (step.sign == "@process") {
            script.needs_process = true;
        } else {
            script.steps.push_back(step);
        }
    }
    return script;
}

enum class Where : bool { Process, Anywhere };

std::vector<Script> scripts_for(Where where) {
    std::vector<Script> scripts;
    for (const auto& entry : fs::directory_iterator(kFolder / "conversations")) {
        if (entry.path().extension() != ".txt") continue;
        Script script = read_script(entry.path());
        if (where == Where::Anywhere && script.needs_process) continue;
        scripts.push_back(std::move(script));
    }
    std::sort(scripts.begin(), scripts.end(),
              [](const Script& a, const Script& b) { return a.name < b.name; });
    return scripts;
}

// One conversation. Complaints name the line of the script.
class Play {
public:
    Play(const Script& script, Partner& partner) : script_(script), partner_(partner) {}

    void run() {
        for (const Step& step : script_.steps) {
            do_step(step);
            if (testing::Test::HasFatalFailure()) return;
        }
    }

private:
    std::string where(const Step& step) const {
        return script_.name + ".txt:" + std::to_string(step.line) + ": " + step.sign + " " +
               step.text;
    }

    void do_step(const Step& step) {
        const auto number = [&] { return Milliseconds(std::stoi(step.text)); };
        if (step.sign == ">") return partner_.say(to_send(step));
        if (step.sign == "<") return expect_next(step);
        if (step.sign == "<*") return expect_some(step);
        if (step.sign == "@within") return void(limit_ = number() * (test::kSanitized ? 10 : 1));
        if (step.sign == "@sleep") return std::this_thread::sleep_for(number());
        if (step.sign == "@silent") return expect_silence(step, number());
        if (step.sign == "@long") {
            return partner_.say(std::string(std::stoul(step.text), 'x'));
        }
        if (step.sign == "@raw") return partner_.send(to_send(step));
        if (step.sign == "@eof") return partner_.close_input();
        if (step.sign == "@term") return partner_.signal(SIGTERM);
        if (step.sign == "@kill") return partner_.signal(SIGKILL);
        ASSERT_EQ(step.sign, "@exit") << where(step) << ": unknown step";
        const auto code = partner_.wait(take_limit());
        ASSERT_TRUE(code) << where(step) << ": still running";
        EXPECT_EQ(*code, std::stoi(step.text)) << where(step);
    }

    std::string to_send(const Step& step) const {
        return unescaped(replaced(here(step.text), "${1}", group_));
    }
    bool matches(const std::string& line, const std::regex& wanted) {
        std::smatch match;
        if (!std::regex_match(line, match, wanted)) return false;
        if (match.size() > 1) group_ = match[1];
        return true;
    }
    Milliseconds take_limit() { return std::exchange(limit_, kPatience); }

    void expect_next(const Step& step) {
        const auto line = partner_.hear(take_limit());
        ASSERT_TRUE(line) << where(step) << ": heard nothing";
        ASSERT_TRUE(matches(*line, std::regex(step.text))) << where(step) << "\nheard: " << *line;
    }
    void expect_some(const Step& step) {
        const std::regex wanted(step.text);
        const auto end = std::chrono::steady_clock::now() + take_limit();
        std::string heard;
        for (;;) {
            const auto left = end - std::chrono::steady_clock::now();
            const auto line = partner_.hear(std::chrono::duration_cast<Milliseconds>(left));
            ASSERT_TRUE(line) << where(step) << ": never came; heard:\n" << heard;
            if (matches(*line, wanted)) return;
            if (heard.size() < 2000) heard += *line + "\n";
        }
    }
    void expect_silence(const Step& step, Milliseconds limit) {
        const auto line = partner_.hear(limit);
        ASSERT_FALSE(line) << where(step) << "\nheard: " << *line;
    }

    const Script& script_;
    Partner& partner_;
    Milliseconds limit_ = kPatience;
    std::string group_;  // the first of the last match
};

class ProgramConversation : public testing::TestWithParam<Script> {};
class Conversation : public testing::TestWithParam<Script> {};

// The program, or what the environment names instead: "wine64 karikomi.exe" (tests/windows).
std::vector<std::string> program() {
    const char* const other = std::getenv("KARIKOMI_PROGRAM");
    if (other == nullptr) return {KARIKOMI_BINARY};
    std::istringstream words(other);
    return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

bool asks_for_signals(const Script& script) {
    return std::any_of(script.steps.begin(), script.steps.end(), [](const Step& step) {
        return step.sign == "@term" || step.sign == "@kill";
    });
}

TEST_P(ProgramConversation, GoesAsRecorded) {
    std::vector<std::string> command = program();
    const bool is_ours = command.size() == 1;
    if (!is_ours && asks_for_signals(GetParam())) GTEST_SKIP() << "signals do not reach it";
    for (const std::string& word : GetParam().arguments) command.push_back(word);
    // What stands in the built-in book is no business of most conversations.
    const std::string& protocol = GetParam().arguments.front();
    const bool has_book = protocol != "usi" && protocol != "gomocup";
    if (has_book && std::find(command.begin(), command.end(), "--book") == command.end()) {
        command.emplace_back("--no-book");
    }
    for (std::string& word : command) word = here(word);
    const auto partner = start_process(command);
    Play(GetParam(), *partner).run();
}

TEST_P(Conversation, GoesAsRecorded) {
    const Script& script = GetParam();
    ASSERT_FALSE(script.arguments.empty()) << "the script names no command";
    protocols::OthelloSettings settings;
    for (std::size_t i = 1; i < script.arguments.size(); ++i) {
        if (script.arguments[i] == "--ponder") settings.ponder = true;
        if (script.arguments[i] == "--level") settings.level = std::stoi(script.arguments.at(++i));
        if (script.arguments[i] == "--book") {
            const auto book = othello::load_book(here(script.arguments.at(++i)));
            ASSERT_TRUE(book) << book.error().what;
            settings.book = std::make_shared<const othello::Book>(*book);
        }
    }
    const auto partner = start_thread([&](int input, std::FILE* output) {
        if (script.arguments.front() == "usi") {
            const auto engine = std::move(*make_engine("shogi"));
            protocols::run_usi(*engine, {}, {}, {input, output});
            return 0;
        }
        if (script.arguments.front() == "gomocup") {
            const auto engine = std::move(*make_engine("renju"));
            protocols::GomocupSettings gomocup;
            gomocup.level = settings.level;
            protocols::run_gomocup(*engine, gomocup, {input, output});
            return 0;
        }
        const auto engine = std::move(*make_engine("othello"));
        const bool nboard = script.arguments.front() == "nboard";
        (nboard ? protocols::run_nboard : protocols::run_gtp)(*engine, settings, {input, output});
        return 0;
    });
    Play(script, *partner).run();
}

const auto name_of_script = [](const auto& script) { return script.param.name; };
INSTANTIATE_TEST_SUITE_P(Recorded, ProgramConversation,
                         testing::ValuesIn(scripts_for(Where::Process)), name_of_script);
INSTANTIATE_TEST_SUITE_P(Recorded, Conversation, testing::ValuesIn(scripts_for(Where::Anywhere)),
                         name_of_script);

}  // namespace
}  // namespace karikomi::tests
