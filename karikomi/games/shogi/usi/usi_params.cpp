#include "karikomi/games/shogi/usi/usi_params.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/param_list.hpp"
#include "karikomi/protocols/lines.hpp"

namespace karikomi::protocols {
namespace {

bool is_margin(const ParamInfo& p) {
    const bool number = p.type == ParamType::Integer || p.type == ParamType::Real;
    return number && (p.unit.starts_with("eval") || p.unit == "sigma");
}

/// What most users want to change, and few enough for a dialog.
std::vector<std::string> main_ones(const std::vector<ParamInfo>& all, const GameInfo& game) {
    std::vector<std::string> out;
    for (const Technique t : game.techniques) {
        const std::string section(kTechniqueNames[static_cast<std::size_t>(t)]);
        bool has_margin = false;
        for (const ParamInfo& p : all) {
            if (p.path.substr(0, p.path.find('.')) != section) continue;
            const std::string key = p.path.substr(section.size() + 1);
            const bool margin = !has_margin && is_margin(p);
            has_margin = has_margin || margin;
            if (key == "enabled" || key == "min_depth" || margin) out.push_back(p.path);
        }
    }
    return out;
}

/// USI has no real numbers and no lists: they are strings.
std::string kind_of(const ParamInfo& p) {
    switch (p.type) {
        case ParamType::Flag:
            return fmt::format("check default {}", p.value.dump());
        case ParamType::Integer:
            return fmt::format("spin default {} min {:.0f} max {:.0f}", p.value.dump(), p.min,
                               p.max);
        case ParamType::Choice:
            return fmt::format("combo default {} var {}", p.value.get<std::string>(),
                               fmt::join(p.choices, " var "));
        default:
            return fmt::format("string default {}", p.value.dump());
    }
}

}  // namespace

UsiParams::UsiParams(const SearchParams& start, const GameInfo& game, bool all) : now_(start) {
    const auto params = list_params(start);
    if (!all) {
        shown_ = main_ones(params, game);
        return;
    }
    for (const ParamInfo& p : params) shown_.push_back(p.path);
}

std::vector<std::string> UsiParams::lines() const {
    std::vector<std::string> out;
    const auto all = list_params(now_);
    for (const std::string& path : shown_) {
        const auto p = std::find_if(all.begin(), all.end(),
                                    [&](const ParamInfo& i) { return i.path == path; });
        if (p != all.end()) out.push_back(fmt::format("option name {} type {}", path, kind_of(*p)));
    }
    return out;
}

Expected<bool> UsiParams::set(std::string_view name, std::string_view value) {
    for (const ParamInfo& p : list_params(now_)) {
        if (lower_case(p.path) != lower_case(name)) continue;
        const Status status = set_param(now_, fmt::format("{}={}", p.path, trimmed(value)));
        if (!status) return status.error();
        return true;
    }
    return false;
}

}  // namespace karikomi::protocols
