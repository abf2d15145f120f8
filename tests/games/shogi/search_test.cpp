/// What the node does for shogi beside the techniques: none of it may change a full search's value.
#include <gtest/gtest.h>

#include "karikomi/core/legacy.hpp"
#include "karikomi/core/searcher.hpp"
#include "karikomi/games/shogi/game.hpp"

namespace karikomi::shogi {
namespace {

const std::vector<std::string> kPositions = {
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l1k2gs1l/1rsg3b1/2pppppP1/p3n2Rp/1p7/2PB5/P1NPPPP1P/2S2S3/L1KG1G1NL w N2p 30",
    "lns2k3/4g2r1/ppp+B1pnl+L/9/7n1/2P6/PP1PPPP2/3S1SGR1/1+b1G2K2 w GSL3Pn4p 66",
    "2s6/k1G1+S4/lp7/2Ppp1prp/5p3/1PSbP1PPP/5P1S1/2+l2G2L/+br3G2K b G2NLP2n4p 89",
};

struct Found {
    Value value = 0;
    std::uint64_t nodes = 0;
};
Found search(const std::string& sfen, Depth depth, const SearchParams& p) {
    static Searcher<Game> searcher(4);
    searcher.set_params(p);
    Limits limits;
    limits.depth = depth;
    const auto r = searcher.search(*Notation::parse(sfen), limits);
    return {r.lines.at(0).value, r.nodes};
}

SearchParams all_off() {
    SearchParams p;
    p.selective.disable_all();
    return p;
}

using Change = void (*)(NodeParams&);
const std::vector<Change> kChanges = {
    [](NodeParams& n) { n.quick_win = true; },
    [](NodeParams& n) { n.tactical_history = true; },
    [](NodeParams& n) { n.correction = 100; },
    [](NodeParams& n) { n.far_sorting = false; },
};

TEST(ShogiSearch, WhatOnlyOrdersOrShortensChangesNoValue) {
    constexpr Depth kDepth = 3;
    for (const std::string& sfen : kPositions) {
        const Found base = search(sfen, kDepth, all_off());
        for (std::size_t i = 0; i < kChanges.size(); ++i) {
            SearchParams p = all_off();
            kChanges[i](p.node);
            EXPECT_EQ(search(sfen, kDepth, p).value, base.value) << sfen << ", change " << i;
        }
    }
}

/// A quiescence that skips no capture for the window's sake: its values are the tree's own.
QuiescenceParams whole() {
    QuiescenceParams p;
    p.swing = kInfinity;
    return p;
}

TEST(ShogiSearch, EqualsThePlainSearchWhereTheHorizonDependsOnNoWindow) {
    for (const std::string& sfen : kPositions) {
        Position pos = *Notation::parse(sfen);
        Rules rules;
        rules.promotions = Promotions::Every;  // the plain search tries every legal move
        pos.set_rules(rules);
        for (const Depth depth : {1, 2, 3}) {
            Searcher<Game> searcher(4);
            SearchParams params = all_off();
            params.quiescence = whole();
            searcher.set_params(params);
            Limits limits;
            limits.depth = depth;
            const Value found = searcher.search(pos, limits).lines.at(0).value;
            Legacy<Game> plain(pos);
            plain.set_quiescence(whole());
            EXPECT_EQ(found, plain.best_move(depth).value) << sfen << depth;
        }
    }
}

/// With the techniques of the game on, each of them does something somewhere.
TEST(ShogiSearch, EachPartActs) {
    SearchParams base;
    base.selective.of<MultiProbCut>().enabled = false;
    base.selective.of<LateMoves>().prune_max_depth = 3;
    std::vector<Change> changes = kChanges;
    changes.push_back([](NodeParams& n) { n.horizon_table = true; });
    for (std::size_t i = 0; i < changes.size(); ++i) {
        bool differs = false;
        for (const std::string& sfen : kPositions) {
            SearchParams p = base;
            changes[i](p.node);
            differs |= search(sfen, 6, p).nodes != search(sfen, 6, base).nodes;
        }
        EXPECT_TRUE(differs) << "change " << i;
    }
}

}  // namespace
}  // namespace karikomi::shogi
