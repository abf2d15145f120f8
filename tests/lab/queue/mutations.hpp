// Changes messages and files as a stranger, a broken disk or a broken program would.
#pragma once

#include <string>

#include "karikomi/base/random.hpp"
#include "karikomi/engine/json.hpp"

namespace karikomi::tests {

// Bytes: flipped, left out, doubled, cut, moved.
std::string mutated_bytes(std::string text, Random& random);
// A member somewhere inside is another thing, missing, or there twice as deep.
Json mutated_json(Json json, Random& random);
// Either, of a message "HEAD\nJSON". The head stays mostly.
std::string mutated_message(const std::string& message, Random& random);

}  // namespace karikomi::tests
