/// Drives a technique without a search: a probe that writes down every call it gets and answers
/// from a script. A call beyond the end of the script is a test failure, so "does not probe" needs
/// no check of its own: give the probe an empty script.
#pragma once

#include <functional>
#include <initializer_list>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/core/selective/calibration.hpp"
#include "karikomi/core/selective/node_view.hpp"

namespace karikomi::test {

/// One call of a probe.
struct Call {
    std::string_view what = "search";
    Depth depth = 0;
    Value alpha = 0;
    Value beta = 0;
    bool operator==(const Call&) const = default;
};

inline void PrintTo(const Call& c, std::ostream* out) {
    *out << c.what << "(depth " << c.depth << ", " << c.alpha << " .. " << c.beta << ")";
}

inline Call search_call(Depth depth, Value alpha, Value beta) {
    return {"search", depth, alpha, beta};
}
/// A null-window search that asks whether the value reaches `bound`.
inline Call at_least_call(Depth depth, Value bound) {
    return {"search", depth, bound - 1, bound};
}
/// A null-window search that asks whether the value stays at or below `bound`.
inline Call at_most_call(Depth depth, Value bound) {
    return {"search", depth, bound, bound + 1};
}
inline Call captures_call(Depth depth, Value bound) {
    return {"captures", depth, bound, bound};
}
inline Call pass_call(Depth depth, Value beta) {
    return {"pass", depth, beta, beta};
}
inline Call verify_call(Depth depth, Value beta) {
    return {"verify", depth, beta, beta};
}

template <class Answer> class Script {
public:
    Script() = default;
    Script(std::initializer_list<Answer> answers) : answers_(answers) {}

    Answer operator()(Depth depth, Value alpha, Value beta) {
        return answer({"search", depth, alpha, beta});
    }
    Answer captures(Depth depth, Value bound) { return answer({"captures", depth, bound, bound}); }
    Answer pass(Depth depth, Value beta) { return answer({"pass", depth, beta, beta}); }
    Answer verify(Depth depth, Value beta) { return answer({"verify", depth, beta, beta}); }

    const std::vector<Call>& calls() const { return calls_; }

private:
    Answer answer(const Call& call) {
        calls_.push_back(call);
        if (calls_.size() > answers_.size()) {
            ADD_FAILURE() << "unexpected probe: " << testing::PrintToString(call);
            return Answer{};
        }
        return answers_[calls_.size() - 1];
    }

    std::vector<Answer> answers_;
    std::vector<Call> calls_;
};

using ScriptedProbe = Script<Value>;

/// A probe that knows the node's true value at every depth and answers like a fail-soft search.
class TruthfulProbe {
public:
    explicit TruthfulProbe(std::function<Value(Depth)> truth) : truth_(std::move(truth)) {}
    Value operator()(Depth depth, Value alpha, Value beta) {
        calls_.push_back({"search", depth, alpha, beta});
        return truth_(depth);
    }
    Value captures(Depth depth, Value bound) {
        calls_.push_back({"captures", depth, bound, bound});
        return truth_(depth);
    }
    const std::vector<Call>& calls() const { return calls_; }

private:
    std::function<Value(Depth)> truth_;
    std::vector<Call> calls_;
};

/// An expected cut node in the middle game: the place where most techniques work.
inline NodeView node_at(Depth depth, Value alpha, Value beta, NodeKind kind = NodeKind::Cut) {
    NodeView n;
    n.alpha = alpha;
    n.beta = beta;
    n.depth = depth;
    n.kind = kind;
    return n;
}

/// A cell of a calibration that holds for every stage.
inline CalibrationCell general_cell(Depth shallow, Depth deep, Regression fit) {
    return {CalibrationCell::kAnyStage, shallow, deep, fit, 1000};
}
inline CalibrationCell stage_cell(int stage, Depth shallow, Depth deep, Regression fit) {
    return {stage, shallow, deep, fit, 1000};
}
inline Calibration calibration_of(std::vector<CalibrationCell> cells, int stages = 1) {
    return {stages, std::move(cells), std::nullopt, ""};
}

/// Windows that touch a proven win or loss on one side or on both.
inline const std::vector<std::pair<Value, Value>>& decisive_windows() {
    static const std::vector<std::pair<Value, Value>> windows = {
        {-kInfinity, kInfinity}, {-kInfinity, 100},          {100, kInfinity},
        {kDecisive, kWin},       {kMaxEval, kDecisive},      {-kDecisive, -kMaxEval},
        {win_in(9), win_in(8)},  {loss_in(20), loss_in(21)},
    };
    return windows;
}

/// Runs the preset of this name; false when there is none.
template <class Params> bool apply_preset(Params& params, std::string_view name) {
    bool found = false;
    params.presets([&](std::string_view preset, auto&& apply) {
        if (preset != name) return;
        apply();
        found = true;
    });
    return found;
}

}  // namespace karikomi::test
