// Rules of the source tree that no compiler checks: which folder may include which, where a game
// may be named, how long a function, a header and a line may be.
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

std::vector<Source> source_tree() {
    std::vector<Source> sources;
    const fs::path root = KARIKOMI_SOURCE_DIR;
    for (const char* folder : {"karikomi", "examples", "tests", "bench"}) {
        if (!fs::exists(root / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension().string();
            if (!entry.is_regular_file() || (extension != ".hpp" && extension != ".cpp")) continue;
            std::ifstream in(entry.path());
            std::ostringstream text;
            text << in.rdbuf();
            sources.push_back({entry.path().lexically_relative(root).generic_string(), text.str()});
        }
    }
    return sources;
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
