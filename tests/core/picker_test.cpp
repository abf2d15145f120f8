#include "karikomi/core/picker.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "examples/connect_four/connect_four.hpp"
#include "tests/synthetic/tree_game.hpp"

namespace karikomi::test {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAreArray;
using Four = connect_four::Game;
using Tree = synthetic::Tree;

/// A picker with all that it looks at.
template <Game G> struct Desk {
    typename G::Position pos;
    Frame<G> frame{};
    History<G> history{};
    typename G::Evaluator evaluator{};
    typename History<G>::Context context{};

    explicit Desk(const typename G::Position& p) : pos(p) { context.side = pos.side(); }
    MovePicker<G> picker(MoveCode first = kNoMove) const {
        return {pos, first, {frame, history, evaluator, context}, 5};
    }
    std::vector<MoveCode> legal() const {
        MovesOf<G> moves;
        pos.generate(moves);
        std::vector<MoveCode> codes;
        for (const auto& m : moves) codes.push_back(m.move.raw());
        return codes;
    }
    bool tactical(MoveCode code) const { return pos.is_tactical(G::Move::from_raw(code)); }
    int slot(MoveCode code) const { return pos.history_slot(G::Move::from_raw(code)); }
    std::vector<MoveCode> quiets() const {
        std::vector<MoveCode> codes = legal();
        std::erase_if(codes, [this](MoveCode c) { return tactical(c); });
        return codes;
    }
};

/// The next `count` moves, or all that are left.
template <Game G> std::vector<MoveCode> take(MovePicker<G>& picker, std::size_t count = 1000) {
    std::vector<MoveCode> codes;
    typename G::Move move{};
    while (codes.size() < count && picker.next(move)) codes.push_back(move.raw());
    return codes;
}

template <Game G> std::vector<MoveCode> order(const Desk<G>& desk, MoveCode first = kNoMove) {
    MovePicker<G> picker = desk.picker(first);
    return take(picker);
}

connect_four::Position position_after(std::string_view columns) {
    return *connect_four::Notation::parse(columns);
}

/// Positions of random games, none of them over.
std::vector<connect_four::Position> random_positions(int count) {
    std::mt19937 random(6);
    std::vector<connect_four::Position> positions;
    while (static_cast<int>(positions.size()) < count) {
        connect_four::Position pos;
        const int plies = std::uniform_int_distribution<int>(0, 36)(random);
        for (int i = 0; i < plies && !pos.outcome(0); ++i) {
            const std::vector<MoveCode> legal = Desk<Four>(pos).legal();
            connect_four::Undo undo;
            pos.make(connect_four::Move::from_raw(legal[random() % legal.size()]), undo);
        }
        if (!pos.outcome(0)) positions.push_back(pos);
    }
    return positions;
}

// ---- a game that generates all moves at once -------------------------------------------------

TEST(Picker, HandsOutEveryLegalMoveExactlyOnce) {
    for (const auto& pos : random_positions(300)) {
        const Desk<Four> desk(pos);
        EXPECT_THAT(order(desk), UnorderedElementsAreArray(desk.legal()));
    }
}

TEST(Picker, EveryLegalTableMoveComesFirstAndOnlyOnce) {
    for (const auto& pos : random_positions(300)) {
        const Desk<Four> desk(pos);
        for (const MoveCode first : desk.legal()) {
            const auto moves = order(desk, first);
            ASSERT_EQ(moves.front(), first);
            EXPECT_THAT(moves, UnorderedElementsAreArray(desk.legal()));
        }
    }
}

TEST(Picker, AnIllegalTableMoveIsIgnored) {
    const Desk<Four> desk(position_after("444444"));  // column 4 is full
    for (const int code : {4, 8, 77, 65'535}) {
        const auto illegal = static_cast<MoveCode>(code);
        EXPECT_EQ(order(desk, illegal), order(desk));
    }
    EXPECT_THAT(order(desk), testing::SizeIs(6));
}

TEST(Picker, ReportsTheEndForEver) {
    const Desk<Four> desk(position_after(""));
    MovePicker<Four> picker = desk.picker();
    take(picker);
    connect_four::Move move;
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(picker.next(move));
}

TEST(Picker, TacticalMovesComeBeforeQuietOnes) {
    int seen = 0;
    for (const auto& pos : random_positions(300)) {
        Desk<Four> desk(pos);
        for (const MoveCode code : desk.quiets()) {
            desk.history.reward(desk.context, desk.slot(code), 2048);
        }
        const auto moves = order(desk);
        const auto is_quiet = [&](MoveCode c) { return !desk.tactical(c); };
        EXPECT_TRUE(std::is_partitioned(moves.begin(), moves.end(), std::not_fn(is_quiet)));
        seen += static_cast<int>(moves.size() - desk.quiets().size());
    }
    EXPECT_GT(seen, 100) << "the positions must have tactical moves";
}

TEST(Picker, TellsQuietMovesFromTacticalOnes) {
    for (const auto& pos : random_positions(100)) {
        Desk<Four> desk(pos);
        desk.frame.killers = {2, 6};
        for (MoveCode first = 0; first <= 7; ++first) {
            MovePicker<Four> picker = desk.picker(first);
            connect_four::Move move;
            while (picker.next(move)) {
                ASSERT_EQ(picker.last_is_quiet(), !pos.is_tactical(move)) << move.column();
            }
        }
    }
}

TEST(Picker, KillersComeBeforeOtherQuietMoves) {
    Desk<Four> desk(position_after(""));
    ASSERT_EQ(desk.quiets().size(), 7u);
    desk.history.reward(desk.context, desk.slot(4), 2048);  // the best history is not enough
    desk.frame.killers = {7, 1};
    EXPECT_THAT(order(desk), ElementsAre(7, 1, 4, testing::_, testing::_, testing::_, testing::_));
    desk.frame.killers = {1, 7};
    MovePicker<Four> picker = desk.picker();
    EXPECT_THAT(take(picker, 2), ElementsAre(1, 7));
}

TEST(Picker, TheCounterMoveComesAfterTheKillersAndBeforeTheRest) {
    Desk<Four> desk(position_after("1"));
    desk.context.past[0] = 12;
    desk.history.set_counter_move(desk.context, 6);
    desk.history.reward(desk.context, desk.slot(4), 2048);
    desk.frame.killers = {7, 1};
    MovePicker<Four> picker = desk.picker();
    EXPECT_THAT(take(picker, 4), ElementsAre(7, 1, 6, 4));
}

TEST(Picker, AKillerThatIsIllegalHereIsNotHandedOut) {
    Desk<Four> desk(position_after("444444"));
    desk.frame.killers = {4, 99};
    EXPECT_THAT(order(desk), UnorderedElementsAreArray(desk.legal()));
}

TEST(Picker, QuietMovesFollowTheirHistory) {
    Desk<Four> desk(position_after(""));
    const MoveCode wanted[] = {6, 2, 7, 1, 3, 5, 4};
    int bonus = 2000;
    for (const MoveCode code : wanted) {
        desk.history.reward(desk.context, desk.slot(code), bonus);
        bonus -= 600;  // the last ones are punished
    }
    EXPECT_THAT(order(desk), testing::ElementsAreArray(wanted));
}

TEST(Picker, TheGamesOwnOpinionCountsWithoutHistory) {
    int steps = 0;
    for (const auto& pos : random_positions(300)) {
        const Desk<Four> desk(pos);
        std::vector<ScoredMove<connect_four::Move>> quiets;
        for (const MoveCode c : order(desk)) {
            if (!desk.tactical(c)) quiets.push_back({connect_four::Move::from_raw(c), 0});
        }
        connect_four::Ordering::score(pos, quiets, 5);
        for (std::size_t i = 1; i < quiets.size(); ++i) {
            EXPECT_GE(quiets[i - 1].score, quiets[i].score);
            steps += quiets[i - 1].score > quiets[i].score ? 1 : 0;
        }
    }
    EXPECT_GT(steps, 100) << "the positions must tell moves apart";
}

// ---- promote ---------------------------------------------------------------------------------

TEST(PickerPromote, APromotedMoveComesNext) {
    const Desk<Four> desk(position_after(""));
    const auto plain = order(desk);
    MovePicker<Four> picker = desk.picker();
    auto moves = take(picker, 2);
    picker.promote(plain.back());
    const auto rest = take(picker);
    EXPECT_EQ(rest.front(), plain.back());
    moves.insert(moves.end(), rest.begin(), rest.end());
    EXPECT_THAT(moves, UnorderedElementsAreArray(desk.legal()));
}

TEST(PickerPromote, BeatsKillersAndHistory) {
    Desk<Four> desk(position_after(""));
    desk.frame.killers = {2, 3};
    desk.history.reward(desk.context, desk.slot(4), 2048);
    MovePicker<Four> picker = desk.picker(5);
    EXPECT_THAT(take(picker, 2), ElementsAre(5, 2));
    picker.promote(7);
    EXPECT_THAT(take(picker, 3), ElementsAre(7, 3, 4));
}

TEST(PickerPromote, StaysBehindTacticalMovesAndKeepsItsKind) {
    const Desk<Four> desk(position_after("112131"));  // columns hold threats for both
    MovePicker<Four> picker = desk.picker();
    connect_four::Move move;
    std::vector<bool> kinds;
    for (int i = 0; picker.next(move); ++i) {
        if (i == 0) picker.promote(desk.quiets().back());
        EXPECT_EQ(picker.last_is_quiet(), !desk.pos.is_tactical(move));
        kinds.push_back(picker.last_is_quiet());
    }
    EXPECT_TRUE(std::is_sorted(kinds.begin(), kinds.end()));
}

TEST(PickerPromote, AMoveThatIsOutAlreadyIsNotRepeated) {
    const Desk<Four> desk(position_after(""));
    MovePicker<Four> picker = desk.picker(3);
    auto moves = take(picker, 3);
    for (const MoveCode code : std::vector(moves)) picker.promote(code);
    picker.promote(99);
    picker.promote(kNoMove);
    const auto rest = take(picker);
    moves.insert(moves.end(), rest.begin(), rest.end());
    EXPECT_THAT(moves, UnorderedElementsAreArray(desk.legal()));
}

TEST(PickerPromote, WorksBeforeAnyMoveWasGenerated) {
    const Desk<Four> desk(position_after(""));
    const auto plain = order(desk, 3);
    MovePicker<Four> picker = desk.picker(3);
    EXPECT_THAT(take(picker, 1), ElementsAre(3));  // the table move needs no generation
    picker.promote(plain.back());
    EXPECT_THAT(take(picker, 1), ElementsAre(plain.back()));
}

TEST(PickerPromote, WorksForATacticalMoveBeforeAnyMoveWasGenerated) {
    const Desk<Four> desk(position_after("112131"));
    const auto plain = order(desk, 7);
    ASSERT_TRUE(desk.tactical(plain[1]) && desk.tactical(plain[2]));
    MovePicker<Four> picker = desk.picker(7);
    EXPECT_THAT(take(picker, 1), ElementsAre(7));
    picker.promote(plain[2]);
    EXPECT_THAT(take(picker, 2), ElementsAre(plain[2], plain[1]));
}

// ---- a game that generates in stages ---------------------------------------------------------

/// Half of the moves tactical, the ordering knows nothing.
const synthetic::Config& mixed_config() {
    static const synthetic::Config config = [] {
        synthetic::Config c;
        c.branching = 16;
        c.tactical_share = 0.5;
        c.ordering = 0.0;
        c.gap = 0.5;  // so that some exchanges win and some lose
        c.gap_extra = 1.0;
        c.drift = 40.0;
        return c;
    }();
    return config;
}

std::vector<Desk<Tree>> tree_desks(std::uint64_t count) {
    std::vector<Desk<Tree>> desks;
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        desks.emplace_back(synthetic::Position(mixed_config(), seed));
    }
    return desks;
}

enum class Rank { Table, GoodTactical, Quiet, BadTactical };

Rank rank_of(const Desk<Tree>& desk, MoveCode code, MoveCode first) {
    const auto move = synthetic::Move::from_raw(code);
    if (code == first) return Rank::Table;
    if (!desk.pos.is_tactical(move)) return Rank::Quiet;
    return desk.pos.exchange_value(move) >= 0 ? Rank::GoodTactical : Rank::BadTactical;
}

TEST(StagedPicker, HandsOutEveryLegalMoveExactlyOnce) {
    for (const auto& desk : tree_desks(300)) {
        EXPECT_THAT(order(desk), UnorderedElementsAreArray(desk.legal()));
        for (const MoveCode first : desk.legal()) {
            ASSERT_THAT(order(desk, first), UnorderedElementsAreArray(desk.legal()));
        }
        EXPECT_EQ(order(desk, 17), order(desk)) << "an illegal table move is ignored";
    }
}

TEST(StagedPicker, TableMoveThenWinningTacticalThenQuietThenLosingTactical) {
    std::array<int, 4> seen{};
    for (auto& desk : tree_desks(300)) {
        for (const MoveCode code : desk.quiets()) {
            desk.history.reward(desk.context, desk.slot(code), code % 2 == 0 ? 2048 : -2048);
        }
        for (const MoveCode first : {kNoMove, MoveCode{3}, MoveCode{11}}) {
            std::vector<Rank> ranks;
            for (const MoveCode c : order(desk, first)) ranks.push_back(rank_of(desk, c, first));
            ASSERT_TRUE(std::is_sorted(ranks.begin(), ranks.end()));
            for (const Rank r : ranks) ++seen[static_cast<std::size_t>(r)];
        }
    }
    for (const int n : seen) EXPECT_GT(n, 100) << "every kind must occur";
}

TEST(StagedPicker, KillersAndCounterMoveComeBeforeOtherQuietMoves) {
    for (auto& desk : tree_desks(100)) {
        const auto quiets = desk.quiets();
        if (quiets.size() < 4) continue;
        desk.frame.killers = {quiets[3], quiets[2]};
        desk.history.set_counter_move(desk.context, quiets[1]);
        desk.history.reward(desk.context, desk.slot(quiets[0]), 2048);
        auto moves = order(desk);
        std::erase_if(moves, [&](MoveCode c) { return desk.tactical(c); });
        moves.resize(4);
        EXPECT_THAT(moves, ElementsAre(quiets[3], quiets[2], quiets[1], quiets[0]));
    }
}

TEST(StagedPicker, ATacticalKillerIsOrderedAsATacticalMove) {
    for (auto& desk : tree_desks(100)) {
        const auto plain = order(desk);
        for (const MoveCode code : desk.legal()) {
            if (!desk.tactical(code)) continue;
            desk.frame.killers = {code, kNoMove};
            EXPECT_EQ(order(desk), plain);
        }
    }
}

TEST(StagedPicker, TellsQuietMovesFromTacticalOnes) {
    for (auto& desk : tree_desks(100)) {
        desk.frame.killers = {desk.legal()[0], desk.legal()[1]};
        for (const MoveCode first : {kNoMove, MoveCode{3}}) {
            MovePicker<Tree> picker = desk.picker(first);
            synthetic::Move move;
            for (int i = 0; picker.next(move); ++i) {
                ASSERT_EQ(picker.last_is_quiet(), !desk.pos.is_tactical(move));
                if (i == 4) picker.promote(desk.legal()[9]);
            }
        }
    }
}

TEST(StagedPicker, APromotedLosingTacticalMoveComesNext) {
    int seen = 0;
    for (const auto& desk : tree_desks(100)) {
        const auto plain = order(desk);
        if (rank_of(desk, plain.back(), kNoMove) != Rank::BadTactical) continue;
        MovePicker<Tree> picker = desk.picker();
        auto moves = take(picker, 5);
        if (std::count(moves.begin(), moves.end(), plain.back()) != 0) continue;
        picker.promote(plain.back());
        const auto rest = take(picker);
        EXPECT_EQ(rest.front(), plain.back());
        moves.insert(moves.end(), rest.begin(), rest.end());
        EXPECT_THAT(moves, UnorderedElementsAreArray(desk.legal()));
        ++seen;
    }
    EXPECT_GT(seen, 20);
}

TEST(StagedPicker, AQuietMoveCanBePromotedBeforeTheQuietMovesAreGenerated) {
    int seen = 0;
    for (const auto& desk : tree_desks(100)) {
        const auto quiets = desk.quiets();
        const auto plain = order(desk);
        if (quiets.size() < 3 || !desk.tactical(plain[0])) continue;
        MoveCode last_quiet = kNoMove;
        for (const MoveCode c : plain) {
            if (!desk.tactical(c)) last_quiet = c;
        }
        MovePicker<Tree> picker = desk.picker();
        take(picker, 1);  // one tactical move: the quiet ones are not generated yet
        picker.promote(last_quiet);
        auto rest = take(picker);
        std::erase_if(rest, [&](MoveCode c) { return desk.tactical(c); });
        ASSERT_EQ(rest.front(), last_quiet) << "the promotion was forgotten";
        ++seen;
    }
    EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace karikomi::test
