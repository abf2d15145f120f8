/// Connect Four as the rest of the program sees it; the only place that compiles its search.
#include "module.hpp"

#include <bit>

#include <karikomi/engine/game_module.hpp>
#include <karikomi/params/connect_four.hpp>

#include "connect_four.hpp"

namespace karikomi::connect_four {
namespace {

/// A move is a column; the stone falls to its lowest free cell.
MoveShape shape(const std::string& position, const std::string& text) {
    const auto pos = Notation::parse(position);
    if (!pos) return {};
    const auto move = Notation::parse_move(*pos, text);
    if (!move) return {};
    const int at = std::countr_zero(pos->landing(*move));
    return {(kRows - 1 - at % 7) * kColumns + at / 7};
}

BoardFacet board() {
    BoardFacet b;
    b.columns = kColumns;
    b.rows = kRows;
    b.sides = {"Red", "Yellow"};
    b.column_labels = {"1", "2", "3", "4", "5", "6", "7"};
    b.shape = shape;
    return b;
}

}  // namespace

GameModule module() {
    GameInfo info;
    info.title = "Connect Four";
    info.rules = "7 columns, 6 rows; four in a row win; a full board is a draw";
    info.position_help = "the columns played from the empty board, e.g. 4453; empty for the start";
    // Random positions that a full search leaves undecided at these depths.
    info.samples = {{"", 16},
                    {"323", 17},
                    {"4453", 17},
                    {"56115", 17},
                    {"437143", 17},
                    {"5516765", 17},
                    {"64747426", 17},
                    {"465257253", 17},
                    {"12532115374", 18},
                    {"14633462711146", 18},
                    {"637776161527614", 18},
                    {"7157365235632235", 18}};
    return make_module<Game>(std::move(info), board(), std::string(params::kConnectFour));
}

}  // namespace karikomi::connect_four
