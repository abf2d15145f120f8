/// The law of the errors (core/selective/error_law.hpp), fitted to samples by likelihood: the form
/// of each side's tail, and how many terms its numbers need, are chosen on games that the fit has
/// not seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "karikomi/core/selective/calibration.hpp"
#include "karikomi/engine/json_fwd.hpp"

namespace karikomi::lab {

class SampleTable;

/// Errors of one pair of depths, in sigmas; infinite: the deep value is decisive.
struct LawCell {
    LawTerms terms{};
    std::vector<double> errors;
    std::vector<std::int32_t> games;
};

struct TriedTail {
    TailForm form = TailForm::Normal;
    std::size_t terms = 1;
    double likelihood = 0;  ///< mean log likelihood of an error in games that it has not seen
};
struct SideChoice {
    TriedTail best;
    double normal = 0;  ///< likelihood of the best normal one
    std::vector<TriedTail> tried;
    std::int64_t errors = 0;
    std::int64_t decided = 0;
};
struct LawChoice {
    ErrorLaw law;
    SideChoice high;
    SideChoice low;
};
/// Nothing where there are too few errors to tell one law from another.
std::optional<LawChoice> choose_law(const std::vector<LawCell>& cells, int threads = 1);
inline constexpr std::int64_t kLeastErrors = 500;

struct LawFit {
    ErrorLaws laws;
    std::optional<LawChoice> cells;
    std::optional<LawChoice> model;
};
/// Of the errors that the calibration makes on the samples: those about its cells, and those about
/// its model. Nothing where neither has enough of them.
std::optional<LawFit> fit_laws(const SampleTable& table, const Calibration& calibration,
                               int threads = 1);
Json to_json(const LawFit& fit);

}  // namespace karikomi::lab
