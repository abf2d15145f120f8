#include "karikomi/games/renju/training/samples.hpp"

#include <array>

namespace karikomi::renju {
namespace {

double chance(double value, double scale) {
    return 1 / (1 + std::exp(-value / scale));
}

/// Cross-entropy of the results, given the searches' values.
double scale_loss(const std::vector<TrainingGame>& games, double scale) {
    double loss = 0;
    for (const TrainingGame& g : games) {
        for (std::size_t i = 0; i < g.plies.size(); ++i) {
            const Ply& p = g.plies[i];
            if (p.best == Ply::kNoNumber || is_decisive(p.value)) continue;
            const int sign = i % 2 == 0 ? 1 : -1;
            const double won = 0.5 + 0.5 * sign * g.winner;
            const double q = std::clamp(chance(p.value, scale), 1e-6, 1 - 1e-6);
            loss -= won * std::log(q) + (1 - won) * std::log(1 - q);
        }
    }
    return loss;
}

}  // namespace

std::vector<float> labels_of(const TrainingGame& game, double scale, double lambda) {
    std::vector<float> labels(game.plies.size(), -1.0f);
    double later = -1;  // of the position after this one, for its side to move
    for (std::size_t i = game.plies.size(); i-- > 0;) {
        const Ply& p = game.plies[i];
        if (p.best == Ply::kNoNumber) break;  // the opening
        const int sign = i % 2 == 0 ? 1 : -1;
        double label = is_decisive(p.value) ? (p.value > 0 ? 1.0 : 0.0) : chance(p.value, scale);
        const bool last = i + 1 == game.plies.size();
        if (!is_decisive(p.value) && p.played == p.best) {
            const double next = last ? 0.5 + 0.5 * sign * game.winner : 1 - later;
            label = (1 - lambda) * label + lambda * next;
        }
        labels[i] = static_cast<float>(label);
        later = label;
    }
    return labels;
}

double fit_scale(const std::vector<TrainingGame>& games) {
    double low = 50;
    double high = 3000;
    constexpr double kGolden = 0.618;
    for (int i = 0; i < 24; ++i) {
        const double a = high - kGolden * (high - low);
        const double b = low + kGolden * (high - low);
        (scale_loss(games, a) < scale_loss(games, b) ? high : low) =
            scale_loss(games, a) < scale_loss(games, b) ? b : a;
    }
    return (low + high) / 2;
}

void cell_terms(const Position& pos, int mover, std::vector<Term>& out) {
    thread_local std::array<std::int16_t, kCodeClasses> counts{};
    thread_local std::vector<CodeClass> met;
    out.clear();
    const CodeClasses& classes = code_classes();
    for (const int colour : {mover, 1 - mover}) {
        met.clear();
        for (int y = 0; y < pos.size(); ++y) {
            for (std::uint32_t row = pos.lines().empty_in_row(y); row != 0; row &= row - 1) {
                const Cell c = cell_at(std::countr_zero(row), y);
                const CodeClass k = classes.of[pos.code(c, colour)];
                if (counts[k]++ == 0) met.push_back(k);
            }
        }
        for (const CodeClass k : met) {
            const int times = colour == mover ? counts[k] : -counts[k];
            out.push_back(
                {cell_entry(colour, colour == mover, k), static_cast<std::int16_t>(times)});
            counts[k] = 0;
        }
    }
}

void value_terms(const Position& pos, std::vector<Term>& out) {
    const int me = pos.side();
    cell_terms(pos, me, out);
    out.push_back({threat_entry(me, threat_mask(pos, me)), 1});
}

}  // namespace karikomi::renju
