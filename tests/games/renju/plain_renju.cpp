#include "tests/games/renju/plain_renju.hpp"

#include <array>
#include <sstream>

namespace karikomi::test {
namespace {

constexpr std::array<std::pair<int, int>, 4> kDirections = {{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};

}  // namespace

PlainRenju::PlainRenju(Kind kind, int size)
    : kind_(kind),
      cells_(static_cast<std::size_t>(size), std::string(static_cast<std::size_t>(size), '.')) {}

PlainRenju::PlainRenju(Kind kind, const std::string& text) : kind_(kind) {
    std::istringstream rows(text.substr(0, text.find(' ')));
    for (std::string line; std::getline(rows, line, '/');) {
        std::string cells;
        for (std::size_t i = 0; i < line.size();) {
            if (line[i] == 'X' || line[i] == 'O') {
                cells += line[i++];
            } else {
                std::size_t used = 0;
                cells += std::string(std::stoul(line.substr(i), &used), '.');
                i += used;
            }
        }
        cells_.insert(cells_.begin(), cells);
    }
}

std::string PlainRenju::text(char side) const {
    std::string out;
    for (auto line = cells_.rbegin(); line != cells_.rend(); ++line) {
        if (!out.empty()) out += '/';
        int empty = 0;
        for (const char c : *line + "|") {
            if (c == '.') {
                ++empty;
                continue;
            }
            if (empty > 0) out += std::to_string(empty);
            empty = 0;
            if (c != '|') out += c;
        }
    }
    return out + (side == 'X' ? " b" : " w");
}

bool PlainRenju::inside(Spot s) const {
    return s.first >= 0 && s.second >= 0 && s.first < size() && s.second < size();
}

PlainRenju::Spot PlainRenju::step(Spot s, Spot direction, int n) {
    return {s.first + n * direction.first, s.second + n * direction.second};
}

int PlainRenju::run(Spot s, Spot direction, char stone) const {
    int length = 1;
    for (int n = 1; is(step(s, direction, n), stone); ++n) ++length;
    for (int n = -1; is(step(s, direction, n), stone); --n) ++length;
    return length;
}

bool PlainRenju::five_here(Spot s, char stone) const {
    const bool exact = kind_ == Kind::Standard || (kind_ == Kind::Renju && stone == 'X');
    for (const Spot& d : kDirections) {
        const int length = run(s, d, stone);
        if (exact ? length == 5 : length >= 5) return true;
    }
    return false;
}

bool PlainRenju::wins(Spot s, char stone) {
    set(s, stone);
    const bool five = five_here(s, stone);
    set(s, '.');
    return five;
}

// "A row with four stones to which you can add one more stone to attain five in a row."
std::set<PlainRenju::Row> PlainRenju::fours(Spot s) {
    std::set<Row> found;
    for (const Spot& d : kDirections) {
        for (int from = -4; from <= 0; ++from) {
            Row stones;
            std::vector<Spot> gaps;
            for (int n = from; n < from + 5; ++n) {
                const Spot t = step(s, d, n);
                if (is(t, 'X')) stones.insert(t);
                if (is(t, '.')) gaps.push_back(t);
            }
            if (stones.size() != 4 || gaps.size() != 1) continue;
            set(gaps[0], 'X');
            if (run(gaps[0], d, 'X') == 5) found.insert(stones);
            set(gaps[0], '.');
        }
    }
    return found;
}

// "Four stones in an unbroken row to which you can, in two different ways, add one more stone to
// attain five in a row."
bool PlainRenju::is_straight_four(Spot first, Spot direction) {
    for (int n = 0; n < 4; ++n) {
        if (!is(step(first, direction, n), 'X')) return false;
    }
    for (const Spot& end : {step(first, direction, -1), step(first, direction, 4)}) {
        if (!is(end, '.')) return false;
        set(end, 'X');
        const bool five = run(end, direction, 'X') == 5;
        set(end, '.');
        if (!five) return false;
    }
    return true;
}

// "A row with three stones to which you can, without at the same time a five in a row being made,
// add one more stone to attain a straight four", that stone not being forbidden itself.
std::set<PlainRenju::Row> PlainRenju::threes(Spot s) {
    std::set<Row> found;
    for (const Spot& d : kDirections) {
        for (int from = -3; from <= 0; ++from) {
            Row stones;
            std::vector<Spot> gaps;
            for (int n = from; n < from + 4; ++n) {
                const Spot t = step(s, d, n);
                if (is(t, 'X')) stones.insert(t);
                if (is(t, '.')) gaps.push_back(t);
            }
            if (stones.size() != 3 || gaps.size() != 1) continue;
            set(gaps[0], 'X');
            const bool good = is_straight_four(step(s, d, from), d) && !five_here(gaps[0], 'X');
            set(gaps[0], '.');
            if (good && !foul(gaps[0])) found.insert(stones);
        }
    }
    return found;
}

std::optional<std::string> PlainRenju::foul(Spot s) {
    if (kind_ != Kind::Renju) return std::nullopt;
    set(s, 'X');
    std::optional<std::string> why;
    if (!five_here(s, 'X')) {
        for (const Spot& d : kDirections) {
            if (run(s, d, 'X') > 5) why = "overline";
        }
        if (!why && fours(s).size() > 1) why = "double four";
        if (!why && threes(s).size() > 1) why = "double three";
    }
    set(s, '.');
    return why;
}

std::vector<PlainRenju::Spot> PlainRenju::empty_cells() const {
    std::vector<Spot> cells;
    for (int y = 0; y < size(); ++y) {
        for (int x = 0; x < size(); ++x) {
            if (at({x, y}) == '.') cells.emplace_back(x, y);
        }
    }
    return cells;
}

long PlainRenju::perft(char side, int depth) {
    if (depth == 0) return 1;
    long paths = 0;
    for (const Spot& s : empty_cells()) {
        if (side == 'X' && foul(s)) continue;
        const bool over = wins(s, side);
        if (over && depth > 1) continue;
        set(s, side);
        paths += perft(side == 'X' ? 'O' : 'X', depth - 1);
        set(s, '.');
    }
    return paths;
}

std::string PlainRenju::name(Spot s) {
    return std::string(1, static_cast<char>('a' + s.first)) + std::to_string(s.second + 1);
}

PlainRenju::Spot PlainRenju::spot(const std::string& name) {
    return {name[0] - 'a', std::stoi(name.substr(1)) - 1};
}

}  // namespace karikomi::test
