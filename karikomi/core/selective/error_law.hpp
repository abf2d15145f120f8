/// How the errors of a regression between search depths are distributed. They are not normal: the
/// tails are heavy, and heavier on one side. In sigmas, z = (v_deep - a*v_shallow - b) / sigma:
///
///     the share 1/2 of all z lies above the middle m;
///     above it z = m + s*h(|tau|), tau standard normal, but a share `decided` of all deep values
///     is decisive and beyond every bound; below it likewise, with numbers of its own.
///
/// h is the tail's form and k its weight, h = tau where k goes to 0:
///
///     normal    tau
///     stretched sinh((1+k)*asinh(tau))     about exponential at k = 1
///     sinh      sinh(k*tau)/k              lognormal (Johnson's SU)
///     power     tau*exp(k*tau^2/2)         a power law (Tukey's h), Student's t with 1/k
///
/// m, ln s, ln k and the log odds of `decided` are smooth functions of stage and depths. Because h
/// is a function of tau, a bound at confidence p = Phi(t) needs no inverse: the margin is m + s*h.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "karikomi/core/types.hpp"

namespace karikomi {

/// Which errors a technique allows for.
enum class BoundForm : std::uint8_t {
    Normal,   ///< t sigmas, as if errors were normal
    Quantile  ///< what the fitted law says of p = Phi(t), each side for itself
};
inline constexpr std::array<std::string_view, 2> kBoundForms = {"normal", "quantile"};

/// Coefficients over law_terms().
inline constexpr std::size_t kLawTerms = 8;
using LawTerms = std::array<double, kLawTerms>;
/// (1, g, ln (d-s), ln d, g^2, odd, w, odd*w): g as in CalibrationModel, odd = 1 where d-s is odd,
/// w = 1 where d is odd, else -1. All of them stay small at depths that nobody measured.
LawTerms law_terms(double stage_share, Depth shallow, Depth deep);

enum class TailForm : std::uint8_t { Normal, Stretched, Sinh, Power };
inline constexpr std::array<std::string_view, 4> kTailForms = {"normal", "stretched", "sinh",
                                                               "power"};
double tail_of(TailForm form, double weight, double tau);  ///< h

/// One side as smooth functions.
struct SideLaw {
    TailForm form = TailForm::Normal;
    LawTerms log_scale{};
    LawTerms log_weight{};
    LawTerms decided{-30};  ///< log odds of the share of all samples
};
struct ErrorLaw {
    LawTerms middle{};
    SideLaw high;  ///< the deep value is higher than the shallow one promised
    SideLaw low;
};
/// The errors about measured cells, and those about the smooth model: they differ where the model
/// bends the wrong way.
struct ErrorLaws {
    ErrorLaw cells;
    ErrorLaw model;
};

/// One side for one pair of depths.
struct SideAt {
    TailForm form = TailForm::Normal;
    double scale = 1;
    double weight = 0;
    double decided = 0;

    /// How far beyond the middle, in sigmas, the share 1 - Phi(t) of all errors lies; t >= 0.
    /// kNoMargin where more than that share is decisive.
    double quantile(double t) const;
    static constexpr double kNoMargin = 1e6;
};
SideAt side_at(const SideLaw& law, const LawTerms& terms);
double value_of(const LawTerms& coefficients, const LawTerms& terms);

/// What stands in for t at the bounds, by t in steps: one look at a node. Reading between two steps
/// is at most 0.03 sigma too careful up to 99 % with weights of up to 0.2.
class Margins {
public:
    static constexpr double kStep = 0.25;
    static constexpr std::size_t kSteps = 21;  ///< 0 .. 5, as far as t goes

    Margins() = default;
    Margins(const ErrorLaw& law, double stage_share, Depth shallow, Depth deep);

    /// For a cut that claims value >= beta: the deep value may be *lower* than promised.
    double for_high_cut(double t) const { return read(low_, t); }
    double for_low_cut(double t) const { return read(high_, t); }

private:
    using Table = std::array<float, kSteps>;
    static double read(const Table& table, double t) {
        const double at = t / kStep;
        const std::size_t i =
            at >= static_cast<double>(kSteps - 1) ? kSteps - 2 : static_cast<std::size_t>(at);
        const double left = table[i];
        return left + (at - static_cast<double>(i)) * (table[i + 1] - left);
    }
    Table high_{};
    Table low_{};
};

}  // namespace karikomi
