#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/lab/tune/tune.hpp"

namespace karikomi::tune {
namespace {

constexpr std::size_t kMostValues = 200;  // of an axis
constexpr std::size_t kMostPoints = 1000;

struct Preset {
    std::vector<std::string> needs;  ///< settings without which the axes change nothing
    std::vector<GridAxis> axes;
};

const std::map<std::string, Preset>& presets() {
    static const std::map<std::string, Preset> kPresets = {
        {"iid",
         {{"iid.enabled=true", "iid.variant=search"},
          {{"iid.min_depth", {"4", "5", "6", "7", "8"}},
           {"iid.depth_reduction", {"1", "2", "3", "4"}}}}},
        {"late_moves",
         {{"late_moves.enabled=true"},
          {{"late_moves.full_moves", {"2", "3", "4", "6"}},
           {"late_moves.divisor", {"1.5", "2.0", "2.5", "3.5"}}}}},
        {"multi_probcut",
         {{"multi_probcut.enabled=true"},
          {{"multi_probcut.t", {"0.9", "1.1", "1.3", "1.5", "1.7", "2.0"}}}}},
        {"null_move",
         {{"null_move.enabled=true"},
          {{"null_move.reduction", {"2", "3", "4", "5"}},
           {"null_move.min_depth", {"2", "3", "4"}}}}},
        {"singular",
         {{"singular.enabled=true"}, {{"singular.min_depth", {"5", "6", "7", "8", "10"}}}}},
    };
    return kPresets;
}

std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "1.0..2.0:0.25"
Expected<std::vector<std::string>> parse_range(const std::string& text, std::size_t dots) {
    const std::size_t colon = std::min(text.find(':', dots), text.size());
    const auto from = number(std::string_view(text).substr(0, dots));
    const auto to = number(std::string_view(text).substr(dots + 2, colon - dots - 2));
    const auto step = colon == text.size() ? std::optional(1.0)
                                           : number(std::string_view(text).substr(colon + 1));
    const Error wrong{fmt::format("'{}' is no range", text),
                      "write FROM..TO:STEP, as in 1..2:0.25"};
    if (!from || !to || !step || !(*step > 0) || !(*from <= *to)) return wrong;
    if ((*to - *from) / *step > static_cast<double>(kMostValues)) return wrong;
    std::vector<std::string> values;
    for (int i = 0; *from + i * *step <= *to + 1e-9 * *step; ++i) {
        values.push_back(fmt::format("{:.10g}", *from + i * *step));
    }
    return values;
}

double standard_error(const match::Interval& i) {
    return (i.high - i.low) / 3.92;
}

}  // namespace

Expected<GridAxis> parse_axis(const std::string& text) {
    const std::size_t equals = text.find('=');
    GridAxis axis;
    axis.path = text.substr(0, equals);
    const std::string rest = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (axis.path.empty() || rest.empty()) {
        return Error{fmt::format("--param: '{}' names no values", text),
                     "write iid.min_depth=4,5,6 or multi_probcut.t=1..2:0.25"};
    }
    if (const std::size_t dots = rest.find(".."); dots != std::string::npos) {
        auto values = parse_range(rest, dots);
        if (!values) return Error{"--param: " + values.error().what, values.error().remedy};
        axis.values = std::move(*values);
        return axis;
    }
    for (std::size_t at = 0; at <= rest.size();) {
        const std::size_t comma = std::min(rest.find(',', at), rest.size());
        axis.values.push_back(rest.substr(at, comma - at));
        at = comma + 1;
    }
    return axis;
}

std::vector<GridAxis> preset_grid(const std::string& name) {
    const auto found = presets().find(name);
    return found == presets().end() ? std::vector<GridAxis>() : found->second.axes;
}

std::vector<std::string> preset_needs(const std::string& name) {
    const auto found = presets().find(name);
    return found == presets().end() ? std::vector<std::string>() : found->second.needs;
}

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const auto& [name, preset] : presets()) names.push_back(name);
    return names;
}

