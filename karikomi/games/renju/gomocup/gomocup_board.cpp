#include "karikomi/games/renju/gomocup/gomocup_board.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "karikomi/protocols/lines.hpp"

namespace karikomi::protocols {
namespace {

std::string shown(std::string_view text) {
    std::string out(text.substr(0, 40));
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return "'" + out + "'";
}

}  // namespace

std::optional<Pair> parse_pair(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const auto x = parse_whole(trimmed(text.substr(0, comma)));
    const auto y = parse_whole(trimmed(text.substr(comma + 1)));
    if (!x || !y || *x < -999 || *x > 999 || *y < -999 || *y > 999) return std::nullopt;
    return Pair{static_cast<int>(*x), static_cast<int>(*y)};
}

std::string format_pair(Pair p) {
    return fmt::format("{},{}", p.x, p.y);
}

Expected<Stone> parse_stone(std::string_view text) {
    const std::size_t comma = text.rfind(',');
    const Error bad{fmt::format("{} is no stone", shown(text)), "write X,Y,1 or X,Y,2"};
    if (comma == std::string_view::npos) return bad;
    const auto pair = parse_pair(text.substr(0, comma));
    const auto owner = parse_whole(trimmed(text.substr(comma + 1)));
    if (!pair || !owner || *owner < 1 || *owner > 2) return bad;
    return Stone{*pair, *owner == 1 ? Owner::Own : Owner::Opponent};
}

Expected<Pair> parse_opening_move(std::string_view text) {
    if (const auto pair = parse_pair(text)) return *pair;
    const auto stone = parse_stone(text);
    if (stone) return stone->at;
    return Error{fmt::format("{} is no move", shown(text)), "write X,Y"};
}

bool GomocupBoard::is_empty(Pair p) const {
    return std::none_of(stones_.begin(), stones_.end(), [&](const Stone& s) { return s.at == p; });
}

Status GomocupBoard::add(const Stone& stone) {
    if (!is_on_board(stone.at)) {
        return Error{fmt::format("{} is not on the board", format_pair(stone.at))};
    }
    if (!is_empty(stone.at)) {
        return Error{fmt::format("there is a stone on {} already", format_pair(stone.at))};
    }
    stones_.push_back(stone);
    return {};
}

Status GomocupBoard::remove(Pair p) {
    const auto found =
        std::find_if(stones_.begin(), stones_.end(), [&](const Stone& s) { return s.at == p; });
    if (found == stones_.end()) return Error{fmt::format("no stone on {}", format_pair(p))};
    stones_.erase(found);
    return {};
}

Status GomocupBoard::set(const std::vector<Stone>& stones) {
    GomocupBoard next;
    next.clear(size_);
    for (const Stone& s : stones) {
        if (const Status status = next.add(s); !status) return status;
    }
    stones_ = stones;
    return {};
}

bool GomocupBoard::own_is_black() const {
    const auto own = std::count_if(stones_.begin(), stones_.end(),
                                   [](const Stone& s) { return s.owner == Owner::Own; });
    const auto others = static_cast<std::ptrdiff_t>(stones_.size()) - own;
    if (own == others) return true;
    if (others == own + 1) return false;
    return stones_.front().owner == Owner::Own;
}

std::string GomocupBoard::position_text() const {
    const bool black = own_is_black();
    return text(black, black);
}

std::string GomocupBoard::reply_text() const {
    const auto own = std::count_if(stones_.begin(), stones_.end(),
                                   [](const Stone& s) { return s.owner == Owner::Own; });
    const bool black = 2 * own > static_cast<std::ptrdiff_t>(stones_.size());
    return text(black, !black);
}

std::string GomocupBoard::text(bool own_is_black, bool black_to_move) const {
    std::vector<std::string> rows(static_cast<std::size_t>(size_),
                                  std::string(static_cast<std::size_t>(size_), '.'));
    for (const Stone& s : stones_) {
        rows[static_cast<std::size_t>(s.at.y)][static_cast<std::size_t>(s.at.x)] =
            (s.owner == Owner::Own) == own_is_black ? 'X' : 'O';
    }
    std::string out;
    for (const std::string& row : rows) {
        if (!out.empty()) out += '/';
        int empty = 0;
        for (const char c : row) {
            if (c == '.') {
                ++empty;
                continue;
            }
            if (empty > 0) out += std::to_string(std::exchange(empty, 0));
            out += c;
        }
        if (empty > 0) out += std::to_string(empty);
    }
    return out + (black_to_move ? " b" : " w");
}

std::string GomocupBoard::move_text(Pair p) const {
    return fmt::format("{}{}", static_cast<char>('a' + p.x), size_ - p.y);
}

std::optional<Pair> GomocupBoard::pair_of(std::string_view move) const {
    if (move.size() < 2) return std::nullopt;
    const auto row = parse_whole(move.substr(1));
    if (!row) return std::nullopt;
    const Pair p{move[0] - 'a', size_ - static_cast<int>(*row)};
    return is_on_board(p) ? std::optional(p) : std::nullopt;
}

std::optional<Pair> GomocupBoard::any_cell() const {
    std::optional<Pair> best;
    const auto distance = [this](Pair p) {
        return std::max(std::abs(p.x - size_ / 2), std::abs(p.y - size_ / 2));
    };
    for (int y = 0; y < size_; ++y) {
        for (int x = 0; x < size_; ++x) {
            const Pair p{x, y};
            if (is_empty(p) && (!best || distance(p) < distance(*best))) best = p;
        }
    }
    return best;
}

}  // namespace karikomi::protocols
