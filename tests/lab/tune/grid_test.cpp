#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/tune/chart.hpp"
#include "karikomi/lab/tune/tune.hpp"

namespace karikomi::tune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST(TuneGrid, ReadsAxes) {
    EXPECT_THAT(parse_axis("iid.min_depth=4,5,6")->values, ElementsAre("4", "5", "6"));
    EXPECT_THAT(parse_axis("a.b=on")->values, ElementsAre("on"));
    EXPECT_THAT(parse_axis("a.t=1..2:0.25")->values, ElementsAre("1", "1.25", "1.5", "1.75", "2"));
    EXPECT_THAT(parse_axis("a.n=3..5")->values, ElementsAre("3", "4", "5"));
    for (const char* wrong : {"a.b", "a.b=", "=3", "a=1..", "a=2..1", "a=1..2:0", "a=0..1:1e-9"}) {
        const auto axis = parse_axis(wrong);
        EXPECT_FALSE(axis) << wrong;
    }
}

TEST(TuneGrid, HasEveryCombinationOnce) {
    const std::vector<GridAxis> axes = {{"a", {"1", "2", "3"}}, {"b", {"x", "y"}}};
    EXPECT_THAT(grid_points(axes),
                ElementsAre(ElementsAre(0, 0), ElementsAre(1, 0), ElementsAre(2, 0),
                            ElementsAre(0, 1), ElementsAre(1, 1), ElementsAre(2, 1)));
    EXPECT_EQ(point_engine("othello", "hash=1", axes, {2, 1}),
              "internal:othello?hash=1&set=a=3&set=b=y&name=a=3 b=y");
}

TEST(TuneGrid, PresetsFitTheParameters) {
    EXPECT_THAT(preset_names(), testing::Contains("iid"));
    EXPECT_THAT(preset_grid("nonsense"), IsEmpty());
    for (const char* game : {"connect_four", "othello", "shogi"}) {
        const auto engine = std::move(*make_engine(game));
        for (const std::string& name : preset_names()) {
            for (const GridAxis& axis : preset_grid(name)) {
                for (const std::string& value : axis.values) {
                    SearchParams params = engine->params();
                    const Status s = set_param(params, axis.path + "=" + value);
                    EXPECT_TRUE(s) << game << ", " << name << ": " << s.error().what;
                }
            }
        }
    }
    for (const std::string& name : preset_names()) {
        EXPECT_THAT(preset_needs(name), testing::Contains(name + ".enabled=true"));
    }
    const auto iid = preset_grid("iid");
    ASSERT_THAT(iid, SizeIs(2));
    EXPECT_EQ(iid[0].path, "iid.min_depth");
}

TEST(TuneGrid, WritesEnginesOfOursAndOfOthers) {
    EXPECT_EQ(tuned_text("othello", "", {}), "internal:othello");
    EXPECT_EQ(tuned_text("othello", "hash=8", {{"set", "iid.min_depth=3"}, {"name", "a"}}),
              "internal:othello?hash=8&set=iid.min_depth=3&name=a");
    EXPECT_EQ(tuned_text("shogi", "usi:./engine -x a:b?c", {{"set", "Skill Level=3"}}),
              "usi?option.Skill Level=3:./engine -x a:b?c");
    EXPECT_EQ(tuned_text("shogi", "usi?dir=/x:./engine", {{"set", "A=1"}, {"name", "n"}}),
              "usi?dir=/x&option.A=1&name=n:./engine");
    EXPECT_FALSE(is_program("off=iid&hash=8"));
    EXPECT_FALSE(is_program("internal:othello"));
    EXPECT_TRUE(is_program("gtp:./edax"));
    const auto spec = match::parse_engine(tuned_text("shogi", "usi:e", {{"set", "Skill Level=3"}}));
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec->options.front(), (std::pair<std::string, std::string>{"Skill Level", "3"}));
}

TEST(TuneClimb, ReadsOptionsOfPrograms) {
    const std::vector<match::ProgramOption> known = {{"Skill Level", "spin", "20", 0, 40, {}},
                                                     {"Book", "check", "true", 0, 0, {}}};
    const auto p = parse_program_climb("Skill Level,c=3", known);
    ASSERT_TRUE(p) << p.error().what;
    EXPECT_EQ(p->start, 20);
    EXPECT_EQ(p->max, 40);
    EXPECT_TRUE(p->integer);
    EXPECT_EQ(p->c_end, 3);
    EXPECT_FALSE(parse_program_climb("Book", known));
    EXPECT_FALSE(parse_program_climb("Skill Level=50", known)) << "outside";
    // A protocol that lists nothing: all must be said.
    EXPECT_FALSE(parse_program_climb("aggression=3", {}));
    const auto told = parse_program_climb("aggression=0.5,min=0,max=1", {});
    ASSERT_TRUE(told) << told.error().what;
    EXPECT_FALSE(told->integer);
    EXPECT_EQ(told->max, 1);
}

