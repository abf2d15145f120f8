#include "karikomi/engine/params.hpp"

#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/param_list.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi {
namespace {

GameInfo sample_game() {
    GameInfo g;
    g.name = "sample";
    g.evaluation = "sample-1";
    g.stages = 3;
    return g;
}

Json sample_document() {
    Json d = write_params(SearchParams{}, sample_game(), Json::object());
    d.erase("checksum");  // to be changed by the tests
    return d;
}

std::string error_of(const Json& document) {
    const auto read = read_params(document, sample_game());
    return read ? "" : read.error().what;
}

TEST(Params, WhatIsWrittenReadsBackTheSame) {
    SearchParams p;
    p.selective.of<MultiProbCut>().enabled = true;
    p.selective.of<MultiProbCut>().t = 1.25f;
    p.selective.of<Futility>().opponent_second = {0, 1, 2, 3};
    p.selective.of<Iid>().variant = Iid::Variant::Reduce;
    CalibrationModel model;
    model.log_sigma = {1, 2, 3, 4, 5, 6, 7};
    model.max_deep = 11;
    p.calibration = Calibration(3, {{1, 2, 6, {0.9, -3.5, 40.0}, 500}}, model, "sample-1");
    const auto read = read_params(write_params(p, sample_game(), Json::object()), sample_game());
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(fingerprint(*read, sample_game()), fingerprint(p, sample_game()));
    EXPECT_NE(fingerprint(*read, sample_game()), fingerprint(SearchParams{}, sample_game()));
    EXPECT_EQ(read->selective.of<Futility>().opponent_second[2], 2);
    EXPECT_DOUBLE_EQ(read->calibration.cell(1, 2, 6)->sigma, 40.0);
}

/// One byte changed anywhere: an error, or the same parameters.
TEST(Params, ADamagedFileIsFoundOrTheSame) {
    SearchParams p;
    p.calibration = Calibration(3, {{1, 2, 6, {0.9, -3.5, 40.0}, 500}}, {}, "sample-1");
    const Json written = write_params(p, sample_game(), {{"by", "a test"}});
    const std::string text = pretty(written);
    const std::string right = fingerprint(p, sample_game());
    ASSERT_TRUE(parse_params(text, sample_game()));
    int found = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::string bytes = text;
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << at % 7));
        const auto read = parse_params(bytes, sample_game());
        found += read ? 0 : 1;
        if (read) ASSERT_EQ(fingerprint(*read, sample_game()), right) << "byte " << at;
    }
    EXPECT_GT(found, 1000);
    for (std::size_t size = 0; size < text.size(); ++size) {
        ASSERT_FALSE(parse_params(text.substr(0, size), sample_game())) << size;
    }
    Json edited = written;
    edited["multi_probcut"]["t"] = 1.5;
    EXPECT_NE(error_of(edited).find("damaged, or edited"), std::string::npos);
    edited.erase("checksum");
    EXPECT_EQ(error_of(edited), "");
}

TEST(Params, EveryDeclaredNumberCanBeSetAndChangesTheFingerprint) {
    const std::string before = fingerprint(SearchParams{}, sample_game());
    for (const ParamInfo& info : list_params(SearchParams{})) {
        SearchParams p;
        std::string value;
        switch (info.type) {
            case ParamType::Flag:
                value = info.value.get<bool>() ? "false" : "true";
                break;
            case ParamType::Choice:
                value =
                    info.value == info.choices.front() ? info.choices.back() : info.choices.front();
                break;
            case ParamType::Integer:
                value =
                    std::to_string(static_cast<int>(info.value == info.min ? info.max : info.min));
                break;
            case ParamType::Real:
                value = std::to_string(info.value.get<double>() == info.min ? info.max : info.min);
                break;
            case ParamType::IntegerList:
            case ParamType::RealList:
                value = "[" + std::to_string(static_cast<int>(info.max));
                for (std::size_t i = 1; i < info.value.size(); ++i) {
                    value += "," + std::to_string(static_cast<int>(info.max));
                }
                value += "]";
                break;
        }
        const Status s = set_param(p, info.path + "=" + value);
        ASSERT_TRUE(s) << info.path << ": " << s.error().what;
        EXPECT_NE(fingerprint(p, sample_game()), before) << info.path;
    }
}

TEST(Params, NamesAreUniqueAndDescribed) {
    std::set<std::string> seen;
    for (const ParamInfo& info : list_params(SearchParams{})) {
        EXPECT_TRUE(seen.insert(info.path).second) << info.path;
        EXPECT_FALSE(info.doc.empty()) << info.path;
    }
    EXPECT_GT(seen.size(), 100u);
}

