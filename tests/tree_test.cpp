// Rules of the source tree that no compiler checks: which folder may include which, where a game
// may be named, how long a function, a header and a line may be.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tree_rules.hpp"

namespace karikomi::tests {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::IsEmpty;

/// The files of these folders with these endings.
std::vector<Source> sources_in(const std::vector<std::string>& folders,
                               const std::vector<std::string>& endings) {
    std::vector<Source> sources;
    const fs::path root = KARIKOMI_SOURCE_DIR;
    for (const std::string& folder : folders) {
        if (!fs::exists(root / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension().string();
            if (!entry.is_regular_file() ||
                std::find(endings.begin(), endings.end(), extension) == endings.end()) {
                continue;
            }
            std::ifstream in(entry.path());
            std::ostringstream text;
            text << in.rdbuf();
            sources.push_back({entry.path().lexically_relative(root).generic_string(), text.str()});
        }
    }
    return sources;
}
std::vector<Source> source_tree() {
    return sources_in({"karikomi", "examples", "tests", "bench"}, {".hpp", ".cpp"});
}

Complaints check_tree(Complaints (*check)(const Source&)) {
    Complaints all;
    for (const Source& source : source_tree()) {
        for (std::string& found : check(source)) all.push_back(std::move(found));
    }
    return all;
}

TEST(Tree, IsFoundAndHasTheNode) {
    std::vector<std::string> functions;
    for (const Source& source : source_tree()) {
        if (source.path == kNodePath) functions = functions_in(source.text);
    }
    EXPECT_THAT(functions, Contains("search")) << "in " << kNodePath;
}

TEST(Tree, IncludesFollowTheArrows) {
    EXPECT_THAT(check_tree(check_layering), IsEmpty());
}

TEST(Tree, NamesAGameOnlyInItsPlace) {
    EXPECT_THAT(check_tree(check_game_names), IsEmpty());
}

TEST(Tree, ThePageNamesAGameOnlyInItsPlace) {
    const auto page = sources_in({"web/src"}, {".ts", ".js", ".svelte"});
    EXPECT_GT(page.size(), 20u);
    Complaints all;
    for (const Source& source : page) {
        for (std::string& found : check_game_names(source)) all.push_back(std::move(found));
    }
    EXPECT_THAT(all, IsEmpty());
}

TEST(Tree, IsAsTheArchitecturePageSays) {
    const fs::path root = KARIKOMI_SOURCE_DIR;
    std::ifstream in(root / "docs/architecture.md");
    std::ostringstream page;
    page << in.rdbuf();
    std::vector<std::string> folders;
    for (const auto& entry : fs::recursive_directory_iterator(root / "karikomi")) {
        const std::string path = entry.path().lexically_relative(root).generic_string();
        if (entry.is_directory() && std::count(path.begin(), path.end(), '/') <= 2) {
            folders.push_back(path);
        }
    }
    const auto exists = [&](const std::string& path) { return fs::exists(root / path); };
    EXPECT_THAT(check_architecture_page(page.str(), folders, exists), IsEmpty());
}

TEST(Tree, HasNoVariablesOfTheWholeProcess) {
    EXPECT_THAT(check_tree(check_globals), IsEmpty());
}

TEST(Tree, FunctionsAreShort) {
    EXPECT_THAT(check_tree(check_function_length), IsEmpty());
}

TEST(Tree, TechniquesAreShort) {
    EXPECT_THAT(check_tree(check_technique_size), IsEmpty());
}

TEST(Tree, LinesAreShort) {
    EXPECT_THAT(check_tree(check_line_width), IsEmpty());
}
}  // namespace
}  // namespace karikomi::tests
