/// Which threats a position has, as bits: an index into the evaluation's table of threats.
#pragma once

#include "karikomi/games/renju/patterns.hpp"

namespace karikomi::renju {

enum class ThreatBit : std::uint8_t {
    OwnFourThree,  ///< the side to move can make a four and an open three
    OwnFourPlus,
    OwnFour,
    OwnDoubleThree,  ///< forbidden or not
    OwnThree,
    OtherOpenFour,   ///< the other side could make a straight four
    OtherOpenFours,  ///< ... on more cells than one stone takes
    OtherFourThree,
    OtherFour,
    OtherDoubleThree,
    OtherThree,
};

/// `P` tells the number of cells of a class, as Position does.
template <class P> std::size_t threat_mask(const P& p, int me) {
    const int other = 1 - me;
    const auto bit = [](ThreatBit b, int count) {
        return std::size_t{count > 0} << static_cast<unsigned>(b);
    };
    const auto three_three = [&](int k) {
        return p.count(k, Point::DoubleThree) + p.count(k, Point::MaybeFoul) +
               p.count(k, Point::Foul);
    };
    const auto three = [&](int k) {
        return p.count(k, Point::Three) + p.count(k, Point::ThreePlus);
    };
    const int open = p.count(other, Point::FourOpen);
    return bit(ThreatBit::OwnFourThree, p.count(me, Point::FourThree)) |
           bit(ThreatBit::OwnFourPlus, p.count(me, Point::FourPlus)) |
           bit(ThreatBit::OwnFour, p.count(me, Point::Four)) |
           bit(ThreatBit::OwnDoubleThree, three_three(me)) | bit(ThreatBit::OwnThree, three(me)) |
           bit(ThreatBit::OtherOpenFour, open) | bit(ThreatBit::OtherOpenFours, open - 2) |
           bit(ThreatBit::OtherFourThree, p.count(other, Point::FourThree)) |
           bit(ThreatBit::OtherFour,
               p.count(other, Point::Four) + p.count(other, Point::FourPlus)) |
           bit(ThreatBit::OtherDoubleThree, three_three(other)) |
           bit(ThreatBit::OtherThree, three(other));
}

}  // namespace karikomi::renju
