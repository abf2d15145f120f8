/// Solvers for the page: what can be proved of a position, and by which means.
#pragma once

#include "karikomi/server/server.hpp"

namespace karikomi::cli {

/// Othello: "exact" and "result" (who wins); renju and gomoku: "threats" and "fours"; shogi: "mate"
/// and "shortest".
server::Solving page_solving();

}  // namespace karikomi::cli
