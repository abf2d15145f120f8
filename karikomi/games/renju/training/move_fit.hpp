/// The tables for moves: their order, and what quiet ones do to the static value.
#pragma once

#include "karikomi/games/renju/training/fit.hpp"
#include "karikomi/games/renju/training/samples.hpp"

namespace karikomi::renju {

/// For four tables of cells, each for the codes of a colour: entries share the values of their
/// shapes and of their point. Sets the number of shared parts.
std::vector<std::vector<std::uint32_t>> shared_by_shape(Rule rule,
                                                        const std::array<int, 4>& colours,
                                                        std::size_t& parts);

class MoveFit {
public:
    MoveFit(const Weights& from, const std::vector<std::vector<TrainingGame>>& rounds,
            const FitOptions& options);

    void fit_order(Weights::Tables& out);
    /// `values` are the value tables, by entry.
    void fit_gains(const TiedTables& values, Weights::Tables& out);
    void judge_order(const Weights::Tables& tables, FitErrors& errors) const;
    /// `scale`: units of the tables for one unit of the entries.
    void judge_gains(const TiedTables& values, const Weights::Tables& tables, double scale,
                     FitErrors& errors) const;

private:
    struct Candidate {
        CodeClass make;
        CodeClass take;
    };
    struct Choice {
        std::size_t first = 0;  ///< of its candidates
        std::uint16_t count = 0;
        std::uint16_t best = 0;
        std::uint8_t mover = 0;
        bool held_out = false;
    };
    /// A quiet move: the terms of the sums as they were, turn over, and of the value after it.
    struct Quiet {
        std::size_t first = 0;
        std::uint16_t before = 0;
        std::uint16_t after = 0;
        Candidate cell{};
        std::uint8_t mover = 0;
        bool held_out = false;
    };

    void look(const Seen& s, std::uint64_t dice);
    void add_quiet(Position& pos, Move m, bool held_out);
    std::span<const Candidate> candidates_of(const Choice& c) const {
        return std::span(candidates_).subspan(c.first, c.count);
    }
    /// What the move added to the mover's sums, in units of the entries.
    double gain_of(const Quiet& q, const TiedTables& values) const;

    const FitOptions& o_;
    Rule rule_;
    std::vector<Candidate> candidates_;
    std::vector<Choice> choices_;
    std::vector<Term> terms_;
    std::vector<Quiet> quiets_;
};

}  // namespace karikomi::renju
