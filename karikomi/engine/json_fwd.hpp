/// The name of a JSON document, for declarations; json.hpp has the rest.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace karikomi {

using Json = nlohmann::ordered_json;

}  // namespace karikomi
