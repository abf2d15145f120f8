/// The sigma rule of the Multi-ProbCut document as a loop that ends by itself: too few nodes saved,
/// be bolder; games lost, be more careful. The same loop serves ProbCut's T and futility's margins:
/// all are one number, the larger the more careful.
#pragma once

#include <optional>
#include <vector>

#include "karikomi/engine/params.hpp"

namespace karikomi::lab {

struct CalibrateRules {
    double enough_reduction = 0.30;  ///< share of nodes that must be saved
    double bold_factor = 0.8;        ///< on the scale where it is less
    double loss = 0.05;              ///< share of points lost that is too much
    double careful_factor = 1.2;
    double bad_loss = 0.10;
    double very_careful_factor = 1.5;
    int most_steps = 12;
    double nearest = 1.03;  ///< two scales nearer than this are the same
};

/// One measurement: both figures at one scale.
struct CalibrateStep {
    double scale = 1;
    double reduction = 0;  ///< of nodes at fixed depth
    double loss = 0;       ///< 1/2 - score against the search without the technique
    std::string decision{};
};
Json to_json(const CalibrateStep& step);
CalibrateStep step_of(const Json& json);

enum class CalibrateEnd : std::uint8_t { Going, Converged, Impossible, OutOfSteps };
std::string_view name_of(CalibrateEnd end);

/// Decides what comes next; measures nothing. Built from the steps of an earlier run it goes on
/// where that stopped.
class CalibrateLoop {
public:
    explicit CalibrateLoop(const CalibrateRules& rules) : rules_(rules) {}
    /// To be measured next (while it is going), or the scale to use.
    double scale() const { return scale_; }
    CalibrateEnd end() const { return end_; }
    const std::string& reason() const { return reason_; }
    const std::vector<CalibrateStep>& steps() const { return steps_; }
    /// What was measured at scale(). The decision is written into the step that is kept.
    void add(CalibrateStep step);

private:
    void decide(CalibrateStep& step);
    /// Both figures move one way with the scale, so what was seen bounds what is left.
    void move_to(double wanted, CalibrateStep& step);

    CalibrateRules rules_;
    std::vector<CalibrateStep> steps_;
    double scale_ = 1;
    std::optional<double> too_careful_;  ///< smallest scale that saves too little
    std::optional<double> too_bold_;     ///< largest scale that loses games
    CalibrateEnd end_ = CalibrateEnd::Going;
    std::string reason_;
};

/// The parameters with a technique's number scaled: sigma of the calibration for multi_probcut, T
/// for probcut, the margins for futility.
Expected<SearchParams> scaled(const SearchParams& params, Technique technique, double scale,
                              int stages);

}  // namespace karikomi::lab
