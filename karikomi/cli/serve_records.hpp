/// Record files for the page: what people paste, and what they take away.
#pragma once

#include "karikomi/server/server.hpp"

namespace karikomi::cli {

/// Positions and move lists of every game; KIF, CSA and USI for shogi; transcripts, OBF, GGF and
/// WTHOR for Othello; SGF, PSQ and (read only) RenLib for renju and gomoku.
server::Records page_records();

}  // namespace karikomi::cli
