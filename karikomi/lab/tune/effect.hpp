/// Does a setting change the search at all? What plays the same moves with every value cannot be
/// tuned by games, and a loop over it would only measure luck.
#pragma once

#include "karikomi/engine/engine.hpp"
#include "karikomi/engine/params.hpp"
#include "karikomi/lab/match/spec.hpp"

namespace karikomi::tune {

/// True when one of these searches another tree than `start`, on one of the positions.
Expected<bool> changes_tree(Engine& engine, const std::vector<SamplePosition>& positions,
                            const SearchParams& start, const std::vector<SearchParams>& others);
/// The same for internal engines of a match, on the game's own positions.
Expected<bool> changes_tree(const match::EngineSpec& start,
                            const std::vector<match::EngineSpec>& others);

}  // namespace karikomi::tune
