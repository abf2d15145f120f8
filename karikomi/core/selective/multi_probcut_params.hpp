/// The numbers of Multi-ProbCut; the decisions are in multi_probcut.hpp.
#pragma once

#include "karikomi/core/selective/error_law.hpp"
#include "karikomi/core/types.hpp"

namespace karikomi {

struct MultiProbCutParams {
    enum class Mode : std::uint8_t { Pairs, Model };
    static constexpr std::array<std::string_view, 2> kModes = {"pairs", "model"};
    enum class Window : std::uint8_t { Full, Null };
    static constexpr std::array<std::string_view, 2> kWindows = {"full", "null"};
    /// A shallower pair after a deeper one that declined bets against better knowledge and errs
    /// more often than 1 - p (proved in tests/synthetic); the other way round every pair keeps its
    /// promise.
    enum class Order : std::uint8_t { Forward, Backward };
    static constexpr std::array<std::string_view, 2> kOrders = {"forward", "backward"};
    static constexpr std::size_t kPairs = 8;

    bool enabled = false;
    Mode mode = Mode::Pairs;
    Window window = Window::Null;
    Depth min_depth = 3;
    float t = 1.645f;
    BoundForm bound = BoundForm::Normal;
    Order pair_order = Order::Forward;
    std::array<int, kPairs> pair_shallow{2, 4, 6};
    std::array<int, kPairs> pair_deep{6, 10, 14};
    float shallow_share = 0.5f;
    bool static_gate = false;
    float gate_sigma = 0.0f;
    int max_nesting = 0;
    bool pv_nodes = false;

    template <class V> void describe(V&& v) {
        v.flag("enabled", enabled, "use Multi-ProbCut");
        v.choice("mode", mode, kModes, "fixed pairs of depths, or the smooth model");
        v.choice("window", window, kWindows, "window of the shallow search");
        v.number("min_depth", min_depth, 2, kNever, "ply", "never tried below this depth");
        v.number("t", t, 0.0f, 5.0f, "sigma", "confidence: p = Phi(t), 1.645 is 95 %");
        v.later_choice("bound", bound, kBoundForms,
                       "margin at p: t sigmas, or the quantile of the fitted error law");
        v.choice("pair_order", pair_order, kOrders,
                 "pairs: from the list's first pair on, or from its last");
        v.list("pair_shallow", pair_shallow, 0, 60, "ply", "pairs: shallow depths");
        v.list("pair_deep", pair_deep, 0, 63, "ply",
               "pairs: least remaining depth of each; 0: no pair");
        v.number("shallow_share", shallow_share, 0.1f, 0.9f, "",
                 "model: shallow depth as a share of the remaining one, same parity");
        v.flag("static_gate", static_gate, "probe a side only if the static value leans to it");
        v.number("gate_sigma", gate_sigma, -5.0f, 5.0f, "sigma",
                 "static_gate: how far past the bound the static value must be");
        v.number("max_nesting", max_nesting, 0, 4, "", "how often it may be used inside itself");
        v.flag("pv_nodes", pv_nodes, "try it in PV nodes too");
    }
    /// Confidence levels as Othello players name them: p = Phi(t), one-sided.
    template <class V> void presets(V&& v) {
        const auto level = [this](float z) { enabled = true, t = z; };
        v("73", [=] { level(0.613f); }), v("87", [=] { level(1.126f); });
        v("95", [=] { level(1.645f); }), v("98", [=] { level(2.054f); });
        v("99", [=] { level(2.326f); }), v("100", [this] { enabled = false; });
    }
};

}  // namespace karikomi
