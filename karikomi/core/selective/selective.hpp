/// Every selective technique, once: parameters, counters, gate, switches, rows of reports and names
/// follow from the list. docs/adding-a-technique.md says what else a new one needs.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "karikomi/core/selective/calibration.hpp"
#include "karikomi/core/selective/futility.hpp"
#include "karikomi/core/selective/hindsight.hpp"
#include "karikomi/core/selective/iid.hpp"
#include "karikomi/core/selective/late_moves.hpp"
#include "karikomi/core/selective/multi_probcut.hpp"
#include "karikomi/core/selective/null_move.hpp"
#include "karikomi/core/selective/probcut.hpp"
#include "karikomi/core/selective/singular.hpp"

namespace karikomi {

/// In the order in which the command line and the reports list them.
using TechniqueList =
    std::tuple<ProbCut, MultiProbCut, Futility, Iid, Singular, NullMove, LateMoves, Hindsight>;
inline constexpr std::size_t kTechniques = std::tuple_size_v<TechniqueList>;

/// Calls visit.operator()<T>() for each technique T in turn.
template <class Visit> constexpr void for_each_technique(Visit&& visit) {
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        (visit.template operator()<std::tuple_element_t<kIndex, TechniqueList>>(), ...);
    }
    (std::make_index_sequence<kTechniques>{});
}

template <class T> consteval std::size_t technique_index() {
    std::size_t at = 0;
    std::size_t found = kTechniques;
    for_each_technique([&]<class U>() {
        if (std::is_same_v<T, U>) found = at;
        ++at;
    });
    return found;
}
template <class T> inline constexpr Technique kTechnique = Technique(technique_index<T>());

inline constexpr std::array<std::string_view, kTechniques> kTechniqueNames = [] {
    std::array<std::string_view, kTechniques> names;
    std::size_t at = 0;
    for_each_technique([&]<class T>() { names[at++] = T::kName; });
    return names;
}();
constexpr std::string_view name_of(Technique t) {
    return kTechniqueNames[static_cast<std::size_t>(t)];
}

template <class List> struct TechniqueParts;
template <class... T> struct TechniqueParts<std::tuple<T...>> {
    using Params = std::tuple<typename T::Params...>;
    using Stats = std::tuple<typename T::Stats...>;
};

/// The parameters of all techniques.
class SelectiveParams {
public:
    template <class T> typename T::Params& of() { return std::get<technique_index<T>()>(all_); }
    template <class T> const typename T::Params& of() const {
        return std::get<technique_index<T>()>(all_);
    }

    template <class V> void describe(V&& v) {
        for_each_technique([&]<class T>() { v.section(T::kName, of<T>()); });
    }

    bool& enabled(Technique t) {
        bool* found = nullptr;
        for_each_technique([&]<class T>() {
            if (kTechnique<T> == t) found = &of<T>().enabled;
        });
        return *found;
    }
    bool enabled(Technique t) const { return const_cast<SelectiveParams*>(this)->enabled(t); }
    void disable_all() {
        for_each_technique([&]<class T>() { of<T>().enabled = false; });
    }

private:
    TechniqueParts<TechniqueList>::Params all_;
};

/// The counters of all techniques.
class SelectiveStats {
public:
    template <class T> typename T::Stats& of() { return std::get<technique_index<T>()>(all_); }
    template <class T> const typename T::Stats& of() const {
        return std::get<technique_index<T>()>(all_);
    }

    /// v(technique name, its Stats) for each technique.
    template <class V> void describe(V&& v) {
        for_each_technique([&]<class T>() { v(T::kName, of<T>()); });
    }
    SelectiveStats& operator+=(const SelectiveStats& other) {
        return combine(other, [](std::uint64_t& mine, std::uint64_t theirs) { mine += theirs; });
    }
    /// What was counted since `earlier`.
    SelectiveStats since(const SelectiveStats& earlier) const {
        SelectiveStats copy = *this;
        return copy.combine(earlier, [](std::uint64_t& now, std::uint64_t then) { now -= then; });
    }

private:
    /// The describe() order is the same on both sides, so the n-th counter meets the n-th counter.
    template <class Operation>
    SelectiveStats& combine(const SelectiveStats& other, Operation&& operation) {
        std::vector<std::uint64_t> theirs;
        SelectiveStats copy = other;
        copy.describe([&](std::string_view, auto& stats) {
            stats.describe(
                [&](std::string_view, std::uint64_t& n, std::size_t = 0) { theirs.push_back(n); });
        });
        std::size_t i = 0;
        describe([&](std::string_view, auto& stats) {
            stats.describe([&](std::string_view, std::uint64_t& n, std::size_t = 0) {
                operation(n, theirs[i++]);
            });
        });
        return *this;
    }

    TechniqueParts<TechniqueList>::Stats all_;
};

}  // namespace karikomi
