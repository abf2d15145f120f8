/// Tables of numbers to be fitted. Each entry is a given start + what it shares with entries like
/// it + what is its own; the latter is drawn towards zero, so that an entry which was seldom seen
/// follows its like. Steps by Adam (Kingma and Ba 2014).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace karikomi::renju {

/// One entry in a sample: which, and how many times.
struct Term {
    std::uint16_t entry = 0;
    std::int16_t times = 0;
};

class TiedTables {
public:
    /// `shared[i]` are the numbers of the shared parts of entry i, from 0 to `parts` - 1.
    TiedTables(std::vector<double> start, std::vector<std::vector<std::uint32_t>> shared,
               std::size_t parts, double ridge)
        : start_(std::move(start)),
          shared_(std::move(shared)),
          ridge_(ridge),
          values_(start_),
          gradient_(start_.size()),
          states_(start_.size() + parts) {}

    double value(std::uint32_t entry) const { return values_[entry]; }
    double sum(std::span<const Term> terms) const {
        double s = 0;
        for (const Term& t : terms) s += t.times * values_[t.entry];
        return s;
    }
    /// How large the terms of a sample are: what appears a hundred times at once must move in small
    /// steps. For some samples before the first step.
    void observe(std::span<const Term> terms) {
        std::vector<std::pair<std::uint32_t, double>> parts;
        for (const Term& t : terms) {
            add_square(t.entry, t.times);
            for (const std::uint32_t p : shared_[t.entry]) parts.emplace_back(p, t.times);
        }
        std::sort(parts.begin(), parts.end());
        for (std::size_t i = 0; i < parts.size();) {
            double sum = 0;
            std::size_t j = i;
            for (; j < parts.size() && parts[j].first == parts[i].first; ++j) {
                sum += parts[j].second;
            }
            add_square(start_.size() + parts[i].first, sum);
            i = j;
        }
    }
    /// The loss's derivative by the sample's sum.
    void add_gradient(std::span<const Term> terms, double slope) {
        for (const Term& t : terms) gradient_[t.entry] += t.times * slope;
    }
    void add_gradient(std::uint32_t entry, double slope) { gradient_[entry] += slope; }

    /// `samples` of the loss are in the gradient, `all` in the whole set: the pull towards the
    /// shared parts is spread over them.
    void step(double rate, double samples, double all) {
        ++steps_;
        std::vector<double> parts(states_.size() - start_.size());
        for (std::size_t i = 0; i < start_.size(); ++i) {
            for (const std::uint32_t p : shared_[i]) parts[p] += gradient_[i];
        }
        for (std::size_t i = 0; i < start_.size(); ++i) {
            const double pull = ridge_ * states_[i].value / all;
            move(states_[i], gradient_[i] / samples + pull, rate);
            gradient_[i] = 0;
        }
        for (std::size_t p = 0; p < parts.size(); ++p) {
            move(states_[start_.size() + p], parts[p] / samples, rate);
        }
        for (std::size_t i = 0; i < start_.size(); ++i) {
            values_[i] = start_[i] + states_[i].value;
            for (const std::uint32_t p : shared_[i]) {
                values_[i] += states_[start_.size() + p].value;
            }
        }
    }

private:
    struct State {
        double value = 0;
        double mean = 0;
        double square = 0;
        double times_square = 0;  ///< of the samples observed that have it
        double times_count = 0;
    };

    void add_square(std::size_t i, double times) {
        states_[i].times_square += times * times;
        states_[i].times_count += 1;
    }
    void move(State& s, double gradient, double rate) const {
        constexpr double kMean = 0.9;
        constexpr double kSquare = 0.999;
        if (gradient == 0 && s.square == 0) return;
        s.mean = kMean * s.mean + (1 - kMean) * gradient;
        s.square = kSquare * s.square + (1 - kSquare) * gradient * gradient;
        const double mean = s.mean / (1 - std::pow(kMean, steps_));
        const double square = s.square / (1 - std::pow(kSquare, steps_));
        const double size =
            s.times_count > 0 ? std::max(1.0, std::sqrt(s.times_square / s.times_count)) : 1.0;
        s.value -= rate / size * mean / (std::sqrt(square) + 1e-12);
    }

    std::vector<double> start_;
    std::vector<std::vector<std::uint32_t>> shared_;
    double ridge_;  ///< in samples
    std::vector<double> values_;
    std::vector<double> gradient_;
    std::vector<State> states_;  ///< the entries' own parts, then the shared ones
    double steps_ = 0;
};

}  // namespace karikomi::renju
