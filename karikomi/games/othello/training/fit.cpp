#include "karikomi/games/othello/training/fit.hpp"

#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

#include "karikomi/games/othello/evaluator.hpp"

namespace karikomi::othello {
namespace {

constexpr int kBand = 5;  ///< phases in a coarse fit
constexpr int kBands = (kPhases + kBand - 1) / kBand;
constexpr std::size_t kTerms = static_cast<std::size_t>(kInstances.count) + 2;

/// In single precision the fit of a phase now and then ran away.
using Numbers = std::vector<double>;

/// The free weights that a sample adds up.
using Row = std::array<std::int32_t, kTerms>;

Row row_of(const Sample& s, bool use_mobility) {
    const Board board{s.own, s.other};
    const Features f = features_of(board.own, board.other);
    const std::vector<std::int32_t>& free_of = ties().free_of;
    Row row{};
    for (std::size_t i = 0; i + 2 < kTerms; ++i) {
        row[i] = free_of[at(kWeightLayout.centre[i] + f.slot[i])];
    }
    const int own = use_mobility ? std::popcount(board.moves()) : 0;
    const int other = use_mobility ? std::popcount(board.replies()) : 0;
    const int discs = std::popcount(board.own | board.other);
    row[kTerms - 2] = free_of[at(own_mobility_place(discs, own))];
    row[kTerms - 1] = free_of[at(other_mobility_place(discs, other))];
    return row;
}

/// A least-squares problem: rows with a target and a weight each.
struct Problem {
    std::vector<Row> rows;
    std::vector<float> target;
    std::vector<float> weight;
};

void add_rows(Problem& p, const std::vector<const Sample*>& samples, float weight, bool mobility) {
    for (const Sample* s : samples) {
        if (s->held_out != 0) continue;
        p.rows.push_back(row_of(*s, mobility));
        p.target.push_back(static_cast<float>(s->value) / kDisc);
        p.weight.push_back(weight);
    }
}

double sum_of(const Numbers& w, const Row& row) {
    double sum = 0;
    for (const std::int32_t i : row) sum += w[at(i)];
    return sum;
}

double dot(const Numbers& a, const Numbers& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// Minimises the weighted squared error + ridge * |w - prior|^2, starting from the prior, with
/// the diagonal as preconditioner. Few iterations are enough: the fit of rare patterns, which
/// comes last, is mostly noise.
Numbers solve(const Problem& p, const Numbers& prior, double ridge, int iterations) {
    const std::size_t n = prior.size();
    Numbers w = prior;
    Numbers gradient(n, 0.0);  // minus the gradient: X'W(y - Xw) - ridge (w - prior)
    Numbers diagonal(n, ridge);
    for (std::size_t r = 0; r < p.rows.size(); ++r) {
        const double error = p.weight[r] * (p.target[r] - sum_of(w, p.rows[r]));
        for (const std::int32_t i : p.rows[r]) {
            gradient[at(i)] += error;
            diagonal[at(i)] += p.weight[r];
        }
    }
    Numbers scaled(n);
    const auto precondition = [&] {
        for (std::size_t i = 0; i < n; ++i) scaled[i] = gradient[i] / diagonal[i];
    };
    precondition();
    Numbers direction = scaled;
    double rho = dot(gradient, scaled);
    Numbers product(n);
    for (int k = 0; k < iterations && rho > 1e-6; ++k) {
        for (std::size_t i = 0; i < n; ++i) product[i] = ridge * direction[i];
        for (std::size_t r = 0; r < p.rows.size(); ++r) {
            const double along = p.weight[r] * sum_of(direction, p.rows[r]);
            for (const std::int32_t i : p.rows[r]) product[at(i)] += along;
        }
        const double step = rho / dot(direction, product);
        for (std::size_t i = 0; i < n; ++i) {
            w[i] += step * direction[i];
            gradient[i] -= step * product[i];
        }
        precondition();
        const double next = dot(gradient, scaled);
        const double keep = next / rho;
        for (std::size_t i = 0; i < n; ++i) direction[i] = scaled[i] + keep * direction[i];
        rho = next;
    }
    return w;
}

/// Runs job(0 .. count-1) on some threads.
void in_parallel(int count, int threads, const std::function<void(int)>& job) {
    std::atomic<int> next{0};
    std::vector<std::thread> crew;
    crew.reserve(static_cast<std::size_t>(threads));
    for (int i = 0; i < std::min(threads, count); ++i) {
        crew.emplace_back([&] {
            for (int k = next++; k < count; k = next++) job(k);
        });
    }
    for (std::thread& t : crew) t.join();
}

using ByPhase = std::array<std::vector<const Sample*>, kPhases>;

ByPhase split(const std::vector<Sample>& samples) {
    ByPhase by_phase;
    for (const Sample& s : samples) {
        by_phase[at(phase_of(std::popcount(s.own | s.other)))].push_back(&s);
    }
    return by_phase;
}

class Fitter {
public:
    Fitter(const std::vector<Sample>& samples, const FitOptions& options)
        : options_(options), by_phase_(split(samples)) {}

    Weights fit() {
        if (options_.refine == nullptr) {
            in_parallel(kBands, options_.threads, [&](int band) { fit_band(band); });
        }
        std::vector<std::int16_t> free(at(kPhases) * at(ties().count));
        in_parallel(kPhases, options_.threads, [&](int phase) {
            const Numbers w = fit_phase(phase);
            for (std::size_t i = 0; i < w.size(); ++i) {
                const double scaled = std::round(w[i] * kWeightScale);
                free[at(phase) * w.size() + i] =
                    static_cast<std::int16_t>(std::clamp(scaled, -32767.0, 32767.0));
            }
        });
        return Weights::from_free(free);
    }

private:
    void report(const char* what, int all) {
        const std::lock_guard lock(mutex_);
        ++done_;
        if (options_.progress) options_.progress(what, done_, all);
    }
    void fit_band(int band) {
        Problem p;
        // Every third sample is enough here: neighbours in a game are nearly alike.
        for (int phase = band * kBand; phase < std::min(kPhases, (band + 1) * kBand); ++phase) {
            std::vector<const Sample*> some;
            for (std::size_t i = 0; i < by_phase_[at(phase)].size(); i += 3) {
                some.push_back(by_phase_[at(phase)][i]);
            }
            add_rows(p, some, 1.0f, options_.use_mobility);
        }
        bands_[at(band)] = solve(p, Numbers(at(ties().count), 0.0), options_.coarse_ridge,
                                 options_.coarse_iterations);
        report("coarse fit", kBands + kPhases);
    }
    Numbers prior_of(int phase) const {
        if (options_.refine == nullptr) return bands_[at(phase / kBand)];
        const std::vector<std::int16_t> free = options_.refine->free();
        Numbers prior(at(ties().count));
        for (std::size_t i = 0; i < prior.size(); ++i) {
            prior[i] = free[at(phase) * prior.size() + i] / static_cast<double>(kWeightScale);
        }
        return prior;
    }
    Numbers fit_phase(int phase) {
        Problem p;
        add_rows(p, by_phase_[at(phase)], 1.0f, options_.use_mobility);
        for (const int near : {phase - 1, phase + 1}) {
            if (near < 0 || near >= kPhases) continue;
            add_rows(p, by_phase_[at(near)], options_.neighbour_weight, options_.use_mobility);
        }
        Numbers w = solve(p, prior_of(phase), options_.ridge, options_.iterations);
        report("fit", kBands + kPhases);
        return w;
    }

    const FitOptions& options_;
    ByPhase by_phase_;
    std::array<Numbers, kBands> bands_;
    std::mutex mutex_;
    int done_ = 0;
};

}  // namespace

std::array<PhaseError, kPhases> judge(const std::vector<Sample>& samples, const Weights& weights) {
    std::array<PhaseError, kPhases> errors{};
    for (const Sample& s : samples) {
        const Board board{s.own, s.other};
        PhaseError& e = errors[at(phase_of(std::popcount(s.own | s.other)))];
        const double off = (pattern_value(weights, board) - s.value) / static_cast<double>(kDisc);
        if (s.held_out == 0) {
            ++e.samples;
            e.training_rms += off * off;
        } else {
            ++e.held_out;
            e.held_out_mae += std::abs(off);
            e.held_out_rms += off * off;
        }
    }
    for (PhaseError& e : errors) {
        const auto n = static_cast<double>(std::max<std::size_t>(e.held_out, 1));
        const auto m = static_cast<double>(std::max<std::size_t>(e.samples, 1));
        e.held_out_mae /= n;
        e.held_out_rms = std::sqrt(e.held_out_rms / n);
        e.training_rms = std::sqrt(e.training_rms / m);
    }
    return errors;
}

Fit fit_weights(const std::vector<Sample>& samples, const FitOptions& options) {
    Fit fit{Fitter(samples, options).fit(), {}};
    fit.errors = judge(samples, fit.weights);
    return fit;
}

}  // namespace karikomi::othello
