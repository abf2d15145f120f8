#include "karikomi/lab/regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <Eigen/Dense>

namespace karikomi::lab {
namespace {

constexpr double kCutOff = 3.0;  ///< sigmas beyond which a sample is an outlier
/// Variance that is left of a normal distribution cut off there.
const double kLeftOfVariance = [] {
    const double density = std::exp(-kCutOff * kCutOff / 2) / std::sqrt(2 * M_PI);
    return 1 - 2 * kCutOff * density / std::erf(kCutOff / std::sqrt(2.0));
}();
constexpr double kHuber = 1.345;  ///< 95 % as good as least squares where errors are normal
constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr double kMedianOfAbs = 0.6745;  ///< of a standard normal variable

/// Samples with a weight each; an empty list of weights means that all are 1.
PairSums sums_of(std::span<const PairSample> samples, std::span<const double> weights) {
    PairSums s;
    const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
    for (std::size_t i = 0; i < samples.size(); ++i) {
        s.n += weight(i);
        s.mean_x += weight(i) * samples[i].shallow;
        s.mean_y += weight(i) * samples[i].deep;
    }
    if (s.n <= 0) return s;
    s.mean_x /= s.n, s.mean_y /= s.n;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double dx = samples[i].shallow - s.mean_x;
        const double dy = samples[i].deep - s.mean_y;
        s.xx += weight(i) * dx * dx, s.xy += weight(i) * dx * dy, s.yy += weight(i) * dy * dy;
    }
    return s;
}

/// a and b; sigma is left alone.
Regression line_of(const PairSums& s) {
    // Rounding leaves a trace of variance even in constant input.
    const bool varies = s.xx > 1e-12 * s.n * (1.0 + s.mean_x * s.mean_x);
    Regression r;
    r.a = varies ? s.xy / s.xx : 1.0;
    r.b = s.mean_y - r.a * s.mean_x;
    return r;
}

double residual(const PairSample& s, const Regression& r) {
    return s.deep - r.a * s.shallow - r.b;
}

/// Of the absolute residuals, as a sigma.
double median_sigma(std::span<const PairSample> samples, const Regression& r) {
    std::vector<double> sizes;
    sizes.reserve(samples.size());
    for (const PairSample& s : samples) sizes.push_back(std::abs(residual(s, r)));
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    return *middle / kMedianOfAbs;
}

/// Standard errors without the assumption that sigma is the same everywhere (White's), and with
/// the influences of a game's samples added up before they are squared.
Regression errors_of(std::span<const PairSample> samples, std::span<const double> weights,
                     const PairSums& s, const Regression& fit) {
    struct Influence {
        double a = 0, b = 0, sigma = 0;
    };
    std::unordered_map<std::int32_t, Influence> games;
    Regression error{0, 0, 0};
    const auto add = [&error](const Influence& i) {
        error.a += i.a * i.a, error.b += i.b * i.b, error.sigma += i.sigma * i.sigma;
    };
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (!weights.empty() && weights[i] == 0) continue;
        const double dx = samples[i].shallow - s.mean_x;
        const double r = residual(samples[i], fit);
        Influence on;
        on.a = s.xx > 0 ? dx * r / s.xx : 0.0;
        on.b = r / s.n - s.mean_x * on.a;
        on.sigma = fit.sigma > 0 ? (r * r / fit.sigma - fit.sigma) / (2 * s.n) : 0.0;
        if (samples[i].game < 0) {
            add(on);
            continue;
        }
        Influence& game = games[samples[i].game];
        game.a += on.a, game.b += on.b, game.sigma += on.sigma;
    }
    for (const auto& [number, influence] : games) add(influence);
    return {std::sqrt(error.a), std::sqrt(error.b), std::sqrt(error.sigma)};
}

/// Huber's fit by repeated weighting, then plain least squares over what lies within its reach.
void fit_robustly(std::span<const PairSample> samples, CellFit& cell) {
    Regression r = cell.fit;
    std::vector<double> weights(samples.size(), 1.0);
    for (int round = 0; round < 10; ++round) {
        const double reach = kHuber * median_sigma(samples, r);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const double size = std::abs(residual(samples[i], r));
            weights[i] = size > reach && size > 0 ? reach / size : 1.0;
        }
        const Regression next = line_of(sums_of(samples, weights));
        const double moved =
            std::abs(next.a - r.a) * std::sqrt(cell.sums.xx / cell.sums.n) + std::abs(next.b - r.b);
        r = next;
        if (moved < 1e-3 * (1e-9 + reach)) break;
    }
    r.sigma = median_sigma(samples, r);
    // Most samples exactly on the line (both searches saw the end): nothing tells outliers apart.
    if (r.sigma <= 1e-9 * (1 + cell.fit.sigma)) return;
    PairSums kept;
    for (int round = 0; round < 20; ++round) {
        for (std::size_t i = 0; i < samples.size(); ++i) {
            weights[i] = std::abs(residual(samples[i], r)) <= kCutOff * r.sigma ? 1.0 : 0.0;
        }
        kept = sums_of(samples, weights);
        if (kept.n < 3) return;
        Regression next = line_of(kept);
        next.sigma = std::sqrt(kept.squared_error(next) * kept.n / (kept.n - 2) / kLeftOfVariance);
        const bool settled = std::abs(next.sigma - r.sigma) <= 1e-6 * r.sigma;
        r = next;
        if (settled) break;
    }
    cell.robust = r;
    cell.outliers = cell.samples - static_cast<std::int64_t>(std::lround(kept.n));
    cell.robust_error = errors_of(samples, weights, kept, r);
}

