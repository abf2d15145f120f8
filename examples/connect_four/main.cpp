/// The whole program for one game.
#include <karikomi/program.hpp>

#include "module.hpp"

int main(int argc, char** argv) {
    return karikomi::run(argc, argv, {karikomi::connect_four::module()});
}
