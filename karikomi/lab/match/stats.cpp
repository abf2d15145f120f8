#include "karikomi/lab/match/stats.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace karikomi::match {
namespace {

constexpr double kZ95 = 1.959963984540054;
constexpr double kEmptyCell = 1e-3;  // in place of 0: likelihoods stay finite

/// A distribution over scores 0..1.
struct Cell {
    double score = 0;
    double p = 0;
};
using Distribution = std::vector<Cell>;

struct Moments {
    double mean = 0;
    double variance = 0;
};

Moments moments(const Distribution& d) {
    Moments m;
    for (const Cell& c : d) m.mean += c.p * c.score;
    for (const Cell& c : d) m.variance += c.p * (c.score - m.mean) * (c.score - m.mean);
    return m;
}

double normal_cdf(double x) {
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

struct Sample {
    Distribution shape;
    double count = 0;
};

/// Counts as a distribution; an empty cell gets a trace so that no outcome is impossible.
Sample sample_of(std::span<const std::uint64_t> counts) {
    Sample s;
    const double last = static_cast<double>(counts.size() - 1);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double n = std::max(static_cast<double>(counts[i]), kEmptyCell);
        s.shape.push_back({static_cast<double>(i) / last, n});
        s.count += n;
    }
    for (Cell& c : s.shape) c.p /= s.count;
    return s;
}

/// Plain moments of the counts, without the trace.
Moments raw_moments(std::span<const std::uint64_t> counts, double total) {
    Distribution d;
    const double last = static_cast<double>(counts.size() - 1);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        d.push_back({static_cast<double>(i) / last, static_cast<double>(counts[i]) / total});
    }
    return moments(d);
}

/// `games_per_observation`: 2 for pairs.
Estimate estimate_of(std::span<const std::uint64_t> counts, double games_per_observation) {
    Estimate e;
    for (const std::uint64_t n : counts) e.count += n;
    if (e.count == 0) {
        e.elo = {0, elo_of_score(0), elo_of_score(1)};
        e.nelo = {0, -kNormalised, kNormalised};
        return e;
    }
    const double n = static_cast<double>(e.count);
    const Moments raw = raw_moments(counts, n);
    const bool all_equal =
        std::any_of(counts.begin(), counts.end(), [&](std::uint64_t c) { return c == e.count; });
    e.score = raw.mean;
    e.deviation = std::sqrt(raw.variance);
    // All outcomes equal say nothing of the variance: one even outcome more does.
    std::vector<std::uint64_t> seen(counts.begin(), counts.end());
    if (all_equal) ++seen[seen.size() / 2];
    const Moments smooth = moments(sample_of(seen).shape);
    const double observed = all_equal ? n + 1 : n;
    const double error = std::sqrt(smooth.variance / std::max(observed - 1, 1.0));
    e.los = normal_cdf((smooth.mean - 0.5) / error);

    // For equal outcomes the exact bound: another one has at most this chance, at 97.5 %.
    const double slack = all_equal ? 1.0 - std::pow(0.025, 1.0 / n) : kZ95 * error;
    const double centre = all_equal ? smooth.mean : raw.mean;
    e.elo = {elo_of_score(centre), elo_of_score(raw.mean - slack), elo_of_score(raw.mean + slack)};

    // A pair's mean score has half the variance of a game's.
    const double t = (smooth.mean - 0.5) / std::sqrt(smooth.variance);
    const double unit = kNormalised / std::sqrt(games_per_observation);
    // The deviation is estimated too; to first order that widens the interval by this much.
    const double half = kZ95 * std::sqrt((1.0 + 0.5 * t * t) / observed);
    e.nelo = {t * unit, (t - half) * unit, (t + half) * unit};
    return e;
}

// ---- Maximum likelihood under a hypothesis ------------------------------------------------------

/// The likeliest distribution with mean `s` when `seen` was observed: q_i = p_i/(1 + x(a_i - s)),
/// where x solves sum p_i(a_i - s)/(1 + x(a_i - s)) = 0. The sum falls with x between the poles.
Distribution likeliest_with_mean(const Distribution& seen, double s) {
    double low_score = seen.front().score;
    double high_score = low_score;
    for (const Cell& c : seen) {
        low_score = std::min(low_score, c.score);
        high_score = std::max(high_score, c.score);
    }
    if (!(low_score < s && s < high_score)) return seen;  // no distribution has this mean
    double low = -1.0 / (high_score - s);
    double high = -1.0 / (low_score - s);
    for (int i = 0; i < 200 && high - low > 1e-15 * (1.0 + std::abs(low)); ++i) {
        const double x = 0.5 * (low + high);
        double sum = 0;
        for (const Cell& c : seen) sum += c.p * (c.score - s) / (1.0 + x * (c.score - s));
        (sum > 0 ? low : high) = x;
    }
    const double x = 0.5 * (low + high);
    Distribution q = seen;
    double total = 0;
    for (Cell& c : q) {
        c.p = std::max(c.p / (1.0 + x * (c.score - s)), 1e-300);
        total += c.p;
    }
    for (Cell& c : q) c.p /= total;
    return q;
}

