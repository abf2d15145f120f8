/// KIF records, read.
#include <charconv>

#include <fmt/format.h>

#include "karikomi/games/shogi/kif_words.hpp"
#include "karikomi/games/shogi/move_names.hpp"

namespace karikomi::shogi {
namespace {

using std::chrono::milliseconds;

using kif::skip_spaces;
using kif::take;
using kif::take_piece;

std::optional<int> take_number(std::string_view& text) {
    int n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || n < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return n;
}
bool take_mark(std::string_view& text) {
    for (const std::string_view mark : {"▲", "△", "▼", "▽", "☗", "☖"}) {
        if (take(text, mark)) return true;
    }
    return false;
}
/// 一 .. 十八; 1 where there is none.
int take_count(std::string_view& text) {
    const bool ten = take(text, "十");
    const int ones = kif::take_digit(text, kif::kKanjiDigits).value_or(0);
    if (ten) return 10 + ones;
    return ones == 0 ? 1 : ones;
}

class KifReader {
public:
    Status read(std::string_view line) {
        ++line_number_;
        if (line.starts_with('#') || line.starts_with('&')) return {};
        if (line.starts_with('*')) return comment(line.substr(1));
        std::string_view rest = line;
        skip_spaces(rest);
        if (rest.empty() || rest.starts_with("+-")) return {};
        if (rest.starts_with("手数-")) {
            understood_ = true;
            return {};
        }
        if (rest.starts_with('|')) return board_line(rest.substr(1));
        if (take(rest, "変化：") || take(rest, "変化:")) return variation(rest);
        if (take(rest, "まで")) return summary(rest);
        std::string_view marked = rest;
        if (take_mark(marked) || looks_japanese(rest)) return list(rest);
        if (rest[0] >= '0' && rest[0] <= '9') return numbered(rest);
        return heading(rest);
    }
    Expected<GameRecord> finish() {
        if (!understood_) return wrong("nothing that belongs to a game record");
        if (const Status s = begin(); !s) return s.error();
        record_.sort_variations();
        return record_;
    }

private:
    Error wrong(const std::string& what) const {
        return Error{fmt::format("KIF, line {}: {}", line_number_, what),
                     "compare with a record that another program has written"};
    }

    /// The line that is being read.
    RecordedLine& line() {
        if (current_ == 0) return record_;
        return record_.variations[current_ - 1];
    }
    Status comment(std::string_view text) {
        const bool is_over = line().ending != Ending::None;
        const bool is_first = line().moves.empty() && !is_over;
        // What is said before the first move of a variation belongs to that move.
        std::string& to = is_over                    ? line().end_comment
                          : is_first && current_ > 0 ? waiting_
                          : is_first                 ? record_.comment
                                                     : line().moves.back().comment;
        if (!to.empty()) to += '\n';
        to += text;
        return {};
    }

