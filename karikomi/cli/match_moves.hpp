/// `karikomi match moves`: depth, nodes and time by move number.
#pragma once

#include "karikomi/cli/common.hpp"

namespace karikomi::cli {

/// Reads the games of a match; `chart` may be empty.
int show_moves(const std::string& database, int plies, const std::string& chart, Session& session);

}  // namespace karikomi::cli
