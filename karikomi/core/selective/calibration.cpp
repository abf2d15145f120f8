#include "karikomi/core/selective/calibration.hpp"

#include <cmath>
#include <utility>

namespace karikomi {

std::array<double, CalibrationModel::kTerms> CalibrationModel::terms(double stage_share,
                                                                     Depth shallow, Depth deep) {
    const double s = shallow;
    const double d = deep;
    const double g = stage_share;
    const double odd = ((deep - shallow) & 1) != 0 ? 1.0 : 0.0;
    const double swing = (deep & 1) != 0 ? 1.0 : -1.0;
    return {1.0,         g,     s,    d, g * g, s * d, odd, odd * swing, swing, odd * swing * g,
            g * (d - s), s * s, d * d};
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
    // A slope near or below zero would turn the bounds inside out.
    r.a = std::max(r.a, 0.1);
    r.sigma = std::exp(std::clamp(log_s, 0.0, 12.0));
    return r;
}

std::vector<CalibrationCell> probcut_starting_cells() {
    constexpr int kAny = CalibrationCell::kAnyStage;
    return {{kAny, 1, 5, {0.95, -10, 120}, 0}, {kAny, 2, 6, {0.96, -15, 110}, 0},
            {kAny, 3, 7, {0.97, -20, 100}, 0}, {kAny, 4, 8, {0.98, -25, 95}, 0},
            {kAny, 5, 9, {0.99, -30, 90}, 0},  {kAny, 6, 10, {1.00, -35, 85}, 0}};
}

std::vector<CalibrationCell> multi_probcut_starting_cells(int stages) {
    constexpr double kSigma[3][3] = {{800, 1200, 1600}, {500, 800, 1100}, {300, 500, 700}};
    constexpr Depth kPairs[3][2] = {{2, 6}, {4, 10}, {6, 14}};
    std::vector<CalibrationCell> cells;
    for (int stage = 0; stage < stages; ++stage) {
        for (std::size_t i = 0; i < 3; ++i) {
            const auto third = static_cast<std::size_t>(stage * 3 / stages);
            cells.push_back({stage, kPairs[i][0], kPairs[i][1], {1, 0, kSigma[third][i]}, 0});
        }
    }
    return cells;
}

Calibration::Calibration(int stages, std::vector<CalibrationCell> cells,
                         std::optional<CalibrationModel> model, std::string evaluation,
                         std::optional<ErrorLaws> laws)
    : stages_(stages),
      cells_(std::move(cells)),
      model_(std::move(model)),
      evaluation_(std::move(evaluation)),
      laws_(laws) {
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
    if (model_) smooth_.resize(pairs);
    for (int stage = 0; model_ && stage < stages_; ++stage) {
        for (Depth deep = 0; deep < kDepths; ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                smooth_[index(stage, shallow, deep)] = model_->at(share_of(stage), shallow, deep);
            }
        }
    }
    if (laws_) set_margins();
}

void Calibration::set_margins() {
    const std::size_t pairs = static_cast<std::size_t>(stages_) * kDepths * kDepths;
    cell_margins_.assign(pairs, -1);
    model_margins_.assign(pairs, -1);
    const auto add = [this](Places& places, const ErrorLaw& law, int stage, Depth s, Depth d) {
        places[index(stage, s, d)] = static_cast<std::int32_t>(margins_.size());
        margins_.emplace_back(law, share_of(stage), s, d);
    };
    for (int stage = 0; stage < stages_; ++stage) {
        for (Depth deep = 0; deep < kDepths; ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                if (cell(stage, shallow, deep) != nullptr) {
                    add(cell_margins_, laws_->cells, stage, shallow, deep);
                }
                if (model(stage, shallow, deep) != nullptr) {
                    add(model_margins_, laws_->model, stage, shallow, deep);
                }
            }
        }
    }
}

}  // namespace karikomi