    // ---- Before the moves ----
    Status heading(std::string_view line) {
        if (line == "先手番" || line == "下手番") to_move_ = kBlack;
        if (line == "後手番" || line == "上手番") to_move_ = kWhite;
        if (take(line, "手数＝")) return move_number(line);
        std::size_t colon = line.find("：");
        std::size_t width = std::string_view("：").size();
        if (colon == std::string_view::npos) {
            colon = line.find(':');
            width = 1;
        }
        if (colon == std::string_view::npos) return {};  // the ruler of a diagram, or a remark
        std::string_view key = line.substr(0, colon);
        std::string_view value = line.substr(colon + width);
        while (value.ends_with(' ')) value.remove_suffix(1);
        understood_ = true;
        if (key == "手合割") return handicap(value);
        if (key == "先手の持駒" || key == "下手の持駒") return hand(kBlack, value);
        if (key == "後手の持駒" || key == "上手の持駒") return hand(kWhite, value);
        if (key == "先手" || key == "下手") {
            record_.names[kBlack] = value;
        } else if (key == "後手" || key == "上手") {
            record_.names[kWhite] = value;
        } else {
            for (const kif::Heading& h : kif::kHeadings) {
                if (h.kif == key) key = h.csa;
            }
            record_.facts.emplace_back(key, value);
        }
        return {};
    }
    Status move_number(std::string_view text) {
        const auto n = take_number(text);
        if (!n || *n > 1'000'000) return wrong("手数 without a number");
        record_.start.move_number = *n + 1;
        return {};
    }
    Status handicap(std::string_view name) {
        while (name.ends_with("　")) name.remove_suffix(std::string_view("　").size());
        if (name == "その他") return {};  // a diagram says how
        for (const Handicap& h : handicaps()) {
            if (h.name == name) {
                handicap_ = &h;
                return {};
            }
        }
        return wrong(fmt::format("unknown handicap '{}'", name));
    }
    Status hand(Colour c, std::string_view text) {
        skip_spaces(text);
        if (text == "なし") return {};
        for (; !text.empty(); skip_spaces(text)) {
            const PieceType t = take_piece(text);
            if (t < kPawn || t > kGold)
                return wrong(fmt::format("unknown piece in hand '{}'", text));
            const int n = take_count(text);
            if (board_.hand(c).count(t) + n > kFullSet[static_cast<std::size_t>(t)]) {
                return wrong("too many pieces in hand");
            }
            for (int i = 0; i < n; ++i) board_.give(c, t);
        }
        return {};
    }
    Status board_line(std::string_view text) {
        if (began_ || rows_ == 9) return wrong("a tenth row of a diagram");
        for (int file = 9; file >= 1; --file) {
            const bool white = take(text, "v");
            if (!white) (void)(take(text, " ") || take(text, "^"));
            if (take(text, "・") || take(text, "* ")) continue;
            const PieceType t = take_piece(text);
            if (t == kNoType)
                return wrong(fmt::format("row {} of the diagram, file {}", rows_ + 1, file));
            board_.put(make_piece(white ? kWhite : kBlack, t), square_at(file, rows_));
        }
        ++rows_;
        understood_ = true;
        return {};
    }
    /// The first move, or the end of the file: the start position is known now.
    Status begin() {
        if (std::exchange(began_, true)) return {};
        if (rows_ == 9) {
            const Status s = board_.finish(to_move_.value_or(kBlack));
            if (!s) return wrong(s.error().what);
            record_.start.board = board_;
            return {};
        }
        if (rows_ != 0) return wrong(fmt::format("{} of 9 rows of a diagram", rows_));
        record_.start.board =
            parse_sfen(handicap_ != nullptr ? handicap_->sfen : kStartSfen)->board;
        board_ = record_.start.board;
        return {};
    }

