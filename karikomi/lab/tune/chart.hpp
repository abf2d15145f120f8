/// Charts of tuning runs as SVG, for a browser or a report.
#pragma once

#include <string>
#include <vector>

#include "karikomi/lab/match/stats.hpp"

namespace karikomi::tune {

/// One measured point of a grid: its coordinates are indices into the axes' values.
struct ChartPoint {
    std::vector<std::size_t> at;
    match::Interval elo;
};
struct ChartAxis {
    std::string name;
    std::vector<std::string> values;
};

/// One axis: points with error bars. Two: a field of colours with the numbers. More: the first two
/// of the axes for each combination of the others, one below the other.
std::string grid_chart(const std::vector<ChartAxis>& axes, const std::vector<ChartPoint>& points);

/// The course of each parameter over the trials.
struct ChartCourse {
    std::string name;
    double min = 0;
    double max = 0;
    std::vector<float> values;
};
std::string course_chart(const std::vector<ChartCourse>& courses);

}  // namespace karikomi::tune
