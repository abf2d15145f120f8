#include "tests/fuzz/target.hpp"

#include <algorithm>

namespace karikomi::fuzz {

std::vector<Target>& targets() {
    static std::vector<Target> all;
    return all;
}

const Target* find_target(std::string_view name) {
    const auto& all = targets();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Target& t) { return t.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace karikomi::fuzz
