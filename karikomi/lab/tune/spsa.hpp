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
    double r_end = 0.002;  ///< learning rate at the end, in units of c_end^2
};

struct SpsaOptions {
    std::vector<SpsaParam> params;
    std::uint64_t trials = 1000;
    std::uint64_t seed = 1;
    double alpha = 0.602;
    double gamma = 0.101;
    double stability = 0.1;  ///< A, as a share of the trials
};

class Spsa {
public:
    struct Trial {
        std::uint64_t number = 0;  ///< from 0
        std::vector<double> plus;  ///< values to play with
        std::vector<double> minus;
        std::vector<double> flips;  ///< +1 or -1
        std::vector<double> theta;  ///< from where it started
    };
    struct Estimate {
        double value = 0;  ///< mean over the last half of the run
        double error = 0;  ///< its standard error, by batch means
        double last = 0;   ///< where the run stands
    };

    explicit Spsa(SpsaOptions options);

    const SpsaOptions& options() const { return options_; }
    std::uint64_t finished() const { return static_cast<std::uint64_t>(history_.size()); }
    const std::vector<double>& theta() const { return theta_; }
    /// Two points around the present one. The directions depend on seed and number alone.
    Trial start(std::uint64_t number) const;
    /// `result`: games that the plus point won minus those that it lost.
    void finish(const Trial& trial, double result);
    /// A trial of an earlier run: the point after it.
    void restore(const std::vector<double>& theta);
    std::vector<Estimate> estimates() const;
    const std::vector<std::vector<float>>& history() const { return history_; }

private:
    double c_of(const SpsaParam& p, std::uint64_t number) const;
    double a_of(const SpsaParam& p, std::uint64_t number) const;

    SpsaOptions options_;
    std::vector<double> theta_;
    std::vector<std::vector<float>> history_;  ///< the point after each trial
};

}  // namespace karikomi::tune
