// The tests know the games of the program: registered before any test is listed.
#include <stdexcept>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/shipped.hpp"

namespace {

const bool kRegistered = [] {
    if (const auto s = karikomi::register_games(karikomi::shipped_games()); !s) {
        throw std::logic_error(s.error().what);
    }
    return true;
}();

}  // namespace
