/// The only place that instantiates the search for Connect Four.
#include "examples/connect_four/engine.hpp"

#include "examples/connect_four/connect_four.hpp"
#include "karikomi/engine/game_engine.hpp"
#include "karikomi/params/connect_four.hpp"

namespace karikomi::connect_four {

std::unique_ptr<Engine> make_engine() {
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
    return std::make_unique<GameEngine<Game>>(std::move(info), params::kConnectFour);
}

}  // namespace karikomi::connect_four
