// The conformance kit finds what it is there to find: one game that keeps every rule, and the same
// game with one rule broken at a time.
#include <gtest/gtest.h>

#include "karikomi/conformance/conformance.hpp"
#include "tests/conformance/toy_game.hpp"

namespace karikomi {
namespace {

using toy::Fault;

conformance::Report check_with(Fault fault) {
    toy::fault = fault;
    toy::drift = 0;
    auto report = conformance::check<toy::Game>();
    toy::fault = Fault::None;
    return report;
}

TEST(ConformanceKit, AGameThatKeepsEveryRulePasses) {
    const auto report = check_with(Fault::None);
    EXPECT_TRUE(report.passed()) << report.text();
    EXPECT_TRUE(report.warnings().empty()) << report.text();
    EXPECT_NE(report.text().find("toy: conforms"), std::string::npos);
}

struct Broken {
    Fault fault;
    const char* check;  ///< that must fail
    const char* says;   ///< part of what it says
};

class BrokenGames : public testing::TestWithParam<Broken> {};

TEST_P(BrokenGames, AreFoundOut) {
    const auto report = check_with(GetParam().fault);
    EXPECT_FALSE(report.passed());
    EXPECT_TRUE(report.failed(GetParam().check)) << report.text();
    EXPECT_NE(report.text().find(GetParam().says), std::string::npos) << report.text();
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenGames,
    testing::Values(
        Broken{Fault::TooManyMoves, "kMaxMoves", "12 legal moves, but kMaxMoves is 8"},
        Broken{Fault::TooManyInStages, "kMaxMoves", "more than 8 moves in one list"},
        Broken{Fault::MoveTwice, "legal moves", "is generated twice"},
        Broken{Fault::CodeZero, "legal moves", "or is 0"},
        Broken{Fault::LegalAnything, "is_legal", "which is not generated"},
        Broken{Fault::LegalNothing, "is_legal", "is_legal refuses it"},
        Broken{Fault::UnmakeForgets, "unmake", "operator=="},
        Broken{Fault::NullForgets, "null move", "does not restore"},
        Broken{Fault::NullKeepsKey, "null move", "leaves the side or the key"},
        Broken{Fault::KeyIsFixed, "keys", "leaves the key as it was"},
        Broken{Fault::KeyLeavesOut, "keys", "have one key"},
        Broken{Fault::KeyCounts, "notation", "another key or side"},
        Broken{Fault::EndIgnoresPly, "terminal values", "use loss_in(ply)"},
        Broken{Fault::EndTooLarge, "terminal values", "is no value"},
        Broken{Fault::NoMovesIgnorePly, "terminal values", "use loss_in(ply)"},
        Broken{Fault::StageTooLarge, "ranges", "stage is 2, outside 0..1"},
        Broken{Fault::SlotTooLarge, "ranges", "history_slot is 99"},
        Broken{Fault::ScoreTooLarge, "ranges", "Ordering::score"},
        Broken{Fault::NoCandidates, "parts of the list", "gives no move"},
        Broken{Fault::WrongCandidates, "parts of the list", "it is not legal"},
        Broken{Fault::WrongStage, "parts of the list", "see is_tactical"},
        Broken{Fault::EvaluationDecides, "evaluation", "says won or lost"},
        Broken{Fault::EvaluationDrifts, "evaluation", "two values"},
        Broken{Fault::IncrementForgets, "incremental evaluation", "move by move"},
        Broken{Fault::MovesLeftGrow, "moves_left", "moves_left"},
        Broken{Fault::LeavesWrong, "perft", "count_leaves says"},
        Broken{Fault::TextAmbiguous, "notation", "two moves are written"},
        Broken{Fault::TextUnreadable, "notation", "is read as"},
        Broken{Fault::PositionTextWrong, "notation", "has other moves"},
        Broken{Fault::SplitWrong, "notation", "split_moves"},
        Broken{Fault::ReadsNonsense, "notation", "takes nonsense"},
        Broken{Fault::StagesMissWins, "wins are found", "wins at once, but"},
        Broken{Fault::HorizonSeesWindow, "equals plain search", "plain alpha-beta says"},
        Broken{Fault::OrderDrifts, "deterministic", "gave two answers"},
        Broken{Fault::OrderDrifts, "off == compiled out", "is not the same as not built"}));

/// Its generate() takes no larger list, so that there is no counting beforehand.
struct NarrowPosition : toy::Position {
    void generate(MoveList<toy::Move, 8>& list) const { toy::Position::generate(list); }
};
struct NarrowGame {
    using Move = toy::Move;
    using Undo = toy::Undo;
    using Position = NarrowPosition;
    using Evaluator = toy::Evaluator;
    using Ordering = toy::Ordering;
    using Horizon = toy::Horizon;
    static constexpr std::string_view kName = "narrow";
    static constexpr std::size_t kMaxMoves = 8;
    static constexpr int kHistorySlots = 13;
    static constexpr int kStages = 2;
};

TEST(ConformanceKit, TooManyMovesAreAMessageAlsoWhereTheListHasOneSize) {
    toy::fault = Fault::TooManyMoves;
    const auto report = conformance::check_rules<NarrowGame>();
    toy::fault = Fault::None;
    EXPECT_TRUE(report.failed("kMaxMoves")) << report.text();
    EXPECT_NE(report.text().find("more than 8 moves in one list"), std::string::npos);
}

TEST(ConformanceKit, WhatCannotBeCheckedIsSaid) {
    const auto endless = check_with(Fault::NeverEnds);
    EXPECT_NE(endless.text().find("no random game ended"), std::string::npos) << endless.text();
    const auto unmixed = check_with(Fault::KeyUnmixed);
    EXPECT_NE(unmixed.text().find("keys are badly mixed"), std::string::npos) << unmixed.text();
}

}  // namespace
}  // namespace karikomi
