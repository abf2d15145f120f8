/// Proofs for the page, by the games' own solvers.
#pragma once

#include <string>
#include <vector>

#include "karikomi/services/orders.hpp"

namespace karikomi::services {

/// The ways in which positions of this game can be proved.
std::vector<std::string> solver_kinds(const std::string& game);
/// `order.kind` must be one of them.
Expected<Json> prove(const SolveOrder& order, const JobView& view);

}  // namespace karikomi::services
