#include "karikomi/lab/tune/effect.hpp"

#include <fmt/format.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/match/player.hpp"

namespace karikomi::tune {
namespace {

/// An extreme value may blow a tree up; that it does is seen by then.
constexpr std::uint64_t kMostNodes = 50'000;

/// Nodes, value and move: two trees that agree in all of them are one.
Expected<std::string> tree_of(Engine& engine, const SamplePosition& at,
                              const SearchParams& params) {
    if (const Status s = engine.set_params(params); !s) return s.error();
    engine.new_game();
    if (const Status s = engine.set_position(at.text); !s) return s.error();
    SearchRequest request;
    request.limits.depth = at.depth;
    request.limits.nodes = kMostNodes;
    const auto found = engine.search(request);
    if (!found) return found.error();
    const Value value = found->lines.empty() ? kNoValue : found->lines.front().value;
    return fmt::format("{} {} {}", found->nodes, value, found->best_move);
}

}  // namespace

Expected<bool> changes_tree(Engine& engine, const std::vector<SamplePosition>& positions,
                            const SearchParams& start, const std::vector<SearchParams>& others) {
    for (const SamplePosition& at : positions) {
        const auto usual = tree_of(engine, at, start);
        if (!usual) return usual.error();
        for (const SearchParams& params : others) {
            const auto tree = tree_of(engine, at, params);
            if (!tree) return tree.error();
            if (*tree != *usual) return true;
        }
    }
    return false;
}

Expected<bool> changes_tree(const match::EngineSpec& start,
                            const std::vector<match::EngineSpec>& others) {
    auto engine = make_engine(start.game, {start.weights_file});
    if (!engine) return engine.error();
    const auto usual = match::internal_params(start, **engine);
    if (!usual) return usual.error();
    std::vector<SearchParams> all;
    for (const match::EngineSpec& spec : others) {
        auto params = match::internal_params(spec, **engine);
        if (!params) return params.error();
        all.push_back(std::move(*params));
    }
    return changes_tree(**engine, (*engine)->info().samples, *usual, all);
}

}  // namespace karikomi::tune
