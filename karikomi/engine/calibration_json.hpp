/// A calibration as the section of a parameter file.
#pragma once

#include "karikomi/base/expected.hpp"
#include "karikomi/core/selective/calibration.hpp"
#include "karikomi/engine/engine.hpp"
#include "karikomi/engine/json_fwd.hpp"

namespace karikomi {

/// Errors name the path. "probcut" and "multi_probcut" are the source documents' starting values.
Expected<Calibration> read_calibration(const Json& j, const GameInfo& game);
Json write_calibration(const Calibration& calibration);

}  // namespace karikomi
