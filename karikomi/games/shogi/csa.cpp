/// CSA's standard game record (versions 2 and 3).
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "karikomi/base/text.hpp"
#include "karikomi/games/shogi/csa_words.hpp"

namespace karikomi::shogi {
namespace {

using std::chrono::milliseconds;

using csa::kNames;
using csa::type_named;

/// A heading of our own, in a comment: CSA counts from the first move of the file.
constexpr std::string_view kMoveNumber = "MOVE_NUMBER";

Square parse_square(std::string_view two) {
    const int file = two[0] - '0';
    const int rank = two[1] - '1';
    return is_on_board(file, rank) ? square_at(file, rank) : kNowhere;
}
std::string format_csa_square(Square s) {
    return fmt::format("{}{}", file_of(s), rank_of(s) + 1);
}

/// Reads one game, statement by statement.
class CsaReader {
public:
    Status read(std::string_view line) {
        ++line_number_;
        if (line.starts_with("'|")) return in_variation(line.substr(2));
        if (line.starts_with('\'')) return comment(line);
        if (line.starts_with('N') || line.starts_with('$') || line.starts_with('V')) {
            return heading(line);
        }
        while (!line.empty()) {
            const std::size_t end = std::min(line.find(','), line.size());
            if (const Status s = statement(line.substr(0, end)); !s) return s;
            line.remove_prefix(std::min(end + 1, line.size()));
        }
        return {};
    }
    Expected<GameRecord> finish() {
        if (!playing_) return wrong("there is no side to move (a line + or -)");
        record_.sort_variations();
        return record_;
    }
    bool has_content() const { return has_content_; }
    int line_number() const { return line_number_; }
    void start_at(int line) { line_number_ = line; }

private:
    Error wrong(const std::string& what) const {
        return Error{fmt::format("CSA, line {}: {}", line_number_, what),
                     "compare with the CSA standard"};
    }

    /// CSA has no variations. Ours are in lines that are comments to everybody else.
    Status in_variation(std::string_view line) {
        const bool is_number = !line.empty() && line[0] >= '1' && line[0] <= '9';
        if (!is_number) {
            if (current_ == 0) return {};  // somebody else's comment
            return line.starts_with('\'') ? comment(line) : statement(line);
        }
        std::size_t number = 0;
        (void)std::from_chars(line.data(), line.data() + line.size(), number);
        const auto parent = playing_ ? parent_of(record_, current_, number - 1) : std::nullopt;
        if (!parent) return wrong("a variation of no move");
        Variation v;
        v.parent = *parent;
        v.begin = number - 1;
        record_.variations.push_back(std::move(v));
        current_ = record_.variations.size();
        board_ = record_.start.board;
        for (const Move m : record_.moves_before(current_)) {
            BoardUndo undo;
            board_.do_move(m, undo);
        }
        return {};
    }
    RecordedLine& line() {
        if (current_ == 0) return record_;
        return record_.variations[current_ - 1];
    }
    Status comment(std::string_view line) {
        if (line.starts_with("'$")) return heading(line.substr(1));
        if (!line.starts_with("'*")) return {};  // for people reading the file
        RecordedLine& own = this->line();
        std::string& to = own.ending != Ending::None ? own.end_comment
                          : own.moves.empty()        ? record_.comment
                                                     : own.moves.back().comment;
        if (!to.empty()) to += '\n';
        to += line.substr(2);
        return {};
    }

    Status heading(std::string_view line) {
        has_content_ = has_content_ || !line.starts_with('V');
        if (line.starts_with("N+")) record_.names[kBlack] = line.substr(2);
        if (line.starts_with("N-")) record_.names[kWhite] = line.substr(2);
        if (line.starts_with('$')) {
            const std::size_t colon = line.find(':');
            if (colon == std::string_view::npos) return wrong("a $ line without a colon");
            const std::string_view key = line.substr(1, colon - 1);
            const std::string_view value = line.substr(colon + 1);
            if (key == kMoveNumber) {
                (void)std::from_chars(value.data(), value.data() + value.size(),
                                      record_.start.move_number);
            } else {
                record_.facts.emplace_back(key, value);
            }
        }
        return {};
    }

