#include "tests/tree_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "karikomi/games/shipped.hpp"

namespace karikomi::tests {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxColumns = 100;
constexpr int kMaxFunctionLines = 80;
constexpr int kMaxNodeLines = 249;       // the node function, by rule "under 250"
constexpr int kMaxTechniqueLines = 199;  // a technique's header, by rule "under 200"
constexpr std::array<std::string_view, 2> kMainPaths = {"karikomi/cli/main.cpp",
                                                        "karikomi/browser/program.cpp"};
constexpr std::string_view kListOfGames = "karikomi/games/shipped.hpp";
constexpr std::string_view kPageOfGames = "web/src/games/";
constexpr std::string_view kTechniqueFolder = "karikomi/core/selective/";

std::string complaint(const Source& source, int line, const std::string& what) {
    return source.path + ":" + std::to_string(line) + ": " + what;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// ---- Lines and headers --------------------------------------------------------------------------

// Characters, not bytes: comments may hold Japanese names and arrows.
int columns_of(const std::string& line) {
    const auto starts_character = [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    };
    return static_cast<int>(std::count_if(line.begin(), line.end(), starts_character));
}

}  // namespace

Complaints check_line_width(const Source& source) {
    Complaints complaints;
    int number = 0;
    for (const std::string& line : lines_of(source.text)) {
        ++number;
        if (const int columns = columns_of(line); columns > kMaxColumns) {
            complaints.push_back(complaint(source, number, std::to_string(columns) + " columns"));
        }
    }
    return complaints;
}

namespace {}  // namespace

Complaints check_technique_size(const Source& source) {
    if (!source.path.starts_with(kTechniqueFolder) || !source.path.ends_with(".hpp")) return {};
    const int lines = static_cast<int>(lines_of(source.text).size());
    if (lines <= kMaxTechniqueLines) return {};
    return {
        complaint(source, lines, "a technique's header of " + std::to_string(lines) + " lines")};
}

namespace {

// ---- Layers -------------------------------------------------------------------------------------

// Which layers a layer may include: cli -> server -> lab -> engine -> core, with games ->
// protocols -> engine beside them. Nobody sees a game but the program's main, which takes the list.
// "generated" is karikomi/version.hpp and karikomi/params, which core must not see. Tests and
// benchmarks see all, and nobody sees them.
const std::map<std::string, std::vector<std::string>>& layers() {
    static const std::map<std::string, std::vector<std::string>> kLayers = {
        {"base", {"base"}},
        {"core", {"core", "base"}},
        {"engine", {"engine", "core", "base", "generated"}},
        {"conformance", {"conformance", "engine", "core", "base"}},
        {"program", {"engine", "core", "base"}},
        // Games of others see what the package offers, and nobody but the list of games sees them.
        {"examples", {"examples", "program", "conformance", "engine", "core", "base", "generated"}},
        {"protocols", {"protocols", "engine", "core", "base", "generated"}},
        {"games", {"games", "examples", "protocols", "engine", "core", "base", "generated"}},
        {"lab", {"lab", "engine", "core", "base", "generated"}},
        // What the page asks for; the server and the engine in the browser both bring it.
        {"services", {"services", "engine", "core", "base"}},
        {"server", {"server", "services", "lab", "engine", "core", "base", "generated"}},
        {"browser", {"browser", "services", "engine", "core", "base", "generated"}},
        {"cli", {"cli", "program", "server", "lab", "engine", "core", "base", "generated"}},
    };
    return kLayers;
}

// The layer a path lies in; empty when it is none of ours, such as a header of a library.
std::string layer_of(const std::string& path) {
    if (path == "karikomi/version.hpp" || path.starts_with("karikomi/params/") ||
        path.starts_with("karikomi/templates/")) {
        return "generated";
    }
    if (path == "karikomi/program.hpp") return "program";
    if (path.starts_with("examples/")) return "examples";
    if (path.starts_with("tests/") || path.starts_with("bench/")) return "tests";
    static const std::regex kFolder("karikomi/([^/]+)/.*");
    std::smatch match;
    return std::regex_match(path, match, kFolder) ? match[1].str() : std::string();
}

// Includes are written from the root of the repository, but a path beside the file works as well.
std::string resolve_include(const Source& source, const std::string& included) {
    if (!layer_of(included).empty()) return included;
    return (fs::path(source.path).parent_path() / included).lexically_normal().generic_string();
}

}  // namespace

Complaints check_layering(const Source& source) {
    const std::string layer = layer_of(source.path);
    if (layer == "tests") return {};
    const auto found = layers().find(layer);
    if (found == layers().end()) {
        return {complaint(source, 1, "lies in no known layer; add its folder to layers()")};
    }

    static const std::regex kInclude(R"(\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
    Complaints complaints;
    int number = 0;
    for (const std::string& line : lines_of(source.text)) {
        ++number;
        std::smatch match;
        if (!std::regex_match(line, match, kInclude)) continue;
        const bool quoted = match[1] == "\"";
        const std::string target =
            layer_of(quoted ? resolve_include(source, match[2]) : match[2].str());
        if (target.empty()) continue;
        const bool is_main =
            std::find(kMainPaths.begin(), kMainPaths.end(), source.path) != kMainPaths.end();
        if (is_main && match[2].str() == kListOfGames) continue;
        const auto& allowed = found->second;
        if (std::find(allowed.begin(), allowed.end(), target) == allowed.end()) {
            complaints.push_back(
                complaint(source, number, layer + " must not include " + match[2].str()));
        }
    }
    return complaints;
}

namespace {

// ---- Names of games -----------------------------------------------------------------------------

// The text without its comments: what is said there may tell where an idea comes from.
std::string without_comments(const std::string& text) {
    std::string out;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quote == 0 && text.compare(i, 2, "//") == 0) {
            i = std::min(text.find('\n', i), text.size());
        } else if (quote == 0 && text.compare(i, 2, "/*") == 0) {
            const std::size_t end = std::min(text.find("*/", i + 2), text.size());
            for (; i < end; ++i) {
                if (text[i] == '\n') out += '\n';
            }
            i = end + 1;
            continue;
        } else if (quote != 0 && text[i] == '\\') {
            out += text[i++];
        } else if (quote != 0 && text[i] == quote) {
            quote = 0;
        } else if (quote == 0 && text[i] == '"') {
            const bool is_character = i > 0 && text[i - 1] == '\'';  // '"'
            if (!is_character) quote = '"';
        }
        if (i < text.size()) out += text[i];
    }
    return out;
}

// Every word by which a game of the program is known: its name, its title, the name of its rule.
const std::vector<std::string>& game_words() {
    static const std::vector<std::string> kWords = [] {
        std::set<std::string> words = {"reversi"};
        for (const karikomi::GameModule& m : karikomi::shipped_games()) {
            for (std::string word : {m.name, m.title, m.family, m.rule}) {
                for (char& c : word) {
                    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
                }
                // "standard" is a word of its own, and no game's.
                if (!word.empty() && word != "standard") words.insert(word);
            }
        }
        return std::vector<std::string>(words.begin(), words.end());
    }();
    return kWords;
}

}  // namespace

