/// What the games of a match add up to. It keeps counts, never games, so that it does not grow.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "karikomi/lab/match/game.hpp"
#include "karikomi/lab/match/stats.hpp"

namespace karikomi::match {

/// Who plays whom: engine numbers, a < b.
struct Pairing {
    int a = 0;
    int b = 1;
};
std::vector<Pairing> pairings_of(int engines, bool gauntlet);

/// Where a game stands in the match. Games 2k and 2k + 1 are a pair: one opening, colours swapped.
struct Slot {
    std::uint64_t game = 0;
    std::uint64_t pair = 0;
    std::uint64_t round = 0;  ///< also the number of the opening
    std::size_t pairing = 0;
    int first = 0;  ///< engine that moves first in the game
    int second = 1;
};
Slot slot_of(std::uint64_t game, const std::vector<Pairing>& pairings);

/// The few facts of a game that are counted.
struct GameSummary {
    Slot slot;
    Winner winner = Winner::Nobody;
    End end = End::ByRules;
    int plies = 0;
    double seconds = 0;
    std::array<std::int64_t, 2> slowest_ms{};
    /// Margin of victory for the first player where the game has one (discs); else nothing.
    std::optional<int> margin;
};

class Scoreboard {
public:
    Scoreboard() = default;
    explicit Scoreboard(std::vector<Pairing> pairings)
        : pairings_(std::move(pairings)), rows_(pairings_.size()) {}

    struct Row {  ///< one pairing, from the point of view of its engine a
        Trinomial games;
        Pentanomial pairs;
        std::map<std::uint64_t, int> open;  ///< half points of pairs with one game done
        double margin_sum = 0;              ///< over pairs: mean margin of both games
        double margin_square = 0;
        std::uint64_t margins = 0;
        std::map<std::uint64_t, int> open_margin;
    };
    struct Faults {
        std::array<std::uint64_t, 4> n{};  ///< crash, hang, illegal, time
        std::uint64_t total() const { return n[0] + n[1] + n[2] + n[3]; }
    };

    void add(const GameSummary& g);
    const std::vector<Pairing>& pairings() const { return pairings_; }
    const Row& row(std::size_t pairing) const { return rows_[pairing]; }
    std::uint64_t games() const { return first_.games(); }
    const std::map<int, Faults>& faults() const { return faults_; }
    const std::map<std::string, std::uint64_t>& ends() const { return ends_; }

    std::vector<double> ratings() const;  ///< by engine, mean 0
    /// Everything, for one document. `names` by engine.
    Json to_json(const std::vector<std::string>& names) const;

private:
    std::vector<Pairing> pairings_;
    std::vector<Row> rows_;
    Trinomial first_;  ///< of the player who moves first
    std::map<std::string, std::uint64_t> ends_;
    std::map<int, Faults> faults_;  ///< by engine
    std::map<int, std::int64_t> slowest_;
    double plies_sum_ = 0;
    double plies_square_ = 0;
    int shortest_ = 0;
    int longest_ = 0;
};

Json to_json(const Interval& i);
Json to_json(const Estimate& e);

}  // namespace karikomi::match
