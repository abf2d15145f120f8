// An ability that is nearly there is named, with what is wrong about it; and the list of abilities
// that the kit knows is that of the sources.
#include "karikomi/conformance/abilities.hpp"

#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/conformance/toy_game.hpp"

namespace karikomi {
namespace {

using conformance::Ability;
using conformance::list_abilities;

template <class G> Ability ability(std::string_view name) {
    for (const Ability& a : list_abilities<G>()) {
        if (a.name == name) return a;
    }
    ADD_FAILURE() << "no ability " << name;
    return {};
}
std::string misses(const Ability& a) {
    std::string out;
    for (const std::string& m : a.near_misses) out += m + "\n";
    return out;
}

/// The toy with everything optional taken away, and something put in its place.
struct PlainPosition {
    Key key() const { return 1; }
    int side() const { return 0; }
    std::optional<Value> outcome(int) const { return Value{0}; }
    Value no_moves_value(int) const { return 0; }
    template <class List> void generate(List&) const {}
    bool is_legal(toy::Move) const { return false; }
    void make(toy::Move, toy::Undo&) {}
    void unmake(toy::Move, const toy::Undo&) {}
    int stage() const { return 0; }
    int history_slot(toy::Move) const { return 0; }
};
struct PlainEvaluator {
    template <class P> Value evaluate(const P&) const { return 0; }
    static constexpr std::string_view id() { return "plain"; }
};
struct PlainOrdering {
    template <class P> static void score(const P&, std::span<ScoredMove<toy::Move>>, Depth) {}
};
template <class P, class E = PlainEvaluator, class O = PlainOrdering> struct GameWith {
    using Move = toy::Move;
    using Undo = toy::Undo;
    using Position = P;
    using Evaluator = E;
    using Ordering = O;
    using Horizon = toy::Horizon;
    static constexpr std::string_view kName = "plain";
    static constexpr std::size_t kMaxMoves = 8;
    static constexpr int kHistorySlots = 1;
    static constexpr int kStages = 1;
};
using PlainGame = GameWith<PlainPosition>;
static_assert(Game<PlainGame>);

TEST(Abilities, WhatIsNotThereIsNoNearMiss) {
    for (const Ability& a : list_abilities<PlainGame>()) {
        EXPECT_FALSE(a.found) << a.name;
        EXPECT_TRUE(a.near_misses.empty()) << a.name << ": " << misses(a);
    }
}

TEST(Abilities, WhatIsThereIsFound) {
    for (const char* name :
         {"HasTactics", "HasNullMove", "HasCandidates", "HasStagedGeneration", "HasMoveEvaluation",
          "HasIncrementalEvaluator", "CountsMovesLeft", "CountsLeaves", "WritesPositions"}) {
        EXPECT_TRUE(ability<toy::Game>(name).found) << name;
    }
    EXPECT_FALSE(ability<toy::Game>("HasCheck").found);
}

struct NotConst : PlainPosition {
    bool is_tactical(toy::Move) { return false; }
    bool in_check() { return false; }
    template <class List> void generate_candidates(List&) {}
};
TEST(Abilities, AMemberThatIsNotConstIsNamed) {
    using G = GameWith<NotConst>;
    EXPECT_EQ(ability<G>("HasTactics").near_misses,
              std::vector<std::string>{"the member is there but not const; write 'bool "
                                       "Position::is_tactical(Move) const'"});
    EXPECT_NE(misses(ability<G>("HasCheck")).find("not const"), std::string::npos);
    EXPECT_NE(misses(ability<G>("HasCandidates")).find("not const"), std::string::npos);
}

struct OtherResult : PlainPosition {
    int is_tactical(toy::Move) const { return 0; }
    int phase() const { return 0; }
    std::size_t piece_count() const { return 0; }  // converts, so it is right
    std::int64_t moves_left() const { return 0; }
};
TEST(Abilities, AnotherResultIsNamed) {
    using G = GameWith<OtherResult>;
    EXPECT_NE(misses(ability<G>("HasTactics")).find("returns another type"), std::string::npos);
    EXPECT_NE(misses(ability<G>("HasPhase")).find("'Phase Position::phase() const'"),
              std::string::npos);
    EXPECT_TRUE(ability<G>("HasPieceCount").found);
    EXPECT_NE(misses(ability<G>("CountsMovesLeft")).find("another type"), std::string::npos);
}

class OtherArguments : public PlainPosition {
public:
    bool is_tactical() const { return false; }
    bool gives_check(toy::Move, int) const { return false; }
    bool gives_check(toy::Move, char) const { return false; }

private:
    bool in_check() const { return false; }
};
TEST(Abilities, OtherArgumentsAndPrivateMembersAreNamed) {
    using G = GameWith<OtherArguments>;
    for (const char* name : {"HasTactics", "HasCheckMoves", "HasCheck"}) {
        EXPECT_NE(misses(ability<G>(name)).find("cannot be called so"), std::string::npos) << name;
    }
}

struct InPart : PlainPosition {
    bool allows_null_move() const { return true; }
    void make_null(toy::Undo&) {}
    Value exchange_value(toy::Move) const { return 0; }
};
struct DeafEvaluator : PlainEvaluator {
    void after_make(const InPart&, toy::Move) {}
    void after_unmake(const InPart&, toy::Move) {}
};
TEST(Abilities, AnAbilityInPartNamesWhatIsMissing) {
    using G = GameWith<InPart, DeafEvaluator>;
    EXPECT_EQ(misses(ability<G>("HasNullMove")),
              "a part of it is missing: 'void Position::unmake_null(const Undo&)'\n");
    EXPECT_EQ(misses(ability<G>("HasIncrementalEvaluator")),
              "a part of it is missing: 'void Evaluator::reset(const Position&)'\n");
    EXPECT_EQ(misses(ability<G>("HasExchange")), "it counts only together with HasTactics\n");
}

struct Constants : GameWith<PlainPosition> {
    static constexpr bool kFarHistory = false;  // a choice
    static constexpr int kStructures = 3;
};
TEST(Abilities, ConstantsOfTheGameAreLookedAtToo) {
    EXPECT_TRUE(ability<Constants>("WantsFarHistory").near_misses.empty());
    EXPECT_NE(misses(ability<Constants>("HasStructures")).find("structure_key"), std::string::npos);
}

/// A new concept must be known to the kit, or its near misses are lost again.
TEST(Abilities, EveryConceptOfTheSourcesIsListed) {
    std::vector<std::string> known;
    for (const Ability& a : list_abilities<toy::Game>()) known.push_back(a.name);
    for (const char* file : {"core/concepts.hpp", "core/picker.hpp", "engine/game_engine.hpp"}) {
        std::ifstream in(std::string(KARIKOMI_SOURCE_DIR) + "/karikomi/" + file);
        std::ostringstream text;
        text << in.rdbuf();
        const std::string source = text.str();
        const std::regex ability("concept ((Has|Wants|Orders|Counts|Writes)[A-Z]\\w*)");
        int found = 0;
        for (std::sregex_iterator it(source.begin(), source.end(), ability), end; it != end; ++it) {
            ++found;
            EXPECT_NE(std::find(known.begin(), known.end(), (*it)[1].str()), known.end())
                << (*it)[1] << " of " << file << " is missing in conformance/abilities.hpp";
        }
        EXPECT_GT(found, 0) << file;
    }
}

}  // namespace
}  // namespace karikomi