// Nobody knows a game by its name but the game itself, the examples, the list of games and what
// draws it on the page.
Complaints check_game_names(const Source& source) {
    const std::string layer = layer_of(source.path);
    if (layer == "games" || layer == "examples" || layer == "tests") return {};
    if (source.path.starts_with(kPageOfGames)) return {};
    Complaints complaints;
    int number = 0;
    for (std::string line : lines_of(without_comments(source.text))) {
        ++number;
        for (char& c : line) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        for (const std::string& word : game_words()) {
            if (line.find(word) == std::string::npos) continue;
            complaints.push_back(complaint(source, number, "names the game '" + word + "'"));
            break;
        }
    }
    return complaints;
}

namespace {

// What a process has once: its signals, the list of games, the program inside a page with what the
// page hands over, and files that engines share while one of them lives (const, by file).
bool may_have_globals(const std::string& path, const std::string& line) {
    for (const char* place : {"karikomi/base/signals_", "karikomi/browser/",
                              "karikomi/engine/registry.cpp", "karikomi/engine/handed_file.hpp"}) {
        if (path.starts_with(place)) return true;
    }
    return line.find("static SharedFiles<") != std::string::npos ||
           line.find("thread_local") != std::string::npos;  // room to work in
}

}  // namespace

Complaints check_globals(const Source& source) {
    if (layer_of(source.path) == "tests") return {};
    // Outside of everything, where nothing is indented; or static inside.
    static const std::regex kOutside(
        R"([A-Za-z_][\w:<>,* &]* \**\w+(\[[^\]]*\])?( = [^()]*|\{[^}]*\})?;)");
    static const std::regex kInside(R"( +(static|thread_local) [^()]*;)");
    static const std::regex kOther(
        R"( *(using|extern|return|friend|typedef|struct|class|enum|namespace|template)\b.*)");
    static const std::regex kConstant(R"(\b(const|constexpr|constinit const|concept)\b)");
    Complaints complaints;
    int number = 0;
    for (const std::string& line : lines_of(without_comments(source.text))) {
        ++number;
        if (!std::regex_match(line, kOutside) && !std::regex_match(line, kInside)) continue;
        if (std::regex_match(line, kOther) || std::regex_search(line, kConstant)) continue;
        if (may_have_globals(source.path, line)) continue;
        complaints.push_back(complaint(source, number, "a variable of the whole process"));
    }
    return complaints;
}

