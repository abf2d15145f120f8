/// Opening rules for the page: what is asked of whom, and which answers are allowed.
#pragma once

#include "karikomi/server/server.hpp"

namespace karikomi::cli {

/// Gomoku: "swap2"; renju: "rif" and "taraguchi10".
server::Openings page_openings();

}  // namespace karikomi::cli
