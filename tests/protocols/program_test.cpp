// What the two protocols have in common as commands of the program: names, options, the transcript.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "karikomi/engine/registry.hpp"
#include "tests/cli/process.hpp"
#include "tests/protocols/partner.hpp"

namespace karikomi::tests {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;

constexpr Milliseconds kPatience = 20s;

// Says all, closes the input and returns what is heard until the program ends.
std::vector<std::string> talk(Partner& partner, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) partner.say(line);
    partner.close_input();
    std::vector<std::string> heard;
    while (const auto line = partner.hear(kPatience)) heard.push_back(*line);
    EXPECT_EQ(partner.wait(kPatience), 0);
    return heard;
}

std::vector<std::string> talk(const std::vector<std::string>& command,
                              const std::vector<std::string>& lines) {
    return talk(*start_process(command), lines);
}

TEST(ProtocolProgram, IsKnownByItsNames) {
    const auto folder = std::filesystem::path(KARIKOMI_BINARY).parent_path();
    EXPECT_THAT(talk({(folder / "karikomi-othello").string()}, {"set depth 1"}),
                ElementsAre("set myname Karikomi1"));
    EXPECT_THAT(talk({(folder / "karikomi-othello-gtp").string(), "--level", "1"}, {"1 name"}),
                ElementsAre("=1 Karikomi", ""));
    EXPECT_THAT(talk({(folder / "karikomi-shogi").string()}, {"isready"}), ElementsAre("readyok"));
}

TEST(ProtocolProgram, LevelsAreThoseOfTheEngine) {
    const int highest = (*make_engine("othello"))->info().max_level;
    const auto level = std::to_string(highest);
    EXPECT_THAT(talk({KARIKOMI_BINARY, "gtp", "--level", level}, {"level " + level}),
                ElementsAre("= ", ""));
    const Output o = run({KARIKOMI_BINARY, "gtp", "--level", std::to_string(highest + 1)});
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_THAT(o.err, HasSubstr("--level"));
}

TEST(ProtocolProgram, TakesTheOptionsOfEverySearch) {
    for (const char* command : {"nboard", "gtp"}) {
        EXPECT_THAT(talk({KARIKOMI_BINARY, command, "--threads", "2", "--hash", "8", "--off", "all",
                          "--set", "aspiration.delta=50", "--level", "3", "--ponder"},
                         {"genmove b", "go"}),
                    Contains(MatchesRegex("(=|===) [A-H][1-8].*")))
            << command;
    }
    for (const char* wrong : {"--json", "--profile", "--depth"}) {
        EXPECT_EQ(run({KARIKOMI_BINARY, "nboard", wrong}).exit_code, 2) << wrong;
    }
}

TEST(ProtocolProgram, ContemptIsWhatADrawOfTheBookIsWorthToBlack) {
    const TemporaryFolder folder;
    const std::string book = folder.file("draw.book");
    const std::string text = folder.write(
        "draw.txt",
        "---------------------------OX------XO--------------------------- X; f5:+0.00/end@100;\n");
    ASSERT_EQ(run({KARIKOMI_BINARY, "book", "othello", "import", book, text}).exit_code, 0);
    EXPECT_THAT(talk({KARIKOMI_BINARY, "nboard", "--book", book}, {"set contempt 2", "hint 1"}),
                Contains(MatchesRegex("book [A-H1-8]+ 2\\.00 .*")));
}

TEST(ProtocolProgram, WritesATranscript) {
    const TemporaryFolder folder;
    const std::string file = folder.file("log");
    talk({KARIKOMI_BINARY, "gtp", "--level", "1", "--log", file},
         {"name", "\xff", "reg_genmove b"});
    std::vector<std::string> events;
    std::vector<std::string> said;
    for (const std::string& line : lines_of(read_file(file))) {
        const auto record = nlohmann::json::parse(line);
        events.push_back(record["event"]);
        if (record["event"] == "out") said.push_back(record["line"]);
    }
    ASSERT_EQ(events.size(), 8U);  // start, three lines in, three out, result
    EXPECT_EQ(events.front(), "start");
    EXPECT_EQ(events.back(), "result");
    EXPECT_THAT(said, ElementsAre("= Karikomi\n", "? unknown command\n", MatchesRegex("= .*\n")));
}

TEST(ProtocolProgram, EndsWhenNobodyReads) {
    // /dev/full refuses every byte, as a closed pipe does where its signal is ignored.
    const std::string command = "exec '" KARIKOMI_BINARY "' gtp >/dev/full 2>/dev/null";
    const auto partner = start_process({"/bin/sh", "-c", command});
    partner->say("name");
    EXPECT_EQ(partner->wait(kPatience), 3);  // although there may be more to come
}

}  // namespace
}  // namespace karikomi::tests
