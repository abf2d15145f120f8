#include "karikomi/lab/law.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "karikomi/core/parallel.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/fit.hpp"

namespace karikomi::lab {
namespace {

constexpr std::size_t kTermCounts[] = {1, 4, 6, kLawTerms};
constexpr int kFolds = 2;
constexpr std::size_t kMostForChoice = 60'000;  ///< errors; pairs of one position say much the same

// ---- One error ----------------------------------------------------------------------------------

/// A tail's form at one point: h and its derivatives by tau and by ln k.
struct Shape {
    double h1 = 1;    ///< dh/dtau
    double h2 = 0;    ///< d2h/dtau2
    double h_k = 0;   ///< dh/dlnk
    double h1_k = 0;  ///< d2h/dtau dlnk
};

Shape shape_at(TailForm form, double k, double tau) {
    switch (form) {
        case TailForm::Normal:
            break;
        case TailForm::Stretched: {
            const double w = std::asinh(tau);
            const double w1 = 1 / std::sqrt(1 + tau * tau);
            const double delta = 1 + k;
            const double c = std::cosh(delta * w), s = std::sinh(delta * w);
            return {delta * c * w1, delta * delta * s * w1 * w1 - delta * c * tau * w1 * w1 * w1,
                    k * c * w, k * (c * w1 + delta * w * s * w1)};
        }
        case TailForm::Sinh: {
            const double c = std::cosh(k * tau), s = std::sinh(k * tau);
            return {c, k * s, tau * c - s / k, k * tau * s};
        }
        case TailForm::Power: {
            const double q = k * tau * tau;
            const double e = std::exp(q / 2);
            return {e * (1 + q), e * k * tau * (3 + q), e * q * tau / 2, e * (q / 2 * (1 + q) + q)};
        }
    }
    return {};
}

/// The tau with h(tau) = u.
double tau_of(TailForm form, double k, double u) {
    switch (form) {
        case TailForm::Normal:
            return u;
        case TailForm::Stretched:
            return std::sinh(std::asinh(u) / (1 + k));
        case TailForm::Sinh:
            return std::asinh(k * u) / k;
        case TailForm::Power:
            break;
    }
    // ln tau + k tau^2 / 2 = ln u by Newton, from above.
    const double target = std::log(u);
    double tau = std::sqrt(std::log1p(k * u * u) / k);
    for (int round = 0; round < 20; ++round) {
        const double step = (std::log(tau) + k * tau * tau / 2 - target) / (1 / tau + k * tau);
        tau = std::max(tau - step, tau / 4);
        if (std::abs(step) < 1e-9 * tau) break;
    }
    return tau;
}

struct Slope {
    double likelihood = 0;
    double by_scale = 0;   ///< d/d ln s
    double by_weight = 0;  ///< d/d ln k
};
/// Log likelihood of an error this far beyond the middle.
Slope slope_at(TailForm form, double log_scale, double log_weight, double distance) {
    const double k = std::exp(log_weight);
    const double u = std::max(distance * std::exp(-log_scale), 1e-9);
    const double tau = tau_of(form, k, u);
    const Shape f = shape_at(form, k, tau);
    constexpr double kLogTwoOverRootTwoPi = -0.2257913526447274;
    const double pull = -tau - f.h2 / f.h1;
    return {kLogTwoOverRootTwoPi - tau * tau / 2 - std::log(f.h1) - log_scale, -pull * u / f.h1 - 1,
            -(pull * f.h_k + f.h1_k) / f.h1};
}

// ---- One side -----------------------------------------------------------------------------------

/// Distances beyond the middle by cell; `fold` 0 or 1: only games of that half.
struct SideCell {
    LawTerms terms{};
    std::vector<double> distances;
    double decided = 0;
    double all = 0;  ///< errors on both sides
};
using Side = std::vector<SideCell>;

int fold_of(std::int32_t game) {
    return static_cast<int>((static_cast<std::uint32_t>(game) * 2654435761u) >> 31);
}

Side side_of(const std::vector<LawCell>& cells, const LawTerms& middle, double sign, int fold,
             std::size_t stride) {
    Side out;
    std::size_t number = 0;
    for (const LawCell& c : cells) {
        SideCell& side = out.emplace_back();
        side.terms = c.terms;
        const double m = value_of(middle, c.terms);
        for (std::size_t i = 0; i < c.errors.size(); ++i) {
            if (fold >= 0 && fold_of(c.games[i]) != fold) continue;
            if (number++ % stride != 0) continue;
            side.all += 1;
            const double distance = sign * (c.errors[i] - m);
            if (distance <= 0) continue;
            if (std::isfinite(distance)) {
                side.distances.push_back(distance);
            } else {
                side.decided += 1;
            }
        }
    }
    return out;
}

std::size_t size_of(const Side& side) {
    std::size_t n = 0;
    for (const SideCell& c : side) n += c.distances.size();
    return n;
}

/// ln s and ln k over the first `terms` terms.
struct Tail {
    TailForm form = TailForm::Normal;
    std::size_t terms = 1;
    LawTerms scale{};
    LawTerms weight{};
};

constexpr double kUsualWeight = -1.6;  ///< ln k where nothing is known
constexpr double kPrior = 1.0;         ///< as much as one error knows, on every coefficient

struct Sums {
    double likelihood = 0;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd information;
};

double clamped_weight(double log_weight) {
    return std::clamp(log_weight, -6.0, 0.7);
}

Sums sums_of(const Side& side, const Tail& t, bool slopes) {
    const auto n = static_cast<Eigen::Index>(t.terms);
    Sums out{0, Eigen::VectorXd::Zero(2 * n), Eigen::MatrixXd::Zero(2 * n, 2 * n)};
    for (const SideCell& c : side) {
        const double log_scale = value_of(t.scale, c.terms);
        const double log_weight = clamped_weight(value_of(t.weight, c.terms));
        double a = 0, b = 0, aa = 0, ab = 0, bb = 0;
        for (const double distance : c.distances) {
            const Slope s = slope_at(t.form, log_scale, log_weight, distance);
            out.likelihood += s.likelihood;
            a += s.by_scale, b += s.by_weight;
            aa += s.by_scale * s.by_scale, ab += s.by_scale * s.by_weight;
            bb += s.by_weight * s.by_weight;
        }
        if (!slopes || c.distances.empty()) continue;
        const Eigen::Map<const Eigen::VectorXd> x(c.terms.data(), n);
        const Eigen::MatrixXd xx = x * x.transpose();
        out.gradient.head(n) += a * x, out.gradient.tail(n) += b * x;
        out.information.topLeftCorner(n, n) += aa * xx;
        out.information.topRightCorner(n, n) += ab * xx;
        out.information.bottomLeftCorner(n, n) += ab * xx;
        out.information.bottomRightCorner(n, n) += bb * xx;
    }
    return out;
}

double prior_of(const Tail& t) {
    double sum = 0;
    for (std::size_t i = 0; i < t.terms; ++i) {
        const double weight = t.weight[i] - (i == 0 ? kUsualWeight : 0);
        sum += weight * weight + (i == 0 ? 0 : t.scale[i] * t.scale[i]);
    }
    return -0.5 * kPrior * sum;
}

Tail moved(const Tail& t, const Eigen::VectorXd& step, double share) {
    Tail out = t;
    const auto n = static_cast<Eigen::Index>(t.terms);
    for (Eigen::Index i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        out.scale[at] += share * step(i);
        if (t.form != TailForm::Normal) out.weight[at] += share * step(n + i);
    }
    return out;
}

/// By scoring: the information is that of the single errors, which is all that is needed here.
Tail fit_tail(const Side& side, TailForm form, std::size_t terms) {
    Tail t{form, terms, {}, {}};
    t.weight[0] = kUsualWeight;
    const auto n = static_cast<Eigen::Index>(terms);
    double now = sums_of(side, t, false).likelihood + prior_of(t);
    for (int round = 0; round < 60; ++round) {
        Sums s = sums_of(side, t, true);
        for (Eigen::Index i = 0; i < n; ++i) {
            const auto at = static_cast<std::size_t>(i);
            s.information(i, i) += kPrior, s.information(n + i, n + i) += kPrior;
            if (i > 0) s.gradient(i) -= kPrior * t.scale[at];
            s.gradient(n + i) -= kPrior * (t.weight[at] - (i == 0 ? kUsualWeight : 0));
        }
        const Eigen::VectorXd step = s.information.ldlt().solve(s.gradient);
        bool better = false;
        for (double share = 1; share > 1e-3 && !better; share /= 2) {
            const Tail next = moved(t, step, share);
            const double then = sums_of(side, next, false).likelihood + prior_of(next);
            if (!(then > now)) continue;
            better = then - now > 1e-7 * static_cast<double>(size_of(side) + 1);
            t = next, now = then;
            if (!better) return t;
        }
        if (!better) break;
    }
    return t;
}

/// Log odds of a decisive value on this side, by Newton.
LawTerms fit_decided(const Side& side) {
    double all = 0, decided = 0;
    for (const SideCell& c : side) all += c.all, decided += c.decided;
    LawTerms out{};
    out[0] = -30;
    if (decided <= 0) return out;
    out[0] = std::log(decided / std::max(all - decided, 1.0));
    constexpr double kEnough = 50;  // so few say nothing about where they happen
    const Eigen::Index n = decided < kEnough ? 1 : 4;
    for (int round = 0; round < 30; ++round) {
        Eigen::VectorXd gradient = Eigen::VectorXd::Zero(n);
        Eigen::MatrixXd information = kPrior * Eigen::MatrixXd::Identity(n, n);
        for (Eigen::Index i = 1; i < n; ++i) {
            gradient(i) -= kPrior * out[static_cast<std::size_t>(i)];
        }
        for (const SideCell& c : side) {
            const Eigen::Map<const Eigen::VectorXd> x(c.terms.data(), n);
            const double odds = std::clamp(value_of(out, c.terms), -40.0, 40.0);
            const double p = 1 / (1 + std::exp(-odds));
            gradient += (c.decided - c.all * p) * x;
            information += c.all * p * (1 - p) * x * x.transpose();
        }
        const Eigen::VectorXd step = information.ldlt().solve(gradient);
        for (Eigen::Index i = 0; i < n; ++i) {
            out[static_cast<std::size_t>(i)] += std::clamp(step(i), -2.0, 2.0);
        }
        if (step.norm() < 1e-8) break;
    }
    return out;
}

// ---- The whole law ------------------------------------------------------------------------------

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The middle of each cell, made smooth.
LawTerms fit_middle(const std::vector<LawCell>& cells) {
    const std::size_t terms = cells.size() >= 4 * kLawTerms ? kLawTerms : 1;
    const auto n = static_cast<Eigen::Index>(terms);
    Eigen::MatrixXd normal = kPrior * Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
    for (const LawCell& c : cells) {
        const double m = median_of(c.errors);
        if (!std::isfinite(m)) continue;
        const Eigen::Map<const Eigen::VectorXd> x(c.terms.data(), n);
        const auto weight = static_cast<double>(c.errors.size());
        normal += weight * x * x.transpose();
        right += weight * m * x;
    }
    const Eigen::VectorXd solved = normal.ldlt().solve(right);
    LawTerms out{};
    for (Eigen::Index i = 0; i < n; ++i) out[static_cast<std::size_t>(i)] = solved(i);
    return out;
}

struct Candidate {
    TriedTail tried;
    double sum = 0;
    double errors = 0;
};

/// Every form with every number of terms, each judged on the half of the games that it was not
/// fitted to.
SideChoice choose_side(const std::vector<LawCell>& cells, const LawTerms& middle, double sign,
                       int threads) {
    std::size_t all = 0;
    for (const LawCell& c : cells) all += c.errors.size();
    const std::size_t stride = all / kMostForChoice + 1;
    std::array<Side, kFolds> folds;
    for (int f = 0; f < kFolds; ++f) {
        folds[static_cast<std::size_t>(f)] = side_of(cells, middle, sign, f, stride);
    }
    std::vector<Candidate> tried;
    for (std::size_t form = 0; form < kTailForms.size(); ++form) {
        for (const std::size_t terms : kTermCounts) {
            if (terms > 1 && cells.size() < 4 * terms) continue;
            tried.push_back({{static_cast<TailForm>(form), terms, 0}, 0, 0});
        }
    }
    std::atomic<std::size_t> next{0};
    run_crew(threads, [&](int) {
        for (std::size_t i = next++; i < tried.size(); i = next++) {
            Candidate& c = tried[i];
            for (std::size_t f = 0; f < kFolds; ++f) {
                const Tail t = fit_tail(folds[1 - f], c.tried.form, c.tried.terms);
                c.sum += sums_of(folds[f], t, false).likelihood;
                c.errors += static_cast<double>(size_of(folds[f]));
            }
            c.tried.likelihood = c.errors > 0 ? c.sum / c.errors : 0;
        }
    });
    SideChoice out;
    double most = -std::numeric_limits<double>::infinity();
    out.normal = most;
    for (const Candidate& c : tried) {
        out.tried.push_back(c.tried);
        most = std::max(most, c.tried.likelihood);
        if (c.tried.form == TailForm::Normal) out.normal = std::max(out.normal, c.tried.likelihood);
    }
    // What is better by less than this is luck: then fewer terms do.
    constexpr double kLuck = 2e-4;
    const TriedTail* best = nullptr;
    for (const TriedTail& t : out.tried) {
        if (t.likelihood < most - kLuck) continue;
        const bool simpler = best == nullptr || t.terms < best->terms;
        const bool likelier =
            best != nullptr && t.terms == best->terms && t.likelihood > best->likelihood;
        if (simpler || likelier) best = &t;
    }
    out.best = *best;
    return out;
}

SideLaw fit_side(const std::vector<LawCell>& cells, const LawTerms& middle, double sign,
                 SideChoice& choice) {
    const Side side = side_of(cells, middle, sign, -1, 1);
    for (const SideCell& c : side) {
        choice.errors += static_cast<std::int64_t>(c.distances.size());
        choice.decided += static_cast<std::int64_t>(c.decided);
    }
    const Tail t = fit_tail(side, choice.best.form, choice.best.terms);
    return {t.form, t.scale, t.weight, fit_decided(side)};
}

void round_terms(LawTerms& terms) {
    for (double& x : terms) x = std::round(x * 1e5) / 1e5;
}
void round_law(ErrorLaw& law) {
    round_terms(law.middle);
    for (SideLaw* side : {&law.high, &law.low}) {
        round_terms(side->log_scale), round_terms(side->log_weight), round_terms(side->decided);
    }
}

template <class Predict>
std::vector<LawCell> cells_about(const SampleTable& table, const Predict& predict) {
    std::vector<LawCell> out;
    for (int stage = 0; stage < table.stages(); ++stage) {
        const double share =
            table.stages() > 1 ? static_cast<double>(stage) / (table.stages() - 1) : 0.0;
        for (Depth deep = 1; deep <= table.depth(); ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                const Regression* r = predict(stage, shallow, deep);
                if (r == nullptr || r->sigma <= 0) continue;
                LawCell cell;
                cell.terms = law_terms(share, shallow, deep);
                for (const PairSample& s :
                     table.cell(stage, shallow, deep, SampleTable::Decided::Kept)) {
                    cell.errors.push_back((s.deep - r->a * s.shallow - r->b) / r->sigma);
                    cell.games.push_back(s.game);
                }
                if (!cell.errors.empty()) out.push_back(std::move(cell));
            }
        }
    }
    return out;
}

}  // namespace

