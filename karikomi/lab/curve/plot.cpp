#include "karikomi/lab/curve/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "karikomi/lab/match/svg.hpp"

namespace karikomi::curve {
namespace {

using match::svg_line;
using match::svg_text;

constexpr double kWidth = 640;
constexpr double kPanel = 280;
constexpr double kLeft = 70;
constexpr double kRight = 20;
constexpr double kTop = 46;
constexpr double kBottom = 34;
constexpr std::array<const char*, 4> kColours = {"#1f5fa8", "#c0392b", "#2e8b57", "#8e5ea2"};

struct Bounds {
    double low = 0;
    double high = 0;
    bool any = false;

    void add(double v) {
        low = any ? std::min(low, v) : v;
        high = any ? std::max(high, v) : v;
        any = true;
    }
    /// Never of width 0.
    void widen() {
        if (high - low > 1e-9) return;
        low -= 0.5;
        high += 0.5;
    }
    double share(double v) const { return (v - low) / (high - low); }
};

struct Frame {
    Bounds x;
    Bounds y;
    double top = 0;

    double at_x(double v) const { return kLeft + x.share(v) * (kWidth - kLeft - kRight); }
    double at_y(double v) const {
        return top + kTop + (1 - y.share(v)) * (kPanel - kTop - kBottom);
    }
};

Frame frame_of(const Panel& p, double top) {
    Frame f;
    f.top = top;
    for (const Series& s : p.series) {
        for (const PlotPoint& point : s.points) {
            f.x.add(point.x);
            f.y.add(point.y);
            if (point.low) f.y.add(*point.low);
            if (point.high) f.y.add(*point.high);
        }
    }
    for (const Tick& t : p.ticks) f.x.add(t.x);
    f.y.add(0);
    f.x.widen();
    f.y.widen();
    return f;
}

std::string series_svg(const Series& s, const Frame& f, const char* colour) {
    std::string out;
    std::string path;
    for (const PlotPoint& p : s.points) {
        const double x = f.at_x(p.x);
        if (p.low && p.high) out += svg_line(x, f.at_y(*p.low), x, f.at_y(*p.high), colour);
        if (s.joined) path += fmt::format("{:.1f},{:.1f} ", x, f.at_y(p.y));
        out += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3' fill='{}'/>\n", x, f.at_y(p.y),
                           colour);
    }
    if (!path.empty()) {
        out += fmt::format("<polyline points='{}' fill='none' stroke='{}'/>\n", path, colour);
    }
    return out;
}

std::string panel_svg(const Panel& p, double top) {
    const Frame f = frame_of(p, top);
    std::string out = svg_text(kWidth / 2, top + 18, p.title);
    for (int i = 0; i <= 4; ++i) {
        const double v = f.y.low + i * (f.y.high - f.y.low) / 4;
        out += svg_line(kLeft, f.at_y(v), kWidth - kRight, f.at_y(v), "#ddd");
        out += svg_text(kLeft - 6, f.at_y(v) + 4, fmt::format("{:.4g}", v), "end");
    }
    out += svg_line(kLeft, f.at_y(0), kWidth - kRight, f.at_y(0), "#888");
    for (const Tick& t : p.ticks) out += svg_text(f.at_x(t.x), top + kPanel - 14, t.text);
    double legend = kLeft;
    for (std::size_t i = 0; i < p.series.size(); ++i) {
        const char* colour = kColours[i % kColours.size()];
        out += series_svg(p.series[i], f, colour);
        if (p.series[i].name.empty()) continue;
        out += svg_line(legend, top + 32, legend + 16, top + 32, colour);
        out += svg_text(legend + 20, top + 36, p.series[i].name, "start");
        legend += 40 + 7 * static_cast<double>(p.series[i].name.size());
    }
    return out;
}

}  // namespace

std::string svg_of(const std::vector<Panel>& panels) {
    std::string out;
    double top = 0;
    for (const Panel& p : panels) {
        out += panel_svg(p, top);
        top += kPanel;
    }
    return match::svg_document(kWidth, std::max(top, 40.0), out);
}

std::string text_plot(const std::vector<TextBar>& bars, std::size_t width) {
    Bounds scale;
    scale.add(0);
    std::size_t names = 0;
    for (const TextBar& b : bars) {
        for (const double v : {b.value.low, b.value.high}) scale.add(std::clamp(v, -800.0, 800.0));
        names = std::max(names, b.name.size());
    }
    scale.widen();
    const auto column = [&](double v) {
        const double share = std::clamp(scale.share(v), 0.0, 1.0);
        return static_cast<std::size_t>(std::lround(share * static_cast<double>(width - 1)));
    };
    std::string out;
    for (const TextBar& b : bars) {
        std::string row(width, ' ');
        row[column(0)] = '|';
        for (std::size_t i = column(b.value.low); i <= column(b.value.high); ++i) row[i] = '-';
        row[column(b.value.value)] = 'o';
        out += fmt::format("  {:>{}} {}\n", b.name, names, row);
    }
    std::string ends = fmt::format("{:+.0f}", scale.low);
    const std::string right = fmt::format("{:+.0f}", scale.high);
    ends.resize(std::max(ends.size() + 1, width - right.size()), ' ');
    return out + fmt::format("  {:>{}} {}{}\n", "", names, ends, right);
}

}  // namespace karikomi::curve
