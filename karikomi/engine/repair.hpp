/// What `karikomi repair` can do for a file of one kind.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "karikomi/base/expected.hpp"

namespace karikomi {

struct Repair {
    std::string kind;                 ///< "opening book"
    std::vector<std::string> faults;  ///< with their places; none: the file is in order
    std::string good;                 ///< what can be saved: "800 positions"; empty: nothing
    /// Writes what is good to a new file.
    std::function<Status(const std::string& file)> save;
};

}  // namespace karikomi
