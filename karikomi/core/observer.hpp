/// What a measuring run may ask a worker to write down. Absent in normal play.
#pragma once

#include <map>
#include <vector>

#include "karikomi/core/concepts.hpp"
#include "karikomi/core/selective/futility.hpp"

namespace karikomi {

/// Something left out of the search, with all that is needed to check it by a full search later: a
/// node that was cut, or a move that was not searched (then the position is the one after it).
template <Game G> struct CutRecord {
    Technique technique{};
    typename G::Position position;
    Value alpha = 0;
    Value beta = 0;
    Depth depth = 0;
    Depth shallow = 0;  ///< depth of the probe that decided
    int stage = 0;
    bool high = false;  ///< claims value >= beta; otherwise value <= alpha
    bool of_move = false;
};

/// Cuts of one technique and depth, of nodes or of moves.
struct CutStratum {
    Technique technique{};
    bool of_move = false;
    Depth depth = 0;
    auto operator<=>(const CutStratum&) const = default;
};

template <Game G> struct Observer {
    bool wants_cuts = false;
    bool wants_gains = false;
    std::size_t capacity = 1'000'000;  ///< of the gains; then nothing more is written
    /// Of the cuts; of more, each is kept with the same probability (reservoir sampling).
    std::size_t cut_capacity = 1'000'000;
    bool by_stratum = false;  ///< as many of each
    struct Kept {
        std::uint64_t seen = 0;
        std::vector<std::size_t> at;  ///< in `cuts`
    };
    std::map<CutStratum, Kept> strata;
    std::uint64_t cuts_seen = 0;
    std::uint64_t seed = 1;
    std::vector<CutRecord<G>> cuts;
    std::vector<GainSample> gains;

    void add(const CutRecord<G>& c) {
        if (!wants_cuts) return;
        ++cuts_seen;
        const CutStratum all{};
        Kept& kept = strata[by_stratum ? CutStratum{c.technique, c.of_move, c.depth} : all];
        ++kept.seen;
        if (kept.at.size() < cut_capacity) {
            kept.at.push_back(cuts.size());
            cuts.push_back(c);
        } else if (const std::uint64_t at = random() % kept.seen; at < kept.at.size()) {
            cuts[kept.at[static_cast<std::size_t>(at)]] = c;
        }
    }
    void add(const GainSample& g) {
        if (wants_gains && gains.size() < capacity) gains.push_back(g);
    }

private:
    std::uint64_t random() {  // splitmix64
        std::uint64_t z = (seed += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
};

}  // namespace karikomi