TEST(Params, DefaultsLieInTheirRanges) {
    EXPECT_EQ(error_of(sample_document()), "");
}

TEST(ParamsErrors, ValueOutOfRangeNamesThePathAndTheRange) {
    Json d = sample_document();
    d["multi_probcut"]["t"] = 9.0;
    EXPECT_EQ(error_of(d), "multi_probcut.t: 9.0 outside 0..5");
}

TEST(ParamsErrors, WrongTypes) {
    Json d = sample_document();
    d["iid"]["min_depth"] = 4.5;
    EXPECT_EQ(error_of(d), "iid.min_depth: 4.5 is not a whole number");
    d = sample_document();
    d["iid"]["enabled"] = 1;
    EXPECT_EQ(error_of(d), "iid.enabled: 1 is not true or false");
    d = sample_document();
    d["probcut"]["variant"] = "clever";
    EXPECT_EQ(error_of(d), "probcut.variant: \"clever\" is unknown");
    d = sample_document();
    d["futility"]["self_first"] = {1, 2, 3, 4, 5};
    EXPECT_EQ(error_of(d), "futility.self_first: [1,2,3,4,5] is not a list of 4 numbers");
    d = sample_document();
    d["futility"]["self_first"] = {0, "x", 1, 2};
    EXPECT_EQ(error_of(d), "futility.self_first[1]: \"x\" is not a whole number");
    d = sample_document();
    d["iid"] = 3;
    EXPECT_EQ(error_of(d), "iid: 3 is not an object");
}

TEST(ParamsErrors, NumbersThatDoNotFitAreRefusedNotWrapped) {
    Json d = sample_document();
    d["iid"]["min_depth"] = 4294967301ll;  // 5 in 32 bits
    EXPECT_EQ(error_of(d), "iid.min_depth: 4294967301 outside 2..255");
    d = sample_document();
    d["iid"]["min_depth"] = std::numeric_limits<std::uint64_t>::max();
    EXPECT_NE(error_of(d), "");
}

TEST(Params, SectionsThatAreLeftOutKeepTheirDefaultsAndAreNamed) {
    Json d = sample_document();
    d["singular"]["min_depth"] = 9;
    d.erase("iid");
    d.erase("time");
    std::vector<std::string> left_out;
    const auto read = read_params(d, sample_game(), &left_out);
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(left_out, (std::vector<std::string>{"time", "iid"}));
    EXPECT_EQ(read->selective.of<Singular>().min_depth, 9);
    EXPECT_EQ(read->selective.of<Iid>().min_depth, SearchParams{}.selective.of<Iid>().min_depth);
}

TEST(ParamsErrors, WhatIsMissingIsSaidAtOnce) {
    const auto read = read_params(Json::object(), sample_game());
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().what, "game, evaluation: missing");
    EXPECT_EQ(read.error().remedy, "write \"game\": \"sample\", \"evaluation\": \"sample-1\"");
}

TEST(ParamsErrors, UnknownSections) {
    Json d = sample_document();
    d["singluar"] = Json::object();
    EXPECT_EQ(error_of(d), "singluar: unknown section");
    d = sample_document();
    d["iid"]["min_dept"] = 4;
    EXPECT_EQ(error_of(d), "iid.min_dept: unknown key");
}

TEST(ParamsErrors, AnotherGameOrEvaluation) {
    Json d = sample_document();
    d["evaluation"] = "sample-2";
    EXPECT_EQ(error_of(d), "evaluation: the file is for 'sample-2', the engine has 'sample-1'");
    d["evaluation"] = "sample-1";
    d["game"] = "chess";
    EXPECT_EQ(error_of(d), "game: the file is for 'chess', the engine has 'sample'");
    EXPECT_EQ(error_of(Json::array()), "the document is not a JSON object");
}

