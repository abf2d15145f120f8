#include "karikomi/games/renju/game.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace karikomi::renju {
void Ordering::score(const Position& p, std::span<ScoredMove<Move>> moves, Depth /*depth*/) {
    const int me = p.side();
    for (ScoredMove<Move>& m : moves) {
        const Cell c = m.move.cell();
        m.score = p.terms(p.code(c, me)).order_make + p.terms(p.code(c, 1 - me)).order_take;
    }
}

// ---- Cells --------------------------------------------------------------------------------------

std::string Notation::format_cell(Cell c) {
    return fmt::format("{}{}", static_cast<char>('a' + column_of(c)), row_of(c) + 1);
}

Cell Notation::parse_cell(std::string_view text, int size) {
    if (text.size() < 2 || text.size() > 3) return kNoCell;
    const char letter = static_cast<char>(text[0] | 0x20);  // either case
    int row = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + 1, end, row);
    if (error != std::errc{} || stop != end || text[1] == '-' || text[1] == '0') return kNoCell;
    const int x = letter - 'a';
    if (x < 0 || x >= size || row < 1 || row > size) return kNoCell;
    return cell_at(x, row - 1);
}

Expected<Move> Notation::parse_move(const Position& pos, std::string_view text) {
    const std::string shown = "'" + std::string(text.substr(0, 20)) + "'";
    const Cell c = parse_cell(text, pos.size());
    if (c == kNoCell) {
        return Error{fmt::format("{} is no cell of this board", shown),
                     fmt::format("write a letter from a to {} and a number from 1 to {}",
                                 static_cast<char>('a' + pos.size() - 1), pos.size())};
    }
    if (!pos.lines().is_empty(c)) {
        return Error{fmt::format("there is a stone on {} already", format_cell(c)),
                     "choose an empty cell"};
    }
    if (pos.is_forbidden(c)) {
        const Foul foul = find_foul(pos.lines(), c);
        return Error{fmt::format("{} is forbidden for Black: {}", format_cell(c),
                                 foul == Foul::Overline     ? "an overline"
                                 : foul == Foul::DoubleFour ? "a double four"
                                                            : "a double three"),
                     "see `karikomi show renju`"};
    }
    return Move::from_cell(c);
}

std::vector<std::string> Notation::split_moves(std::string_view text) {
    // A letter starts a move, so "h8i9" needs no blanks.
    std::vector<std::string> moves;
    bool open = false;
    for (const char c : text) {
        if (c == ' ' || c == ',' || c == '\t' || c == '\r' || c == '\n') {
            open = false;
            continue;
        }
        const bool digit = c >= '0' && c <= '9';
        if (!open || !digit) moves.emplace_back();
        moves.back() += c;
        open = true;
    }
    return moves;
}

// ---- Positions ----------------------------------------------------------------------------------

namespace {

struct Row {
    std::vector<int> cells;  ///< colours, -1 for empty
};

Expected<Row> parse_row(std::string_view text, int number) {
    const auto where = [&] { return fmt::format("renju position, row {} from the top", number); };
    Row row;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == 'X' || c == 'x' || c == 'O' || c == 'o') {
            row.cells.push_back(c == 'X' || c == 'x' ? kBlack : kWhite);
            ++i;
            continue;
        }
        int run = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + i, end, run);
        if (error != std::errc{} || run < 1 || run > kMaxSize || c < '0' || c > '9') {
            return Error{fmt::format("{}: '{}' is not understood", where(), text.substr(i, 10)),
                         "write X for Black, O for White and numbers for runs of empty cells"};
        }
        row.cells.insert(row.cells.end(), static_cast<std::size_t>(run), -1);
        i = static_cast<std::size_t>(stop - text.data());
    }
    return row;
}

std::vector<std::string_view> split_rows(std::string_view board) {
    std::vector<std::string_view> rows;
    for (std::size_t from = 0;;) {
        const std::size_t slash = board.find('/', from);
        rows.push_back(board.substr(from, slash - from));
        if (slash == std::string_view::npos) return rows;
        from = slash + 1;
    }
}

}  // namespace

