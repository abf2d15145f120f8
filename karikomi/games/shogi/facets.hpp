/// The facets of shogi's module, one file each.
#pragma once

#include "karikomi/engine/module.hpp"

namespace karikomi::shogi {

RecordsFacet records_facet();
NotationFacet notation_facet();
SolverFacet solver_facet();
CommandFacet train_facet();
CommandFacet book_facet();
std::vector<ProtocolFacet> protocol_facets();

}  // namespace karikomi::shogi