// A folder in a folder may be named in its parent's row by its last part alone.
Complaints check_architecture_page(const std::string& page, const std::vector<std::string>& folders,
                                   const std::function<bool(const std::string&)>& exists) {
    static const std::regex kQuoted("`([^`]+)`");
    std::set<std::string> rows;
    std::set<std::string> words;
    bool inside = false;
    for (const std::string& line : lines_of(page)) {
        if (line.starts_with("## ")) inside = line == "## The tree";
        if (!inside || !line.starts_with("| `")) continue;
        const std::string first = line.substr(0, line.find(" | "));
        for (std::sregex_iterator at(first.begin(), first.end(), kQuoted), end; at != end; ++at) {
            rows.insert((*at)[1]);
        }
        for (std::sregex_iterator at(line.begin(), line.end(), kQuoted), end; at != end; ++at) {
            words.insert((*at)[1]);
        }
    }
    Complaints complaints;
    for (const std::string& row : rows) {
        if (!exists(row)) complaints.push_back("the page names " + row + ", which does not exist");
    }
    for (const std::string& folder : folders) {
        const bool is_inner = std::count(folder.begin(), folder.end(), '/') > 1;
        const std::string last = folder.substr(folder.rfind('/') + 1);
        if (rows.contains(folder) || (is_inner && words.contains(last))) continue;
        complaints.push_back("the page does not name " + folder);
    }
    return complaints;
}

namespace {

// ---- Functions ----------------------------------------------------------------------------------

// Blanks out comments, literals and preprocessor lines and keeps every line break, so that the
// brackets left over are those of the program.
class Blanker {
public:
    explicit Blanker(std::string text) : text_(std::move(text)) {}

    std::string run() {
        bool line_start = true;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#' && line_start) {
                blank_line();
            } else if (text_.compare(at_, 2, "//") == 0) {
                blank_line();
            } else if (text_.compare(at_, 2, "/*") == 0) {
                blank_through("*/", 2);
            } else if (c == '"' && is_raw()) {
                blank_raw();
            } else if (c == '"' || (c == '\'' && !in_number())) {
                blank_quoted(c);
            } else {
                ++at_;
            }
            line_start = c == '\n' || (line_start && c == ' ');
        }
        return text_;
    }

private:
    void blank_one() {
        if (text_[at_] != '\n') text_[at_] = ' ';
        ++at_;
    }
    void blank_until(std::size_t end) {
        while (at_ < std::min(end, text_.size())) blank_one();
    }
    void blank_through(const std::string& closing, std::size_t skip) {
        const std::size_t end = text_.find(closing, at_ + skip);
        blank_until(end == std::string::npos ? text_.size() : end + closing.size());
    }
    // To the end of the line, and of those that a backslash joins to it.
    void blank_line() {
        bool joined = false;
        while (at_ < text_.size() && (text_[at_] != '\n' || joined)) {
            joined = text_[at_] == '\\';
            blank_one();
        }
    }
    void blank_quoted(char quote) {
        blank_one();
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
            if (text_[at_] == '\\') blank_one();
            if (at_ < text_.size()) blank_one();
        }
        if (at_ < text_.size()) blank_one();
    }
    bool is_raw() const { return at_ > 0 && text_[at_ - 1] == 'R'; }
    void blank_raw() {
        const std::size_t open = text_.find('(', at_);
        if (open == std::string::npos) return blank_until(text_.size());
        const std::string delimiter = text_.substr(at_ + 1, open - at_ - 1);
        blank_through(")" + delimiter + "\"", 1);
    }
    // Is the quote at at_ a separator inside a number, as in 1'000'000?
    bool in_number() const {
        std::size_t start = at_;
        while (start > 0 && (std::isalnum(static_cast<unsigned char>(text_[start - 1])) != 0 ||
                             text_[start - 1] == '\'')) {
            --start;
        }
        return start < at_ && std::isdigit(static_cast<unsigned char>(text_[start])) != 0;
    }

    std::string text_;
    std::size_t at_ = 0;
};

struct Function {
    std::string name;
    int first_line = 0;
    int last_line = 0;
    int lines() const { return last_line - first_line + 1; }
};

enum class BraceKind { Scope, Function, Other };

// Takes every `template <...>` out of the head of a definition.
std::string without_templates(std::string head) {
    static const std::regex kTemplate(R"(\btemplate\s*<)");
    std::smatch match;
    while (std::regex_search(head, match, kTemplate)) {
        const auto start = static_cast<std::size_t>(match.position());
        std::size_t end = start + static_cast<std::size_t>(match.length());
        for (int depth = 1; end < head.size() && depth > 0; ++end) {
            if (head[end] == '<') ++depth;
            if (head[end] == '>') --depth;
        }
        head.erase(start, end - start);
    }
    return head;
}

