#include "karikomi/lab/match/spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::match {
namespace {

using testing::HasSubstr;

TEST(EngineSpecs, Internal) {
    const auto e = parse_engine(
        "internal:othello?off=probcut,iid&set=multi_probcut.t=1.1&threads=2&hash=8&params=a/"
        "b.json");
    ASSERT_TRUE(e) << e.error().what;
    EXPECT_EQ(e->protocol, Protocol::Internal);
    EXPECT_EQ(e->game, "othello");
    EXPECT_EQ(e->threads, 2);
    EXPECT_EQ(e->hash_mb, 8);
    EXPECT_EQ(e->params_file, "a/b.json");
    const EngineSpec::Pairs changes = {{"off", "probcut,iid"}, {"set", "multi_probcut.t=1.1"}};
    EXPECT_EQ(e->changes, changes);
}

TEST(EngineSpecs, ExternalKeepsItsCommandAsItIs) {
    const auto e = parse_engine("nboard?dir=/a%26b&depth=7&name=N:./engine -x 'a:b?c=d&e'");
    ASSERT_TRUE(e) << e.error().what;
    EXPECT_EQ(e->protocol, Protocol::Nboard);
    EXPECT_EQ(e->command, "./engine -x 'a:b?c=d&e'");
    EXPECT_EQ(e->folder, "/a&b");
    EXPECT_EQ(e->time.depth, 7);
    EXPECT_EQ(e->name, "N");
}

TEST(EngineSpecs, OwnTimeControl) {
    const auto e = parse_engine("usi?clock=10+0.5&byoyomi=100&option.USI_Hash=64:x");
    ASSERT_TRUE(e) << e.error().what;
    EXPECT_EQ(e->time.main_ms, 10'000);
    EXPECT_EQ(e->time.increment_ms, 500);
    EXPECT_EQ(e->time.byoyomi_ms, 100);
    EXPECT_EQ(e->options, (EngineSpec::Pairs{{"USI_Hash", "64"}}));
    const auto read = time_control_of(to_json(e->time));
    ASSERT_TRUE(read);
    EXPECT_EQ(to_json(*read), to_json(e->time));
}

TEST(EngineSpecs, RefusesWhatItDoesNotUnderstand) {
    const auto error = [](const std::string& text) {
        const auto e = parse_engine(text);
        EXPECT_FALSE(e) << text;
        if (e) return std::string();
        EXPECT_FALSE(e.error().remedy.empty()) << text;
        return e.error().what;
    };
    EXPECT_THAT(error("othello"), HasSubstr("how to talk to it"));
    EXPECT_THAT(error("uci:x"), HasSubstr("how to talk to it"));
    EXPECT_THAT(error("internal:"), HasSubstr("nothing follows"));
    EXPECT_THAT(error("internal:othello?speed=9"), HasSubstr("unknown setting 'speed'"));
    EXPECT_THAT(error("internal:othello?depth=x"), HasSubstr("depth: 'x'"));
    EXPECT_THAT(error("internal:othello?depth=0"), HasSubstr("depth: '0'"));
    EXPECT_THAT(error("internal:othello?off"), HasSubstr("no key=value"));
    EXPECT_THAT(error("nboard?clock=1+x:y"), HasSubstr("clock: 'x'"));
    EXPECT_THAT(error("nboard?clock=-1:y"), HasSubstr("clock"));
    EXPECT_THAT(error("gtp?params=a:y"), HasSubstr("unknown setting 'params'"));
}

}  // namespace
}  // namespace karikomi::match
