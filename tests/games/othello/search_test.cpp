/// What the search does for Othello to save work: none of it may change the tree.
#include <random>

#include <gtest/gtest.h>

#include "karikomi/core/searcher.hpp"
#include "karikomi/games/othello/takeover.hpp"

namespace karikomi::othello {
namespace {

/// The leaves' parents make and unmake every move.
struct WithNodes : Game {
    struct LastPly {};
};
static_assert(HasLastPly<Game> && !HasLastPly<WithNodes>);

/// Nobody learns what the ordering knows of the children.
struct Untold : Game {
    struct Ordering {
        static void score(const GamePosition& p, const Evaluator& evaluator,
                          std::span<ScoredMove<Move>> moves, Depth depth) {
            othello::Ordering::score(p, evaluator, moves, depth);
            for (ScoredMove<Move>& m : moves) m.value_after = kNoValue;
        }
        static bool stands_alone(Depth) { return true; }
    };
};

GamePosition random_position(int plies, std::mt19937& random) {
    while (true) {
        GamePosition pos;
        for (int i = 0; i < plies && !pos.outcome(0); ++i) {
            MovesOf<Game> moves;
            pos.generate(moves);
            GamePosition::Undo undo;
            pos.make(moves[random() % moves.size()].move, undo);
        }
        if (!pos.outcome(0)) return pos;
    }
}

SearchParams shipped() {
    SearchParams p;
    p.selective.disable_all();
    auto& f = p.selective.of<Futility>();
    f.enabled = true;
    f.max_depth = 0;
    f.reverse_max_depth = 6;
    f.reverse_margin = 200;
    return p;
}

struct Found {
    Value value = 0;
    std::uint64_t nodes = 0;
    std::uint64_t reversed = 0;
    bool operator==(const Found&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Found& f) {
    return out << f.value << " in " << f.nodes << ", " << f.reversed << " by futility";
}

/// A null-window search with a fresh table.
template <class G>
Found search(const GamePosition& pos, Depth depth, Value beta, const SearchParams& p) {
    TranspositionTable tt(1);
    Shared shared{tt, p};
    shared.clock.start({}, p.time);
    Worker<G> worker;
    worker.prepare(shared, pos);
    const Value v = worker.search_window(beta - 1, beta, depth);
    return {v, worker.stats().nodes, worker.selective_stats().template of<Futility>().reversed};
}

/// Near the static value, where both sides of the window come up.
std::vector<Value> betas(const GamePosition& pos) {
    Evaluator evaluator;
    evaluator.reset(pos);
    const Value v = evaluator.evaluate(pos);
    return {v - 500, v, v + 500};
}

TEST(OthelloSearch, TheLastPlyWithoutNodesIsTheSameTree) {
    std::mt19937 random(5);
    for (const int plies : {6, 20, 34, 48, 54, 57}) {
        for (int i = 0; i < 6; ++i) {
            const GamePosition pos = random_position(plies, random);
            for (const Value beta : betas(pos)) {
                for (const Depth depth : {1, 2, 5}) {
                    const SearchParams p = shipped();
                    EXPECT_EQ(search<Game>(pos, depth, beta, p),
                              search<WithNodes>(pos, depth, beta, p))
                        << Notation::format(pos) << " depth " << depth;
                }
            }
        }
    }
}

TEST(OthelloSearch, ChildrenAreJudgedByTheirParentAsTheyWouldJudgeThemselves) {
    std::mt19937 random(6);
    std::uint64_t reversed = 0;
    for (const int plies : {6, 20, 34, 48, 54, 57}) {
        for (int i = 0; i < 6; ++i) {
            const GamePosition pos = random_position(plies, random);
            for (const Value beta : betas(pos)) {
                for (const Depth depth : {2, 3}) {
                    const SearchParams p = shipped();
                    const Found told = search<Game>(pos, depth, beta, p);
                    EXPECT_EQ(told, search<Untold>(pos, depth, beta, p))
                        << Notation::format(pos) << " depth " << depth;
                    reversed += told.reversed;
                }
            }
        }
    }
    EXPECT_GT(reversed, 500u);  // otherwise nothing was compared
}

TEST(OthelloSearch, TheOrderingTellsTheStaticValuesOfTheChildren) {
    std::mt19937 random(7);
    int told = 0;
    int untold = 0;
    for (int i = 0; i < 300; ++i) {
        GamePosition pos = random_position(8 + i % 50, random);
        Evaluator evaluator;
        evaluator.reset(pos);
        MovesOf<Game> moves;
        pos.generate(moves);
        Ordering::score(pos, evaluator, {moves.begin(), moves.end()}, 2);
        for (const auto& m : moves) {
            if (m.move.is_pass()) continue;
            GamePosition::Undo undo;
            pos.make(m.move, undo);
            evaluator.after_make(pos, m.move);
            if (pos.moves() == 0) {  // a pass comes, or the end: no such node is judged by value
                EXPECT_EQ(m.value_after, kNoValue);
                ++untold;
            } else {
                EXPECT_EQ(m.value_after, evaluator.evaluate(pos));
                ++told;
            }
            evaluator.after_unmake(pos, m.move);
            pos.unmake(m.move, undo);
        }
    }
    EXPECT_GT(told, 1000);
    EXPECT_GT(untold, 2);
}

}  // namespace
}  // namespace karikomi::othello
