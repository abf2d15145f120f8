/// karikomi: the program with the games that it comes with.
#include "karikomi/games/shipped.hpp"
#include "karikomi/program.hpp"

int main(int argc, char** argv) {
    return karikomi::run(argc, argv, karikomi::shipped_games());
}
