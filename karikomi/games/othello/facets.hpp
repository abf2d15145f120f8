/// The facets of Othello's module, one file each.
#pragma once

#include "karikomi/engine/module.hpp"

namespace karikomi::othello {

RecordsFacet records_facet();
SolverFacet solver_facet();
CommandFacet train_facet();
CommandFacet book_facet();
std::optional<Repair> examine_book(const std::string& file);
std::vector<ProtocolFacet> protocol_facets();

}  // namespace karikomi::othello
