/// What shapes are worth: one number an empty cell, colour and rule, summed over the board; and
/// what it means to have threats when it is one's turn.
#pragma once

#include "karikomi/games/renju/patterns.hpp"

namespace karikomi::renju {

/// By code; for the colour that would play there.
using ValueTable = std::array<std::int16_t, kCodes>;
const ValueTable& values_of(Rule rule, int colour);

/// Names these numbers: fitted parameters belong to one evaluation.
inline constexpr std::string_view kEvaluationId = "renju-tables-1";

/// Threats on the board and whose turn it is: added for the side to move.
struct ThreatValues {
    Value turn = 230;             ///< to be the one who moves
    Value own_four_three = 1800;  ///< can make a four and an open three at once
    Value own_open_four = 6000;   ///< can make a straight four
    Value own_five = 9000;
    Value other_five = -700;        ///< must answer a four
    Value other_open_four = -260;   ///< must answer an open three
    Value other_open_fours = -900;  ///< more cells for a straight four than one stone takes
    Value other_four_three = -380;
};
inline constexpr ThreatValues kThreatValues;

}  // namespace karikomi::renju
