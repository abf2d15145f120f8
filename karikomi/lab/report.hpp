/// One HTML file with everything that the laboratory knows: opens offline, asks for nothing.
#pragma once

#include <string>
#include <vector>

#include "karikomi/lab/samples.hpp"

namespace karikomi::lab {

/// Databases of `karikomi lab`, `karikomi match` and `karikomi tune`.
struct ReportSources {
    std::vector<std::string> samples;
    std::vector<std::string> matches;
    std::vector<std::string> tunings;
    int held_out_percent = 20;
};

/// What the page shows, as one document.
Expected<Json> report_data(const ReportSources& sources);

}  // namespace karikomi::lab
