/// What a match says: Elo with its error, the chance to be the better one, the sequential test.
/// Everything is finite for every input, one-sided and empty ones too. Formulas: docs/match.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace karikomi::match {

/// Single games, from the first engine's point of view.
struct Trinomial {
    std::uint64_t losses = 0, draws = 0, wins = 0;
    std::uint64_t games() const { return losses + draws + wins; }
    /// 0 lost, 1 drawn, 2 won.
    void add(int half_points);
};

/// Pairs of games with the same opening and swapped colours, by the points scored in both:
/// 0, 1/2, 1, 3/2, 2. The games of a pair are not independent, pairs are.
struct Pentanomial {
    std::array<std::uint64_t, 5> n{};
    std::uint64_t pairs() const { return n[0] + n[1] + n[2] + n[3] + n[4]; }
};

struct Interval {
    double value = 0;
    double low = 0;
    double high = 0;
};

struct Estimate {
    std::uint64_t count = 0;  ///< observations: pairs or games
    double score = 0.5;       ///< mean, 0..1
    double deviation = 0;     ///< of one observation
    Interval elo;             ///< logistic, with 95 % interval
    Interval nelo;            ///< normalised: score in standard deviations of one game
    double los = 0.5;         ///< likelihood of superiority
};
Estimate estimate(const Pentanomial& p);
Estimate estimate(const Trinomial& t);

/// Is the figure known to this many Elo either way (95 %), or to a fifth of itself where that is
/// more? Not before kLeastPairs: few pairs tell too little of their own spread.
inline constexpr std::uint64_t kLeastPairs = 50;
bool is_precise(const Pentanomial& p, double half_width);

double elo_of_score(double score);  ///< finite: scores are kept away from 0 and 1
double score_of_elo(double elo);

/// Normalised Elo of one standard deviation of a game: 800 / ln 10.
inline constexpr double kNormalised = 347.435585522601;

/// Ratings of many from all pairings (Bradley-Terry, draws as half wins), with mean 0. Half a drawn
/// game between each two that met keeps them finite.
struct Meeting {
    int a = 0;
    int b = 0;
    double points_a = 0;
    double games = 0;
};
std::vector<double> ratings(int engines, std::span<const Meeting> meetings);

// ---- The sequential probability ratio test ------------------------------------------------------

struct Sprt {
    double elo0 = 0;
    double elo1 = 5;
    double alpha = 0.05;    ///< chance to accept H1 when H0 is true
    double beta = 0.05;     ///< chance to accept H0 when H1 is true
    bool logistic = false;  ///< bounds are logistic Elo; otherwise normalised
    double lower() const;
    double upper() const;
};
enum class Verdict : std::uint8_t { Continue, H0, H1 };

/// Generalised log-likelihood ratio of H1 over H0: maximum likelihood under both, by pairs.
double log_likelihood_ratio(const Pentanomial& p, const Sprt& test);
double log_likelihood_ratio(const Trinomial& t, const Sprt& test);
Verdict verdict(double llr, const Sprt& test);

}  // namespace karikomi::match
