#include "karikomi/games/renju/opening.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace karikomi::renju {
namespace {

constexpr int kSymmetries = 8;

}  // namespace

Opening::Opening(OpeningRule rule, int size) : rule_(rule), size_(size) {
    if (rule != OpeningRule::Free) ask_ = Ask::Stone;
}

int Opening::player() const {
    switch (ask_) {
        case Ask::Stone:
            // The first three stones, and the two that swap2 adds, are one player's, whatever
            // their colours.
            if (rule_ == OpeningRule::Swap2) return added_ ? 1 : 0;
            if (rule_ == OpeningRule::Rif && stones_.size() < 3) return 0;
            return player_of(colour());
        case Ask::Swap:
            // Taraguchi-10: who did not put the last stone. Elsewhere the second player's right,
            // or the first one's after swap2's two more stones.
            if (rule_ == OpeningRule::Taraguchi10) return player_of(colour());
            return added_ ? 0 : 1;
        case Ask::SwapOrAdd:
            return 1;
        case Ask::PlayOrOffer:
        case Ask::OfferStone:
            return player_of(kBlack);
        case Ask::ChooseOffer:
            return player_of(kWhite);
        case Ask::Nothing:
            break;
    }
    return player_of(colour());
}

int Opening::reach() const {
    const auto n = static_cast<int>(stones_.size());
    if (ask_ != Ask::Stone) return size_;
    if (rule_ == OpeningRule::Rif) return n < 3 ? n : size_;
    if (rule_ == OpeningRule::Taraguchi10) return n < 5 ? n : size_;
    return size_;
}

Status Opening::check_free(Cell c) const {
    if (c < 0 || column_of(c) >= size_ || row_of(c) >= size_) {
        return Error{"the cell is not on the board", "choose another"};
    }
    if (std::find(stones_.begin(), stones_.end(), c) != stones_.end()) {
        return Error{"there is a stone on the cell already", "choose an empty cell"};
    }
    return {};
}

Status Opening::place(Cell c) {
    if (const Status s = check_free(c); !s) return s;
    if (ask_ == Ask::Stone) {
        const int far =
            std::max(std::abs(column_of(c) - size_ / 2), std::abs(row_of(c) - size_ / 2));
        if (far > reach()) {
            return Error{fmt::format("stone {} must be within {} cells of the centre",
                                     stones_.size() + 1, reach()),
                         "choose another cell"};
        }
        stones_.push_back(c);
        after_stone();
        return {};
    }
    if (ask_ == Ask::OfferStone) {
        for (const Cell o : offers_) {
            if (is_alike(o, c)) {
                return Error{"the same fifth, or its mirror image, is offered already",
                             "offer another"};
            }
        }
        offers_.push_back(c);
        if (offers_.size() == wanted_) ask_ = Ask::ChooseOffer;
        return {};
    }
    if (ask_ == Ask::ChooseOffer) {
        if (std::find(offers_.begin(), offers_.end(), c) == offers_.end()) {
            return Error{"that cell is not among the offers", "choose one of them"};
        }
        stones_.push_back(c);
        ask_ = Ask::Nothing;
        return {};
    }
    return Error{"no stone is to be put now", "decide first"};
}

void Opening::after_stone() {
    const std::size_t n = stones_.size();
    if (rule_ == OpeningRule::Swap2) {
        if (n == 3) ask_ = Ask::SwapOrAdd;
        if (n == 5) ask_ = Ask::Swap;
    } else if (rule_ == OpeningRule::Rif) {
        if (n == 3) ask_ = Ask::Swap;
        if (n == 4) {
            ask_ = Ask::OfferStone;
            wanted_ = 2;
        }
    } else {
        ask_ = Ask::Swap;
    }
}

Status Opening::decide(Decision d) {
    const auto wrong = [] { return Error{"that is not to be decided now", "see what is asked"}; };
    const std::size_t n = stones_.size();
    if (ask_ == Ask::PlayOrOffer) {
        if (d != Decision::Play && d != Decision::Offer) return wrong();
        ask_ = d == Decision::Play ? Ask::Stone : Ask::OfferStone;
        wanted_ = 10;
        return {};
    }
    if (ask_ == Ask::SwapOrAdd && d == Decision::Add) {
        added_ = true;
        ask_ = Ask::Stone;
        return {};
    }
    if ((ask_ != Ask::Swap && ask_ != Ask::SwapOrAdd) ||
        (d != Decision::Swap && d != Decision::Stay)) {
        return wrong();
    }
    if (d == Decision::Swap) swap();
    if (rule_ == OpeningRule::Swap2) {
        ask_ = Ask::Nothing;
    } else if (rule_ == OpeningRule::Rif) {
        ask_ = Ask::Stone;
    } else {
        ask_ = n == 4 ? Ask::PlayOrOffer : n == 5 ? Ask::Nothing : Ask::Stone;
    }
    return {};
}

Cell Opening::turned(Cell c, int symmetry) const {
    int x = column_of(c);
    int y = row_of(c);
    if ((symmetry & 1) != 0) x = size_ - 1 - x;
    if ((symmetry & 2) != 0) y = size_ - 1 - y;
    if ((symmetry & 4) != 0) std::swap(x, y);
    return cell_at(x, y);
}

bool Opening::is_alike(Cell a, Cell b) const {
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
        if (turned(a, symmetry) != b) continue;
        bool same = true;
        for (std::size_t i = 0; i < stones_.size() && same; ++i) {
            const auto at = std::find(stones_.begin(), stones_.end(), turned(stones_[i], symmetry));
            same = at != stones_.end() && (at - stones_.begin()) % 2 == static_cast<int>(i % 2);
        }
        if (same) return true;
    }
    return false;
}

}  // namespace karikomi::renju