TEST(TuneGrid, NamesTheBestAndWhatCannotBeToldFromIt) {
    const std::vector<GridAxis> axes = {{"a", {"1", "2", "3"}}};
    match::Scoreboard board(match::pairings_of(4, true));
    // The start loses 60 of 100 pairs to the second point, and nearly as many to the third.
    const auto play = [&](std::size_t pairing, int won, int lost) {
        for (int i = 0; i < won + lost; ++i) {
            for (const int leg : {0, 1}) {
                match::GameSummary g;
                const auto pair = static_cast<std::uint64_t>(i) * 3 + pairing;
                g.slot =
                    match::slot_of(2 * pair + static_cast<std::uint64_t>(leg), board.pairings());
                const bool start_wins = i < won;
                const bool start_first = leg == 0;
                g.winner = start_wins == start_first ? Winner::First : Winner::Second;
                board.add(g);
            }
        }
    };
    play(0, 90, 10);
    play(1, 40, 60);
    play(2, 43, 57);
    const GridResult r = grid_result(board, axes);
    EXPECT_EQ(r.best, 1U);
    EXPECT_GT(r.points[1].elo.value, 0);
    EXPECT_LT(r.points[0].elo.value, 0);
    EXPECT_LT(r.points[1].elo.low, r.points[1].elo.value);
    EXPECT_EQ(r.points[1].games, 200U);
    EXPECT_THAT(r.plausible[0], ElementsAre(false, true, true));
}

TEST(TuneClimb, ReadsParameters) {
    const auto engine = std::move(*make_engine("connect_four"));
    const SearchParams& params = engine->params();
    const auto plain = parse_climb("late_moves.base", params);
    ASSERT_TRUE(plain) << plain.error().what;
    EXPECT_FALSE(plain->integer);
    EXPECT_DOUBLE_EQ(plain->min, -2);
    EXPECT_GT(plain->c_end, 0);
    const auto full = parse_climb("iid.min_depth=6,c=1.5,r=0.01", params);
    ASSERT_TRUE(full) << full.error().what;
    EXPECT_TRUE(full->integer);
    EXPECT_EQ(full->start, 6);
    EXPECT_EQ(full->c_end, 1.5);
    EXPECT_EQ(full->r_end, 0.01);
    const auto error = [&](const std::string& text) {
        const auto p = parse_climb(text, params);
        EXPECT_FALSE(p) << text;
        return p ? std::string() : p.error().what + "; " + p.error().remedy;
    };
    EXPECT_THAT(error("iid.mindepth"), HasSubstr("iid.min_depth"));
    EXPECT_THAT(error("iid.min_depth=1"), HasSubstr("outside"));
    EXPECT_THAT(error("iid.min_depth=x"), HasSubstr("'x'"));
    EXPECT_THAT(error("iid.enabled"), HasSubstr("no number"));
    EXPECT_THAT(error("iid.min_depth,c=-1"), HasSubstr("above 0"));
    EXPECT_THAT(error("iid.min_depth,d=1"), HasSubstr("'d=1'"));
    EXPECT_THAT(error("iid.min_depth=5,min=1"), HasSubstr("no range"));
    EXPECT_THAT(error("iid.min_depth=5,min=6,max=8"), HasSubstr("outside"));
    const auto narrow = parse_climb("late_moves.divisor=2.2,min=1,max=4", params);
    ASSERT_TRUE(narrow) << narrow.error().what;
    EXPECT_DOUBLE_EQ(narrow->min, 1);
    EXPECT_DOUBLE_EQ(narrow->c_end, 0.15) << "a twentieth of the range";
    EXPECT_EQ(narrow->r_end, 0) << "left to the run";
}

TEST(TuneClimb, ReadsSections) {
    const auto engine = std::move(*make_engine("connect_four"));
    const auto all = parse_climbs("late_moves.*,r=0.01", engine->params());
    ASSERT_TRUE(all) << all.error().what;
    EXPECT_GT(all->size(), 8U);
    for (const SpsaParam& p : *all) {
        EXPECT_EQ(p.path.rfind("late_moves.", 0), 0U) << p.path;
        EXPECT_EQ(p.r_end, 0.01);
        EXPECT_GT(p.c_end, 0);
    }
    EXPECT_EQ(parse_climbs("iid.min_depth", engine->params())->size(), 1U);
    EXPECT_FALSE(parse_climbs("nothing.*", engine->params()));
}

TEST(TuneChart, IsAPicture) {
    const std::string one =
        grid_chart({{"a<b", {"1", "2"}}}, {{{0}, {5, -5, 15}}, {{1}, {-3, -10, 4}}});
    EXPECT_THAT(one, HasSubstr("<svg"));
    EXPECT_THAT(one, HasSubstr("a&lt;b"));
    EXPECT_THAT(one, Not(HasSubstr("nan")));
    const std::string two =
        grid_chart({{"a", {"1", "2"}}, {"b", {"x"}}}, {{{0, 0}, {5, -5, 15}}, {{1, 0}, {0, 0, 0}}});
    EXPECT_THAT(two, HasSubstr("+5.0"));
    const std::string three = grid_chart({{"a", {"1"}}, {"b", {"x"}}, {"c", {"p", "q"}}},
                                         {{{0, 0, 0}, {5, -5, 15}}, {{0, 0, 1}, {0, 0, 0}}});
    EXPECT_THAT(three, HasSubstr("c = q"));
    const std::string course = course_chart({{"t", 0, 2, {1.0f, 1.0f}}, {"u", 0, 2, {}}});
    EXPECT_THAT(course, HasSubstr("polyline"));
    EXPECT_THAT(course, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace karikomi::tune