/// The likeliest distribution with (mean - 1/2)/deviation = t. The condition is linearised around
/// the last answer, which makes it one on a mean, until the answer stays.
Distribution likeliest_with_t(const Distribution& seen, double t) {
    Distribution q = seen;
    for (Cell& c : q) c.p = 1.0 / static_cast<double>(q.size());
    for (int i = 0; i < 50; ++i) {
        const Moments m = moments(q);
        const double deviation = std::sqrt(m.variance);
        if (!(deviation > 1e-12)) break;
        Distribution shifted = seen;
        for (Cell& c : shifted) {
            const double z = (m.mean - c.score) / deviation;
            c.score -= 0.5 + t * deviation * 0.5 * (1.0 + z * z);
        }
        const Distribution next = likeliest_with_mean(shifted, 0.0);
        double change = 0;
        for (std::size_t k = 0; k < q.size(); ++k) {
            change = std::max(change, std::abs(next[k].p - q[k].p));
            q[k].p = next[k].p;
        }
        if (change < 1e-10) break;
    }
    return q;
}

double llr_of(std::span<const std::uint64_t> counts, const Sprt& test, double games) {
    std::uint64_t total = 0;
    for (const std::uint64_t n : counts) total += n;
    if (total == 0) return 0;
    const Sample s = sample_of(counts);
    const auto likeliest = [&](double elo) {
        if (test.logistic) return likeliest_with_mean(s.shape, score_of_elo(elo));
        return likeliest_with_t(s.shape, elo / kNormalised * std::sqrt(games));
    };
    const Distribution h0 = likeliest(test.elo0);
    const Distribution h1 = likeliest(test.elo1);
    double sum = 0;
    for (std::size_t i = 0; i < s.shape.size(); ++i) {
        sum += s.shape[i].p * std::log(h1[i].p / h0[i].p);
    }
    return s.count * sum;
}

std::array<std::uint64_t, 3> cells(const Trinomial& t) {
    return {t.losses, t.draws, t.wins};
}

}  // namespace

void Trinomial::add(int half_points) {
    if (half_points <= 0) {
        ++losses;
    } else {
        ++(half_points == 1 ? draws : wins);
    }
}

bool is_precise(const Pentanomial& p, double half_width) {
    constexpr double kOfItself = 0.2;
    if (p.pairs() < kLeastPairs) return false;
    const Interval elo = estimate(p).elo;
    const double wanted = std::max(half_width, kOfItself * std::abs(elo.value));
    return (elo.high - elo.low) / 2 <= wanted;
}

double elo_of_score(double score) {
    constexpr double kNearest = 1e-4;  // 1600 Elo: beyond that a number would be a fiction
    const double s = std::clamp(score, kNearest, 1.0 - kNearest);
    return 400.0 * std::log10(s / (1.0 - s));
}

double score_of_elo(double elo) {
    return 1.0 / (1.0 + std::pow(10.0, -elo / 400.0));
}

Estimate estimate(const Pentanomial& p) {
    return estimate_of(p.n, 2.0);
}
Estimate estimate(const Trinomial& t) {
    return estimate_of(cells(t), 1.0);
}

std::vector<double> ratings(int engines, std::span<const Meeting> meetings) {
    const auto n = static_cast<std::size_t>(engines);
    std::vector<double> strength(n, 1.0);
    constexpr double kPrior = 0.5;  // games
    for (int round = 0; round < 10'000; ++round) {
        std::vector<double> points(n, 0.0);
        std::vector<double> weight(n, 0.0);
        for (const Meeting& m : meetings) {
            const auto a = static_cast<std::size_t>(m.a);
            const auto b = static_cast<std::size_t>(m.b);
            const double games = m.games + kPrior;
            points[a] += m.points_a + 0.5 * kPrior;
            points[b] += m.games - m.points_a + 0.5 * kPrior;
            weight[a] += games / (strength[a] + strength[b]);
            weight[b] += games / (strength[a] + strength[b]);
        }
        double change = 0;
        double logs = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double next = weight[i] > 0 ? points[i] / weight[i] : strength[i];
            change = std::max(change, std::abs(std::log(next / strength[i])));
            strength[i] = next;
            logs += std::log(next);
        }
        const double scale = std::exp(logs / static_cast<double>(n));
        for (double& s : strength) s /= scale;
        if (change < 1e-9) break;
    }
    std::vector<double> elo;
    elo.reserve(strength.size());
    for (const double s : strength) elo.push_back(400.0 * std::log10(s));
    return elo;
}

double Sprt::lower() const {
    return std::log(beta / (1.0 - alpha));
}
double Sprt::upper() const {
    return std::log((1.0 - beta) / alpha);
}

double log_likelihood_ratio(const Pentanomial& p, const Sprt& test) {
    return llr_of(p.n, test, 2.0);
}
double log_likelihood_ratio(const Trinomial& t, const Sprt& test) {
    return llr_of(cells(t), test, 1.0);
}

Verdict verdict(double llr, const Sprt& test) {
    if (llr >= test.upper()) return Verdict::H1;
    return llr <= test.lower() ? Verdict::H0 : Verdict::Continue;
}

}  // namespace karikomi::match
