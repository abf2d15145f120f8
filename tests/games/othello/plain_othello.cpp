#include "tests/games/othello/plain_othello.hpp"

#include <algorithm>

namespace karikomi::test {

PlainOthello::PlainOthello() {
    cells_.fill('-');
    cells_[3 * 8 + 4] = cells_[4 * 8 + 3] = 'X';
    cells_[3 * 8 + 3] = cells_[4 * 8 + 4] = 'O';
}

PlainOthello::PlainOthello(const othello::Board& board) {
    for (std::size_t i = 0; i < 64; ++i) {
        cells_[i] = (board.own >> i & 1) != 0 ? 'X' : (board.other >> i & 1) != 0 ? 'O' : '-';
    }
}

std::vector<int> PlainOthello::turned_by(char mover, int square) const {
    std::vector<int> result;
    if (cells_[static_cast<std::size_t>(square)] != '-') return result;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            if (dx == 0 && dy == 0) continue;
            std::vector<int> run;
            int y = square / 8 + dy;
            int x = square % 8 + dx;
            for (; y >= 0 && y < 8 && x >= 0 && x < 8; y += dy, x += dx) {
                const char cell = cells_[static_cast<std::size_t>(y * 8 + x)];
                if (cell == '-') break;
                if (cell == mover) {
                    result.insert(result.end(), run.begin(), run.end());
                    break;
                }
                run.push_back(y * 8 + x);
            }
        }
    }
    std::sort(result.begin(), result.end());
    return result;
}

bool PlainOthello::can_move(char mover) const {
    for (int square = 0; square < 64; ++square) {
        if (!turned_by(mover, square).empty()) return true;
    }
    return false;
}

std::vector<int> PlainOthello::moves() const {
    std::vector<int> result;
    for (int square = 0; square < 64; ++square) {
        if (!turned(square).empty()) result.push_back(square);
    }
    return result;
}

std::vector<int> PlainOthello::turned(int square) const {
    return turned_by(mover_, square);
}

void PlainOthello::play(int square) {
    for (const int t : turned(square)) cells_[static_cast<std::size_t>(t)] = mover_;
    cells_[static_cast<std::size_t>(square)] = mover_;
    pass();
}

void PlainOthello::pass() {
    mover_ = mover_ == 'X' ? 'O' : 'X';
}

bool PlainOthello::over() const {
    return !can_move('X') && !can_move('O');
}

int PlainOthello::empties() const {
    return static_cast<int>(std::count(cells_.begin(), cells_.end(), '-'));
}

int PlainOthello::score() const {
    const auto own = static_cast<int>(std::count(cells_.begin(), cells_.end(), mover_));
    const int other = 64 - empties() - own;
    if (own > other) return 64 - 2 * other;
    if (own < other) return 2 * own - 64;
    return 0;
}

othello::Board PlainOthello::board() const {
    othello::Board b;
    for (std::size_t i = 0; i < 64; ++i) {
        if (cells_[i] == '-') continue;
        (cells_[i] == mover_ ? b.own : b.other) |= othello::Bits{1} << i;
    }
    return b;
}

int plain_score(const PlainOthello& game, int alpha, int beta) {
    const std::vector<int> moves = game.moves();
    if (moves.empty()) {
        if (game.over()) return game.score();
        PlainOthello next = game;
        next.pass();
        return -plain_score(next, -beta, -alpha);
    }
    int best = -65;
    for (const int square : moves) {
        PlainOthello next = game;
        next.play(square);
        best = std::max(best, -plain_score(next, -beta, -std::max(alpha, best)));
        if (best >= beta) break;
    }
    return best;
}

int simple_score(const othello::Board& b, int alpha, int beta) {
    othello::Bits moves = b.moves();
    if (moves == 0) {
        if (b.replies() == 0) return othello::final_score(b);
        return -simple_score(b.passed(), -beta, -alpha);
    }
    int best = -65;
    for (; moves != 0 && best < beta; moves &= moves - 1) {
        const othello::Square s = othello::lowest(moves);
        best = std::max(best, -simple_score(b.after(s, b.flips(s)), -beta, -std::max(alpha, best)));
    }
    return best;
}

int sorted_score(const othello::Board& b, int alpha, int beta) {
    othello::Bits moves = b.moves();
    if (moves == 0) {
        if (b.replies() == 0) return othello::final_score(b);
        return -sorted_score(b.passed(), -beta, -alpha);
    }
    std::vector<std::pair<int, othello::Board>> next;
    for (; moves != 0; moves &= moves - 1) {
        const othello::Square s = othello::lowest(moves);
        const othello::Board after = b.after(s, b.flips(s));
        next.emplace_back(std::popcount(after.moves()), after);
    }
    std::sort(next.begin(), next.end(),
              [](const auto& x, const auto& y) { return x.first < y.first; });
    int best = -65;
    for (const auto& [answers, after] : next) {
        best = std::max(best, -sorted_score(after, -beta, -std::max(alpha, best)));
        if (best >= beta) break;
    }
    return best;
}

othello::Board random_board(std::mt19937& random, int empties) {
    for (;;) {
        othello::Board b = othello::start_position().board;
        while (b.empties() > empties && !b.over()) {
            othello::Bits moves = b.moves();
            if (moves == 0) {
                b.pass();
                continue;
            }
            for (auto skip = random() % static_cast<unsigned>(std::popcount(moves)); skip > 0;
                 --skip) {
                moves &= moves - 1;
            }
            b.play(othello::lowest(moves), b.flips(othello::lowest(moves)));
        }
        if (b.empties() == empties && b.moves() != 0) return b;
    }
}

}  // namespace karikomi::test