    Status statement(std::string_view s) {
        if (s.empty()) return {};
        has_content_ = true;
        if (s == "+" || s == "-") return begin(s == "+" ? kBlack : kWhite);
        if (s[0] == 'P') return position(s);
        if (s[0] == '+' || s[0] == '-') return move(s);
        if (s[0] == '%') return end(s);
        if (s[0] == 'T') return time(s);
        return wrong(fmt::format("unknown statement '{}'", s.substr(0, 20)));
    }

    // ---- The position ----
    Status position(std::string_view s) {
        if (playing_) return wrong("a position after the side to move");
        if (s.starts_with("PI")) return even_game(s.substr(2));
        if (s.starts_with("P+") || s.starts_with("P-")) {
            return single_pieces(s[1] == '+' ? kBlack : kWhite, s.substr(2));
        }
        if (s.size() >= 2 && s[1] >= '1' && s[1] <= '9') return rank(s[1] - '1', s.substr(2));
        return wrong(fmt::format("unknown statement '{}'", s.substr(0, 20)));
    }
    Status put(Piece p, Square s) {
        if (board_.on(s) != kNoPiece) return wrong(format_csa_square(s) + " is taken twice");
        board_.put(p, s);
        return {};
    }
    Status even_game(std::string_view removed) {
        const Board even = parse_sfen(kStartSfen)->board;
        Bitboard gone;
        for (; removed.size() >= 4; removed.remove_prefix(4)) {
            const Square s = parse_square(removed);
            const PieceType t = type_named(removed.substr(2, 2));
            if (s == kNowhere || t == kNoType || type_of(even.on(s)) != t) {
                return wrong(fmt::format("PI: {} is not there", removed.substr(0, 4)));
            }
            gone |= bit(s);
        }
        if (!removed.empty()) return wrong("PI: half a piece");
        Status status;
        for_each(even.occupied() - gone, [&](Square s) {
            if (const Status one = put(even.on(s), s); !one) status = one;
        });
        return status;
    }
    Status rank(int rank, std::string_view cells) {
        for (int file = 9; file >= 1;
             --file, cells.remove_prefix(std::min<std::size_t>(3, cells.size()))) {
            const std::string_view cell = cells.substr(0, 3);
            if (cell.empty() || cell[0] == ' ') continue;  // trailing spaces may be cut off
            const PieceType t = cell.size() == 3 ? type_named(cell.substr(1)) : kNoType;
            if (t == kNoType || (cell[0] != '+' && cell[0] != '-')) {
                return wrong(fmt::format("P{}: '{}' is no piece", rank + 1, cell));
            }
            const Colour c = cell[0] == '+' ? kBlack : kWhite;
            if (const Status s = put(make_piece(c, t), square_at(file, rank)); !s) return s;
        }
        return {};
    }
    Status single_pieces(Colour c, std::string_view list) {
        for (; list.size() >= 4; list.remove_prefix(4)) {
            const std::string_view name = list.substr(2, 2);
            if (list.starts_with("00AL")) {
                give_rest(c);
                continue;
            }
            const PieceType t = type_named(name);
            const Square s = parse_square(list);
            if (list.starts_with("00") && t >= kPawn && t <= kGold) {
                if (board_.hand(c).count(t) == kFullSet[static_cast<std::size_t>(t)]) {
                    return wrong(fmt::format("too many {} in hand", name));
                }
                board_.give(c, t);
            } else if (s != kNowhere && t != kNoType) {
                if (const Status status = put(make_piece(c, t), s); !status) return status;
            } else {
                return wrong(fmt::format("'{}' is no piece", list.substr(0, 4)));
            }
        }
        return list.empty() ? Status{} : wrong("half a piece");
    }
    void give_rest(Colour c) {
        for (int i = kPawn; i <= kGold; ++i) {
            const auto t = static_cast<PieceType>(i);
            int n = board_.pieces(t).count() + board_.hand(kBlack).count(t) +
                    board_.hand(kWhite).count(t);
            if (can_promote(t)) n += board_.pieces(promoted(t)).count();
            for (; n < kFullSet[static_cast<std::size_t>(i)]; ++n) board_.give(c, t);
        }
    }
    Status begin(Colour side) {
        if (playing_) return wrong("a second side to move");
        if (const Status s = board_.finish(side); !s) return wrong(s.error().what);
        record_.start.board = board_;
        playing_ = true;
        return {};
    }

