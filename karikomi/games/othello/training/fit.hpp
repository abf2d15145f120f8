/// Weights from samples: ridge regression, phase by phase, by conjugate gradients.
///
/// Each phase is fitted on its own samples and, at a lower weight, on its neighbours'. What a phase
/// has seldom seen is drawn towards a coarser fit over several phases, and that one towards zero;
/// or, where better labels are to refine weights that know more positions, towards those.
#pragma once

#include <functional>

#include "karikomi/games/othello/training/sample.hpp"
#include "karikomi/games/othello/weights.hpp"

namespace karikomi::othello {

struct FitOptions {
    float ridge = 20.0f;        ///< pull towards the coarser fit or `refine`, in samples
    float coarse_ridge = 5.0f;  ///< pull of the coarse fit towards zero
    float neighbour_weight = 0.3f;
    int iterations = 40;
    int coarse_iterations = 25;
    int threads = 1;
    bool use_mobility = true;
    const Weights* refine = nullptr;  ///< draw towards these, not towards a coarser fit
    std::function<void(const std::string& what, int done, int all)> progress;
};

/// Errors against the labels, in discs.
struct PhaseError {
    std::size_t samples = 0;
    double held_out_mae = 0;
    double held_out_rms = 0;
    double training_rms = 0;
    std::size_t held_out = 0;
};

struct Fit {
    Weights weights;
    std::array<PhaseError, kPhases> errors{};
};

Fit fit_weights(const std::vector<Sample>& samples, const FitOptions& options);
/// The error of given weights on held-out samples.
std::array<PhaseError, kPhases> judge(const std::vector<Sample>& samples, const Weights& weights);

}  // namespace karikomi::othello