// The name before the parameters. What stands inside brackets is already left out of a head.
std::string function_name(const std::string& head) {
    static const std::regex kCall(R"((operator\s*\(\)|operator\s*[^\s\w(]+|~?\w+)\s*\()");
    static const std::regex kNotAName("alignas|decltype|explicit|noexcept|requires");
    for (std::sregex_iterator call(head.begin(), head.end(), kCall), end; call != end; ++call) {
        const std::string name = (*call)[1];
        if (!std::regex_match(name, kNotAName)) return name;
    }
    return {};
}

// What a brace opens, judged by the text since the last statement outside of any function.
BraceKind classify(const std::string& full_head) {
    static const std::regex kScope(R"(\b(namespace|struct|class|enum|union)\b|^\s*extern\s*$)");
    static const std::regex kOperator(R"(operator\s*[^\s\w(]+)");
    static const std::regex kAssign(R"((^|[^=<>!])=([^=]|$))");
    const std::string head = without_templates(full_head);
    if (std::regex_search(head, kScope) || head.empty()) return BraceKind::Scope;
    // A table, a lambda, a concept: something that is given a value.
    if (std::regex_search(std::regex_replace(head, kOperator, ""), kAssign)) {
        return BraceKind::Other;
    }
    return function_name(head).empty() ? BraceKind::Other : BraceKind::Function;
}

// Finds the functions of namespaces and classes. Throws where brackets do not match, because then
// it cannot know what it sees.
class FunctionFinder {
public:
    explicit FunctionFinder(const std::string& text) : code_(Blanker(text).run()) {}

    std::vector<Function> run() {
        for (at_ = 0; at_ < code_.size(); ++at_) {
            const char c = code_[at_];
            if (c == '\n') ++line_;
            if (c == '(' || c == '[' || c == '{') {
                open(c);
            } else if (c == ')' || c == ']' || c == '}') {
                close(c);
            } else if (at_scope()) {
                extend_head(c);
            }
        }
        if (!open_.empty()) throw std::runtime_error("a bracket is never closed");
        return functions_;
    }

private:
    struct Open {
        char bracket;
        BraceKind kind;
    };

    bool at_scope() const { return open_.empty() || open_.back().kind == BraceKind::Scope; }

    void extend_head(char c) {
        if (c == ';') return head_.clear();
        const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (head_.empty() && is_space) return;
        const bool label = head_ == "public" || head_ == "protected" || head_ == "private";
        if (c == ':' && label) return head_.clear();
        if (head_.empty()) head_line_ = line_;
        head_ += is_space ? ' ' : c;
    }

    void open(char c) {
        BraceKind kind = BraceKind::Other;
        if (at_scope()) {
            if (c == '{') kind = classify(head_);
            if (c != '{') extend_head(c);
            if (kind == BraceKind::Scope) head_.clear();
        }
        open_.push_back({c, kind});
    }

    void close(char c) {
        const std::string pairs = "()[]{}";
        if (open_.empty() || pairs[pairs.find(open_.back().bracket) + 1] != c) {
            throw std::runtime_error("unexpected bracket in line " + std::to_string(line_));
        }
        const Open closed = open_.back();
        open_.pop_back();
        if (!at_scope()) return;
        if (c != '}') return extend_head(c);
        if (closed.kind == BraceKind::Scope) head_.clear();
        // `Clock() : start_{now()} {`: after a member's initialiser the body is still to come.
        const std::size_t next = code_.find_first_not_of(" \n", at_ + 1);
        const bool goes_on =
            next != std::string::npos && (code_[next] == ',' || code_[next] == '{');
        if (closed.kind == BraceKind::Function && !goes_on) {
            functions_.push_back({function_name(without_templates(head_)), head_line_, line_});
            head_.clear();
        }
    }

    std::string code_;
    std::size_t at_ = 0;
    int line_ = 1;
    std::vector<Open> open_;
    std::string head_;   // text at this scope since the last statement, brackets' contents left out
    int head_line_ = 1;  // where it starts
    std::vector<Function> functions_;
};

}  // namespace

Complaints check_function_length(const Source& source) {
    Complaints complaints;
    try {
        for (const Function& function : FunctionFinder(source.text).run()) {
            const bool is_node = source.path == kNodePath && function.name == "search";
            if (function.lines() <= (is_node ? kMaxNodeLines : kMaxFunctionLines)) continue;
            const std::string lines = std::to_string(function.lines());
            complaints.push_back(complaint(source, function.first_line,
                                           function.name + "() has " + lines + " lines"));
        }
    } catch (const std::runtime_error& error) {
        complaints.push_back(complaint(source, 1, error.what()));
    }
    return complaints;
}

std::vector<std::string> functions_in(const std::string& text) {
    std::vector<std::string> names;
    for (const Function& function : FunctionFinder(text).run()) names.push_back(function.name);
    return names;
}

}  // namespace karikomi::tests
