// The referee, with players that say what the test tells them to, in times that the test invents.
#include "karikomi/lab/match/game.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/registry.hpp"

namespace karikomi::match {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Says its answers one after the other.
class Scripted final : public Player {
public:
    explicit Scripted(std::vector<Answer> answers) : answers_(std::move(answers)) {}
    const Identity& identity() const override { return identity_; }
    Trouble new_game(const GameStart& start) override {
        started = start;
        return trouble;
    }
    Answer think(const Turn& turn) override {
        seen.push_back(turn.limits);
        moves_seen = turn.moves;
        return next_ < answers_.size() ? answers_[next_++] : Answer{};
    }
    void game_over(int outcome) override { outcomes.push_back(outcome); }
    std::vector<std::string> last_lines() const override { return {"> go", "< what?"}; }
    void stop_on(StopToken /*stop*/) override {}

    Trouble trouble;
    GameStart started;
    std::vector<Limits> seen;
    std::vector<std::string> moves_seen;
    std::vector<int> outcomes;

private:
    Identity identity_;
    std::vector<Answer> answers_;
    std::size_t next_ = 0;
};

Answer says(const std::string& move, std::optional<double> score = {}, std::int64_t ms = 1) {
    Answer a;
    a.move = move;
    a.score = score;
    a.time_ms = ms;
    return a;
}

std::vector<Answer> columns(const std::string& text, std::optional<double> score = {},
                            std::int64_t ms = 1) {
    std::vector<Answer> answers;
    for (const char c : text) answers.push_back(says(std::string(1, c), score, ms));
    return answers;
}

struct Table {
    std::unique_ptr<Engine> referee = std::move(*make_engine("connect_four"));
    GameRules rules;
    StopToken stop;
    GameResult play(Scripted& first, Scripted& second, const Opening& opening = {}) {
        return play_game(*referee, {&first, &second}, opening, rules, stop);
    }
};

TEST(MatchReferee, JudgesByTheRules) {
    Table table;
    Scripted first(columns("1111"));
    Scripted second(columns("2222"));
    const GameResult r = table.play(first, second);
    EXPECT_EQ(r.winner, Winner::First);
    EXPECT_EQ(r.end, End::ByRules);
    EXPECT_THAT(r.moves, SizeIs(7));
    EXPECT_THAT(first.outcomes, ElementsAre(1));
    EXPECT_THAT(second.outcomes, ElementsAre(-1));
    EXPECT_EQ(second.started.side, 1);
}

TEST(MatchReferee, PlaysTheOpening) {
    Table table;
    Scripted first(columns("11"));
    Scripted second(columns("22"));
    const GameResult r = table.play(first, second, {"", {"1", "2", "1", "2"}});
    EXPECT_EQ(r.winner, Winner::First);
    EXPECT_THAT(first.moves_seen, ElementsAre("1", "2", "1", "2", "1", "2"));
    EXPECT_FALSE(r.moves[3].asked);
    EXPECT_TRUE(r.moves[4].asked);
}

TEST(MatchReferee, AnIllegalMoveLoses) {
    for (const char* move : {"8", "", "x", "11", "resing"}) {
        Table table;
        Scripted first(columns("1"));
        Scripted second({says(move)});
        const GameResult r = table.play(first, second);
        EXPECT_EQ(r.end, End::Illegal) << move;
        EXPECT_EQ(r.winner, Winner::First);
        EXPECT_THAT(r.detail, HasSubstr(std::string("'") + move + "'"));
        EXPECT_THAT(r.last_lines, ElementsAre("> go", "< what?"));
        EXPECT_THAT(r.moves, SizeIs(1)) << "the illegal move is no move";
    }
}

TEST(MatchReferee, FaultsLose) {
    for (const auto& [fault, end] : {std::pair{Fault::Crash, End::Crash},
                                     {Fault::Hang, End::Hang},
                                     {Fault::Protocol, End::Illegal}}) {
        Table table;
        Answer broken;
        broken.fault = fault;
        Scripted first({broken});
        Scripted second(columns("2"));
        EXPECT_EQ(table.play(first, second).end, end);
        Scripted unready({});
        unready.trouble = {fault, "no hello"};
        const GameResult r = table.play(second, unready);
        EXPECT_EQ(r.end, end);
        EXPECT_EQ(r.winner, Winner::First);
        EXPECT_EQ(r.detail, "no hello");
    }
}

TEST(MatchReferee, ResignationLoses) {
    Table table;
    Answer gives_up;
    gives_up.resigns = true;
    Scripted first({gives_up});
    Scripted second({});
    const GameResult r = table.play(first, second);
    EXPECT_EQ(r.end, End::Resigned);
    EXPECT_EQ(r.winner, Winner::Second);
    EXPECT_THAT(r.last_lines, IsEmpty()) << "no fault";
}

TEST(MatchReferee, RunsTheClocksDown) {
    Table table;
    table.rules.time[0].main_ms = 1000;
    table.rules.time[0].increment_ms = 100;
    table.rules.time[1].main_ms = 5000;
    table.rules.margin_ms = 10;
    Scripted first({says("1", {}, 400), says("1", {}, 500), says("1", {}, 311)});
    Scripted second(columns("222", {}, 100));
    const GameResult r = table.play(first, second);
    ASSERT_THAT(first.seen, SizeIs(3));
    EXPECT_EQ(first.seen[0].main_ms, 1000);
    EXPECT_EQ(first.seen[1].main_ms, 700);
    EXPECT_EQ(first.seen[2].main_ms, 300);
    EXPECT_EQ(first.seen[2].increment_ms, 100);
    EXPECT_EQ(r.end, End::Time);  // 311 of 300 with a margin of 10
    EXPECT_EQ(r.winner, Winner::Second);
    EXPECT_EQ(r.slowest_ms[0], 500);
}

TEST(MatchReferee, MarginForgives) {
    Table table;
    table.rules.time[0].move_time_ms = table.rules.time[1].move_time_ms = 100;
    table.rules.margin_ms = 50;
    Scripted first(columns("1111", {}, 150));
    Scripted second(columns("222", {}, 90));
    EXPECT_EQ(table.play(first, second).end, End::ByRules);
    Scripted late(columns("1111", {}, 151));
    Scripted again(columns("222", {}, 90));
    EXPECT_EQ(table.play(late, again).end, End::Time);
}

TEST(MatchReferee, ByoyomiBeginsWhenTheMainTimeIsGone) {
    Table table;
    for (auto& t : table.rules.time) t.main_ms = 200, t.byoyomi_ms = 100;
    table.rules.margin_ms = 0;
    Scripted first({says("1", {}, 250), says("1", {}, 100), says("1", {}, 101)});
    Scripted second(columns("222", {}, 10));
    const GameResult r = table.play(first, second);
    EXPECT_EQ(first.seen[1].main_ms, 0);
    EXPECT_EQ(first.seen[1].byoyomi_ms, 100);
    EXPECT_EQ(r.end, End::Time);
    EXPECT_THAT(r.moves, SizeIs(4));
}

TEST(MatchReferee, AdjudicatesWhatBothSee) {
    Table table;
    table.rules.adjudication.win_score = 5;
    table.rules.adjudication.win_moves = 2;
    Scripted first(columns("1234567", 6.0));
    Scripted second(columns("2345671", -6.0));
    const GameResult r = table.play(first, second);
    EXPECT_EQ(r.end, End::ByScore);
    EXPECT_EQ(r.winner, Winner::First);
    EXPECT_THAT(r.moves, SizeIs(4));
    // Where they do not agree, the game goes on.
    Scripted hopeful(columns("2345671", 6.0));
    Scripted sure(columns("1234567", 6.0));
    EXPECT_NE(table.play(sure, hopeful).end, End::ByScore);
}

TEST(MatchReferee, ADropBelowTheScoreCountsAnew) {
    Table table;
    table.rules.adjudication.win_score = 5;
    table.rules.adjudication.win_moves = 2;
    Scripted first({says("1", -6), says("1", -1), says("3", -6), says("3", -6), says("4", -6)});
    Scripted second({says("2", 6), says("2", 6), says("4", 6), says("4", 6), says("5", 6)});
    const GameResult r = table.play(first, second);
    EXPECT_EQ(r.end, End::ByScore);
    EXPECT_EQ(r.winner, Winner::Second);
    EXPECT_THAT(r.moves, SizeIs(7));
}

TEST(MatchReferee, AdjudicatesDraws) {
    Table table;
    table.rules.adjudication.draw_score = 0.1;
    table.rules.adjudication.draw_moves = 2;
    table.rules.adjudication.draw_from_ply = 3;
    Scripted first(columns("1234567", 0.05));
    Scripted second(columns("2345671", -0.1));
    const GameResult r = table.play(first, second);
    EXPECT_EQ(r.end, End::ByScore);
    EXPECT_EQ(r.winner, Winner::Nobody);
    EXPECT_THAT(r.moves, SizeIs(6));
    table.rules.adjudication = {};
    table.rules.adjudication.max_plies = 5;
    Scripted third(columns("1234567"));
    Scripted fourth(columns("2345671"));
    const GameResult limit = table.play(third, fourth);
    EXPECT_EQ(limit.end, End::MoveLimit);
    EXPECT_EQ(limit.winner, Winner::Nobody);
    EXPECT_THAT(limit.moves, SizeIs(5));
}

TEST(MatchReferee, TheRulesComeBeforeTheScores) {
    Table table;
    table.rules.adjudication.win_score = 5;
    table.rules.adjudication.win_moves = 3;
    table.rules.adjudication.max_plies = 7;
    Scripted first(columns("1111", -9.0));  // resigned to its fate, and wins with the last move
    Scripted second(columns("222", 9.0));
    table.rules.adjudication.win_moves = 4;
    const GameResult r = table.play(first, second);
    EXPECT_EQ(r.end, End::ByRules);
    EXPECT_EQ(r.winner, Winner::First);
}

TEST(MatchReferee, PassesForThePlayers) {
    Table table;
    table.referee = std::move(*make_engine("othello"));
    const std::string board =
        "XO-X-OXX------------------------------------------------"
        "XO------ X";
    Scripted black({says("c1"), says("e1"), says("c8")});
    Scripted white({});
    const GameResult r = table.play(black, white, {board, {}});
    EXPECT_EQ(r.end, End::ByRules) << r.detail;
    EXPECT_THAT(white.seen, IsEmpty()) << "nobody asks who cannot move";
    ASSERT_THAT(r.moves, SizeIs(5));
    EXPECT_EQ(r.moves[1].move, "pa");
    EXPECT_EQ(r.moves[3].move, "pa");
    EXPECT_EQ(black.started.start_board, board);
}

}  // namespace
}  // namespace karikomi::match