TEST(ParamsErrors, BrokenCalibration) {
    const auto with_cell = [](const Json& cell) {
        Json d = sample_document();
        d["calibration"]["cells"] = Json::array({cell});
        return error_of(d);
    };
    EXPECT_EQ(with_cell({0, 2, 6, 1.0, 0.0, 50.0, 100}), "");
    EXPECT_EQ(with_cell({0, 2, 6, 1.0, 0.0, 50.0}),
              "calibration.cells[0]: not a list of 7 numbers");
    EXPECT_EQ(with_cell({3, 2, 6, 1.0, 0.0, 50.0, 100}),
              "calibration.cells[0]: stage 3 outside -1..2");
    EXPECT_EQ(with_cell({0, 6, 6, 1.0, 0.0, 50.0, 100}),
              "calibration.cells[0]: depths must be whole, shallow < deep < 64");
    EXPECT_EQ(with_cell({0, 2, 6, 0.0, 0.0, 50.0, 100}),
              "calibration.cells[0]: slope outside 0.05..20");
    EXPECT_EQ(with_cell({0, 2, 6, 1.0, 0.0, -1.0, 100}),
              "calibration.cells[0]: sigma below 0, or b beyond all values");
    Json d = sample_document();
    d["calibration"]["model"] = {{"a", {1, 2}}};
    EXPECT_EQ(error_of(d), "calibration.model: needs a, b and log_sigma with 7 to 13 numbers each");
    d["calibration"] = {{"cels", 1}};
    EXPECT_EQ(error_of(d), "calibration.cels: unknown key");
}

Json sample_law() {
    const Json side = {
        {"tail", "sinh"}, {"scale", {0.1, -0.2}}, {"weight", {-1}}, {"decided", {-4.5}}};
    Json other = side;
    other["tail"] = "power";
    const Json law = {{"middle", {0.05}}, {"high", side}, {"low", other}};
    return {{"cells", law}, {"model", law}};
}

TEST(ParamsErrors, BrokenLawOfErrors) {
    const auto with = [](const std::string& pointer, const Json& value) {
        Json d = sample_document();
        d["calibration"]["law"] = sample_law();
        d["calibration"]["law"][Json::json_pointer(pointer)] = value;
        return error_of(d);
    };
    EXPECT_EQ(with("/cells/middle", {0.1}), "");
    EXPECT_EQ(with("/cells", 7), "calibration.law.cells: not an object");
    EXPECT_EQ(with("/model/high/tail", "fat"),
              "calibration.law.model.high.tail: \"fat\" is none of normal, stretched, sinh, power");
    EXPECT_EQ(with("/model/high/tail", 3),
              "calibration.law.model.high.tail: 3 is none of normal, stretched, sinh, power");
    EXPECT_EQ(with("/model/low/scale", {1, 2, 3, 4, 5, 6, 7, 8, 9}),
              "calibration.law.model.low: needs tail, and scale, weight and decided with at most 8 "
              "numbers each");
    EXPECT_EQ(with("/cells/low/weight", {"x"}),
              "calibration.law.cells.low: needs tail, and scale, weight and decided with at most 8 "
              "numbers each");
    EXPECT_EQ(with("/cells/low/weight", {1e300}),
              "calibration.law.cells.low: needs tail, and scale, weight and decided with at most 8 "
              "numbers each");
    EXPECT_EQ(with("/cells/middle", "no"),
              "calibration.law.cells: needs middle, a list of at most 8 numbers");
}

TEST(Params, TheLawOfErrorsReadsBackAndCountsInTheFingerprint) {
    Json d = sample_document();
    const auto without = read_params(d, sample_game());
    ASSERT_TRUE(without);
    d["calibration"]["law"] = sample_law();
    const auto with = read_params(d, sample_game());
    ASSERT_TRUE(with) << with.error().what;
    EXPECT_EQ(write_params(*with, sample_game(), nullptr)["calibration"]["law"], sample_law());
    EXPECT_NE(fingerprint(*with, sample_game()), fingerprint(*without, sample_game()));
}

TEST(Params, WhatWasAddedLaterIsWrittenOnlyWhereItIsUsed) {
    SearchParams p;
    const Json plain = write_params(p, sample_game(), nullptr);
    EXPECT_FALSE(plain["multi_probcut"].contains("bound"));
    EXPECT_FALSE(plain["probcut"].contains("bound"));
    ASSERT_TRUE(set_param(p, "multi_probcut.bound=quantile"));
    const Json used = write_params(p, sample_game(), nullptr);
    EXPECT_EQ(used["multi_probcut"]["bound"], "quantile");
    const auto read = read_params(used, sample_game());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->selective.of<MultiProbCut>().bound, BoundForm::Quantile);
    ASSERT_TRUE(set_param(p, "multi_probcut.bound=normal"));
    EXPECT_EQ(write_params(p, sample_game(), nullptr), plain);

    EXPECT_FALSE(plain["table"].contains("age_cost"));
    const std::string before = fingerprint(p, sample_game());
    ASSERT_TRUE(set_param(p, "table.age_cost=5"));
    EXPECT_EQ(write_params(p, sample_game(), nullptr)["table"]["age_cost"], 5);
    EXPECT_NE(fingerprint(p, sample_game()), before);
    EXPECT_FALSE(set_param(p, "table.age_cost=1000"));
}

