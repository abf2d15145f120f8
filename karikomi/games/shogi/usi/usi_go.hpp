/// What a `go` line asks for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/protocols/thinker.hpp"

namespace karikomi::protocols {

struct UsiGo {
    Limits limits;           ///< all but the clock
    Thinker::Clocks clocks;  ///< limits with the clock of Black and of White
    bool has_clock = false;
    std::vector<std::string> search_moves;
    bool mate = false;
    std::int64_t mate_ms = 0;  ///< 0: no limit
    Depth perft = 0;           ///< count lines of so many moves instead; 0: no

    /// The whole, for the side to move.
    Limits limits_for(int side) const {
        return has_clock ? clocks[static_cast<std::size_t>(side)] : limits;
    }
};

/// Words that mean nothing here, or numbers that are none, are passed over.
UsiGo parse_usi_go(std::string_view text);

}  // namespace karikomi::protocols
