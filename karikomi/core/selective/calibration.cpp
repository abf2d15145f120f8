#include "karikomi/core/selective/calibration.hpp"

#include <cmath>
#include <utility>

namespace karikomi {

std::array<double, CalibrationModel::kTerms> CalibrationModel::terms(double stage_share,
                                                                     Depth shallow, Depth deep) {
    const double s = shallow;
    const double d = deep;
    return {1.0,
            stage_share,
            s,
            d,
            stage_share * stage_share,
            s * d,
            static_cast<double>((deep - shallow) & 1)};
}

Regression CalibrationModel::at(double stage_share, Depth shallow, Depth deep) const {
    const auto x = terms(stage_share, shallow, deep);
    Regression r{0.0, 0.0, 0.0};
    double log_s = 0.0;
    for (std::size_t i = 0; i < kTerms; ++i) {
        r.a += a[i] * x[i];
        r.b += b[i] * x[i];
        log_s += log_sigma[i] * x[i];
    }
    // A slope near or below zero would turn the bounds inside out: outside the fitted region the
    // model must become useless, not dangerous.
    r.a = std::max(r.a, 0.1);
    r.sigma = std::exp(std::clamp(log_s, 0.0, 12.0));
    return r;
}

Calibration::Calibration(int stages, std::vector<CalibrationCell> cells,
                         std::optional<CalibrationModel> model, std::string evaluation)
    : stages_(stages),
      cells_(std::move(cells)),
      model_(std::move(model)),
      evaluation_(std::move(evaluation)) {
    std::erase_if(cells_, [this](const CalibrationCell& c) {
        return !is_pair(c.stage == CalibrationCell::kAnyStage ? 0 : c.stage, c.shallow, c.deep);
    });
    const std::size_t pairs = static_cast<std::size_t>(stages_) * kDepths * kDepths;
    if (!cells_.empty()) table_.assign(pairs, -1);
    // General cells first, so that those of a single stage overwrite them.
    for (const bool general : {true, false}) {
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            const CalibrationCell& c = cells_[i];
            if ((c.stage == CalibrationCell::kAnyStage) != general) continue;
            const int first = general ? 0 : c.stage;
            const int last = general ? stages_ - 1 : c.stage;
            for (int stage = first; stage <= last; ++stage) {
                table_[index(stage, c.shallow, c.deep)] = static_cast<std::int32_t>(i);
            }
        }
    }
    if (!model_) return;
    smooth_.resize(pairs);
    for (int stage = 0; stage < stages_; ++stage) {
        const double share = stages_ > 1 ? static_cast<double>(stage) / (stages_ - 1) : 0.0;
        for (Depth deep = 0; deep < kDepths; ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                smooth_[index(stage, shallow, deep)] = model_->at(share, shallow, deep);
            }
        }
    }
}

}  // namespace karikomi
