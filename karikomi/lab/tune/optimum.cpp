#include "karikomi/lab/tune/optimum.hpp"

#include <algorithm>
#include <cmath>

namespace karikomi::tune {
namespace {

constexpr double kZ = 1.645;  // 90 %, two-sided
constexpr int kStepsPerC = 20;

/// Sums over the trials for one parameter. The result of a trial with half distance h and middle m
/// is expected to be curvature * h * (optimum - m); weighted once by h and once by h * shift. Both
/// weights are drawn independently of the games before, so the noise of both sums is plain noise,
/// although the middle follows the games. (A least-squares fit would lean on the middle as well,
/// and see more curvature than there is.)
struct Sums {
    double result = 0, shifted_result = 0;      ///< of the results
    double square = 0, shifted_square = 0;      ///< of h^2: what an optimum far off would give
    double middle = 0, shifted_middle = 0;      ///< of h^2 * m
    double variance = 0, shifted_variance = 0;  ///< of the noise of the two sums
    double covariance = 0;

    /// How clearly strength still rises at a value, in standard errors. The curvature, which is
    /// unknown, has been eliminated from the two sums.
    double rise_at(double value) const {
        const double a = value * square - middle;
        const double b = value * shifted_square - shifted_middle;
        const double rise = shifted_result * a - result * b;
        const double noise = b * b * variance - 2 * a * b * covariance + a * a * shifted_variance;
        return noise > 0 ? rise / std::sqrt(noise) : 0;
    }
};

Sums sums_of(std::span<const Spsa::Outcome> outcomes, std::size_t param, double centre) {
    Sums s;
    for (const Spsa::Outcome& o : outcomes) {
        const double h = (o.plus[param] - o.minus[param]) / 2;
        const double m = (o.plus[param] + o.minus[param]) / 2 - centre;
        const double shift = o.shifts[param];
        const double noise = h * h * o.result * o.result;
        s.result += h * o.result;
        s.shifted_result += h * shift * o.result;
        s.square += h * h;
        s.shifted_square += h * h * shift;
        s.middle += h * h * m;
        s.shifted_middle += h * h * shift * m;
        s.variance += noise;
        s.shifted_variance += noise * shift * shift;
        s.covariance += noise * shift;
    }
    return s;
}

/// From an end of the range inwards, past all values beyond which strength clearly falls.
/// `direction` is +1 for the upper end and -1 for the lower.
double end_of(const Sums& sums, const SpsaParam& p, double centre, int direction) {
    const double step = p.c_end / kStepsPerC;
    double v = direction > 0 ? p.max : p.min;
    while (v >= p.min && v <= p.max && -direction * sums.rise_at(v - centre) >= kZ) {
        v -= direction * step;
    }
    return std::clamp(v, p.min, p.max);
}

}  // namespace

std::vector<Range> optimum_ranges(const SpsaOptions& options,
                                  std::span<const Spsa::Outcome> outcomes,
                                  std::span<const double> centre) {
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < centre.size(); ++i) {
        const SpsaParam& p = options.params[i];
        const Sums sums = sums_of(outcomes, i, centre[i]);
        ranges.push_back({end_of(sums, p, centre[i], -1), end_of(sums, p, centre[i], 1)});
    }
    return ranges;
}

}  // namespace karikomi::tune
