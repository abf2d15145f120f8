#include "tests/games/shogi/plain_shogi.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace karikomi::test {
namespace {

struct Reach {
    int ahead;  ///< rows towards the enemy
    int aside;
    bool slides;
};

std::vector<Reach> reaches(char letter, bool promoted) {
    const std::vector<Reach> gold = {{1, 0, false}, {1, 1, false},  {1, -1, false},
                                     {0, 1, false}, {0, -1, false}, {-1, 0, false}};
    std::vector<Reach> diagonal;
    std::vector<Reach> straight;
    for (const int a : {1, -1}) {
        for (const int b : {1, -1}) diagonal.push_back({a, b, false});
        straight.push_back({a, 0, false});
        straight.push_back({0, a, false});
    }
    const auto sliding = [](std::vector<Reach> r) {
        for (Reach& x : r) x.slides = true;
        return r;
    };
    const auto both = [](std::vector<Reach> a, const std::vector<Reach>& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    };
    if (letter == 'K') return both(diagonal, straight);
    if (letter == 'B') return promoted ? both(sliding(diagonal), straight) : sliding(diagonal);
    if (letter == 'R') return promoted ? both(sliding(straight), diagonal) : sliding(straight);
    if (promoted || letter == 'G') return gold;
    if (letter == 'S') return both(diagonal, {{1, 0, false}});
    if (letter == 'N') return {{2, 1, false}, {2, -1, false}};
    if (letter == 'L') return {{1, 0, true}};
    return {{1, 0, false}};
}

/// The move tables are asked for millions of times; build them once.
const std::vector<Reach>& reaches_of(char letter, bool promoted) {
    static const auto kAll = [] {
        std::array<std::array<std::vector<Reach>, 2>, 128> all;
        for (const char c : {'P', 'L', 'N', 'S', 'G', 'B', 'R', 'K'}) {
            for (const bool p : {false, true}) {
                all[static_cast<std::size_t>(c)][p ? 1 : 0] = reaches(c, p);
            }
        }
        return all;
    }();
    return kAll[static_cast<std::size_t>(letter)][promoted ? 1 : 0];
}

std::string name_of(int row, int column) {
    return {static_cast<char>('9' - column), static_cast<char>('a' + row)};
}

}  // namespace

PlainShogi::PlainShogi(const std::string& sfen) {
    std::istringstream in(sfen);
    std::string board;
    std::string side;
    std::string hands;
    in >> board >> side >> hands >> number_;
    Spot s;
    bool promoted = false;
    for (const char c : board) {
        if (c == '/') {
            s = {s.row + 1, 0};
        } else if (c == '+') {
            promoted = true;
        } else if (std::isdigit(c) != 0) {
            s.column += c - '0';
        } else {
            at(s) = {static_cast<char>(std::toupper(c)), promoted, std::islower(c) != 0 ? 1 : 0};
            promoted = false;
            ++s.column;
        }
    }
    mover_ = side == "w" ? 1 : 0;
    int n = 0;
    for (const char c : hands) {
        if (c == '-') break;
        if (std::isdigit(c) != 0) {
            n = 10 * n + (c - '0');
            continue;
        }
        in_hand(std::islower(c) != 0 ? 1 : 0, static_cast<char>(std::toupper(c))) = std::max(n, 1);
        n = 0;
    }
}

std::vector<PlainShogi::Spot> PlainShogi::targets(Spot from) const {
    const Cell piece = at(from);
    const int up = piece.owner == 0 ? -1 : 1;
    std::vector<Spot> found;
    for (const Reach& r : reaches_of(piece.letter, piece.promoted)) {
        Spot to = from;
        do {
            to = {to.row + up * r.ahead, to.column + r.aside};
            if (!is_inside(to)) break;
            const Cell& there = at(to);
            if (there.letter != ' ' && there.owner == piece.owner) break;
            found.push_back(to);
            if (there.letter != ' ') break;
        } while (r.slides);
    }
    return found;
}

bool PlainShogi::is_attacked_king(int owner) const {
    for (int row = 0; row < 9; ++row) {
        for (int column = 0; column < 9; ++column) {
            const Cell& c = at({row, column});
            if (c.letter == ' ' || c.owner == owner) continue;
            for (const Spot to : targets({row, column})) {
                if (at(to).letter == 'K') return true;
            }
        }
    }
    return false;
}

bool PlainShogi::is_stuck(char letter, int owner, Spot s) const {
    const int left = owner == 0 ? s.row : 8 - s.row;
    if (letter == 'P' || letter == 'L') return left < 1;
    return letter == 'N' && left < 2;
}

