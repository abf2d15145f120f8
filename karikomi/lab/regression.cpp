#include "karikomi/lab/regression.hpp"

#include <cmath>

#include <Eigen/Dense>

namespace karikomi::lab {
namespace {

struct Moments {
    double mean = 0, variance = 0, skewness = 0, kurtosis = 3;
};

Moments moments(const std::vector<double>& x) {
    Moments m;
    const auto n = static_cast<double>(x.size());
    for (const double v : x) m.mean += v / n;
    double m3 = 0, m4 = 0;
    for (const double v : x) {
        const double d = v - m.mean;
        m.variance += d * d / n;
        m3 += d * d * d / n;
        m4 += d * d * d * d / n;
    }
    if (m.variance > 0) {
        m.skewness = m3 / std::pow(m.variance, 1.5);
        m.kurtosis = m4 / (m.variance * m.variance);
    }
    return m;
}

}  // namespace

CellFit fit_cell(std::span<const PairSample> samples) {
    CellFit out;
    out.samples = static_cast<std::int64_t>(samples.size());
    if (samples.size() < 3) return out;
    const auto n = static_cast<double>(samples.size());
    double mean_x = 0, mean_y = 0;
    for (const PairSample& s : samples) mean_x += s.shallow / n, mean_y += s.deep / n;
    double xx = 0, xy = 0, yy = 0;
    for (const PairSample& s : samples) {
        const double dx = s.shallow - mean_x;
        const double dy = s.deep - mean_y;
        xx += dx * dx, xy += dx * dy, yy += dy * dy;
    }
    // Rounding leaves a trace of variance even in constant input.
    const bool varies = xx > 1e-12 * n * (1.0 + mean_x * mean_x);
    out.fit.a = varies ? xy / xx : 1.0;
    out.fit.b = mean_y - out.fit.a * mean_x;
    std::vector<double> residuals;
    residuals.reserve(samples.size());
    for (const PairSample& s : samples)
        residuals.push_back(s.deep - out.fit.a * s.shallow - out.fit.b);
    const Moments m = moments(residuals);
    out.fit.sigma = std::sqrt(m.variance * n / (n - 2));
    out.r2 = yy > 0 ? 1.0 - m.variance * n / yy : 1.0;
    const double jarque_bera =
        n / 6.0 * (m.skewness * m.skewness + (m.kurtosis - 3) * (m.kurtosis - 3) / 4.0);
    out.normality = std::exp(-jarque_bera / 2);  // chi-squared with two degrees of freedom
    return out;
}

CalibrationModel fit_model(std::span<const CellFit> cells, int stages) {
    constexpr auto kTerms = static_cast<Eigen::Index>(CalibrationModel::kTerms);
    Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(kTerms, kTerms);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(kTerms, 3);
    Depth deepest = 0;
    for (const CellFit& c : cells) {
        const double share = stages > 1 ? static_cast<double>(c.stage) / (stages - 1) : 0.0;
        const auto x = CalibrationModel::terms(share, c.shallow, c.deep);
        const Eigen::Map<const Eigen::VectorXd> row(x.data(), kTerms);
        const auto weight = static_cast<double>(c.samples);
        normal += weight * row * row.transpose();
        deepest = std::max(deepest, c.deep);
        right.col(0) += weight * c.fit.a * row;
        right.col(1) += weight * c.fit.b * row;
        right.col(2) += weight * std::log(std::max(c.fit.sigma, 1e-3)) * row;
    }
    // A touch of ridge keeps terms that the cells do not distinguish (one stage only, say) at zero.
    normal.diagonal().array() += 1e-12 * (1.0 + normal.trace() / kTerms);
    const Eigen::MatrixXd solved = normal.ldlt().solve(right);
    CalibrationModel model;
    model.max_deep = deepest;
    for (Eigen::Index i = 0; i < kTerms; ++i) {
        const auto at = static_cast<std::size_t>(i);
        model.a[at] = solved(i, 0);
        model.b[at] = solved(i, 1);
        model.log_sigma[at] = solved(i, 2);
    }
    return model;
}

}  // namespace karikomi::lab
