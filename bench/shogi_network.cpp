/// What the shogi network costs: nanoseconds for the layers behind the first, for keeping the first
/// up to date along random games, and for a full refresh.
///   build/bench/shogi_network [FILE]       a network, or random weights
///   build/bench/shogi_network save FILE    writes random weights, to measure a search with
#include <chrono>
#include <cstring>
#include <random>

#include <fmt/format.h>

#include "karikomi/games/shogi/game.hpp"

namespace {
using namespace karikomi;
using namespace karikomi::shogi;

struct Timer {
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    double ns_each(std::uint64_t n) const {
        const std::chrono::duration<double, std::nano> t = std::chrono::steady_clock::now() - began;
        return t.count() / static_cast<double>(n);
    }
};

/// A random game, evaluated after every move; the board alone where `evaluator` is null.
std::uint64_t play(const Network& net, Accumulators* kept, std::mt19937& random, Value& sum) {
    Position pos;
    std::uint64_t moves = 0;
    if (kept != nullptr) kept->reset(pos.board());
    for (; moves < 200; ++moves) {
        MoveList<Move, kMaxMoves> list;
        pos.generate(list);
        if (list.empty()) break;
        const Move m = list[random() % list.size()].move;
        if (m.is_declaration()) break;
        Position::Undo undo;
        pos.make(m, undo);
        if (kept == nullptr) continue;
        kept->after_make(pos.board(), m, pos.last_captured());
        sum += kept->current(net, pos.board()).half[0].at[moves & 127];
    }
    return moves;
}

void measure(const Network& net) {
    constexpr int kGames = 2000;
    Value sum = 0;
    Accumulator a;
    const Position start;
    for (const Colour c : {kBlack, kWhite}) net.refresh(start.board(), c, a.half[c]);
    constexpr int kRounds = 2'000'000;
    const Timer layers;
    for (int i = 0; i < kRounds; ++i) {
        a.half[0].at[i & 255] = static_cast<std::int16_t>(i & 127);
        sum += net.evaluate(a, static_cast<Colour>(i & 1));
    }
    fmt::print("layers behind the first: {:.0f} ns\n", layers.ns_each(kRounds));

    std::uint64_t moves = 0;
    std::mt19937 random(1);
    const Timer plain;
    for (int i = 0; i < kGames; ++i) moves += play(net, nullptr, random, sum);
    const double board = plain.ns_each(moves);
    random.seed(1);
    Accumulators kept(true);
    const Timer updated;
    for (int i = 0; i < kGames; ++i) play(net, &kept, random, sum);
    fmt::print("first layer, kept up to date: {:.0f} ns a move\n", updated.ns_each(moves) - board);

    const Timer refresh;
    for (int i = 0; i < kRounds / 20; ++i) {
        net.refresh(start.board(), kBlack, a.half[0]);
        sum += a.half[0].at[i & 127];
    }
    fmt::print("first layer, one player from scratch: {:.0f} ns\n(sum {})\n",
               refresh.ns_each(kRounds / 20), sum);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 2 && std::strcmp(argv[1], "save") == 0) {
        const Status s = Network::random(1)->save(argv[2]);
        if (!s) fmt::print(stderr, "shogi_network: {}\n", s.error().what);
        return s ? 0 : 3;
    }
    auto net = Network::random(1);
    if (argc > 1) {
        auto loaded = Network::load(argv[1]);
        if (!loaded) {
            fmt::print(stderr, "shogi_network: {}\n", loaded.error().what);
            return 2;
        }
        net = *loaded;
    }
    measure(*net);
    return 0;
}