/// Sum over the levels of the squared difference between what lies beyond z*sigma and what should.
double coverage_miss(const std::vector<double>& sorted_sizes, double sigma) {
    double miss = 0;
    for (const ConfidenceLevel& level : kLevels) {
        const auto beyond =
            sorted_sizes.end() -
            std::upper_bound(sorted_sizes.begin(), sorted_sizes.end(), level.z * sigma);
        const double share =
            static_cast<double>(beyond) / 2.0 / static_cast<double>(sorted_sizes.size());
        miss += (share - (1 - level.p)) * (share - (1 - level.p));
    }
    return miss;
}

double sigma_by_coverage(std::vector<double> sizes, double rms) {
    std::sort(sizes.begin(), sizes.end());
    double best = rms;
    double least = coverage_miss(sizes, rms);
    constexpr int kSteps = 120;
    for (int i = 0; i <= kSteps; ++i) {
        const double sigma = rms * (0.4 + 1.0 * i / kSteps);
        const double miss = coverage_miss(sizes, sigma);
        if (miss < least) least = miss, best = sigma;
    }
    return best;
}

void describe_residuals(std::span<const PairSample> samples, CellFit& cell) {
    const double n = cell.sums.n;
    const double variance = cell.sums.squared_error(cell.fit);
    double m3 = 0, m4 = 0;
    std::vector<double> sizes;
    sizes.reserve(samples.size());
    for (const PairSample& s : samples) {
        const double r = residual(s, cell.fit);
        m3 += r * r * r / n, m4 += r * r * r * r / n;
        sizes.push_back(std::abs(r));
    }
    if (variance > 0) {
        cell.skewness = m3 / std::pow(variance, 1.5);
        cell.kurtosis = m4 / (variance * variance);
    }
    const double excess = cell.kurtosis - 3;
    const double jarque_bera = n / 6.0 * (cell.skewness * cell.skewness + excess * excess / 4.0);
    cell.normality = std::exp(-jarque_bera / 2);  // chi-squared with two degrees of freedom
    // A decisive value is further off than any bound.
    sizes.resize(sizes.size() + static_cast<std::size_t>(cell.decided), kFar);
    cell.coverage_sigma = sigma_by_coverage(std::move(sizes), cell.fit.sigma);
}

using Terms = std::array<double, CalibrationModel::kTerms>;

/// Weighted least squares of one target over the cells.
class Smoother {
public:
    explicit Smoother(std::size_t terms)
        : size_(static_cast<Eigen::Index>(terms)),
          normal_(Eigen::MatrixXd::Zero(size_, size_)),
          right_(Eigen::VectorXd::Zero(size_)) {}
    void add(const Terms& x, double y, double weight) {
        const Eigen::Map<const Eigen::VectorXd> row(x.data(), size_);
        normal_ += weight * row * row.transpose();
        right_ += weight * y * row;
    }
    Terms solve() const {
        // A touch of ridge keeps terms that the cells do not distinguish (one stage only, say) at
        // zero. Terms differ in size by orders of magnitude, so each is scaled first.
        Eigen::VectorXd scale(size_);
        for (Eigen::Index i = 0; i < size_; ++i) {
            scale(i) = 1.0 / std::sqrt(std::max(normal_(i, i), 1e-300));
        }
        Eigen::MatrixXd scaled = scale.asDiagonal() * normal_ * scale.asDiagonal();
        scaled.diagonal().array() += 1e-9;
        const Eigen::VectorXd solved =
            scale.asDiagonal() * scaled.ldlt().solve(scale.asDiagonal() * right_);
        Terms out{};
        for (Eigen::Index i = 0; i < size_; ++i) out[static_cast<std::size_t>(i)] = solved(i);
        return out;
    }

private:
    Eigen::Index size_;
    Eigen::MatrixXd normal_;
    Eigen::VectorXd right_;
};

double share_of(int stage, int stages) {
    return stages > 1 ? static_cast<double>(std::max(stage, 0)) / (stages - 1) : 0.0;
}

constexpr double kLeastSigma = 1;  ///< as CalibrationModel::at() has it

/// Which part of the cells a cell is held out with: every part has all stages, depths, parities.
std::size_t fold_of(const CellFit& c) {
    return static_cast<std::size_t>(c.shallow * 3 + c.deep * 7 + std::max(c.stage, 0) * 5);
}

