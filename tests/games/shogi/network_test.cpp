/// The network's arithmetic: any way to compute a value gives the same number.
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "karikomi/games/shogi/game.hpp"
#include "karikomi/games/shogi/training/sample.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::shogi {
namespace {

Accumulator from_scratch(const Network& net, const Board& b) {
    Accumulator a;
    for (const Colour c : {kBlack, kWhite}) net.refresh(b, c, a.half[c]);
    return a;
}

bool same(const Accumulator& a, const Accumulator& b) {
    return std::memcmp(&a, &b, sizeof(Accumulator)) == 0;
}

/// One random game, forwards and back; values are asked for now and then, so that updates over
/// several moves happen too.
void play_through(const Network& net, std::mt19937& random, int plies) {
    Position pos;
    Accumulators kept(true);
    kept.reset(pos.board());
    std::vector<std::pair<Move, Position::Undo>> line;
    const auto check = [&] {
        const Accumulator& now = kept.current(net, pos.board());
        const Accumulator fresh = from_scratch(net, pos.board());
        ASSERT_TRUE(same(now, fresh)) << format_sfen(pos.board(), 1);
        const Colour side = pos.board().side();
        for (const Kernels* k : usable_kernels()) {
            ASSERT_EQ(net.evaluate(now, side), net.evaluate(fresh, side, *k)) << k->name;
        }
    };
    for (int ply = 0; ply < plies; ++ply) {
        MoveList<Move, kMaxMoves> list;
        pos.generate(list);
        if (list.empty()) break;
        const Move m = list[random() % list.size()].move;
        if (m.is_declaration()) break;
        pos.make(m, line.emplace_back(m, Position::Undo{}).second);
        kept.after_make(pos.board(), m, pos.last_captured());
        if (random() % 3 != 0) check();
        if (testing::Test::HasFatalFailure()) return;
        // Back and forth, as a search goes.
        while (line.size() > 1 && random() % 4 == 0) {
            pos.unmake(line.back().first, line.back().second);
            kept.after_unmake();
            line.pop_back();
            if (random() % 2 == 0) check();
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

TEST(ShogiNetwork, AccumulatorsEqualAFullRefreshInRandomGames) {
    const auto net = Network::random(1);
    std::mt19937 random(3);
    // KARIKOMI_NETWORK_GAMES=10000 is the long run.
    const char* games = std::getenv("KARIKOMI_NETWORK_GAMES");
    const int count = games != nullptr ? std::atoi(games) : test::rounds(200);
    for (int i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
        play_through(*net, random, 200);
    }
}

TEST(ShogiNetwork, KernelsAreThoseOfTheProcessor) {
    const auto all = usable_kernels();
    ASSERT_FALSE(all.empty());
    EXPECT_STREQ(all.front()->name, "plain");
    const char* const wanted = std::getenv("KARIKOMI_CPU");
    if (wanted == nullptr) EXPECT_EQ(&kernels(), all.back()) << "the fastest";
#if defined(__AVX512VNNI__) && defined(__AVX512BW__)
    EXPECT_STREQ(all.back()->name, "avx512vnni");
#elif defined(__AVX2__)
    EXPECT_GE(all.size(), 2U);
#endif
}

TEST(ShogiNetwork, KernelsCombineAlike) {
    std::mt19937 random(5);
    std::vector<Row> rows(9);
    for (Row& row : rows) {
        for (std::int16_t& x : row.at) x = static_cast<std::int16_t>(random());
    }
    const std::vector<const Row*> list = {&rows[1], &rows[2], &rows[3], &rows[4],
                                          &rows[5], &rows[6], &rows[7], &rows[8]};
    for (std::size_t gone = 0; gone <= 4; ++gone) {
        for (std::size_t come = 0; come <= 4; ++come) {
            const Kernels::Rows all(list);
            Row plain;
            kPlainKernels.combine(rows[0], plain, all.first(gone), all.last(come));
            for (const Kernels* k : usable_kernels()) {
                Row other;
                k->combine(rows[0], other, all.first(gone), all.last(come));
                EXPECT_EQ(std::memcmp(&plain, &other, sizeof(Row)), 0) << k->name;
            }
        }
    }
}

TEST(ShogiNetwork, SeesTheSameFromBothSides) {
    const auto net = Network::random(2);
    const auto value = [&](const std::string& sfen) {
        const auto d = parse_sfen(sfen);
        EXPECT_TRUE(d) << sfen;
        return net->evaluate(from_scratch(*net, d->board), d->board.side());
    };
    EXPECT_EQ(value("4k4/9/4P4/9/9/9/9/1B7/4K4 b G2p 1"),
              value("4k4/7b1/9/9/9/9/4p4/9/4K4 w g2P 1"));
    // Left and right are the same where the kings stand off the middle file.
    EXPECT_EQ(value("3k5/9/4P4/9/9/9/9/1B7/3K5 b G2p 1"),
              value("5k3/9/4P4/9/9/9/9/7B1/5K3 b G2p 1"));
    EXPECT_NE(value("3k5/9/4P4/9/9/9/9/1B7/3K5 b G2p 1"),
              value("3k5/9/4P4/9/9/9/9/7B1/3K5 b G2p 1"));
}

TEST(ShogiNetwork, FilesBringItBackAndDamageIsSeen) {
    const auto net = Network::random(5);
    for (const auto form : {Network::Form::Plain, Network::Form::Compressed}) {
        auto bytes = net->to_bytes(form);
        const auto back = Network::from_bytes(bytes, "net");
        ASSERT_TRUE(back) << back.error().what;
        EXPECT_EQ((*back)->id(), net->id());
        bytes.resize(bytes.size() - 1);
        EXPECT_FALSE(Network::from_bytes(bytes, "net"));
        bytes[0] = std::byte{0};
        EXPECT_FALSE(Network::from_bytes(bytes, "net"));
    }
    EXPECT_FALSE(Network::from_bytes({}, "net"));
    EXPECT_NE(Network::random(6)->id(), net->id());
}

TEST(ShogiSample, KeepsThePosition) {
    std::mt19937 random(11);
    for (int game = 0; game < test::rounds(50); ++game) {
        Position pos;
        for (int ply = 0; ply < 150; ++ply) {
            MoveList<Move, kMaxMoves> list;
            pos.generate(list);
            if (list.empty()) break;
            Position::Undo undo;
            pos.make(list[random() % list.size()].move, undo);
            const auto back = unpack(pack(pos.board()));
            ASSERT_TRUE(back);
            ASSERT_EQ(*back, pos.board());
        }
    }
    const auto handicap = parse_sfen("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    ASSERT_TRUE(handicap);
    const auto back = unpack(pack(handicap->board));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, handicap->board);
}

}  // namespace
}  // namespace karikomi::shogi
