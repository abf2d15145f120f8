#include "karikomi/games/renju/training/fit.hpp"

#include <numeric>
#include <random>

#include "karikomi/games/renju/training/move_fit.hpp"
#include "karikomi/games/renju/training/samples.hpp"

namespace karikomi::renju {
namespace {

using Shared = std::vector<std::vector<std::uint32_t>>;

constexpr std::size_t kBatch = 2048;
constexpr double kRate = 0.006;
constexpr std::size_t kObserved = 4000;  ///< samples that tell how large the terms are

double chance(double logit) {
    return 1 / (1 + std::exp(-logit));
}
double cross_entropy(double label, double logit) {
    const double q = std::clamp(chance(logit), 1e-9, 1 - 1e-9);
    return -label * std::log(q) - (1 - label) * std::log(1 - q);
}

struct ValueSample {
    std::size_t first = 0;  ///< of its terms
    std::uint16_t count = 0;
    float label = 0;
    float result = 0;
    bool held_out = false;
};

/// The value tables as entries, in units of kLogit.
std::vector<double> entries_of(const Weights& weights, double scale) {
    std::vector<double> out(kValueEntries);
    for (int k = 0; k < 2; ++k) {
        const ColourTables& t = weights.of(k);
        for (std::size_t c = 0; c < kCodeClasses; ++c) {
            out[cell_entry(k, true, c)] = t.cells[c].moving / (kFine * scale);
            out[cell_entry(k, false, c)] = t.cells[c].waiting / (kFine * scale);
        }
        for (std::size_t m = 0; m < kThreatMasks; ++m) {
            out[threat_entry(k, m)] = t.threats[m] / scale;
        }
    }
    return out;
}

/// Cells share the values of their shapes and of their point, threats those of their bits.
Shared shared_values(Rule rule, std::size_t& parts) {
    Shared shared = shared_by_shape(rule, {0, 0, 1, 1}, parts);
    shared.resize(kValueEntries);
    for (int k = 0; k < 2; ++k) {
        for (std::size_t m = 0; m < kThreatMasks; ++m) {
            auto& mine = shared[threat_entry(k, m)];
            const std::size_t first = parts + 12 * static_cast<std::size_t>(k);
            mine.push_back(static_cast<std::uint32_t>(first));
            for (std::size_t b = 0; b < 11; ++b) {
                if ((m >> b & 1U) != 0) mine.push_back(static_cast<std::uint32_t>(first + 1 + b));
            }
        }
    }
    parts += 24;
    return shared;
}

class ValueFit {
public:
    ValueFit(const Weights& from, const FitOptions& options) : o_(options), rule_(from.rule()) {}

    void add_games(const std::vector<TrainingGame>& games, double scale) {
        std::vector<Term> terms;
        for (const TrainingGame& g : games) {
            each_seen(g, rule_, labels_of(g, scale, o_.lambda), [&](const Seen& s) {
                value_terms(s.pos, terms);
                samples_.push_back({terms_.size(), static_cast<std::uint16_t>(terms.size()),
                                    s.label, s.result, s.held_out});
                terms_.insert(terms_.end(), terms.begin(), terms.end());
            });
        }
    }
    void count(Fit& fit) const {
        for (const ValueSample& s : samples_) ++(s.held_out ? fit.held_out : fit.positions);
    }
    void judge(const TiedTables& tables, FitErrors& errors) const {
        double n = 0;
        for (const ValueSample& s : samples_) {
            if (!s.held_out) continue;
            const double logit = tables.sum(terms_of(s));
            errors.label_loss += cross_entropy(s.label, logit);
            errors.result_loss += cross_entropy(s.result, logit);
            n += 1;
        }
        errors.label_loss /= std::max(n, 1.0);
        errors.result_loss /= std::max(n, 1.0);
    }
    void run(TiedTables& tables) const {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < samples_.size(); ++i) {
            if (!samples_[i].held_out) order.push_back(i);
        }
        std::mt19937_64 random(1);
        std::shuffle(order.begin(), order.end(), random);
        for (std::size_t i = 0; i < std::min(kObserved, order.size()); ++i) {
            tables.observe(terms_of(samples_[order[i]]));
        }
        const double all = static_cast<double>(order.size());
        for (int epoch = 0; epoch < o_.epochs; ++epoch) {
            std::shuffle(order.begin(), order.end(), random);
            for (std::size_t at = 0; at < order.size(); at += kBatch) {
                const std::size_t end = std::min(at + kBatch, order.size());
                for (std::size_t i = at; i < end; ++i) {
                    const ValueSample& s = samples_[order[i]];
                    const auto terms = terms_of(s);
                    tables.add_gradient(terms, chance(tables.sum(terms)) - s.label);
                }
                const double done = (epoch + static_cast<double>(at) / all) / o_.epochs;
                tables.step(kRate * (1 - done), static_cast<double>(end - at), all);
                if (o_.progress) o_.progress("values", done);
            }
        }
    }

private:
    std::span<const Term> terms_of(const ValueSample& s) const {
        return std::span(terms_).subspan(s.first, s.count);
    }