    // ---- The moves ----
    Status move(std::string_view s) {
        if (!playing_) return wrong("a move before the side to move");
        if (line().ending != Ending::None) return wrong("a move after the end of the game");
        const Colour side = s[0] == '+' ? kBlack : kWhite;
        const PieceType t = s.size() == 7 ? type_named(s.substr(5)) : kNoType;
        const Square to = s.size() == 7 ? parse_square(s.substr(3)) : kNowhere;
        if (t == kNoType || to == kNowhere) return wrong(fmt::format("'{}' is no move", s));
        if (side != board_.side()) return wrong(fmt::format("{}: it is not that side's turn", s));
        Move m = Move::drop(t, to);
        if (s.substr(1, 2) != "00") {
            const Square from = parse_square(s.substr(1));
            const PieceType before = from == kNowhere ? kNoType : type_of(board_.on(from));
            const bool promotes = can_promote(before) && t == promoted(before);
            if (before != t && !promotes)
                return wrong(fmt::format("{}: another piece stands there", s));
            m = Move::board(from, to, promotes);
        }
        if (t > kGold && m.is_drop())
            return wrong(fmt::format("{} cannot be dropped", s.substr(5)));
        if (!board_.is_legal(m)) return wrong(fmt::format("{} is not a legal move", s));
        BoardUndo undo;
        board_.do_move(m, undo);
        line().moves.push_back({m});
        return {};
    }
    Status time(std::string_view s) {
        double seconds = 0;
        const char* end = s.data() + s.size();
        const auto [stop, error] = read_real(s.data() + 1, end, seconds);
        if (error != std::errc{} || stop != end || !(seconds >= 0) || seconds > 1e8) {
            return wrong(fmt::format("'{}' is no time", s.substr(0, 20)));
        }
        const auto t = milliseconds(std::llround(seconds * 1000));
        if (line().ending != Ending::None) {
            line().last_time = t;
        } else if (!line().moves.empty()) {
            line().moves.back().time = t;
        }
        return {};
    }
    Status end(std::string_view s) {
        if (!playing_) return wrong("an end before the side to move");
        if (const auto ending = csa::ending_named(s.substr(1), board_.side())) {
            line().ending = *ending;
            return {};
        }
        return wrong(fmt::format("unknown end '{}'", s.substr(0, 30)));
    }

