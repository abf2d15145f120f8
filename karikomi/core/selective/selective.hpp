/// All techniques' parameters and counters together.
#pragma once

#include <vector>

#include "karikomi/core/selective/calibration.hpp"
#include "karikomi/core/selective/futility.hpp"
#include "karikomi/core/selective/iid.hpp"
#include "karikomi/core/selective/late_moves.hpp"
#include "karikomi/core/selective/multi_probcut.hpp"
#include "karikomi/core/selective/null_move.hpp"
#include "karikomi/core/selective/probcut.hpp"
#include "karikomi/core/selective/singular.hpp"

namespace karikomi {

struct SelectiveParams {
    ProbCut::Params probcut;
    MultiProbCut::Params multi_probcut;
    Futility::Params futility;
    Iid::Params iid;
    Singular::Params singular;
    NullMove::Params null_move;
    LateMoves::Params late_moves;

    template <class V> void describe(V&& v) {
        v.section("probcut", probcut);
        v.section("multi_probcut", multi_probcut);
        v.section("futility", futility);
        v.section("iid", iid);
        v.section("singular", singular);
        v.section("null_move", null_move);
        v.section("late_moves", late_moves);
    }

    bool& enabled(Technique t) {
        switch (t) {
            case Technique::ProbCut:
                return probcut.enabled;
            case Technique::MultiProbCut:
                return multi_probcut.enabled;
            case Technique::Futility:
                return futility.enabled;
            case Technique::Iid:
                return iid.enabled;
            case Technique::Singular:
                return singular.enabled;
            case Technique::NullMove:
                return null_move.enabled;
            case Technique::LateMoves:
                return late_moves.enabled;
        }
        return probcut.enabled;
    }
    bool enabled(Technique t) const { return const_cast<SelectiveParams*>(this)->enabled(t); }
    void disable_all() {
        for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) enabled(Technique(i)) = false;
    }
};

struct SelectiveStats {
    ProbCut::Stats probcut;
    MultiProbCut::Stats multi_probcut;
    Futility::Stats futility;
    Iid::Stats iid;
    Singular::Stats singular;
    NullMove::Stats null_move;
    LateMoves::Stats late_moves;

    /// v(technique name, its Stats) for each technique.
    template <class V> void describe(V&& v) {
        v(name_of(Technique::ProbCut), probcut);
        v(name_of(Technique::MultiProbCut), multi_probcut);
        v(name_of(Technique::Futility), futility);
        v(name_of(Technique::Iid), iid);
        v(name_of(Technique::Singular), singular);
        v(name_of(Technique::NullMove), null_move);
        v(name_of(Technique::LateMoves), late_moves);
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
};

}  // namespace karikomi