Expected<Position> Notation::parse(std::string_view text) {
    if (text.empty()) return Position();
    const std::size_t blank = text.find(' ');
    const std::string_view side =
        blank == std::string_view::npos ? std::string_view{} : text.substr(blank + 1);
    const auto rows = split_rows(text.substr(0, blank));
    const int size = static_cast<int>(rows.size());
    if (size < kMinSize || size > kMaxSize) {
        return Error{
            fmt::format("renju position: {} rows", size),
            fmt::format("give {} to {} rows, from the top, separated by '/'", kMinSize, kMaxSize)};
    }
    if (side != "b" && side != "w") {
        return Error{"renju position: the side to move is missing",
                     "write ' b' or ' w' behind the board"};
    }
    Position pos;
    pos.set_size(size);
    for (int i = 0; i < size; ++i) {
        const auto row = parse_row(rows[static_cast<std::size_t>(i)], i + 1);
        if (!row) return row.error();
        if (static_cast<int>(row->cells.size()) != size) {
            return Error{fmt::format("renju position, row {} from the top: {} cells instead of {}",
                                     i + 1, row->cells.size(), size),
                         "every row must be as long as there are rows"};
        }
        for (int x = 0; x < size; ++x) {
            const int colour = row->cells[static_cast<std::size_t>(x)];
            if (colour >= 0) pos.add_stone(cell_at(x, size - 1 - i), colour);
        }
    }
    pos.settle(side == "b" ? kBlack : kWhite);
    return pos;
}

std::string Notation::format(const Position& pos) {
    std::string text;
    for (int y = pos.size() - 1; y >= 0; --y) {
        int run = 0;
        for (int x = 0; x < pos.size(); ++x) {
            const int colour = pos.lines().stone(cell_at(x, y));
            if (colour < 0) {
                ++run;
                continue;
            }
            if (run > 0) text += std::to_string(std::exchange(run, 0));
            text += colour == kBlack ? 'X' : 'O';
        }
        if (run > 0) text += std::to_string(run);
        if (y > 0) text += '/';
    }
    return text + (pos.side() == kBlack ? " b" : " w");
}

std::string Notation::draw(const Position& pos) {
    std::string out;
    const auto fouls = pos.foul_cells();
    for (int y = pos.size() - 1; y >= 0; --y) {
        out += fmt::format("{:>2} ", y + 1);
        for (int x = 0; x < pos.size(); ++x) {
            const Cell c = cell_at(x, y);
            const int colour = pos.lines().stone(c);
            const bool foul = std::find(fouls.begin(), fouls.end(), c) != fouls.end();
            out += colour == kBlack ? " X" : colour == kWhite ? " O" : foul ? " *" : " .";
        }
        out += '\n';
    }
    out += "   ";
    for (int x = 0; x < pos.size(); ++x) out += fmt::format(" {}", static_cast<char>('a' + x));
    out += '\n';
    if (!fouls.empty()) out += "    * forbidden for Black\n";
    return out;
}

std::vector<std::string> Notation::forbidden(const Position& pos) {
    std::vector<std::string> cells;
    for (const Cell c : pos.foul_cells()) cells.push_back(format_cell(c));
    return cells;
}

Situation Notation::situation(const Position& pos) {
    Situation out;
    if (pos.winner() >= 0) return out;
    for (const int colour : {kBlack, kWhite}) {
        const auto mark = [&](Cell c, const char* kind) {
            out.marks.push_back({format_cell(c), kind, colour});
        };
        for (int y = 0; y < pos.size(); ++y) {
            for (std::uint32_t row = pos.lines().empty_in_row(y); row != 0; row &= row - 1) {
                const Cell c = cell_at(std::countr_zero(row), y);
                if (pos.point(c, colour) == Point::Five) {
                    mark(c, "five");
                } else if (colour == kBlack && pos.is_foul_for_black(c)) {
                    const Foul foul = find_foul(pos.lines(), c);
                    mark(c, foul == Foul::Overline     ? "forbidden_overline"
                            : foul == Foul::DoubleFour ? "forbidden_four"
                                                       : "forbidden_three");
                } else if (makes_open_four(pos.point(c, colour))) {
                    mark(c, "open_four");
                }
            }
        }
    }
    return out;
}

Status Notation::set_rule(Rules& rules, std::string_view name, std::string_view value) {
    if (name == "rule") {
        const auto found = std::find(kRuleNames.begin(), kRuleNames.end(), value);
        if (found == kRuleNames.end()) {
            return Error{fmt::format("rule '{}' is unknown", value.substr(0, 20)),
                         fmt::format("use one of {}", fmt::join(kRuleNames, ", "))};
        }
        rules.rule = static_cast<Rule>(found - kRuleNames.begin());
        return {};
    }
    if (name == "size") {
        int n = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
        if (error != std::errc{} || end != value.data() + value.size() || n < kMinSize ||
            n > kMaxSize) {
            return Error{fmt::format("size '{}' is not possible", value.substr(0, 20)),
                         fmt::format("use {} to {}", kMinSize, kMaxSize)};
        }
        rules.size = n;
        return {};
    }
    return Error{fmt::format("there is no rule '{}' to set", name.substr(0, 20)),
                 "use rule or size"};
}

}  // namespace karikomi::renju
