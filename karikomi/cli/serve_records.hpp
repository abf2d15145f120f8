/// Record files for the page: what people paste, and what they take away.
#pragma once

#include "karikomi/server/server.hpp"

namespace karikomi::cli {

/// Positions and move lists of every game; KIF, CSA and USI for shogi; transcripts, OBF and GGF for
/// Othello.
server::Records page_records();

}  // namespace karikomi::cli
