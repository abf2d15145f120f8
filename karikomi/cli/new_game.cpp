/// karikomi new-game: a folder with a small complete game and what builds, tests and plays it.
#include <algorithm>
#include <filesystem>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/system.hpp"
#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/files.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/templates/cmake_lists.hpp"
#include "karikomi/templates/conformance.hpp"
#include "karikomi/templates/game.hpp"
#include "karikomi/templates/main.hpp"

namespace karikomi::cli {
namespace {

namespace fs = std::filesystem;

struct NewGameOptions {
    std::string name;
    std::string folder;
};

/// "tictactoe5" as "Tictactoe5", "my_game" as "My game".
std::string title_of(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
}

void check_name(const std::string& name) {
    if (!std::regex_match(name, std::regex("[a-z][a-z0-9_]{0,39}"))) {
        throw Failure({fmt::format("'{}' cannot be the name of a game", name),
                       "use small letters, digits and '_', a letter first"});
    }
    // It becomes a namespace and two targets.
    static const std::vector<std::string> kTaken = {
        "karikomi",  "conformance", "test",   "all",  "install", "std",   "class",    "int",
        "namespace", "struct",      "double", "char", "new",     "union", "template", "this"};
    if (std::find(kTaken.begin(), kTaken.end(), name) != kTaken.end()) {
        throw Failure({fmt::format("the name '{}' is taken", name), "choose another"});
    }
}

std::string filled_in(std::string_view text, const std::string& name) {
    std::string out(text);
    const std::pair<std::string_view, std::string> words[] = {{"@NAME@", name},
                                                              {"@TITLE@", title_of(name)}};
    for (const auto& [word, with] : words) {
        for (std::size_t at = out.find(word); at != std::string::npos; at = out.find(word, at)) {
            out.replace(at, word.size(), with);
            at += with.size();
        }
    }
    return out;
}

/// Where find_package(karikomi) finds what belongs to this program: beside it in a build tree, or
/// in the installation that it is a part of. Empty: nobody knows.
std::string package_folder() {
    std::error_code error;
    const fs::path program = os::program_file();
    if (program.empty()) return {};
    const fs::path here = program.parent_path();
    for (const fs::path& folder : {here, here.parent_path() / KARIKOMI_PACKAGE_FOLDER}) {
        if (fs::exists(folder / "karikomi-config.cmake", error)) return folder.string();
    }
    return {};
}

/// For a shell, as it stands.
std::string quoted(const std::string& text) {
    if (std::regex_match(text, std::regex("[A-Za-z0-9_./+-]+"))) return text;
    return "'" + std::regex_replace(text, std::regex("'"), "'\\''") + "'";
}

std::vector<std::string> commands_for(const std::string& name, const fs::path& folder) {
    const std::string package = package_folder();
    const std::string where = package.empty() ? "" : " -D karikomi_DIR=" + quoted(package);
    return {"cd " + quoted(folder.string()),
            "cmake -B build" + where,
            "cmake --build build --parallel 2",
            "ctest --test-dir build --output-on-failure",
            fmt::format("build/{0} analyze {0} --depth 6", name),
            fmt::format("build/{} serve", name)};
}

int run(const NewGameOptions& o, Session& session) {
    check_name(o.name);
    const fs::path folder = o.folder.empty() ? fs::path(o.name) : fs::path(o.folder);
    session.begin(nullptr);
    std::error_code error;
    if (fs::exists(folder, error)) {
        throw Failure({fmt::format("'{}' is there already", folder.string()),
                       "name another folder with --folder"});
    }
    if (!fs::create_directories(folder, error)) {
        throw Failure(
            {fmt::format("cannot make the folder '{}'", folder.string()), "check the path"});
    }
    const std::pair<std::string, std::string_view> files[] = {
        {"CMakeLists.txt", templates::kCmakeLists},
        {o.name + ".hpp", templates::kGame},
        {"main.cpp", templates::kMain},
        {"conformance.cpp", templates::kConformance}};
    Json written = Json::array();
    for (const auto& [file, text] : files) {
        write_output("new-game", (folder / file).string(), filled_in(text, o.name));
        written.push_back((folder / file).string());
    }
    const std::vector<std::string> commands = commands_for(o.name, folder);
    if (!session.json()) {
        fmt::print("Wrote {}: a complete small game. Build it, test it, play it:\n\n",
                   folder.string());
        for (const std::string& c : commands) fmt::print("{}\n", c);
        fmt::print(
            "\nThen change {}.hpp into your game; docs/adding-a-game.md explains each part.\n",
            (folder / o.name).string());
    }
    session.finish({{"folder", folder.string()}, {"files", written}, {"commands", commands}});
    return kDone;
}

}  // namespace

void add_new_game(Program& program) {
    Command command = program.add(
        "new-game", "Write a folder with a small complete game of your own, ready to build",
        {"karikomi new-game tictactoe5", "karikomi new-game checkers --folder ~/src/checkers"});
    const auto o = std::make_shared<NewGameOptions>();
    add_text(command, "NAME", o->name, "TEXT", "Of the game: small letters, digits, '_'")
        .required();
    add_name(command, "--folder", o->folder, "FOLDER", "to write (default: NAME)");
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
