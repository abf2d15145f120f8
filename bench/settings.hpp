/// The settings that the measurements compare: each technique alone, in each of its forms.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "karikomi/engine/params.hpp"

namespace karikomi::bench {

struct Setting {
    std::string name;
    std::vector<std::string> changes;  ///< on top of everything off
};

/// Every technique alone, in each of its forms; the shipped numbers otherwise.
inline std::vector<Setting> settings() {
    return {
        {"probcut, basic", {"probcut.enabled=true", "probcut.variant=basic"}},
        {"probcut, staged", {"probcut.enabled=true", "probcut.variant=staged"}},
        {"probcut, captures", {"probcut.enabled=true", "probcut.variant=captures"}},
        {"multi_probcut 95 %, pairs", {"multi_probcut.preset=95", "multi_probcut.mode=pairs"}},
        {"multi_probcut 95 %, pairs, full window",
         {"multi_probcut.preset=95", "multi_probcut.mode=pairs", "multi_probcut.window=full"}},
        {"multi_probcut 95 %, model", {"multi_probcut.preset=95", "multi_probcut.mode=model"}},
        {"multi_probcut 95 %, model, static gate",
         {"multi_probcut.preset=95", "multi_probcut.mode=model", "multi_probcut.static_gate=true"}},
        {"multi_probcut 95 %, model, nested once",
         {"multi_probcut.preset=95", "multi_probcut.mode=model", "multi_probcut.max_nesting=1"}},
        {"multi_probcut 73 %, model", {"multi_probcut.preset=73", "multi_probcut.mode=model"}},
        {"futility", {"futility.enabled=true"}},
        {"futility, moves only",
         {"futility.enabled=true", "futility.reverse_max_depth=0", "futility.razor_max_depth=0",
          "futility.late_max_depth=0"}},
        {"futility, reverse only",
         {"futility.enabled=true", "futility.max_depth=0", "futility.reverse_max_depth=8",
          "futility.razor_max_depth=0", "futility.late_max_depth=0"}},
        {"iid, conservative", {"iid.preset=conservative"}},
        {"iid, balanced", {"iid.preset=balanced"}},
        {"iid, aggressive", {"iid.preset=aggressive"}},
        {"iid, adaptive", {"iid.preset=balanced", "iid.adaptive=true"}},
        {"iid, multi-level", {"iid.preset=balanced", "iid.multi_level=true"}},
        {"iid, selective", {"iid.preset=balanced", "iid.selective=true"}},
        {"iid, delayed", {"iid.preset=balanced", "iid.delayed=true"}},
        {"iid, cached", {"iid.preset=balanced", "iid.cached=true"}},
        {"iid, reduce (IIR)", {"iid.enabled=true", "iid.variant=reduce"}},
        {"singular", {"singular.enabled=true", "singular.double_extension=false"}},
        {"singular, double", {"singular.enabled=true", "singular.double_extension=true"}},
        {"singular, no multi-cut",
         {"singular.enabled=true", "singular.double_extension=false", "singular.multi_cut=false"}},
        {"singular, history filter", {"singular.enabled=true", "singular.history_filter=true"}},
        {"null_move", {"null_move.enabled=true"}},
        {"late_moves", {"late_moves.enabled=true"}},
        {"late_moves, reduction only",
         {"late_moves.enabled=true", "late_moves.prune_max_depth=0",
          "late_moves.exchange_max_depth=0", "late_moves.history_max_depth=0"}},
    };
}

/// The technique that a setting is about: its name up to the first blank or comma.
inline std::string technique_of(const Setting& s) {
    return s.name.substr(0, s.name.find_first_of(" ,"));
}

inline Status apply(const Setting& s, SearchParams& params) {
    for (const std::string& change : s.changes) {
        if (const Status status = set_param(params, change); !status) return status;
    }
    return {};
}

/// Does the game have what every technique that is on needs?
inline bool can_use(const Engine& engine, const SearchParams& params) {
    const auto& can = engine.info().techniques;
    for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {
        const auto t = static_cast<Technique>(i);
        if (params.selective.enabled(t) && std::find(can.begin(), can.end(), t) == can.end())
            return false;
    }
    return true;
}

}  // namespace karikomi::bench
