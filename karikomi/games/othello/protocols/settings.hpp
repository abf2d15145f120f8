/// What a user chooses for Othello's protocols on the command line.
#pragma once

#include <memory>

#include "karikomi/games/othello/book.hpp"
#include "karikomi/protocols/settings.hpp"

namespace karikomi::protocols {

struct OthelloSettings : Settings {
    std::shared_ptr<const othello::Book> book;  ///< openings; may be empty
    double randomness = 0;  ///< discs that a move of the book may lose, for the sake of variety
};

}  // namespace karikomi::protocols
