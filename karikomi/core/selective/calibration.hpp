/// Fitted regressions between shallow and deep search values: v_deep = a*v_shallow + b + e,
/// e ~ N(0, sigma^2), per stage of the game and pair of depths; and, where it was fitted, the law
/// that e really follows (error_law.hpp). ProbCut and Multi-ProbCut read it;
/// the laboratory writes it. It belongs to one evaluation and is worthless under another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "karikomi/core/selective/error_law.hpp"
#include "karikomi/core/types.hpp"

namespace karikomi {

struct Regression {
    double a = 1.0;
    double b = 0.0;      ///< evaluation units
    double sigma = 0.0;  ///< evaluation units

    /// Shallow value from which the deep one is >= beta with confidence t (in sigmas).
    double high_bound(Value beta, double t) const { return (beta - b + t * sigma) / a; }
    /// Shallow value down from which the deep one is <= alpha with confidence t.
    double low_bound(Value alpha, double t) const { return (alpha - b - t * sigma) / a; }
};

/// A line with the margins of its law, if there is one.
struct Prediction {
    const Regression* line = nullptr;
    const Margins* margins = nullptr;

    explicit operator bool() const { return line != nullptr; }
    const Regression* operator->() const { return line; }
    /// What stands in for t at the bound of a cut that claims value >= beta, and of one that claims
    /// value <= alpha.
    double t_of_high_cut(double t, BoundForm form) const {
        return uses_law(form) ? margins->for_high_cut(t) : t;
    }
    double t_of_low_cut(double t, BoundForm form) const {
        return uses_law(form) ? margins->for_low_cut(t) : t;
    }
    double high_bound(Value beta, double t, BoundForm form) const {
        return line->high_bound(beta, t_of_high_cut(t, form));
    }
    double low_bound(Value alpha, double t, BoundForm form) const {
        return line->low_bound(alpha, t_of_low_cut(t, form));
    }

private:
    bool uses_law(BoundForm form) const {
        return form == BoundForm::Quantile && margins != nullptr;
    }
};

/// One measured cell. Stage kAnyStage holds for every stage that has no cell of its own.
struct CalibrationCell {
    static constexpr int kAnyStage = -1;
    int stage = kAnyStage;
    Depth shallow = 0;
    Depth deep = 0;
    Regression fit{};
    std::int64_t samples = 0;  ///< 0: a starting value from the literature, not a measurement
};

/// A smooth model for the pairs nobody measured: a = A.x, b = B.x, log sigma = S.x with
/// x = (1, g, s, d, g^2, s*d, odd, odd*w, w, odd*w*g, g*(d-s), s^2, d^2), where g is
/// stage/(stages-1), s and d the depths, odd = 1 when d-s is odd, and w = 1 when d is odd, else -1:
/// whoever moved last looks better, so b swings with the side that makes the last move.
struct CalibrationModel {
    static constexpr std::size_t kTerms = 13;
    static constexpr std::size_t kFewestTerms = 7;  ///< in a file; those left out are 0
    std::array<double, kTerms> a{1};
    std::array<double, kTerms> b{};
    std::array<double, kTerms> log_sigma{};
    /// Deepest search the model was fitted on. Beyond it there is no basis for a cut: a polynomial
    /// that fits up to here says anything further out.
    Depth max_deep = 63;

    static std::array<double, kTerms> terms(double stage_share, Depth shallow, Depth deep);
    Regression at(double stage_share, Depth shallow, Depth deep) const;
};

/// The numbers of the source documents, to start from where nothing has been fitted: they belong to
/// other evaluations. ProbCut: centipawns, pairs (d-4, d). Multi-ProbCut: units of Zebra, and
/// pairs (2,6), (4,10), (6,14) for the first, middle and last third of the stages.
std::vector<CalibrationCell> probcut_starting_cells();
std::vector<CalibrationCell> multi_probcut_starting_cells(int stages);

class Calibration {
public:
    static constexpr Depth kDepths = 64;  ///< pairs are kept for depths below this

    Calibration() = default;
    /// Cells outside the stages and depths are left out.
    Calibration(int stages, std::vector<CalibrationCell> cells,
                std::optional<CalibrationModel> model, std::string evaluation,
                std::optional<ErrorLaws> laws = {});

    /// The measured cell for exactly this pair, or nothing.
    const Regression* cell(int stage, Depth shallow, Depth deep) const {
        if (table_.empty() || !is_pair(stage, shallow, deep)) return nullptr;
        const auto at = table_[index(stage, shallow, deep)];
        return at < 0 ? nullptr : &cells_[static_cast<std::size_t>(at)].fit;
    }
    /// The smooth model's value, or nothing when there is no model.
    const Regression* model(int stage, Depth shallow, Depth deep) const {
        if (smooth_.empty() || deep > model_->max_deep || !is_pair(stage, shallow, deep)) {
            return nullptr;
        }
        return &smooth_[index(stage, shallow, deep)];
    }

    /// The same with the law of their errors.
    Prediction cell_prediction(int stage, Depth shallow, Depth deep) const {
        return {cell(stage, shallow, deep), margins_of(cell_margins_, stage, shallow, deep)};
    }
    Prediction model_prediction(int stage, Depth shallow, Depth deep) const {
        return {model(stage, shallow, deep), margins_of(model_margins_, stage, shallow, deep)};
    }

    const std::vector<CalibrationCell>& cells() const { return cells_; }
    const std::optional<ErrorLaws>& laws() const { return laws_; }
    const std::optional<CalibrationModel>& smooth_model() const { return model_; }
    const std::string& evaluation() const { return evaluation_; }  ///< "" = not tied to one

private:
    bool is_pair(int stage, Depth shallow, Depth deep) const {
        return stage >= 0 && stage < stages_ && shallow >= 0 && shallow < deep && deep < kDepths;
    }
    std::size_t index(int stage, Depth shallow, Depth deep) const {
        return (static_cast<std::size_t>(stage) * kDepths + static_cast<std::size_t>(deep)) *
                   kDepths +
               static_cast<std::size_t>(shallow);
    }
    double share_of(int stage) const {
        return stages_ > 1 ? static_cast<double>(stage) / (stages_ - 1) : 0.0;
    }
    /// Where a pair's margins are in margins_; -1: there are none.
    using Places = std::vector<std::int32_t>;
    const Margins* margins_of(const Places& places, int stage, Depth shallow, Depth deep) const {
        if (places.empty() || !is_pair(stage, shallow, deep)) return nullptr;
        const auto at = places[index(stage, shallow, deep)];
        return at < 0 ? nullptr : &margins_[static_cast<std::size_t>(at)];
    }
    void set_margins();

    int stages_ = 1;
    std::vector<CalibrationCell> cells_;
    std::vector<std::int32_t> table_;  ///< index into cells_, -1 where nothing was measured
    std::optional<CalibrationModel> model_;
    std::vector<Regression> smooth_;  ///< the model, evaluated once for every pair
    std::string evaluation_;
    std::optional<ErrorLaws> laws_;
    std::vector<Margins> margins_;
    Places cell_margins_;
    Places model_margins_;
};

}  // namespace karikomi
