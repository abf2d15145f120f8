#include "karikomi/lab/match/scoreboard.hpp"

#include <algorithm>
#include <cmath>

#include "karikomi/engine/json.hpp"

namespace karikomi::match {
namespace {

constexpr std::array<const char*, 4> kFaults = {"crash", "hang", "illegal_move", "time"};

double rounded(double x, double digits) {
    return std::round(x * digits) / digits;
}

double deviation(double sum, double square, double n) {
    return n > 1 ? std::sqrt(std::max((square - sum * sum / n) / (n - 1), 0.0)) : 0.0;
}

Json row_json(const Scoreboard::Row& row) {
    const Trinomial& t = row.games;
    Json out = {{"games", t.games()},         {"wins", t.wins},
                {"draws", t.draws},           {"losses", t.losses},
                {"pairs", row.pairs.pairs()}, {"pentanomial", row.pairs.n}};
    // Pairs are what is independent; before the first is done there is nothing better than games.
    const bool paired = row.pairs.pairs() > 0;
    out.update(to_json(paired ? estimate(row.pairs) : estimate(t)));
    out["basis"] = paired ? "pentanomial" : "trinomial";
    out["trinomial"] = to_json(estimate(t));
    if (row.margins > 0) {
        const auto n = static_cast<double>(row.margins);
        const double error = deviation(row.margin_sum, row.margin_square, n) / std::sqrt(n);
        out["mean_margin"] = {{"value", rounded(row.margin_sum / n, 1e4)},
                              {"standard_error", rounded(error, 1e4)}};
    }
    return out;
}

}  // namespace

std::vector<Pairing> pairings_of(int engines, bool gauntlet) {
    std::vector<Pairing> out;
    for (int a = 0; a < engines; ++a) {
        for (int b = a + 1; b < engines; ++b) {
            if (!gauntlet || a == 0) out.push_back({a, b});
        }
    }
    return out;
}

Slot slot_of(std::uint64_t game, const std::vector<Pairing>& pairings) {
    Slot s;
    s.game = game;
    s.pair = game / 2;
    s.round = s.pair / pairings.size();
    s.pairing = static_cast<std::size_t>(s.pair % pairings.size());
    const Pairing& p = pairings[s.pairing];
    s.first = game % 2 == 0 ? p.a : p.b;
    s.second = game % 2 == 0 ? p.b : p.a;
    return s;
}

void Scoreboard::add(const GameSummary& g) {
    Row& row = rows_[g.slot.pairing];
    const int first_points = g.winner == Winner::First ? 2 : g.winner == Winner::Nobody ? 1 : 0;
    const bool a_is_first = g.slot.first == pairings_[g.slot.pairing].a;
    const int points = a_is_first ? first_points : 2 - first_points;
    row.games.add(points);
    first_.add(first_points);
    if (const auto other = row.open.find(g.slot.pair); other != row.open.end()) {
        const int of_both = points + other->second;
        ++row.pairs.n[static_cast<std::size_t>(of_both)];
        row.open.erase(other);
    } else {
        row.open[g.slot.pair] = points;
    }
    if (g.margin) {
        const int margin = a_is_first ? *g.margin : -*g.margin;
        if (const auto other = row.open_margin.find(g.slot.pair); other != row.open_margin.end()) {
            const double mean = 0.5 * (margin + other->second);
            row.margin_sum += mean;
            row.margin_square += mean * mean;
            ++row.margins;
            row.open_margin.erase(other);
        } else {
            row.open_margin[g.slot.pair] = margin;
        }
    }
    ++ends_[std::string(name_of(g.end))];
    if (is_fault(g.end)) {
        const int engine = g.winner == Winner::First ? g.slot.second : g.slot.first;
        ++faults_[engine].n[static_cast<std::size_t>(g.end) - static_cast<std::size_t>(End::Crash)];
    }
    for (const int side : {0, 1}) {
        auto& slowest = slowest_[side == 0 ? g.slot.first : g.slot.second];
        slowest = std::max(slowest, g.slowest_ms[static_cast<std::size_t>(side)]);
    }
    plies_sum_ += g.plies;
    plies_square_ += static_cast<double>(g.plies) * g.plies;
    shortest_ = games() == 1 ? g.plies : std::min(shortest_, g.plies);
    longest_ = std::max(longest_, g.plies);
}

std::vector<double> Scoreboard::ratings() const {
    int engines = 0;
    std::vector<Meeting> meetings;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Trinomial& t = rows_[i].games;
        meetings.push_back({pairings_[i].a, pairings_[i].b,
                            static_cast<double>(t.wins) + 0.5 * static_cast<double>(t.draws),
                            static_cast<double>(t.games())});
        engines = std::max(engines, pairings_[i].b + 1);
    }
    return match::ratings(engines, meetings);
}

Json to_json(const Interval& i) {
    return {{"value", rounded(i.value, 1e2)},
            {"low", rounded(i.low, 1e2)},
            {"high", rounded(i.high, 1e2)}};
}

Json to_json(const Estimate& e) {
    return {{"score", rounded(e.score, 1e6)},
            {"elo", to_json(e.elo)},
            {"nelo", to_json(e.nelo)},
            {"los", rounded(e.los, 1e6)}};
}

Json Scoreboard::to_json(const std::vector<std::string>& names) const {
    const auto name = [&](int i) { return names[static_cast<std::size_t>(i)]; };
    Json out = {{"games", games()}};
    if (rows_.size() == 1) {
        out.update(row_json(rows_[0]));
    } else {
        out["pairings"] = Json::array();
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            Json row = {{"a", name(pairings_[i].a)}, {"b", name(pairings_[i].b)}};
            row.update(row_json(rows_[i]));
            out["pairings"].push_back(std::move(row));
        }
        out["ratings"] = Json::object();
        const std::vector<double> elo = ratings();
        for (std::size_t i = 0; i < elo.size(); ++i)
            out["ratings"][names[i]] = rounded(elo[i], 1e2);
    }
    const auto n = static_cast<double>(std::max<std::uint64_t>(games(), 1));
    out["first_player"] = {{"wins", first_.wins},
                           {"draws", first_.draws},
                           {"losses", first_.losses},
                           {"score", rounded(estimate(first_).score, 1e6)},
                           {"elo", match::to_json(estimate(first_).elo)}};
    out["plies"] = {{"mean", rounded(plies_sum_ / n, 1e2)},
                    {"deviation", rounded(deviation(plies_sum_, plies_square_, n), 1e2)},
                    {"shortest", shortest_},
                    {"longest", longest_}};
    out["ends"] = ends_;
    out["faults"] = Json::array();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto found = faults_.find(static_cast<int>(i));
        const Faults f = found == faults_.end() ? Faults{} : found->second;
        Json row = {{"engine", names[i]}};
        for (std::size_t k = 0; k < kFaults.size(); ++k) row[kFaults[k]] = f.n[k];
        const auto slow = slowest_.find(static_cast<int>(i));
        row["slowest_move_ms"] = slow == slowest_.end() ? 0 : slow->second;
        out["faults"].push_back(std::move(row));
    }
    return out;
}

}  // namespace karikomi::match
