// karikomi new-game: what it writes and what it refuses. That the result builds, passes the
// conformance test and plays is shown by the test named consumer.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/params.hpp"
#include "tests/cli/process.hpp"

namespace karikomi::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(NewGame, WritesAProjectOfItsNameAndSaysHowToBuildIt) {
    const TemporaryFolder folder;
    const std::string target = folder.file("my game");
    const Output out =
        run({KARIKOMI_BINARY, "new-game", "hexapawn_3", "--folder", target, "--json"});
    ASSERT_EQ(out.exit_code, 0) << out.err;
    const Json said = Json::parse(out.out);
    EXPECT_EQ(said["folder"], target);
    ASSERT_EQ(said["files"].size(), 4u);
    for (const Json& file : said["files"]) {
        const std::string text = read_file(file.get<std::string>());
        EXPECT_THAT(text, HasSubstr("hexapawn_3")) << file;
        EXPECT_THAT(text, Not(HasSubstr("@"))) << file;
    }
    EXPECT_THAT(read_file(target + "/main.cpp"), HasSubstr("\"Hexapawn 3\""));
    EXPECT_EQ(said["commands"][0], "cd '" + target + "'") << "a shell must understand it";
    // This program lies in its build tree, which is a package.
    const auto tree = std::filesystem::path(KARIKOMI_BINARY).parent_path();
    EXPECT_THAT(said["commands"][1].get<std::string>(),
                EndsWith("karikomi_DIR=" + std::filesystem::canonical(tree).string()));
    EXPECT_TRUE(std::filesystem::exists(tree / "karikomi-targets.cmake"));
}

TEST(NewGame, RefusesWhatCannotWork) {
    const TemporaryFolder folder;
    for (const std::string name : {"Chess", "3d", "a-b", "", "a b", "../x"}) {
        const Output out =
            run({KARIKOMI_BINARY, "new-game", name, "--folder", folder.file("refused")});
        EXPECT_EQ(out.exit_code, 2) << name;
        EXPECT_THAT(out.err, HasSubstr("cannot be the name of a game")) << name;
    }
    EXPECT_THAT(run({KARIKOMI_BINARY, "new-game", "karikomi"}).err, HasSubstr("is taken"));
    EXPECT_FALSE(std::filesystem::exists(folder.file("refused")));
    const std::string there = folder.write("there", "x");
    const Output out = run({KARIKOMI_BINARY, "new-game", "mine", "--folder", there});
    EXPECT_EQ(out.exit_code, 2);
    EXPECT_THAT(out.err, HasSubstr("is there already"));
    EXPECT_EQ(read_file(there), "x");
}

}  // namespace
}  // namespace karikomi::tests
