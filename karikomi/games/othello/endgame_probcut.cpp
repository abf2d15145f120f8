#include "karikomi/games/othello/endgame_probcut.hpp"

#include <cmath>

#include "karikomi/games/othello/endgame_model.hpp"

namespace karikomi::othello {

namespace {

// Tuned on our own positions of 18 to 22 empties, by the cost of a solve at 87 %.
constexpr int kMostDepth = 8;
constexpr int kGap = 12 * kDisc;  ///< a static value this far from the bound makes a probe hopeless

/// The deepest probe; those of the same parity below it come first, because they are nearly free.
constexpr int probe_depth(int empties) {
    return std::min(kMostDepth, (empties - 9) / 2);
}

/// The model as a table, in evaluation units.
class ModelTable {
public:
    struct Cell {
        int bias = 0;
        float sigma = 0;
    };
    ModelTable() {
        for (int empties = 0; empties < kEmpties; ++empties) {
            for (int depth = 0; depth <= kMostDepth; ++depth) {
                cells_[at(empties)][at(depth)] = {
                    static_cast<int>(kDisc * kEndgameModel.bias_of(empties, depth)),
                    kDisc * std::exp(kEndgameModel.ln_sigma_of(empties, depth))};
            }
        }
    }
    const Cell& cell(int empties, int depth) const { return cells_[at(empties)][at(depth)]; }

private:
    static constexpr int kEmpties = 61;
    std::array<std::array<Cell, kMostDepth + 1>, kEmpties> cells_{};
};
const ModelTable kModel;

}  // namespace

std::optional<bool> EndgameProbCut::above(const Board& board, int alpha, int empties,
                                          ShallowSearch& shallow) const {
    const ShallowSearch::Node node = ShallowSearch::node_of(board);
    const int standing = shallow.value(node, 0, -kMostDiscs, kMostDiscs);
    const int deepest = probe_depth(empties);
    for (int depth = deepest & 1; depth <= deepest; depth += 2) {
        const ModelTable::Cell& model = kModel.cell(empties, depth);
        const int margin = static_cast<int>(deviations_ * model.sigma);
        const int high = (alpha + 1) * kDisc + margin - model.bias;
        const int low = alpha * kDisc - margin - model.bias;
        if (depth == 0) {
            if (standing >= high) return true;
            if (standing <= low) return false;
        } else if (standing >= high - kGap) {
            if (shallow.value(node, depth, high - 1, high) >= high) return true;
        } else if (standing <= low + kGap) {
            if (shallow.value(node, depth, low, low + 1) <= low) return false;
        }
    }
    return std::nullopt;
}

}  // namespace karikomi::othello
