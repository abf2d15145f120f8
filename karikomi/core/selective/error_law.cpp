#include "karikomi/core/selective/error_law.hpp"

#include <algorithm>
#include <cmath>

namespace karikomi {
namespace {

constexpr double kLeastWeight = 1e-3;
constexpr double kMostWeight = 2.0;

double upper_tail(double t) {
    return 0.5 * std::erfc(t / std::sqrt(2.0));
}

/// The t >= 0 beyond which the share `upper` of a standard normal variable lies.
double normal_point(double upper) {
    if (upper >= 0.5) return 0.0;
    // Newton on the logarithm of the tail, which is nearly a parabola.
    double t = std::sqrt(std::max(0.0, -2.0 * std::log(2.0 * upper)));
    constexpr int kMostRounds = 50;
    for (int round = 0; round < kMostRounds; ++round) {
        const double tail = upper_tail(t);
        const double slope = -std::exp(-t * t / 2.0) / std::sqrt(2.0 * M_PI) / tail;
        const double step = (std::log(tail) - std::log(upper)) / slope;
        t = std::max(t - step, 0.0);
        if (std::abs(step) < 1e-10) break;
    }
    return t;
}

}  // namespace

LawTerms law_terms(double g, Depth shallow, Depth deep) {
    const double d = std::max(deep, 1);
    const double plies = std::max(deep - shallow, 1);
    const double odd = ((deep - shallow) & 1) != 0 ? 1.0 : 0.0;
    const double swing = (deep & 1) != 0 ? 1.0 : -1.0;
    return {1.0, g, std::log(plies), std::log(d), g * g, odd, swing, odd * swing};
}

double value_of(const LawTerms& coefficients, const LawTerms& terms) {
    double sum = 0;
    for (std::size_t i = 0; i < kLawTerms; ++i) sum += coefficients[i] * terms[i];
    return sum;
}

double tail_of(TailForm form, double weight, double tau) {
    switch (form) {
        case TailForm::Normal:
            return tau;
        case TailForm::Stretched:
            return std::sinh((1.0 + weight) * std::asinh(tau));
        case TailForm::Sinh:
            return std::sinh(weight * tau) / weight;
        case TailForm::Power:
            return tau * std::exp(weight * tau * tau / 2.0);
    }
    return tau;
}

SideAt side_at(const SideLaw& law, const LawTerms& terms) {
    SideAt side;
    side.form = law.form;
    side.scale = std::exp(std::clamp(value_of(law.log_scale, terms), -5.0, 5.0));
    side.weight = std::clamp(std::exp(std::min(value_of(law.log_weight, terms), 5.0)), kLeastWeight,
                             kMostWeight);
    side.decided = 1.0 / (1.0 + std::exp(-std::clamp(value_of(law.decided, terms), -40.0, 40.0)));
    return side;
}

double SideAt::quantile(double t) const {
    // Half of all errors lie on this side, the decisive ones beyond all others.
    constexpr double kNegligible = 1e-9;
    double tau = t;
    if (decided > kNegligible) {
        const double share = (upper_tail(t) - decided) / (1.0 - 2.0 * decided);
        if (!(share > 0) || decided >= 0.5) return kNoMargin;
        tau = normal_point(share);
    }
    return std::min(scale * tail_of(form, weight, tau), kNoMargin);
}

Margins::Margins(const ErrorLaw& law, double stage_share, Depth shallow, Depth deep) {
    const LawTerms x = law_terms(stage_share, shallow, deep);
    const double middle = value_of(law.middle, x);
    const SideAt high = side_at(law.high, x);
    const SideAt low = side_at(law.low, x);
    for (std::size_t i = 0; i < kSteps; ++i) {
        const double t = kStep * static_cast<double>(i);
        high_[i] = static_cast<float>(high.quantile(t) + middle);
        low_[i] = static_cast<float>(low.quantile(t) - middle);
    }
}

}  // namespace karikomi
