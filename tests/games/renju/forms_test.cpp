/// What renju tells the search about threats, and what the forms that heed it do to its tree. A
/// number that changes no tree would be tuned in vain.
#include <gtest/gtest.h>

#include "karikomi/engine/params.hpp"
#include "karikomi/games/renju/engine.hpp"

namespace karikomi::renju {
namespace {

/// Nodes to a fixed depth, all samples together, with these assignments on top of what ships.
std::uint64_t nodes_with(Engine& engine, const std::vector<std::string>& assignments) {
    const SearchParams shipped = engine.params();
    SearchParams p = shipped;
    for (const std::string& a : assignments) EXPECT_TRUE(set_param(p, a)) << a;
    EXPECT_TRUE(engine.set_params(p));
    std::uint64_t nodes = 0;
    for (const SamplePosition& sample : engine.info().samples) {
        engine.new_game();
        EXPECT_TRUE(engine.set_position(sample.text));
        SearchRequest request;
        request.limits.depth = 8;
        nodes += engine.search(request)->nodes;
    }
    EXPECT_TRUE(engine.set_params(shipped));
    return nodes;
}

TEST(RenjuForms, EachChangesTheTree) {
    const auto engine = std::move(*make_renju_engine({}));
    const std::uint64_t shipped = nodes_with(*engine, {});
    EXPECT_EQ(nodes_with(*engine, {}), shipped) << "the same search twice";
    const std::vector<std::vector<std::string>> forms = {
        {"futility.reverse_threat=0"},   {"futility.razor_threat=0"},
        {"futility.late_threat=0"},      {"iid.reduce_threat=0"},
        {"late_moves.prune_threat=0"},   {"late_moves.prune_power=1"},
        {"quiescence.answer_threats=1"}, {"quiescence.threat_nodes_step=20"},
    };
    for (const auto& form : forms) EXPECT_NE(nodes_with(*engine, form), shipped) << form[0];
    // The null move is off in what ships.
    const std::vector<std::string> pass = {"null_move.enabled=true"};
    EXPECT_NE(nodes_with(*engine, {pass[0], "null_move.most_threat=0"}), nodes_with(*engine, pass));
}

/// The numbers that say "anything" leave the tree as it is.
TEST(RenjuForms, AnyThreatIsNoLimit) {
    const auto engine = std::move(*make_renju_engine({}));
    const std::uint64_t shipped = nodes_with(*engine, {});
    EXPECT_EQ(nodes_with(*engine, {"futility.late_threat=3", "late_moves.prune_threat=3"}),
              shipped);
}

}  // namespace
}  // namespace karikomi::renju
