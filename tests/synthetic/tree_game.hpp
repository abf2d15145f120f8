/// A game of random trees whose search values are known in closed form.
///
/// A node is the hash of its path. It carries a hidden score S for the side to move. One child,
/// the principal one, continues it: S(child) = -(rho*S + drift + e), with e ~ N(0, tau^2) drawn
/// from the node's hash. Every other child costs its mover a gap, by default so large that it is
/// never the better choice. Then the minimax value at depth d is the score at the end of the
/// principal path. With X_k for that score after k plies, seen from the root,
///
///     X_{k+1} = rho*X_k + (-1)^k * (drift + e_k),
///
/// because the mover after k plies is the root player when k is even. So for any node
/// v_deep = a*v_shallow + b + N(0, sigma^2) holds exactly, and what lies between is independent of
/// all that a search to the shallow depth can see: ProbCut's whole theory can be tested.
///
/// The game has every ability that the search knows of, so that each technique can act. They
/// depend on hashes of their own, never on the noise: they leave the theory as it is.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "karikomi/core/concepts.hpp"
#include "karikomi/core/horizon.hpp"
#include "karikomi/core/picker.hpp"
#include "karikomi/core/selective/calibration.hpp"

namespace karikomi::synthetic {

constexpr std::uint64_t splitmix64(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

/// In the open interval (0, 1).
constexpr double uniform_of(std::uint64_t hash) {
    return (static_cast<double>(hash >> 11) + 0.5) * 0x1p-53;
}

/// Inverse of the normal distribution function (Acklam's rational approximation, relative error
/// about 1e-9), clipped at four sigma so that no single draw can overturn a gap.
inline double normal_of(std::uint64_t hash) {
    constexpr double kA[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                             1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    constexpr double kB[] = {-5.447609879822406e+01, 1.615858368580409e+02,  -1.556989798598866e+02,
                             6.680131188771972e+01,  -1.328068155288572e+01, 1.0};
    constexpr double kC[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                             -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    constexpr double kD[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                             3.754408661907416e+00, 1.0};
    constexpr double kTail = 0.02425;
    const auto horner = [](const auto& c, double x) {
        double y = 0.0;
        for (const double k : c) y = y * x + k;
        return y;
    };
    const double u = uniform_of(hash);
    const double tail = std::min(u, 1.0 - u);
    double z = 0.0;
    if (tail >= kTail) {
        const double q = u - 0.5;
        z = q * horner(kA, q * q) / horner(kB, q * q);
    } else {
        const double q = std::sqrt(-2.0 * std::log(tail));
        z = horner(kC, q) / horner(kD, q);
        if (u > 0.5) z = -z;
    }
    return std::clamp(z, -4.0, 4.0);
}

/// The numbers of one family of trees. A position points to its own, which must outlive it.
struct Config {
    double rho = 1.0;            ///< how much of a score survives one ply
    double drift = 0.0;          ///< what a move gains its mover on average
    double tau = 40.0;           ///< sigma of one ply's noise, evaluation units
    double gap = 25.0;           ///< least cost of a wrong move, in tau
    double gap_extra = 10.0;     ///< a hashed share of this comes on top, in tau
    double root_spread = 300.0;  ///< root scores are uniform in +- this
    int branching = 4;
    int max_ply = 0;        ///< a draw from here on; 0: the game never ends
    double ordering = 1.0;  ///< share of nodes whose move ordering knows the principal move
    /// Errors with heavy tails: this share of the draws is so many times as wide, all others are
    /// narrower, and tau stays the deviation of all. The kurtosis of one draw is 3*E[factor^4].
    double wild_share = 0.0;
    double wild = 1.0;

    // The rest only switches techniques on and off; shares are of nodes, or of moves.
    double tempo = 60.0;  ///< what passing costs
    double check_share = 0.0;
    double pass_share = 0.0;
    double tactical_share = 0.0;
    double exchange_noise = 0.5;  ///< in tau
    int opening_until = 8;        ///< plies of the game
    int endgame_from = 16;
};
inline constexpr Config kDefaultConfig{};

/// What regression of deep on shallow values comes to in the limit.
/// b sums (-1)^k * drift * rho^(deep-1-k) over the plies k = shallow .. deep-1.
inline Regression true_regression(const Config& c, Depth shallow, Depth deep) {
    const int plies = deep - shallow;
    const double sign = (deep & 1) != 0 ? 1.0 : -1.0;
    const double squared = c.rho * c.rho;
    Regression r;
    r.a = std::pow(c.rho, plies);
    r.b = sign * c.drift * (1.0 - std::pow(-c.rho, plies)) / (1.0 + c.rho);
    const double draws = c.rho == 1.0 ? plies : (1.0 - std::pow(squared, plies)) / (1.0 - squared);
    r.sigma = c.tau * std::sqrt(draws);
    return r;
}

struct DepthPair {
    Depth shallow = 0;
    Depth deep = 0;
};

/// The truth as a calibration, for the given pairs. `sigma_factor` other than 1 makes a wrong one
/// on purpose, to see whether a test notices.
inline Calibration true_calibration(const Config& c, int stages, std::span<const DepthPair> pairs,
                                    double sigma_factor = 1.0) {
    std::vector<CalibrationCell> cells;
    for (const DepthPair& pair : pairs) {
        CalibrationCell cell;
        cell.shallow = pair.shallow;
        cell.deep = pair.deep;
        cell.fit = true_regression(c, pair.shallow, pair.deep);
        cell.fit.sigma *= sigma_factor;
        cell.samples = 1'000'000;
        cells.push_back(cell);
    }
    return Calibration(stages, std::move(cells), std::nullopt, "");
}

/// ... for every pair of depths up to max_depth.
inline Calibration true_calibration(const Config& c, int stages, Depth max_depth,
                                    double sigma_factor = 1.0) {
    std::vector<DepthPair> pairs;
    for (Depth deep = 1; deep <= max_depth; ++deep) {
        for (Depth shallow = 0; shallow < deep; ++shallow) pairs.push_back({shallow, deep});
    }
    return true_calibration(c, stages, pairs, sigma_factor);
}

/// Which child; stored plus one, because code 0 means "no move".
class Move {
public:
    constexpr Move() = default;
    static constexpr Move from_index(int i) { return from_raw(static_cast<MoveCode>(i + 1)); }
    static constexpr Move from_raw(MoveCode code) {
        Move m;
        m.code_ = code;
        return m;
    }
    constexpr MoveCode raw() const { return code_; }
    constexpr int index() const { return code_ - 1; }
    bool operator==(const Move&) const = default;

private:
    MoveCode code_ = kNoMove;
};

/// The parent's own state: the path cannot be walked back from a hash.
struct Undo {
    Key key = 0;
    double score = 0.0;
};

inline constexpr std::size_t kMostMoves = 32;
inline constexpr int kStages = 3;

class Position {
public:
    Position() : Position(kDefaultConfig, 0) {}
    /// The root of a tree. `ply` says how far the game has come, for stage and phase.
    Position(const Config& config, std::uint64_t seed, int ply = 0)
        : config_(&config),
          key_(splitmix64(splitmix64(seed) + static_cast<std::uint64_t>(ply))),
          score_(config.root_spread * (2.0 * share(kRootSalt) - 1.0)),
          ply_(ply) {}

    const Config& config() const { return *config_; }
    double score() const { return score_; }
    int ply() const { return ply_; }

    Key key() const { return key_; }
    int side() const { return ply_ & 1; }
    std::optional<Value> outcome(int) const {
        if (config_->max_ply > 0 && ply_ >= config_->max_ply) return Value{0};
        return std::nullopt;
    }
    Value no_moves_value(int) const { return 0; }

    /// The move that keeps the score, hidden among the others.
    int principal() const {
        const auto count = static_cast<std::uint64_t>(config_->branching);
        return static_cast<int>(draw(kPrincipalSalt) % count);
    }
    bool ordering_knows() const { return share(kOrderSalt) < config_->ordering; }
    /// Score after a move, for the mover.
    double score_after(Move m) const {
        const double kept = config_->rho * score_ + config_->drift +
                            config_->tau * width() * normal_of(draw(kNoiseSalt));
        if (m.index() == principal()) return kept;
        return kept - config_->tau * (config_->gap + config_->gap_extra * share(of(m, kGapSalt)));
    }

    template <class List> void generate(List& moves) const {
        push_if(moves, [](Move) { return true; });
    }
    template <class List> void generate_tactical(List& moves) const {
        push_if(moves, [this](Move m) { return is_tactical(m); });
    }
    template <class List> void generate_quiet(List& moves) const {
        push_if(moves, [this](Move m) { return !is_tactical(m); });
    }
    bool is_legal(Move m) const { return m.index() >= 0 && m.index() < config_->branching; }

    void make(Move m, Undo& undo) { descend(-score_after(m), of(m, kChildSalt), undo); }
    void unmake(Move, const Undo& undo) { ascend(undo); }

    bool allows_null_move() const { return !in_check(); }
    void make_null(Undo& undo) { descend(-(score_ - config_->tempo), kNullSalt, undo); }
    void unmake_null(const Undo& undo) { ascend(undo); }

    bool in_check() const { return share(kCheckSalt) < config_->check_share; }
    bool after_pass() const { return share(kPassSalt) < config_->pass_share; }
    bool is_tactical(Move m) const { return share(of(m, kTacticSalt)) < config_->tactical_share; }
    /// A noisy guess of what the move wins.
    Value exchange_value(Move m) const {
        const double noise =
            config_->tau * config_->exchange_noise * normal_of(draw(of(m, kSeeSalt)));
        return clamp_eval(static_cast<Value>(std::lround(score_after(m) - score_ + noise)));
    }

    int stage() const { return std::min(ply_ / 8, kStages - 1); }
    Phase phase() const {
        if (ply_ < config_->opening_until) return Phase::Opening;
        return ply_ < config_->endgame_from ? Phase::Middle : Phase::Endgame;
    }
    int piece_count() const { return std::max(30 - ply_, 2); }
    int mobility() const { return static_cast<int>(draw(kMobilitySalt) % 80); }
    int history_slot(Move m) const { return m.index(); }

private:
    static constexpr std::uint64_t kRootSalt = 0x1B873593CC9E2D51ull;
    static constexpr std::uint64_t kNoiseSalt = 0x2545F4914F6CDD1Dull;
    static constexpr std::uint64_t kPrincipalSalt = 0x3C6EF372FE94F82Bull;
    static constexpr std::uint64_t kOrderSalt = 0x4CF5AD432745937Full;
    static constexpr std::uint64_t kCheckSalt = 0x510E527FADE682D1ull;
    static constexpr std::uint64_t kPassSalt = 0x6A09E667F3BCC908ull;
    static constexpr std::uint64_t kMobilitySalt = 0x7F4A7C159E3779B9ull;
    static constexpr std::uint64_t kNullSalt = 0x85EBCA6BC2B2AE35ull;
    static constexpr std::uint64_t kChildSalt = 0x9B05688C2B3E6C1Full;
    static constexpr std::uint64_t kGapSalt = 0xA54FF53A5F1D36F1ull;
    static constexpr std::uint64_t kTacticSalt = 0xBB67AE8584CAA73Bull;
    static constexpr std::uint64_t kSeeSalt = 0xD6E8FEB86659FD93ull;
    static constexpr std::uint64_t kWildSalt = 0xE7037ED1A0B428DBull;

    double width() const {
        const double q = config_->wild_share;
        if (q <= 0.0) return 1.0;
        if (share(kWildSalt) < q) return config_->wild;
        return std::sqrt((1.0 - q * config_->wild * config_->wild) / (1.0 - q));
    }
    std::uint64_t draw(std::uint64_t salt) const { return splitmix64(key_ ^ salt); }
    double share(std::uint64_t salt) const { return uniform_of(draw(salt)); }
    static std::uint64_t of(Move m, std::uint64_t salt) {
        return salt + m.raw() * 0x9FB21C651E98DF25ull;
    }

    void descend(double score, std::uint64_t salt, Undo& undo) {
        undo = {key_, score_};
        key_ = draw(salt);
        score_ = score;
        ++ply_;
    }
    void ascend(const Undo& undo) {
        key_ = undo.key;
        score_ = undo.score;
        --ply_;
    }
    /// The principal move first where the ordering knows it: `Legacy` has no other ordering.
    template <class List, class Wanted> void push_if(List& moves, Wanted&& wanted) const {
        const int known = ordering_knows() ? principal() : -1;
        if (known >= 0 && wanted(Move::from_index(known))) moves.push(Move::from_index(known));
        for (int i = 0; i < config_->branching; ++i) {
            if (i != known && wanted(Move::from_index(i))) moves.push(Move::from_index(i));
        }
    }

    const Config* config_;
    Key key_;
    double score_;
    int ply_;
};

struct Evaluator {
    static constexpr std::string_view id() { return "synthetic-tree-1"; }
    Value evaluate(const Position& p) const { return rounded(p.score()); }
    Value evaluate_move(const Position& p, Move m) const { return rounded(p.score_after(m)); }

private:
    static Value rounded(double score) {
        return clamp_eval(static_cast<Value>(std::lround(std::clamp(score, -1e6, 1e6))));
    }
};

struct Ordering {
    static void score(const Position& p, std::span<ScoredMove<Move>> moves, Depth) {
        constexpr std::int32_t kHint = 4'000'000;  // as much as the picker leaves room for
        const int known = p.ordering_knows() ? p.principal() : -1;
        for (ScoredMove<Move>& m : moves) m.score = m.move.index() == known ? kHint : 0;
    }
};

struct Tree {
    using Move = synthetic::Move;
    using Undo = synthetic::Undo;
    using Position = synthetic::Position;
    using Evaluator = synthetic::Evaluator;
    using Ordering = synthetic::Ordering;
    using Horizon = StaticHorizon;
    static constexpr std::string_view kName = "synthetic_tree";
    static constexpr std::size_t kMaxMoves = kMostMoves;
    static constexpr int kHistorySlots = static_cast<int>(kMostMoves);
    static constexpr int kStages = synthetic::kStages;
};
static_assert(Game<Tree>);
static_assert(HasNullMove<Tree> && HasTactics<Tree> && HasExchange<Tree> && HasCheck<Tree>);
static_assert(HasPhase<Tree> && HasPass<Tree> && HasPieceCount<Tree> && HasMobility<Tree>);
static_assert(HasMoveEvaluation<Tree> && HasStagedGeneration<Tree>);

}  // namespace karikomi::synthetic
