#include "karikomi/games/shogi/history.hpp"

namespace karikomi::shogi {

/// Who has been giving check since that earlier position.
GameHistory::Repetition GameHistory::at(std::size_t earlier) const {
    const std::size_t last = entries_.size() - 1;
    Repetition r;
    r.kind = Kind::Same;
    r.distance = static_cast<int>(last - earlier);
    r.they_check = entries_[last].checking >= r.distance;
    r.we_check = entries_[last - 1].checking >= r.distance;
    return r;
}

GameHistory::Repetition GameHistory::nearest(Colour to_move) const {
    const Entry& now = entries_.back();
    // Four plies are the shortest way back.
    for (std::size_t back = 4; first_ + back < entries_.size(); back += 2) {
        const std::size_t i = entries_.size() - 1 - back;
        const Entry& then = entries_[i];
        if (then.board_key != now.board_key) continue;
        if (then.black == now.black) return at(i);
        const bool more = now.black.covers(then.black);
        if (!more && !then.black.covers(now.black)) continue;
        Repetition r = at(i);
        r.kind = more == (to_move == kBlack) ? Kind::Superior : Kind::Inferior;
        return r;
    }
    return {};
}

GameHistory::Repetition GameHistory::all() const {
    const Entry& now = entries_.back();
    Repetition r;
    for (std::size_t back = 4; first_ + back < entries_.size(); back += 2) {
        const std::size_t i = entries_.size() - 1 - back;
        if (entries_[i].board_key != now.board_key || entries_[i].black != now.black) continue;
        const int times = r.times + 1;
        r = at(i);
        r.times = times;
    }
    return r;
}

}  // namespace karikomi::shogi