std::vector<std::vector<std::size_t>> grid_points(const std::vector<GridAxis>& axes) {
    std::vector<std::vector<std::size_t>> points;
    std::vector<std::size_t> at(axes.size(), 0);
    if (axes.empty()) return points;
    for (;;) {
        points.push_back(at);
        std::size_t i = 0;
        while (i < axes.size() && ++at[i] == axes[i].values.size()) at[i++] = 0;
        if (i == axes.size()) return points;
    }
}

bool is_program(const std::string& base) {
    const auto spec = match::parse_engine(base);
    return spec && spec->protocol != match::Protocol::Internal;
}

std::string tuned_text(const std::string& game, const std::string& base,
                       const match::EngineSpec::Pairs& more) {
    const bool program = is_program(base);
    std::string query = program ? "" : base;
    std::size_t colon = 0;
    if (program) {
        colon = base.find(':');
        const std::size_t mark = std::min(base.find('?'), colon);
        if (mark < colon) query = base.substr(mark + 1, colon - mark - 1);
    }
    for (const auto& [key, value] : more) {
        const bool option = program && key == "set";
        // set=NAME=VALUE of ours is option.NAME=VALUE of a program.
        query += (query.empty() ? "" : "&") + (option ? "option." : key + "=") + value;
    }
    if (!program) return query.empty() ? "internal:" + game : "internal:" + game + "?" + query;
    const std::string protocol = base.substr(0, std::min(base.find('?'), colon));
    return protocol + (query.empty() ? "" : "?" + query) + base.substr(colon);
}

std::string point_engine(const std::string& game, const std::string& base,
                         const std::vector<GridAxis>& axes, const std::vector<std::size_t>& point) {
    match::EngineSpec::Pairs settings;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::string assignment = axes[i].path + "=" + axes[i].values[point[i]];
        settings.emplace_back("set", assignment);
        names.push_back(assignment);
    }
    settings.emplace_back("name", fmt::format("{}", fmt::join(names, " ")));
    return tuned_text(game, base, settings);
}

Expected<match::MatchConfig> grid_match(match::MatchConfig config, const std::string& base,
                                        const std::vector<GridAxis>& axes) {
    const auto points = grid_points(axes);
    if (points.empty() || points.size() > kMostPoints) {
        return Error{fmt::format("the grid has {} points", points.size()),
                     fmt::format("between 1 and {} are possible", kMostPoints)};
    }
    std::vector<std::string> texts = {tuned_text(config.game, base, {{"name", "start"}})};
    for (const auto& point : points) texts.push_back(point_engine(config.game, base, axes, point));
    config.engines.clear();
    for (const std::string& text : texts) {
        auto spec = match::parse_engine(text);
        if (!spec) return spec.error();
        config.engines.push_back(std::move(*spec));
    }
    config.gauntlet = true;
    return config;
}

GridResult grid_result(const match::Scoreboard& board, const std::vector<GridAxis>& axes) {
    GridResult result;
    const auto points = grid_points(axes);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& row = board.row(i);  // the start's point of view
        const match::Interval elo =
            (row.pairs.pairs() > 0 ? estimate(row.pairs) : estimate(row.games)).elo;
        result.points.push_back({points[i], {-elo.value, -elo.high, -elo.low}, row.games.games()});
        if (result.points[i].elo.value > result.points[result.best].elo.value) result.best = i;
    }
    for (const GridAxis& axis : axes) result.plausible.emplace_back(axis.values.size(), false);
    const match::Interval& best = result.points[result.best].elo;
    for (const GridPoint& p : result.points) {
        const double error = std::hypot(standard_error(best), standard_error(p.elo));
        if (best.value - p.elo.value > 1.96 * error) continue;
        for (std::size_t i = 0; i < axes.size(); ++i) result.plausible[i][p.at[i]] = true;
    }
    return result;
}

}  // namespace karikomi::tune
