#include "karikomi/lab/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::lab {

Json to_json(const CalibrateStep& s) {
    return {
        {"scale", s.scale}, {"reduction", s.reduction}, {"loss", s.loss}, {"decision", s.decision}};
}

CalibrateStep step_of(const Json& j) {
    return {j.at("scale"), j.at("reduction"), j.at("loss"), j.at("decision")};
}

std::string_view name_of(CalibrateEnd end) {
    constexpr std::array<std::string_view, 4> kNames = {"going", "converged", "impossible",
                                                        "out of steps"};
    return kNames[static_cast<std::size_t>(end)];
}

void CalibrateLoop::add(CalibrateStep step) {
    step.scale = scale_;
    decide(step);
    steps_.push_back(std::move(step));
    if (end_ != CalibrateEnd::Going || static_cast<int>(steps_.size()) < rules_.most_steps) return;
    end_ = CalibrateEnd::OutOfSteps;
    reason_ = fmt::format("no end after {} steps", steps_.size());
}

void CalibrateLoop::decide(CalibrateStep& step) {
    const bool saves = step.reduction >= rules_.enough_reduction;
    const bool loses = step.loss >= rules_.loss;
    if (saves && !loses) {
        end_ = CalibrateEnd::Converged;
        reason_ = fmt::format("saves {:.1f} % of the nodes and loses {:.1f} % of the points",
                              100 * step.reduction, 100 * step.loss);
        step.decision = "keep";
        return;
    }
    if (!saves && loses) {
        end_ = CalibrateEnd::Impossible;
        reason_ = fmt::format(
            "at scale {:.3f} it saves too little ({:.1f} %) and loses too much ({:.1f} %) at once",
            step.scale, 100 * step.reduction, 100 * step.loss);
        step.decision = "give up";
        return;
    }
    if (loses) {
        too_bold_ = std::max(too_bold_.value_or(0), step.scale);
        const bool bad = step.loss >= rules_.bad_loss;
        move_to(step.scale * (bad ? rules_.very_careful_factor : rules_.careful_factor), step);
    } else {
        too_careful_ = std::min(too_careful_.value_or(1e9), step.scale);
        move_to(step.scale * rules_.bold_factor, step);
    }
}

void CalibrateLoop::move_to(double wanted, CalibrateStep& step) {
    // The rule alone would go to and fro between two scales for ever: where its step leads past one
    // that is known to be wrong, the middle is taken instead.
    const bool passes =
        (too_careful_ && wanted >= *too_careful_) || (too_bold_ && wanted <= *too_bold_);
    if (passes && too_careful_ && too_bold_) wanted = std::sqrt(*too_careful_ * *too_bold_);
    if (too_careful_ && too_bold_ && *too_careful_ < rules_.nearest * *too_bold_) {
        end_ = CalibrateEnd::Impossible;
        reason_ = fmt::format(
            "scale {:.3f} loses too much, {:.3f} saves too little: nothing lies between",
            *too_bold_, *too_careful_);
        step.decision = "give up";
        return;
    }
    step.decision = fmt::format("x {:.3f}", wanted / step.scale);
    scale_ = wanted;
}

Expected<SearchParams> scaled(const SearchParams& params, Technique technique, double scale,
                              int stages) {
    SearchParams out = params;
    const auto factor = static_cast<float>(scale);
    switch (technique) {
        case kTechnique<MultiProbCut>: {
            std::vector<CalibrationCell> cells = params.calibration.cells();
            for (CalibrationCell& c : cells) c.fit.sigma *= scale;
            auto model = params.calibration.smooth_model();
            if (model) model->log_sigma[0] += std::log(scale);
            out.calibration =
                Calibration(stages, std::move(cells), model, params.calibration.evaluation(),
                            params.calibration.laws());
            return out;
        }
        case kTechnique<ProbCut>: {
            auto& p = out.selective.of<ProbCut>();
            const auto bounded = [&](float t) { return std::clamp(t * factor, 0.0F, 5.0F); };
            p.t = bounded(p.t);
            p.opening_t = bounded(p.opening_t);
            p.endgame_t = bounded(p.endgame_t);
            for (float& t : p.stage_t) t = bounded(t);
            p.capture_margin =
                std::clamp(static_cast<Value>(std::lround(p.capture_margin * scale)), 0, 5000);
            return out;
        }
        case kTechnique<Futility>: {
            auto& f = out.selective.of<Futility>();
            for (auto* margins :
                 {&f.self_first, &f.self_second, &f.opponent_first, &f.opponent_second}) {
                for (Value& m : *margins) {
                    m = std::clamp(static_cast<Value>(std::lround(m * scale)), 0, 60'000);
                }
            }
            return out;
        }
        default:
            return Error{fmt::format("{} has no number to calibrate", name_of(technique)),
                         "use multi_probcut, probcut or futility"};
    }
}

}  // namespace karikomi::lab