    GameRecord record_;
    std::size_t current_ = 0;  ///< the line that is being read, as GameRecord counts them
    Board board_;
    bool playing_ = false;
    bool has_content_ = false;
    int line_number_ = 0;
};

void write_position(std::string& text, const Board& b) {
    if (format_sfen(b, 1) == kStartSfen) {
        text += "PI\n+\n";
        return;
    }
    for (int rank = 0; rank < 9; ++rank) {
        text += fmt::format("P{}", rank + 1);
        for (int file = 9; file >= 1; --file) {
            const Piece p = b.on(square_at(file, rank));
            if (p == kNoPiece) {
                text += " * ";
            } else {
                text += colour_of(p) == kBlack ? '+' : '-';
                text += kNames[static_cast<std::size_t>(type_of(p))];
            }
        }
        text += '\n';
    }
    for (const Colour c : {kBlack, kWhite}) {
        std::string hand;
        for (const PieceType t : kHandOrder) {
            for (int i = 0; i < b.hand(c).count(t); ++i) {
                hand += fmt::format("00{}", kNames[static_cast<std::size_t>(t)]);
            }
        }
        if (!hand.empty()) text += fmt::format("P{}{}\n", c == kBlack ? '+' : '-', hand);
    }
    text += b.side() == kBlack ? "+\n" : "-\n";
}

void write_comment(std::string& text, std::string_view comment, std::string_view before = {}) {
    while (!comment.empty()) {
        const std::size_t end = std::min(comment.find('\n'), comment.size());
        text += fmt::format("{}'*{}\n", before, comment.substr(0, end));
        comment.remove_prefix(std::min(end + 1, comment.size()));
    }
}

std::string one_line(std::string text) {
    for (char& c : text) {
        if (c == '\n' || c == '\r') c = ' ';
    }
    return text;
}

bool is_csa_key(std::string_view key) {
    return !key.empty() &&
           key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_+-") == std::string_view::npos;
}

std::string time_text(milliseconds time) {
    const auto ms = time.count();
    if (ms % 1000 == 0) return fmt::format("T{}\n", ms / 1000);
    return fmt::format("T{}.{:03}\n", ms / 1000, ms % 1000);
}

bool has_fractions(const GameRecord& record) {
    const auto in = [](const RecordedLine& line) {
        const auto has = [](const auto& time) { return time && time->count() % 1000 != 0; };
        return has(line.last_time) || std::any_of(line.moves.begin(), line.moves.end(),
                                                  [&](const auto& m) { return has(m.time); });
    };
    return in(record) || std::any_of(record.variations.begin(), record.variations.end(), in);
}

/// From `b` on; each line of the text begins with `before`.
void write_moves(std::string& text, const RecordedLine& line, Board b, std::string_view before) {
    for (const RecordedMove& m : line.moves) {
        const std::string from = m.move.is_drop() ? "00" : format_csa_square(m.move.from());
        const char side = b.side() == kBlack ? '+' : '-';
        BoardUndo undo;
        b.do_move(m.move, undo);
        text += fmt::format("{}{}{}{}{}\n", before, side, from, format_csa_square(m.move.to()),
                            kNames[static_cast<std::size_t>(type_of(b.on(m.move.to())))]);
        if (m.time) text += std::string(before) + time_text(*m.time);
        write_comment(text, m.comment, before);
    }
    if (line.ending != Ending::None) {
        text += fmt::format("{}%{}\n", before, csa::end_word(line.ending, b.side()));
    }
    if (line.last_time) text += std::string(before) + time_text(*line.last_time);
    write_comment(text, line.end_comment, before);
}

}  // namespace

Expected<std::vector<GameRecord>> parse_csa_games(std::string_view bytes) {
    const auto converted = to_utf8(bytes);
    if (!converted) return converted.error();
    std::string_view text = *converted;
    std::vector<GameRecord> games;
    CsaReader reader;
    const auto take_game = [&]() -> Status {
        auto game = reader.finish();
        if (!game) return game.error();
        games.push_back(std::move(*game));
        return {};
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line != "/") {
            if (const Status s = reader.read(line); !s) return s.error();
            continue;
        }
        const int at = reader.line_number() + 1;
        if (const Status s = take_game(); !s) return s.error();
        reader = CsaReader();
        reader.start_at(at);
    }
    if (games.empty() || reader.has_content()) {
        if (const Status s = take_game(); !s) return s.error();
    }
    return games;
}

Expected<GameRecord> parse_csa(std::string_view bytes) {
    auto games = parse_csa_games(bytes);
    if (!games) return games.error();
    if (games->size() > 1) {
        return Error{fmt::format("CSA: {} games in one text", games->size()),
                     "read them one by one"};
    }
    return std::move(games->front());
}

std::string format_csa(const GameRecord& record) {
    // The first line is version 3's and a comment in version 2: both kinds of reader take this.
    // Fractions of a second are version 3's.
    std::string text =
        fmt::format("'CSA encoding=UTF-8\n{}\n", has_fractions(record) ? "V3.0" : "V2.2");
    for (const Colour c : {kBlack, kWhite}) {
        const std::string& name = record.names[static_cast<std::size_t>(c)];
        if (!name.empty()) text += fmt::format("N{}{}\n", c == kBlack ? '+' : '-', one_line(name));
    }
    for (const auto& [key, value] : record.facts) {
        text +=
            fmt::format("{}{}:{}\n", is_csa_key(key) ? "$" : "'$", one_line(key), one_line(value));
    }
    if (record.start.move_number > 1) {
        text += fmt::format("'${}:{}\n", kMoveNumber, record.start.move_number);
    }
    write_position(text, record.start.board);
    write_comment(text, record.comment);
    write_moves(text, record, record.start.board, "");
    for (std::size_t i = 0; i < record.variations.size(); ++i) {
        text += fmt::format("'|{}\n", record.variations[i].begin + 1);
        Board b = record.start.board;
        for (const Move m : record.moves_before(i + 1)) {
            BoardUndo undo;
            b.do_move(m, undo);
        }
        write_moves(text, record.variations[i], b, "'|");
    }
    return text;
}

}  // namespace karikomi::shogi