std::optional<LawChoice> choose_law(const std::vector<LawCell>& cells, int threads) {
    std::size_t errors = 0;
    for (const LawCell& c : cells) errors += c.errors.size();
    if (errors < static_cast<std::size_t>(kLeastErrors)) return std::nullopt;
    LawChoice out;
    out.law.middle = fit_middle(cells);
    out.high = choose_side(cells, out.law.middle, 1, threads);
    out.low = choose_side(cells, out.law.middle, -1, threads);
    out.law.high = fit_side(cells, out.law.middle, 1, out.high);
    out.law.low = fit_side(cells, out.law.middle, -1, out.low);
    round_law(out.law);
    return out;
}

std::optional<LawFit> fit_laws(const SampleTable& table, const Calibration& c, int threads) {
    LawFit out;
    out.cells = choose_law(
        cells_about(table, [&](int g, Depth s, Depth d) { return c.cell(g, s, d); }), threads);
    out.model = choose_law(
        cells_about(table, [&](int g, Depth s, Depth d) { return c.model(g, s, d); }), threads);
    if (!out.cells && !out.model) return std::nullopt;
    // One stands in for the other where that has too little to go by.
    out.laws.cells = out.cells ? out.cells->law : out.model->law;
    out.laws.model = out.model ? out.model->law : out.cells->law;
    return out;
}

Json to_json(const LawFit& fit) {
    const auto tail = [](const TriedTail& t) {
        return Json{{"tail", kTailForms[static_cast<std::size_t>(t.form)]},
                    {"terms", t.terms},
                    {"likelihood", t.likelihood}};
    };
    const auto side = [&](const SideChoice& s) {
        Json out = tail(s.best);
        out["over_normal"] = s.best.likelihood - s.normal;
        out["errors"] = s.errors;
        out["decided"] = s.decided;
        out["tried"] = Json::array();
        for (const TriedTail& t : s.tried) out["tried"].push_back(tail(t));
        return out;
    };
    const auto law = [&](const std::optional<LawChoice>& c) {
        if (!c) return Json(nullptr);
        return Json{{"high", side(c->high)}, {"low", side(c->low)}};
    };
    return {{"cells", law(fit.cells)}, {"model", law(fit.model)}};
}

}  // namespace karikomi::lab
