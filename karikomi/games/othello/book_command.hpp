/// What the parts of `karikomi book` share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "karikomi/engine/command.hpp"
#include "karikomi/games/othello/book_file.hpp"

namespace karikomi::othello {

struct BookOptions {
    std::string action;
    std::vector<std::string> files;  ///< the book first
    std::string position;
    std::string moves;
    std::string out;
    std::string repair;
    std::int64_t contempt = 0;
    // Building.
    std::int64_t level = -1;  ///< -1: not given; 0 for the others
    std::int64_t depth = 0;
    std::int64_t time_ms = 0;
    std::int64_t nodes = 0;
    std::int64_t plies = 0;
    std::int64_t width = 4;
    std::int64_t positions = 0;
    std::int64_t games = 0;
    std::int64_t seed = 1;
    double max_loss = 3.0;
    double randomness = 1.0;
    bool deepen = false;
};

/// The position that --position and --moves name; the start of the game without them.
Position book_position(const BookOptions& o);

/// build and extend.
int build_book(const BookOptions& o, const CommandCall& call);

}  // namespace karikomi::othello
