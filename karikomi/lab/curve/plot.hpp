/// Plots of measured points: SVG for reports, and plain text for terminals.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "karikomi/lab/match/stats.hpp"

namespace karikomi::curve {

struct PlotPoint {
    double x = 0;
    double y = 0;
    std::optional<double> low;  ///< of an error bar
    std::optional<double> high;
};
struct Series {
    std::string name;
    std::vector<PlotPoint> points;
    bool joined = true;  ///< by a line
};
struct Tick {
    double x = 0;
    std::string text;
};
struct Panel {
    std::string title;
    std::vector<Series> series;
    std::vector<Tick> ticks;
};
/// Panels one below the other.
std::string svg_of(const std::vector<Panel>& panels);

struct TextBar {
    std::string name;
    match::Interval value;
};
/// One line for each: its name, and where value and interval lie on a common scale.
std::string text_plot(const std::vector<TextBar>& bars, std::size_t width = 60);

}  // namespace karikomi::curve
