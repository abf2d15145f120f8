/// The whole program for Breakthrough: every command, the laboratory, matches, the page.
#include <karikomi/program.hpp>

#include "breakthrough.hpp"

int main(int argc, char** argv) {
    karikomi::GameInfo info;
    info.title = "Breakthrough 6x6";
    info.rules = "pawns step forward and capture diagonally; who reaches the far row wins";
    info.position_help = "the moves from the start, two squares each, e.g. b2b3e5d4";
    info.samples = {{"", 7}, {"b2b3e5e4", 7}, {"b2b3e5d4a2a3f5f4", 7}};
    info.unit = breakthrough::Position::kPawn;
    return karikomi::run(argc, argv,
                         {karikomi::make_module<breakthrough::Game>(info, breakthrough::board())});
}
