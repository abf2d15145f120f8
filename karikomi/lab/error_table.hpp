/// A fitted table as source code or data, for whoever wants it in another program.
#pragma once

#include <string>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/core/selective/calibration.hpp"
#include "karikomi/engine/json_fwd.hpp"

namespace karikomi::lab {

struct ErrorTable {
    std::string evaluation;
    std::string game;
    std::string unit;     ///< of b and sigma: "centipawn"
    std::string command;  ///< that made it
    int stages = 1;
    std::int64_t positions = 0;
    /// Stage kAnyStage: it holds for all of them.
    std::vector<CalibrationCell> cells;
};

/// Every pair of depths up to `deepest`: measured where it was, else by the smooth model (samples
/// 0).
std::vector<CalibrationCell> all_cells(const Calibration& calibration, int stages, Depth deepest);

/// hpp, json, csv, rust, csharp, typescript.
const std::vector<std::string>& table_forms();
Expected<std::string> table_text(const ErrorTable& table, const std::string& form);

}  // namespace karikomi::lab
