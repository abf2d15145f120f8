#include "karikomi/games/shogi/evaluator.hpp"

namespace karikomi::shogi {

std::string_view Evaluator::id() {
    const Network* network = active_network();
    return network != nullptr ? std::string_view(network->id()) : "shogi-starter-2";
}

Evaluator::Evaluator() : network_(active_network()), accumulators_(network_ != nullptr) {}

}  // namespace karikomi::shogi
