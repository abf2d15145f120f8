/// JSON with its members in the order in which they were put in. Headers that only pass documents
/// on take json_fwd.hpp: this one takes more than a second to compile.
#pragma once

#include <nlohmann/json.hpp>

#include "karikomi/engine/json_fwd.hpp"
