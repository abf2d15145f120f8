/// Weights from games.
///
/// Values: logistic regression. The label of a position is a mean of what the searches of this and
/// the following positions said, as chances to win, and of the result at the end of that chain:
/// label(t) = (1 - lambda) chance(t) + lambda (1 - label(t + 1)). A move at random breaks it.
/// Order of moves: the chance that a candidate is the search's choice, by softmax.
/// Gains: the mean change of the static value by a quiet move, by least squares.
#pragma once

#include <functional>

#include "karikomi/games/renju/training/games.hpp"
#include "karikomi/games/renju/weights.hpp"

namespace karikomi::renju {

/// A static value of so much is a chance of e : 1.
inline constexpr double kLogit = 400;

struct FitOptions {
    double lambda = 0.8;
    double ridge = 20;  ///< pull of an entry towards its like, in samples
    int epochs = 12;
    std::size_t most_move_samples = 200'000;  ///< positions for the order of moves
    std::function<void(const std::string& what, double share)> progress;
};

struct FitErrors {
    double label_loss = 0;   ///< cross-entropy against the labels, of games held out
    double result_loss = 0;  ///< ... against the results
    double first_share = 0;  ///< the search's choice comes first in the order of moves
    double gain_rms = 0;     ///< of the estimate of a move's value
};

struct Fit {
    Weights weights;
    std::size_t games = 0;
    std::size_t positions = 0;
    std::size_t held_out = 0;
    double black_wins = 0;  ///< share of games
    double draws = 0;
    std::vector<double> scales{};  ///< of each round: search value for a chance of e : 1
    FitErrors before{};            ///< of the weights to begin with
    FitErrors after{};
};

/// The games of some rounds, the newest last; new weights start from `from`, those that played the
/// last round.
Fit fit_weights(const Weights& from, const std::vector<std::vector<TrainingGame>>& rounds,
                const FitOptions& options);

}  // namespace karikomi::renju
