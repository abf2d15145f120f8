/// Opening rules: who puts what where, and who may change sides, before play is free.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "karikomi/engine/params.hpp"

namespace karikomi {

/// An opening rule, and what the players have done under it so far.
struct OpeningOrder {
    std::string game;
    std::string rule;
    int size = 0;                    ///< of the board; 0: the usual one
    std::vector<std::string> steps;  ///< cells and decisions
};

struct OpeningsFacet {
    std::vector<std::string> rules;  ///< names of those that are played in this game
    /// What is asked of whom after the steps.
    std::function<Expected<Json>(const OpeningOrder& order)> follow;
};

}  // namespace karikomi
