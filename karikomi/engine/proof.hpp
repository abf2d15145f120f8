/// What a solver found out about a position.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/solver.hpp"

namespace karikomi {

struct Proof {
    bool solved = false;
    std::optional<bool> matches{};  ///< the score that the problem came with
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;
    Json row;          ///< for programs
    Json answer;       ///< for the page: "answer" (in a word), "solved", "line", "nodes", "time_ms"
    std::string text;  ///< for people: a line, or several, without the last line's end
};

}  // namespace karikomi