bool PlainShogi::has_pawn_in_column(int owner, int column) const {
    for (int row = 0; row < 9; ++row) {
        const Cell& c = at({row, column});
        if (c.letter == 'P' && !c.promoted && c.owner == owner) return true;
    }
    return false;
}

bool PlainShogi::leaves_king_safe(const std::string& usi) const {
    PlainShogi next = *this;
    next.play(usi);
    return !next.is_attacked_king(mover_);
}

std::vector<std::string> PlainShogi::board_moves() const {
    std::vector<std::string> found;
    const auto in_camp = [&](Spot s) { return mover_ == 0 ? s.row < 3 : s.row > 5; };
    for (int row = 0; row < 9; ++row) {
        for (int column = 0; column < 9; ++column) {
            const Cell& c = at({row, column});
            if (c.letter == ' ' || c.owner != mover_) continue;
            for (const Spot to : targets({row, column})) {
                const std::string text = name_of(row, column) + name_of(to.row, to.column);
                if (!leaves_king_safe(text)) continue;
                const bool can_promote = !c.promoted && c.letter != 'G' && c.letter != 'K';
                if (can_promote && (in_camp({row, column}) || in_camp(to))) {
                    found.push_back(text + "+");
                }
                if (c.promoted || !is_stuck(c.letter, mover_, to)) found.push_back(text);
            }
        }
    }
    return found;
}

std::vector<std::string> PlainShogi::drops() const {
    std::vector<std::string> found;
    for (const char letter : {'P', 'L', 'N', 'S', 'G', 'B', 'R'}) {
        if (in_hand(mover_, letter) == 0) continue;
        for (int row = 0; row < 9; ++row) {
            for (int column = 0; column < 9; ++column) {
                if (at({row, column}).letter != ' ') continue;
                if (is_stuck(letter, mover_, {row, column})) continue;
                if (letter == 'P' && has_pawn_in_column(mover_, column)) continue;
                const std::string text = std::string(1, letter) + "*" + name_of(row, column);
                if (!leaves_king_safe(text)) continue;
                if (letter == 'P') {  // a pawn's drop may give check, but not mate
                    PlainShogi next = *this;
                    next.play(text);
                    // Nothing can be dropped between a pawn and the king that it attacks.
                    if (next.in_check() && next.board_moves().empty()) continue;
                }
                found.push_back(text);
            }
        }
    }
    return found;
}

std::vector<std::string> PlainShogi::moves() const {
    std::vector<std::string> all = board_moves();
    for (const std::string& d : drops()) all.push_back(d);
    std::sort(all.begin(), all.end());
    return all;
}

void PlainShogi::play(const std::string& usi) {
    const Spot to = {usi[3] - 'a', '9' - usi[2]};
    if (usi[1] == '*') {
        at(to) = {usi[0], false, mover_};
        --in_hand(mover_, usi[0]);
    } else {
        const Spot from = {usi[1] - 'a', '9' - usi[0]};
        if (at(to).letter != ' ') ++in_hand(mover_, at(to).letter);
        at(to) = at(from);
        at(from) = {};
        if (usi.size() == 5) at(to).promoted = true;
    }
    mover_ = 1 - mover_;
    ++number_;
}

std::string PlainShogi::sfen() const {
    std::string text;
    for (int row = 0; row < 9; ++row) {
        if (row > 0) text += '/';
        int empty = 0;
        for (int column = 0; column < 9; ++column) {
            const Cell& c = at({row, column});
            if (c.letter == ' ') {
                ++empty;
                continue;
            }
            if (empty > 0) text += std::to_string(empty);
            empty = 0;
            if (c.promoted) text += '+';
            text += static_cast<char>(c.owner == 0 ? c.letter : std::tolower(c.letter));
        }
        if (empty > 0) text += std::to_string(empty);
    }
    std::string hands;
    for (const int owner : {0, 1}) {
        for (const char letter : {'R', 'B', 'G', 'S', 'N', 'L', 'P'}) {
            const int n = in_hand(owner, letter);
            if (n > 1) hands += std::to_string(n);
            if (n > 0) hands += static_cast<char>(owner == 0 ? letter : std::tolower(letter));
        }
    }
    return text + (mover_ == 0 ? " b " : " w ") + (hands.empty() ? "-" : hands) + " " +
           std::to_string(number_);
}

std::uint64_t PlainShogi::perft(int depth) const {
    const std::vector<std::string> all = moves();
    if (depth <= 1) return all.size();
    std::uint64_t n = 0;
    for (const std::string& m : all) {
        PlainShogi next = *this;
        next.play(m);
        n += next.perft(depth - 1);
    }
    return n;
}

}  // namespace karikomi::test
