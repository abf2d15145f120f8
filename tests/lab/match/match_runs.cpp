#include "tests/lab/match/match_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::match {

using testing::IsEmpty;
using testing::SizeIs;

Played parse_played(const std::string& out) {
    Played played;
    for (const std::string& line : tests::lines_of(out)) {
        Json j = Json::parse(line);
        if (j["event"] == "game") {
            played.games.push_back(std::move(j));
        } else {
            played.result = std::move(j);
        }
    }
    return played;
}

Played play(Words words, int exit_code) {
    words.insert(words.begin(), {KARIKOMI_BINARY, "match"});
    words.emplace_back("--json");
    const tests::Output o = tests::run(words);
    EXPECT_EQ(o.exit_code, exit_code) << o.err;
    EXPECT_THAT(o.err, IsEmpty());
    return parse_played(o.out);
}

std::string refusal(Words words, int exit_code) {
    words.insert(words.begin(), {KARIKOMI_BINARY, "match"});
    const tests::Output o = tests::run(words);
    EXPECT_EQ(o.exit_code, exit_code) << o.out << o.err;
    EXPECT_THAT(o.out, IsEmpty());
    EXPECT_THAT(tests::lines_of(o.err), SizeIs(1));
    return o.err;
}

Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::string mock(const std::string& protocol, const std::string& arguments,
                 const std::string& settings) {
    const std::string game = protocol == "usi" ? "connect_four" : "othello";
    return protocol + (settings.empty() ? "" : "?" + settings) + ":" + KARIKOMI_MOCK_ENGINE + " " +
           protocol + " " + game + " " + arguments;
}

}  // namespace karikomi::match
