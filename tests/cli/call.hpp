// The real binary with arguments, and what it must print: for the tests of all commands.
#pragma once

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.hpp"

namespace karikomi::tests {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

inline Words split(const std::string& text) {
    Words words;
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

inline Words karikomi(Words arguments) {
    arguments.insert(arguments.begin(), KARIKOMI_BINARY);
    return arguments;
}

// Arguments in one text, separated by spaces.
inline Output call(const std::string& arguments) {
    return run(karikomi(split(arguments)));
}

// The JSON that a command must print, and nothing else.
inline Json json_of(const std::string& arguments) {
    const Output o = call(arguments + " --json");
    EXPECT_EQ(o.exit_code, 0) << arguments << "\n" << o.err;
    EXPECT_THAT(o.err, testing::IsEmpty()) << arguments;
    EXPECT_THAT(lines_of(o.out), testing::SizeIs(1)) << arguments;
    const Json document = Json::parse(o.out, nullptr, false);
    EXPECT_FALSE(document.is_discarded()) << arguments << "\n" << o.out;
    return document;
}

inline void expect_keys(const Json& object, const Words& keys) {
    for (const std::string& key : keys) EXPECT_TRUE(object.contains(key)) << "no key " << key;
}

inline std::string text_of(const std::string& arguments) {
    const Output o = call(arguments);
    EXPECT_EQ(o.exit_code, 0) << arguments << "\n" << o.err;
    EXPECT_THAT(o.err, testing::IsEmpty()) << arguments;
    EXPECT_THAT(o.out, testing::Not(testing::HasSubstr("\033"))) << "colour in a file";
    return o.out;
}

// The one line of a refused command.
inline std::string refusal(const Words& arguments) {
    const Output o = run(karikomi(arguments));
    const std::string shown = testing::PrintToString(arguments);
    EXPECT_EQ(o.exit_code, 2) << shown << "\n" << o.out << o.err;
    EXPECT_THAT(o.out, testing::IsEmpty()) << shown;
    EXPECT_THAT(lines_of(o.err), testing::SizeIs(1)) << shown << "\n" << o.err;
    EXPECT_THAT(o.err, testing::StartsWith("karikomi: ")) << shown;
    EXPECT_THAT(o.err, testing::HasSubstr("; ")) << shown << ": says not what to do";
    return o.err;
}

// As pasted into a shell that finds the program.
inline Output paste(const std::string& line) {
    const std::string folder = std::filesystem::path(KARIKOMI_BINARY).parent_path().string();
    const TemporaryFolder state;  // records of matches must not pile up in the user's home
    return run(
        {"/bin/sh", "-c",
         "PATH='" + folder + "':\"$PATH\"; export XDG_STATE_HOME=" + state.file("") + "; " + line});
}

}  // namespace karikomi::tests