CrossValidation cross_validate(std::span<const CellFit> cells, int stages, std::size_t terms) {
    constexpr std::size_t kFolds = 5;
    CrossValidation out;
    out.terms = terms;
    double by_model = 0, by_cells = 0, sigma_error = 0, weight = 0;
    for (std::size_t fold = 0; fold < kFolds; ++fold) {
        std::vector<CellFit> others;
        for (const CellFit& c : cells) {
            if (fold_of(c) % kFolds != fold) others.push_back(c);
        }
        if (others.empty()) continue;
        const CalibrationModel model = fit_model(others, stages, terms);
        for (const CellFit& c : cells) {
            if (fold_of(c) % kFolds != fold || c.sums.n <= 2) continue;
            const Regression r = model.at(share_of(c.stage, stages), c.shallow, c.deep);
            // What a line is worth that was itself fitted to these samples: by degrees of freedom.
            const double own = c.sums.squared_error(line_of(c.sums)) * c.sums.n / (c.sums.n - 2);
            by_model += c.sums.n * c.sums.squared_error(r);
            by_cells += c.sums.n * own;
            const double miss = std::log(r.sigma) - std::log(std::max(c.fit.sigma, kLeastSigma));
            sigma_error += c.sums.n * miss * miss;
            weight += c.sums.n;
            ++out.cells;
        }
    }
    if (weight <= 0) return out;
    out.error_ratio = by_cells > 0 ? std::sqrt(by_model / by_cells) : 1.0;
    out.log_sigma_error = std::sqrt(sigma_error / weight);
    return out;
}

}  // namespace

double PairSums::squared_error(const Regression& r) const {
    if (n <= 0) return 0;
    const double spread = (yy - 2 * r.a * xy + r.a * r.a * xx) / n;
    const double shift = mean_y - r.a * mean_x - r.b;
    return std::max(spread, 0.0) + shift * shift;
}

CellFit fit_cell(std::span<const PairSample> all) {
    CellFit out;
    std::vector<PairSample> samples;
    samples.reserve(all.size());
    for (const PairSample& s : all) {
        if (std::isfinite(s.deep)) samples.push_back(s);
    }
    out.samples = static_cast<std::int64_t>(samples.size());
    out.decided = static_cast<std::int64_t>(all.size() - samples.size());
    if (samples.size() < 3) return out;
    out.sums = sums_of(samples, {});
    out.fit = line_of(out.sums);
    const double error = out.sums.squared_error(out.fit);
    out.fit.sigma = std::sqrt(error * out.sums.n / (out.sums.n - 2));
    out.r2 = out.sums.yy > 0 ? 1.0 - error * out.sums.n / out.sums.yy : 1.0;
    describe_residuals(samples, out);
    out.error = errors_of(samples, {}, out.sums, out.fit);
    out.robust = out.fit;
    out.robust_error = out.error;
    fit_robustly(samples, out);
    return out;
}

void use_sigma(CellFit& cell, SigmaKind kind) {
    if (kind == SigmaKind::Coverage) cell.fit.sigma = cell.coverage_sigma;
    if (kind == SigmaKind::Robust) cell.fit = cell.robust;
}

CalibrationModel fit_model(std::span<const CellFit> cells, int stages, std::size_t terms) {
    Smoother a(terms), b(terms), log_sigma(terms);
    CalibrationModel model;
    model.max_deep = 0;
    for (const CellFit& c : cells) {
        const Terms x = CalibrationModel::terms(share_of(c.stage, stages), c.shallow, c.deep);
        const double sigma = std::max(c.fit.sigma, kLeastSigma);
        const auto n = static_cast<double>(c.samples);
        const double knows = n / (sigma * sigma);
        a.add(x, c.fit.a, c.sums.xx > 0 ? c.sums.xx / (sigma * sigma) : knows);
        b.add(x, c.fit.b, knows);
        log_sigma.add(x, std::log(sigma), n);
        model.max_deep = std::max(model.max_deep, c.deep);
    }
    model.a = a.solve();
    model.b = b.solve();
    model.log_sigma = log_sigma.solve();
    return model;
}

ModelChoice choose_model(std::span<const CellFit> cells, int stages) {
    ModelChoice out;
    for (const std::size_t terms : {std::size_t{7}, std::size_t{8}, std::size_t{9}, std::size_t{10},
                                    std::size_t{11}, CalibrationModel::kTerms}) {
        // More terms than the cells can tell apart are no candidates.
        if (terms > CalibrationModel::kFewestTerms && cells.size() < 4 * terms) continue;
        const CrossValidation tried = cross_validate(cells, stages, terms);
        out.tried.push_back(tried);
        // A prediction that is better by less than this is luck.
        constexpr double kBetter = 0.998;
        const bool first = out.tried.size() == 1;
        const auto score = [](const CrossValidation& c) {
            return c.error_ratio * (1 + c.log_sigma_error);
        };
        if (first || score(tried) < kBetter * score(out.best)) out.best = tried;
    }
    out.model = fit_model(cells, stages, out.best.terms);
    return out;
}

}  // namespace karikomi::lab