TEST(Params, TheSourcesStartingValuesHaveNames) {
    Json d = sample_document();
    d["calibration"] = "probcut";
    const auto shogi = read_params(d, sample_game());
    ASSERT_TRUE(shogi);
    EXPECT_DOUBLE_EQ(shogi->calibration.cell(2, 1, 5)->sigma, 120);
    EXPECT_DOUBLE_EQ(shogi->calibration.cell(0, 6, 10)->b, -35);
    d["calibration"] = "multi_probcut";
    const auto othello = read_params(d, sample_game());
    ASSERT_TRUE(othello);
    EXPECT_DOUBLE_EQ(othello->calibration.cell(0, 2, 6)->sigma, 800);
    EXPECT_DOUBLE_EQ(othello->calibration.cell(1, 4, 10)->sigma, 800);
    EXPECT_DOUBLE_EQ(othello->calibration.cell(2, 6, 14)->sigma, 700);
    d["calibration"] = "guess";
    EXPECT_FALSE(read_params(d, sample_game()));
}

TEST(ParamsSet, SuggestsTheNearestName) {
    SearchParams p;
    EXPECT_EQ(set_param(p, "multiprobcut.t=1").error().remedy, "did you mean 'multi_probcut'?");
    EXPECT_EQ(set_param(p, "iid.mindepth=4").error().remedy, "did you mean 'iid.min_depth'?");
    EXPECT_EQ(set_param(p, "iid.min_depth").error().what,
              "'iid.min_depth' is not section.name=value");
    EXPECT_EQ(switch_off(p, "probcutt").error().remedy, "did you mean 'probcut'?");
    EXPECT_FALSE(switch_off(p, ""));
}

TEST(ParamsSet, PresetsSetSeveralNumbers) {
    SearchParams p;
    ASSERT_TRUE(set_param(p, "iid.preset=aggressive"));
    EXPECT_EQ(p.selective.of<Iid>().min_depth, 4);
    EXPECT_EQ(p.selective.of<Iid>().depth_reduction, 3);
    ASSERT_TRUE(set_param(p, "multi_probcut.preset=73"));
    EXPECT_TRUE(p.selective.of<MultiProbCut>().enabled);
    EXPECT_NEAR(p.selective.of<MultiProbCut>().t, 0.613, 0.001);
    EXPECT_EQ(set_param(p, "iid.preset=wild").error().remedy,
              "use one of conservative, balanced, aggressive");
}

TEST(ParamsSet, AFailedAssignmentChangesNothing) {
    SearchParams p;
    const std::string before = fingerprint(p, sample_game());
    EXPECT_FALSE(set_param(p, "iid.min_depth=1000"));
    EXPECT_FALSE(set_param(p, "probcut.stage_t=[1.0,99,1]"));
    EXPECT_FALSE(set_param(p, "iid.adaptive_depths=[6]")) << "a short list must not become zeros";
    EXPECT_EQ(fingerprint(p, sample_game()), before);
}

TEST(ParamsSet, OnlySwitchesTheOthersOff) {
    SearchParams p;
    ASSERT_TRUE(switch_only(p, "multi_probcut,iid"));
    EXPECT_TRUE(p.selective.of<MultiProbCut>().enabled);
    EXPECT_TRUE(p.selective.of<Iid>().enabled);
    EXPECT_FALSE(p.selective.of<ProbCut>().enabled);
    EXPECT_FALSE(p.selective.of<LateMoves>().enabled);
    ASSERT_TRUE(switch_off(p, "all"));
    EXPECT_FALSE(p.selective.of<Iid>().enabled);
}

TEST(ParamsDocs, TheGeneratedPageIsUpToDate) {
    std::ifstream in(std::string(KARIKOMI_SOURCE_DIR) + "/docs/parameters.md");
    const std::string page((std::istreambuf_iterator<char>(in)), {});
    EXPECT_EQ(page, params_markdown())
        << "run: build/karikomi params --markdown > docs/parameters.md";
}

TEST(ParamsShipped, EveryGamesFileIsFittedForItsEvaluation) {
    for (const std::string& name : game_names()) {
        const auto engine = make_engine(name);
        ASSERT_TRUE(engine);
        EXPECT_EQ((*engine)->params().calibration.evaluation(), (*engine)->info().evaluation);
    }
}

}  // namespace
}  // namespace karikomi
