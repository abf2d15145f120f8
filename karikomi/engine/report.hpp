/// Search results as JSON: the one place that names the keys.
#pragma once

#include "karikomi/engine/params.hpp"

namespace karikomi {

Json to_json(const SelectiveStats& stats);
Json to_json(const Line& line);
Json to_json(const Info& info);
Json to_json(const Result& result);

std::uint64_t nodes_per_second(std::uint64_t nodes, std::int64_t time_us);
/// "+1.25", or "win in 7": for people. Values are printed in evaluation units.
std::string describe_value(Value v);

}  // namespace karikomi
