/// The facets of the modules of renju and gomoku, one file each.
#pragma once

#include "karikomi/engine/module.hpp"
#include "karikomi/games/renju/types.hpp"

namespace karikomi::renju {

RecordsFacet records_facet(Rule rule);
SolverFacet solver_facet(Rule rule);
std::optional<OpeningsFacet> openings_facet(Rule rule);
CommandFacet train_facet(const std::string& game, Rule rule);
std::vector<ProtocolFacet> protocol_facets(Rule rule);

}  // namespace karikomi::renju
