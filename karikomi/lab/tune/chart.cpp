#include "karikomi/lab/tune/chart.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "karikomi/lab/match/svg.hpp"

namespace karikomi::tune {
namespace {

constexpr double kWidth = 640;
constexpr double kPanel = 260;  // height of one panel
constexpr double kLeft = 70;
constexpr double kRight = 20;
constexpr double kTop = 30;
constexpr double kBottom = 40;

std::string document(double height, const std::string& body) {
    return match::svg_document(kWidth, height, body);
}

/// A panel's vertical scale.
struct Scale {
    double low = 0;
    double high = 1;
    double top = 0;
    double y(double value) const {
        const double share = (value - low) / std::max(high - low, 1e-9);
        return top + kTop + (1.0 - share) * (kPanel - kTop - kBottom);
    }
};

std::string frame(const Scale& s, const std::string& title) {
    std::string out = match::svg_text(kWidth / 2, s.top + 18, title);
    for (int i = 0; i <= 4; ++i) {
        const double v = s.low + i * (s.high - s.low) / 4;
        out += match::svg_line(kLeft, s.y(v), kWidth - kRight, s.y(v), "#ddd");
        out += match::svg_text(kLeft - 6, s.y(v) + 4, fmt::format("{:.4g}", v), "end");
    }
    return out;
}

std::string one_axis(const ChartAxis& axis, const std::vector<ChartPoint>& points) {
    Scale s{0, 0, 0};
    for (const ChartPoint& p : points) {
        s.low = std::min(s.low, p.elo.low);
        s.high = std::max(s.high, p.elo.high);
    }
    std::string out = frame(s, "Elo against the start, with 95 % intervals, by " + axis.name);
    out += match::svg_line(kLeft, s.y(0), kWidth - kRight, s.y(0), "#888");
    const double step = (kWidth - kLeft - kRight) / static_cast<double>(axis.values.size());
    for (const ChartPoint& p : points) {
        const double x = kLeft + (static_cast<double>(p.at[0]) + 0.5) * step;
        out += match::svg_line(x, s.y(p.elo.low), x, s.y(p.elo.high), "#357");
        out += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='4' fill='#357'/>\n", x,
                           s.y(p.elo.value));
        out += match::svg_text(x, kPanel - 16, axis.values[p.at[0]]);
    }
    return document(kPanel, out);
}

/// Blue is better, red is worse; white is no difference.
std::string colour_of(double elo, double most) {
    const double share = std::clamp(elo / std::max(most, 1e-9), -1.0, 1.0);
    const int fade = 255 - static_cast<int>(std::lround(150 * std::abs(share)));
    return share >= 0 ? fmt::format("rgb({0},{0},255)", fade)
                      : fmt::format("rgb(255,{0},{0})", fade);
}

std::string field(const std::vector<ChartAxis>& axes, const std::vector<const ChartPoint*>& points,
                  double top, double most) {
    constexpr double kCell = 34;
    const double width = (kWidth - kLeft - kRight) / static_cast<double>(axes[0].values.size());
    std::string out;
    for (std::size_t i = 0; i < axes[0].values.size(); ++i) {
        out += match::svg_text(kLeft + (static_cast<double>(i) + 0.5) * width, top + 14,
                               axes[0].values[i]);
    }
    for (std::size_t i = 0; i < axes[1].values.size(); ++i) {
        out += match::svg_text(kLeft - 6, top + 20 + (static_cast<double>(i) + 0.6) * kCell,
                               axes[1].values[i], "end");
    }
    for (const ChartPoint* p : points) {
        const double x = kLeft + static_cast<double>(p->at[0]) * width;
        const double y = top + 20 + static_cast<double>(p->at[1]) * kCell;
        out += fmt::format(
            "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{}' fill='{}' stroke='white'/>\n",
            x, y, width, kCell, colour_of(p->elo.value, most));
        out += match::svg_text(x + width / 2, y + 15, fmt::format("{:+.1f}", p->elo.value));
        out += match::svg_text(x + width / 2, y + 29,
                               fmt::format("{:+.0f} … {:+.0f}", p->elo.low, p->elo.high));
    }
    return out;
}

}  // namespace

std::string grid_chart(const std::vector<ChartAxis>& axes, const std::vector<ChartPoint>& points) {
    if (axes.empty() || points.empty()) return document(40, "");
    if (axes.size() == 1) return one_axis(axes[0], points);
    double most = 1;
    std::map<std::vector<std::size_t>, std::vector<const ChartPoint*>> groups;
    for (const ChartPoint& p : points) {
        most = std::max(most, std::abs(p.elo.value));
        groups[{p.at.begin() + 2, p.at.end()}].push_back(&p);
    }
    const double height = 60 + 34 * static_cast<double>(axes[1].values.size());
    std::string out;
    double top = 0;
    for (const auto& [rest, group] : groups) {
        std::string title =
            fmt::format("Elo against the start: {} across, {} down", axes[0].name, axes[1].name);
        for (std::size_t i = 0; i < rest.size(); ++i) {
            title += fmt::format(", {} = {}", axes[i + 2].name, axes[i + 2].values[rest[i]]);
        }
        out += match::svg_text(kWidth / 2, top + 18, title);
        out += field(axes, group, top + 22, most);
        top += height;
    }
    return document(top, out);
}

std::string course_chart(const std::vector<ChartCourse>& courses) {
    constexpr std::size_t kMostPoints = 600;  // more cannot be seen
    std::string out;
    double top = 0;
    for (const ChartCourse& c : courses) {
        Scale s{c.max, c.min, top};
        for (const float v : c.values) {
            s.low = std::min(s.low, static_cast<double>(v));
            s.high = std::max(s.high, static_cast<double>(v));
        }
        if (c.values.empty()) s.low = c.min, s.high = c.max;
        if (s.high - s.low < 1e-6) s.low -= 0.5, s.high += 0.5;
        out += frame(s, c.name + " over the trials");
        const std::size_t stride = c.values.size() / kMostPoints + 1;
        std::string path;
        for (std::size_t i = 0; i < c.values.size(); i += stride) {
            const double x = kLeft + (kWidth - kLeft - kRight) * static_cast<double>(i) /
                                         static_cast<double>(c.values.size());
            path += fmt::format("{:.1f},{:.1f} ", x, s.y(static_cast<double>(c.values[i])));
        }
        out += fmt::format("<polyline points='{}' fill='none' stroke='#357'/>\n", path);
        out += match::svg_text(kWidth - kRight, top + kPanel - 16,
                               fmt::format("{} trials", c.values.size()), "end");
        top += kPanel;
    }
    return document(std::max(top, 40.0), out);
}

}  // namespace karikomi::tune