    // ---- Moves: "1 ７六歩(77) ( 0:01/00:00:01)", or "▲７六歩 △３四歩" ----
    Status variation(std::string_view text) {
        const auto n = take_number(text);
        if (!n) return wrong("変化 without the number of its move");
        if (const Status s = begin(); !s) return s;
        const int from = *n - first_number_;
        const auto parent =
            from < 0 ? std::nullopt : parent_of(record_, current_, static_cast<std::size_t>(from));
        if (!parent) return wrong(fmt::format("there is no move {} to leave", *n));
        Variation v;
        v.parent = *parent;
        v.begin = static_cast<std::size_t>(from);
        record_.variations.push_back(std::move(v));
        current_ = record_.variations.size();
        waiting_.clear();
        board_ = record_.start.board;
        last_to_ = kNowhere;
        for (const Move m : record_.moves_before(current_)) advance(m);
        return {};
    }
    /// Moves from the start of the game to the end of the line so far.
    std::size_t played() {
        return line().moves.size() + (current_ == 0 ? 0 : record_.variations[current_ - 1].begin);
    }
    Status numbered(std::string_view text) {
        const auto number = take_number(text);
        skip_spaces(text);
        if (const Status s = begin(); !s) return s;
        understood_ = true;
        if (line().ending != Ending::None) return wrong("a move after the end of the game");
        // The first number may be any: records of a running game go on with its numbers.
        const auto before = static_cast<int>(played());
        if (before == 0) first_number_ = number.value_or(1);
        if (number != first_number_ + before) {
            return wrong(fmt::format("expected move {}", first_number_ + before));
        }
        for (const kif::EndWord& e : kif::kEndWords) {
            if (!take(text, e.word)) continue;
            line().ending = e.ending;
            line().last_time = time(text);
            return {};
        }
        return move(text);
    }
    Status list(std::string_view text) {
        if (const Status s = begin(); !s) return s;
        understood_ = true;
        for (skip_spaces(text); !text.empty(); skip_spaces(text)) {
            if (line().ending != Ending::None) return wrong("a move after the end of the game");
            (void)take_mark(text);
            if (const Status s = move(text, true); !s) return s;
        }
        return {};
    }
    /// `among`: others follow on the same line.
    Status move(std::string_view& text, bool among = false) {
        const std::string_view whole = text;
        const auto m = take_japanese(board_, text, last_to_);
        if (!m) {
            const std::size_t end = among ? whole.find(' ') : whole.find(" (");
            return wrong(fmt::format("'{}': {}", whole.substr(0, end), m.error().what));
        }
        line().moves.push_back({*m, time(text), std::exchange(waiting_, {})});
        advance(*m);
        return {};
    }
    void advance(Move m) {
        BoardUndo undo;
        board_.do_move(m, undo);
        last_to_ = m.to();
    }
    /// "まで5手で先手の勝ち": all that KI2 has of an end; elsewhere it says it once more.
    Status summary(std::string_view text) {
        if (const Status s = begin(); !s) return s;
        understood_ = true;
        const auto n = take_number(text);
        // Of the whole game, though it stands after the variations in some files.
        if (line().ending != Ending::None || !n || !take(text, "手")) return {};
        if (first_number_ + static_cast<int>(played()) != *n + 1) return {};
        (void)take(text, "で");
        const Colour mover = record_.mover_after(played());
        for (const kif::EndWord& e : kif::kEndWords) {
            if (text.starts_with(e.word)) line().ending = e.ending;
        }
        const bool by_black = text.find("先手") != std::string_view::npos ||
                              text.find("下手") != std::string_view::npos;
        const Colour named = by_black ? kBlack : kWhite;
        if (text.find("時間切れ") != std::string_view::npos) {
            line().ending = Ending::TimeUp;
        } else if (text.find("反則") != std::string_view::npos) {
            const bool lost = text.find("反則負け") != std::string_view::npos;
            line().ending = (named == mover) == lost ? Ending::IllegalMove : Ending::IllegalByOther;
        } else if (text.find("入玉") != std::string_view::npos ||
                   text.find("宣言") != std::string_view::npos) {
            line().ending = Ending::DeclaredWin;
        } else if (text.find("の勝ち") != std::string_view::npos) {
            line().ending = named == mover ? Ending::DeclaredWin : Ending::Resignation;
        }
        return {};
    }
    /// "( 0:16/00:00:16)": minutes and seconds of this move, then the total.
    static std::optional<milliseconds> time(std::string_view text) {
        skip_spaces(text);
        if (!take(text, "(")) return std::nullopt;
        std::int64_t seconds = 0;
        while (true) {
            skip_spaces(text);
            const auto n = take_number(text);
            if (!n) return std::nullopt;
            seconds = 60 * seconds + *n;
            if (!take(text, ":")) break;
        }
        return milliseconds(1000 * seconds);
    }

    GameRecord record_;
    Board board_;
    const Handicap* handicap_ = nullptr;
    std::optional<Colour> to_move_;
    Square last_to_ = kNowhere;
    int rows_ = 0;
    int first_number_ = 1;
    int line_number_ = 0;
    bool began_ = false;
    std::size_t current_ = 0;  ///< the line that is being read, as GameRecord counts them
    std::string waiting_;      ///< a comment for the next move
    bool understood_ = false;  ///< anything at all
};

}  // namespace

Expected<GameRecord> parse_kif(std::string_view bytes) {
    const auto converted = to_utf8(bytes);
    if (!converted) return converted.error();
    std::string_view text = *converted;
    KifReader reader;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (const Status s = reader.read(line); !s) return s.error();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return reader.finish();
}

}  // namespace karikomi::shogi
