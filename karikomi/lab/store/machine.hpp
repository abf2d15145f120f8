/// Where and when: what every record is signed with.
#pragma once

#include <string>

#include "karikomi/engine/params.hpp"

namespace karikomi::lab {

/// Name, cores and system of this machine.
Json machine_json();
std::string utc_now();  ///< ISO 8601

}  // namespace karikomi::lab
