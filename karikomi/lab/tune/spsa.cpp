#include "karikomi/lab/tune/spsa.hpp"

#include <algorithm>
#include <cmath>

#include "karikomi/base/random.hpp"
#include "karikomi/lab/tune/optimum.hpp"

namespace karikomi::tune {

double usual_rate(std::uint64_t pairs, std::size_t parameters) {
    constexpr double kLeast = 0.002;  // what testers of engines use in runs of 20 000 games
    constexpr double kWork = 40;      // rate times pairs: enough to arrive
    constexpr double kNoise = 0.16;   // rate times parameters: 7 Elo of noise before the mean
    const double wanted = kWork / static_cast<double>(std::max<std::uint64_t>(pairs, 1));
    const double most = kNoise / static_cast<double>(std::max<std::size_t>(parameters, 1));
    return std::max(kLeast, std::min(wanted, most));
}

Spsa::Spsa(SpsaOptions options) : options_(std::move(options)) {
    for (const SpsaParam& p : options_.params) theta_.push_back(std::clamp(p.start, p.min, p.max));
}

// The run is counted in pairs, so that many pairs in a trial change neither step nor rate.

double Spsa::c_of(const SpsaParam& p, std::uint64_t number) const {
    const auto run = static_cast<double>(options_.all_pairs());
    const auto at = static_cast<double>((number + 1) * options_.pairs);
    return p.c_end * std::pow(run / at, options_.gamma);
}

double Spsa::a_of(const SpsaParam& p, std::uint64_t number) const {
    const auto run = static_cast<double>(options_.all_pairs());
    const auto at = static_cast<double>((number + 1) * options_.pairs);
    const double stability = options_.stability * run;
    const double fall = std::pow((stability + run) / (stability + at), options_.alpha);
    return p.r_end * p.c_end * p.c_end * fall;
}

Spsa::Trial Spsa::start(std::uint64_t number) const {
    // Streams of neighbouring numbers overlap, so each seeds a stream of its own.
    Random random(Random(options_.seed, number).next());
    Trial trial;
    trial.number = number;
    trial.theta = theta_;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
        const SpsaParam& p = options_.params[i];
        const double flip = (random.next() & 1U) != 0 ? 1.0 : -1.0;
        const double shift = (random.next() & 1U) != 0 ? 1.0 : -1.0;
        const double c = c_of(p, number);
        // Whole numbers are rounded at random, so that their mean is the point that was meant. Both
        // points share the draw: what differs between them is the step and not the rounding.
        const double draw = random.unit();
        const auto value = [&](double v) {
            const double rounded = p.integer ? std::floor(v + draw) : v;
            return std::clamp(rounded, p.min, p.max);
        };
        trial.flips.push_back(flip);
        trial.shifts.push_back(shift);
        trial.plus.push_back(value(theta_[i] + c * (shift + flip)));
        trial.minus.push_back(value(theta_[i] + c * (shift - flip)));
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
    outcomes_.push_back({trial.plus, trial.minus, trial.shifts, result});
}

void Spsa::restore(Outcome outcome, const std::vector<double>& theta) {
    theta_ = theta;
    history_.emplace_back(theta.begin(), theta.end());
    outcomes_.push_back(std::move(outcome));
}

double Spsa::mean_of_last_part(std::size_t param) const {
    if (history_.empty()) return theta_[param];
    double sum = 0;
    const std::size_t begin = history_.size() / 2;
    for (std::size_t k = begin; k < history_.size(); ++k) {
        sum += static_cast<double>(history_[k][param]);
    }
    return sum / static_cast<double>(history_.size() - begin);
}

std::vector<Spsa::Estimate> Spsa::estimates() const {
    std::vector<double> centre;
    for (std::size_t i = 0; i < theta_.size(); ++i) centre.push_back(mean_of_last_part(i));
    const std::vector<Range> ranges = optimum_ranges(options_, outcomes_, centre);
    std::vector<Estimate> out;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
        out.push_back({centre[i], ranges[i].low, ranges[i].high, theta_[i]});
    }
    return out;
}

}  // namespace karikomi::tune
