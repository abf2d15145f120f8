/// Opening rules, played through.
#include "karikomi/games/renju/opening.hpp"

#include <gtest/gtest.h>

#include "karikomi/games/renju/game.hpp"

namespace karikomi::renju {
namespace {

Cell cell(const std::string& text) {
    return Notation::parse_cell(text, kUsualSize);
}

/// Puts stones; every one must be asked for and allowed.
void put(Opening& o, std::initializer_list<const char*> cells) {
    for (const char* c : cells) {
        const Status s = o.place(cell(c));
        ASSERT_TRUE(s) << c << ": " << s.error().what;
    }
}

TEST(RenjuOpening, FreePlayAsksNothing) {
    const Opening o(OpeningRule::Free);
    EXPECT_TRUE(o.is_over());
    EXPECT_EQ(o.player(), 0);
}

TEST(RenjuOpening, Swap2TakingAColour) {
    Opening o(OpeningRule::Swap2);
    EXPECT_EQ(o.player(), 0);
    put(o, {"a1", "h8", "o15"});
    EXPECT_EQ(o.ask(), Ask::SwapOrAdd);
    EXPECT_EQ(o.player(), 1);
    Opening stays = o;
    ASSERT_TRUE(stays.decide(Decision::Stay));
    EXPECT_TRUE(stays.is_over());
    EXPECT_EQ(stays.player_of(kWhite), 1);
    EXPECT_EQ(stays.player(), 1) << "White moves";
    ASSERT_TRUE(o.decide(Decision::Swap));
    EXPECT_EQ(o.player_of(kBlack), 1);
    EXPECT_EQ(o.player(), 0);
}

TEST(RenjuOpening, Swap2WithTwoMoreStones) {
    Opening o(OpeningRule::Swap2);
    put(o, {"h8", "h9", "j8"});
    ASSERT_TRUE(o.decide(Decision::Add));
    EXPECT_EQ(o.player(), 1);
    EXPECT_EQ(o.colour(), kWhite);
    put(o, {"g7", "i10"});
    EXPECT_EQ(o.ask(), Ask::Swap);
    EXPECT_EQ(o.player(), 0) << "who began chooses";
    EXPECT_FALSE(o.decide(Decision::Add));
    ASSERT_TRUE(o.decide(Decision::Swap));
    EXPECT_TRUE(o.is_over());
    EXPECT_EQ(o.player_of(kWhite), 0);
    EXPECT_EQ(o.player(), 0);
}

TEST(RenjuOpening, RifStonesStandAroundTheCentre) {
    Opening o(OpeningRule::Rif);
    EXPECT_FALSE(o.place(cell("h9"))) << "the first in the centre";
    put(o, {"h8"});
    EXPECT_FALSE(o.place(cell("h8"))) << "taken";
    EXPECT_FALSE(o.place(cell("h10"))) << "the second beside it";
    put(o, {"h9"});
    EXPECT_FALSE(o.place(cell("k8"))) << "the third within two cells";
    put(o, {"j8"});
    EXPECT_EQ(o.ask(), Ask::Swap);
    EXPECT_EQ(o.player(), 1);
    ASSERT_TRUE(o.decide(Decision::Swap));
    EXPECT_EQ(o.player(), 0) << "the fourth is White's, who now is the first player";
    put(o, {"a1"});
    EXPECT_EQ(o.ask(), Ask::OfferStone);
    EXPECT_EQ(o.player(), 1);
}

TEST(RenjuOpening, RifFifthsMayNotBeMirrorImages) {
    Opening o(OpeningRule::Rif);
    put(o, {"h8", "h9", "h10"});
    ASSERT_TRUE(o.decide(Decision::Stay));
    put(o, {"h6", "g7"});  // all stones on one line: left and right are alike
    EXPECT_FALSE(o.place(cell("g7"))) << "twice the same";
    EXPECT_FALSE(o.place(cell("i7"))) << "the mirror image";
    put(o, {"i6"});
    EXPECT_EQ(o.ask(), Ask::ChooseOffer);
    EXPECT_EQ(o.player(), 1) << "White chooses";
    EXPECT_FALSE(o.place(cell("a1")));
    put(o, {"g7"});
    EXPECT_TRUE(o.is_over());
    EXPECT_EQ(o.stones().size(), 5U);
    EXPECT_EQ(o.player(), 1) << "White's sixth";
}

TEST(RenjuOpening, FifthsOfAnUnevenPositionAreAllDifferent) {
    Opening o(OpeningRule::Rif);
    put(o, {"h8", "h9", "i10"});
    ASSERT_TRUE(o.decide(Decision::Stay));
    put(o, {"h6", "g7", "i7"});
    EXPECT_EQ(o.ask(), Ask::ChooseOffer);
}

TEST(RenjuOpening, Taraguchi10AsksForASwapAfterEachStone) {
    Opening o(OpeningRule::Taraguchi10);
    put(o, {"h8"});
    EXPECT_EQ(o.player(), 1);
    ASSERT_TRUE(o.decide(Decision::Swap));  // player 1 has Black now
    EXPECT_EQ(o.player(), 0) << "White's second";
    EXPECT_FALSE(o.place(cell("j8")));
    put(o, {"i9"});
    EXPECT_EQ(o.player(), 1);
    ASSERT_TRUE(o.decide(Decision::Stay));
    EXPECT_EQ(o.player(), 1);
    put(o, {"j10"});
    ASSERT_TRUE(o.decide(Decision::Stay));
    EXPECT_FALSE(o.place(cell("l8"))) << "the fourth within three cells";
    put(o, {"k8"});
    ASSERT_TRUE(o.decide(Decision::Stay));
    EXPECT_EQ(o.ask(), Ask::PlayOrOffer);
    EXPECT_EQ(o.player(), 1) << "Black's choice";
    EXPECT_FALSE(o.decide(Decision::Swap));
    ASSERT_TRUE(o.decide(Decision::Play));
    EXPECT_FALSE(o.place(cell("m8"))) << "the fifth within four cells";
    put(o, {"l9"});
    EXPECT_EQ(o.ask(), Ask::Swap);
    EXPECT_EQ(o.player(), 0);
    ASSERT_TRUE(o.decide(Decision::Swap));
    EXPECT_TRUE(o.is_over());
    EXPECT_EQ(o.player(), 1) << "White's sixth, and White is player 1";
}

TEST(RenjuOpening, Taraguchi10WithTenFifths) {
    Opening o(OpeningRule::Taraguchi10);
    for (const char* stone : {"h8", "i9", "j10", "k8"}) {
        put(o, {stone});
        ASSERT_TRUE(o.decide(Decision::Stay));
    }
    ASSERT_TRUE(o.decide(Decision::Offer));
    EXPECT_EQ(o.player(), 0);
    put(o, {"a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "o15"});
    EXPECT_EQ(o.ask(), Ask::ChooseOffer);
    EXPECT_EQ(o.player(), 1);
    put(o, {"o15"});
    EXPECT_TRUE(o.is_over());
    EXPECT_EQ(o.stones().back(), cell("o15"));
}

}  // namespace
}  // namespace karikomi::renju