    const FitOptions& o_;
    Rule rule_;
    std::vector<ValueSample> samples_;
    std::vector<Term> terms_;
};

std::int16_t rounded(double x) {
    return static_cast<std::int16_t>(std::clamp(std::lround(x), -32'000L, 32'000L));
}

void write_values(const TiedTables& tables, Weights::Tables& out) {
    for (int k = 0; k < 2; ++k) {
        ColourTables& t = out[static_cast<std::size_t>(k)];
        for (std::size_t c = 0; c < kCodeClasses; ++c) {
            t.cells[c].moving = rounded(kFine * kLogit * tables.value(cell_entry(k, true, c)));
            t.cells[c].waiting = rounded(kFine * kLogit * tables.value(cell_entry(k, false, c)));
        }
        for (std::size_t m = 0; m < kThreatMasks; ++m) {
            t.threats[m] = rounded(kLogit * tables.value(threat_entry(k, m)));
        }
    }
}

void count_results(const std::vector<TrainingGame>& games, Fit& fit) {
    for (const TrainingGame& g : games) {
        ++fit.games;
        fit.black_wins += g.winner > 0 ? 1 : 0;
        fit.draws += g.winner == 0 ? 1 : 0;
    }
}

}  // namespace

Fit fit_weights(const Weights& from, const std::vector<std::vector<TrainingGame>>& rounds,
                const FitOptions& options) {
    Fit fit{from};
    ValueFit values(from, options);
    for (const auto& games : rounds) {
        fit.scales.push_back(fit_scale(games));
        values.add_games(games, fit.scales.back());
        count_results(games, fit);
    }
    const auto games = static_cast<double>(std::max<std::size_t>(fit.games, 1));
    fit.black_wins /= games;
    fit.draws /= games;
    values.count(fit);
    std::size_t parts = 0;
    Shared shared = shared_values(from.rule(), parts);
    TiedTables tables(entries_of(from, fit.scales.back()), std::move(shared), parts, options.ridge);
    values.judge(tables, fit.before);
    auto out = std::make_unique<Weights::Tables>(from.tables());
    MoveFit moves(from, rounds, options);
    moves.judge_gains(tables, from.tables(), fit.scales.back(), fit.before);
    moves.judge_order(from.tables(), fit.before);
    values.run(tables);
    values.judge(tables, fit.after);
    write_values(tables, *out);
    moves.fit_order(*out);
    moves.fit_gains(tables, *out);
    moves.judge_gains(tables, *out, kLogit, fit.after);
    moves.judge_order(*out, fit.after);
    fit.weights = Weights(from.rule(), *out);
    return fit;
}

}  // namespace karikomi::renju
