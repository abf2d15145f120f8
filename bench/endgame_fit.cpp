/// Fits the model of karikomi/games/othello/endgame_model.hpp: how far the value of a shallow
/// search lies from the exact score, on positions like those inside the trees of solves.
///   build/bench/endgame_fit SCALE SEED > model.txt
/// plays games (random opening, then two plies of search, then up to four random moves, because
/// most nodes of a tree come from bad moves), solves the positions, and prints the numbers of the
/// model, with what each cell of the samples says beside what the model makes of it. SCALE 1 takes
/// about two minutes of one core.
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "karikomi/games/othello/endgame_model.hpp"
#include "karikomi/games/othello/shallow.hpp"
#include "karikomi/games/othello/solver.hpp"
#include "karikomi/version.hpp"

namespace {

using namespace karikomi;
using namespace karikomi::othello;
using bench::Random;

constexpr int kRandomPlies = 10;
constexpr int kPlayDepth = 2;
constexpr std::uint64_t kMostBadMoves = 4;
constexpr double kLargestValue = 30;  ///< discs; alpha is hardly ever further out

/// Positions for each number of empties at scale 1: fewer where they take longer to solve.
struct Plan {
    int empties;
    int positions;
    int max_depth;
};
constexpr Plan kPlans[] = {{10, 800, 4}, {11, 800, 4}, {12, 600, 5}, {13, 600, 5},
                           {14, 500, 6}, {15, 500, 6}, {16, 400, 7}, {17, 300, 7},
                           {18, 200, 8}, {19, 120, 8}, {20, 80, 8},  {21, 40, 8}};

/// Errors of one (empties, depth), in discs.
struct Cell {
    int count = 0;
    double sum = 0;
    double squares = 0;

    void add(double error) {
        ++count;
        sum += error;
        squares += error * error;
    }
    double mean() const { return sum / count; }
    double deviation() const { return std::sqrt(squares / count - mean() * mean()); }
};
using Cells = std::map<std::pair<int, int>, Cell>;  // (empties, depth)

Square random_move(Bits moves, Random& random) {
    auto skip = random.below(static_cast<std::uint64_t>(std::popcount(moves)));
    for (; skip > 0; --skip) moves &= moves - 1;
    return lowest(moves);
}

/// False where the game ended on the way or the side to move has to pass.
bool play(Board& board, int empties, Random& random, ShallowSearch& shallow) {
    board = start_position().board;
    const int bad_from = empties + static_cast<int>(random.below(kMostBadMoves + 1));
    for (int ply = 0; board.empties() > empties; ++ply) {
        const Bits moves = board.moves();
        if (moves == 0) {
            if (board.replies() == 0) return false;
            board.pass();
            continue;
        }
        const bool at_random = ply < kRandomPlies || board.empties() <= bad_from;
        const Square square =
            at_random ? random_move(moves, random) : shallow.best(board, kPlayDepth).square;
        board.play(square, board.flips(square));
    }
    return board.moves() != 0;
}

Cells collect(double scale, Random& random) {
    Cells cells;
    ShallowSearch shallow(*built_in_weights());
    Solver solver;
    for (const Plan& plan : kPlans) {
        const int wanted = static_cast<int>(scale * plan.positions);
        for (int done = 0; done < wanted;) {
            Board board;
            if (!play(board, plan.empties, random, shallow)) continue;
            const double score = solver.solve(board).score;
            for (int depth = 0; depth <= plan.max_depth; ++depth) {
                const double value =
                    static_cast<double>(shallow.value(board, depth, -kMostDiscs, kMostDiscs)) /
                    kDisc;
                if (std::abs(value) > kLargestValue) continue;
                cells[{plan.empties, depth}].add(score - value);
            }
            ++done;
        }
        fmt::print(stderr, "{} empties: {} positions\n", plan.empties, wanted);
    }
    return cells;
}

/// Biases as means of their class, ln sigma by least squares over the cells, both weighted by
/// samples.
EndgameModel fit(const Cells& cells) {
    EndgameModel model;
    Cell classes[2][2];
    Eigen::Matrix4d a = Eigen::Matrix4d::Zero();
    Eigen::Vector4d b = Eigen::Vector4d::Zero();
    for (const auto& [key, cell] : cells) {
        const auto [empties, depth] = key;
        Cell& all = classes[empties & 1][depth & 1];
        all.count += cell.count;
        all.sum += cell.sum;
        const double s = depth;
        const Eigen::Vector4d x(1, s, s * s, empties);
        a += cell.count * x * x.transpose();
        b += cell.count * x * std::log(cell.deviation());
    }
    const Eigen::Vector4d c = a.ldlt().solve(b);
    for (std::size_t i = 0; i < 4; ++i) {
        model.ln_sigma[i] = static_cast<float>(c(static_cast<Eigen::Index>(i)));
    }
    for (std::size_t e = 0; e < 2; ++e) {
        for (std::size_t s = 0; s < 2; ++s) {
            model.bias[e][s] = static_cast<float>(classes[e][s].mean());
        }
    }
    return model;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: endgame_fit SCALE SEED > model.txt\n");
        return 2;
    }
    Random random(static_cast<std::uint64_t>(std::atoll(argv[2])));
    const Cells cells = collect(std::atof(argv[1]), random);
    const EndgameModel m = fit(cells);
    fmt::print("// build/bench/endgame_fit {} {}, weights {}, commit {}\n", argv[1], argv[2],
               built_in_weights()->id(), kCommit);
    fmt::print(".bias = {{{{{{{:.2f}F, {:.2f}F}}, {{{:.2f}F, {:.2f}F}}}}}},\n", m.bias[0][0],
               m.bias[0][1], m.bias[1][0], m.bias[1][1]);
    fmt::print(".ln_sigma = {{{:.4f}F, {:.4f}F, {:.5f}F, {:.5f}F}},\n\n", m.ln_sigma[0],
               m.ln_sigma[1], m.ln_sigma[2], m.ln_sigma[3]);
    fmt::print("empties depth samples   mean model  sigma model\n");
    for (const auto& [key, cell] : cells) {
        const auto [empties, depth] = key;
        fmt::print("{:7} {:5} {:7} {:+6.2f} {:+5.2f} {:6.2f} {:5.2f}\n", empties, depth, cell.count,
                   cell.mean(), m.bias_of(empties, depth), cell.deviation(),
                   std::exp(m.ln_sigma_of(empties, depth)));
    }
    return 0;
}
