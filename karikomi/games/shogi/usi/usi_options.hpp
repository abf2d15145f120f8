/// The options of the USI engine: what a GUI is told, and what it has set.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "karikomi/base/expected.hpp"

namespace karikomi::protocols {

/// SkillLevel: no weakening; below it is the game's own scale of strength.
inline constexpr int kFullStrength = 10;

struct UsiOptions {
    long hash_mb = 64;
    bool ponder = false;
    long threads = 1;
    long multi_pv = 1;
    long network_delay_ms = 30;
    long network_delay2_ms = 0;
    long minimum_time_ms = 0;
    long slow_mover = 100;
    long resign_value = 99'999;
    long max_moves = 0;
    std::string entering_king = "CSARule27";
    bool all_moves = false;
    long nodes_limit = 0;
    long depth_limit = 0;
    long pv_interval_ms = 0;
    long skill = kFullStrength;
    bool own_book = true;
    std::string book_file = "no_book";
    std::string book_folder;
    long book_moves = 24;
    long book_margin = 30;
    long book_depth = 0;
    bool narrow_book = false;
    bool flipped_book = true;
    bool book_on_the_fly = false;
    long draw_black = 0;
    long draw_white = 0;
    bool consideration = false;
    bool stochastic_ponder = false;

    bool all_params = false;  ///< the command line's: show a GUI every parameter of the search

    /// "option name ..." lines with the present values as defaults.
    std::vector<std::string> lines() const;
    /// Sets an option by its name, in any case. Names that are not ours are no error: the result
    /// says whether it was known.
    Expected<bool> set(std::string_view name, std::string_view value);
    /// The engine's word for the rule of the entered king.
    std::string_view declaration() const;
    bool clear_hash = false;  ///< the button was pressed
};

}  // namespace karikomi::protocols
