#include "karikomi/lab/tune/spsa.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace karikomi::tune {
namespace {

constexpr std::size_t kBatches = 10;

double step_number(std::uint64_t number) {
    return static_cast<double>(number) + 1.0;
}

}  // namespace

Spsa::Spsa(SpsaOptions options) : options_(std::move(options)) {
    for (const SpsaParam& p : options_.params) theta_.push_back(std::clamp(p.start, p.min, p.max));
}

double Spsa::c_of(const SpsaParam& p, std::uint64_t number) const {
    const double start = p.c_end * std::pow(static_cast<double>(options_.trials), options_.gamma);
    return start / std::pow(step_number(number), options_.gamma);
}

double Spsa::a_of(const SpsaParam& p, std::uint64_t number) const {
    const auto n = static_cast<double>(options_.trials);
    const double stability = options_.stability * n;
    const double start = p.r_end * p.c_end * p.c_end * std::pow(stability + n, options_.alpha);
    return start / std::pow(stability + step_number(number), options_.alpha);
}

Spsa::Trial Spsa::start(std::uint64_t number) const {
    std::seed_seq seeds{options_.seed, options_.seed >> 32, number, number >> 32};
    std::mt19937_64 random(seeds);
    Trial trial;
    trial.number = number;
    trial.theta = theta_;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
        const SpsaParam& p = options_.params[i];
        const double flip = (random() & 1U) != 0 ? 1.0 : -1.0;
        const double c = c_of(p, number);
        // Whole numbers are rounded at random, so that their mean is the point that was meant. Both
        // points share the draw: what differs between them is the step and not the rounding.
        const double draw = static_cast<double>(random() >> 11) * 0x1p-53;
        const auto value = [&](double v) {
            const double rounded = p.integer ? std::floor(v + draw) : v;
            return std::clamp(rounded, p.min, p.max);
        };
        trial.flips.push_back(flip);
        trial.plus.push_back(value(theta_[i] + c * flip));
        trial.minus.push_back(value(theta_[i] - c * flip));
    }
    return trial;
}

void Spsa::finish(const Trial& trial, double result) {
    for (std::size_t i = 0; i < theta_.size(); ++i) {
        const SpsaParam& p = options_.params[i];
        const double gain = a_of(p, trial.number) / c_of(p, trial.number);
        theta_[i] = std::clamp(theta_[i] + gain * result * trial.flips[i], p.min, p.max);
    }
    history_.emplace_back(theta_.begin(), theta_.end());
}

void Spsa::restore(const std::vector<double>& theta) {
    theta_ = theta;
    history_.emplace_back(theta.begin(), theta.end());
}

std::vector<Spsa::Estimate> Spsa::estimates() const {
    std::vector<Estimate> out(theta_.size());
    const std::size_t begin = history_.size() / 2;
    const std::size_t size = (history_.size() - begin) / kBatches;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
        out[i].last = theta_[i];
        out[i].value = theta_[i];
        // Too short to say anything of: as wide as the step that is being tried.
        out[i].error = options_.params[i].c_end;
        if (size == 0) continue;
        std::vector<double> means(kBatches, 0.0);
        for (std::size_t b = 0; b < kBatches; ++b) {
            for (std::size_t k = 0; k < size; ++k) {
                means[b] += static_cast<double>(history_[begin + b * size + k][i]);
            }
            means[b] /= static_cast<double>(size);
        }
        double mean = 0;
        double square = 0;
        for (const double m : means) mean += m / kBatches;
        for (const double m : means) square += (m - mean) * (m - mean);
        out[i].value = mean;
        out[i].error = std::sqrt(square / (kBatches - 1) / kBatches);
    }
    return out;
}

}  // namespace karikomi::tune
