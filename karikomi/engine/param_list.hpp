/// Every declared parameter with its present value, for lists and documentation.
#pragma once

#include <string>
#include <vector>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi {

enum class ParamType : std::uint8_t { Flag, Integer, Real, Choice, IntegerList, RealList };

/// One declared number with its present value.
struct ParamInfo {
    std::string path;  ///< "multi_probcut.t"
    ParamType type{};
    Json value;
    double min = 0;
    double max = 0;
    std::string unit;
    std::string doc;
    std::vector<std::string> choices;
    bool came_later = false;  ///< files from before it mean its default
    bool unwritten = false;   ///< came later, and has that value
};

std::vector<ParamInfo> list_params(const SearchParams& params);

}  // namespace karikomi
