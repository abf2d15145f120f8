/// Simultaneous perturbation stochastic approximation (Spall 1992), with the gains that testers of
/// engines use: alpha 0.602, gamma 0.101, A a tenth of the run, and each parameter's step given by
/// what it should be at the end. It knows no games: it proposes two points and is told who won.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace karikomi::tune {

struct SpsaParam {
    std::string path;
    double start = 0;
    double min = 0;
    double max = 0;
    bool integer = false;
    double c_end = 0;      ///< half the distance of the two points at the end of the run
    double r_end = 0.002;  ///< learning rate at the end: a pair won moves by 2 * r_end * c_end
};

struct SpsaOptions {
    std::vector<SpsaParam> params;
    std::uint64_t trials = 1000;
    std::uint64_t pairs = 1;  ///< of games in each trial, all between the same two points
    std::uint64_t seed = 1;
    double alpha = 0.602;
    double gamma = 0.101;
    double stability = 0.1;  ///< A, as a share of the run

    std::uint64_t all_pairs() const { return trials * pairs; }
};

/// A rate at which a run of this many pairs arrives, and no faster than it must: at rest the games'
/// noise costs about 43 r Elo for every parameter, whatever the parameter is (docs/tune.md).
double usual_rate(std::uint64_t pairs, std::size_t parameters);

class Spsa {
public:
    struct Trial {
        std::uint64_t number = 0;  ///< from 0
        std::vector<double> plus;  ///< values to play with
        std::vector<double> minus;
        std::vector<double> flips;   ///< +1 or -1
        std::vector<double> shifts;  ///< +1 or -1: the pair's middle is a step off `theta`
        std::vector<double> theta;   ///< from where it started
    };
    /// What a trial has told.
    struct Outcome {
        std::vector<double> plus;
        std::vector<double> minus;
        std::vector<double> shifts;
        double result = 0;  ///< games that the plus point won minus those that it lost
    };
    struct Estimate {
        double value = 0;  ///< mean over the last part of the run
        double low = 0;    ///< 90 % interval for the optimum, by a fit to all the games
        double high = 0;
        double last = 0;  ///< where the run stands
        /// Of a normal distribution with that interval.
        double error() const { return (high - low) / (2 * 1.645); }
        /// The value lies in the interval. If not, the run has not arrived: go on, or faster.
        bool arrived() const { return low <= value && value <= high; }
    };

    explicit Spsa(SpsaOptions options);

    const SpsaOptions& options() const { return options_; }
    std::uint64_t finished() const { return static_cast<std::uint64_t>(history_.size()); }
    const std::vector<double>& theta() const { return theta_; }
    /// Two points two steps apart. Their middle is a step off the present point, to either side at
    /// random: without that the games would tell the slope but not how it changes, and so not how
    /// near the optimum is. Directions and shifts depend on seed and number alone.
    Trial start(std::uint64_t number) const;
    /// `result`: games that the plus point won minus those that it lost.
    void finish(const Trial& trial, double result);
    /// A trial of an earlier run, and the point after it.
    void restore(Outcome outcome, const std::vector<double>& theta);
    std::vector<Estimate> estimates() const;
    const std::vector<std::vector<float>>& history() const { return history_; }

private:
    double c_of(const SpsaParam& p, std::uint64_t number) const;
    double a_of(const SpsaParam& p, std::uint64_t number) const;
    double mean_of_last_part(std::size_t param) const;

    SpsaOptions options_;
    std::vector<double> theta_;
    std::vector<std::vector<float>> history_;  ///< the point after each trial
    std::vector<Outcome> outcomes_;
};

}  // namespace karikomi::tune
