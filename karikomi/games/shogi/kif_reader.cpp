/// KIF records, read.
#include <charconv>

#include <fmt/format.h>

#include "karikomi/games/shogi/kif_words.hpp"

namespace karikomi::shogi {
namespace {

using std::chrono::milliseconds;

/// Takes a word from the front of a text, if it is there.
bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}
void skip_spaces(std::string_view& text) {
    while (take(text, " ") || take(text, "　") || take(text, "\t")) {
    }
}
std::optional<int> take_number(std::string_view& text) {
    int n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || n < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return n;
}
template <std::size_t N>
std::optional<int> take_digit(std::string_view& text,
                              const std::array<std::string_view, N>& digits) {
    for (std::size_t i = 1; i < N; ++i) {
        if (take(text, digits[i])) return static_cast<int>(i);
    }
    if (!text.empty() && text[0] >= '1' && text[0] <= '9') {
        const int n = text[0] - '0';
        text.remove_prefix(1);
        return n;
    }
    return std::nullopt;
}
PieceType take_piece(std::string_view& text) {
    for (const kif::PieceWord& w : kif::kPieceWords) {
        if (take(text, w.word)) return w.type;
    }
    return kNoType;
}
/// 一 .. 十八; 1 where there is none.
int take_count(std::string_view& text) {
    const bool ten = take(text, "十");
    const int ones = take_digit(text, kif::kKanjiDigits).value_or(0);
    if (ten) return 10 + ones;
    return ones == 0 ? 1 : ones;
}

class KifReader {
public:
    Status read(std::string_view line) {
        ++line_number_;
        if (in_variation_ || line.starts_with('#') || line.starts_with('&')) return {};
        if (line.starts_with('*')) return comment(line.substr(1));
        std::string_view rest = line;
        skip_spaces(rest);
        if (rest.empty() || rest.starts_with("+-")) return {};
        if (rest.starts_with("手数-")) {
            understood_ = true;
            return {};
        }
        if (rest.starts_with('|')) return board_line(rest.substr(1));
        if (rest.starts_with("変化：") || rest.starts_with("変化:")) {
            in_variation_ = true;  // and whatever follows
            return {};
        }
        if (rest.starts_with("まで")) return {};  // says the result once more
        if (rest[0] >= '0' && rest[0] <= '9') return numbered(rest);
        return heading(rest);
    }
    Expected<GameRecord> finish() {
        if (!understood_) return wrong("nothing that belongs to a game record");
        if (const Status s = begin(); !s) return s.error();
        return record_;
    }

private:
    Error wrong(const std::string& what) const {
        return Error{fmt::format("KIF, line {}: {}", line_number_, what),
                     "compare with a record that another program has written"};
    }

    Status comment(std::string_view text) {
        std::string& to = record_.moves.empty() ? record_.comment : record_.moves.back().comment;
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

    // ---- Moves: "1 ７六歩(77) ( 0:01/00:00:01)" ----
    Status numbered(std::string_view line) {
        const auto number = take_number(line);
        skip_spaces(line);
        if (const Status s = begin(); !s) return s;
        understood_ = true;
        if (record_.ending != Ending::None) return wrong("a move after the end of the game");
        // The first number may be any: records of a running game go on with its numbers.
        const auto played = static_cast<int>(record_.moves.size());
        if (played == 0) first_number_ = number.value_or(1);
        if (number != first_number_ + played) {
            return wrong(fmt::format("expected move {}", first_number_ + played));
        }
        for (const kif::EndWord& e : kif::kEndWords) {
            if (!take(line, e.word)) continue;
            record_.ending = e.ending;
            record_.last_time = time(line);
            return {};
        }
        return move(line);
    }
    Status move(std::string_view line) {
        const std::string_view whole = line;
        const auto no = [&](const char* why) {
            return wrong(fmt::format("'{}': {}", whole.substr(0, whole.find(" (")), why));
        };
        Square to = last_to_;
        if (take(line, "同")) {
            if (to == kNowhere) return no("there is no move before it");
            skip_spaces(line);
        } else {
            const auto file = take_digit(line, kif::kWideDigits);
            const auto rank = file ? take_digit(line, kif::kKanjiDigits) : std::nullopt;
            if (!rank) return no("unknown square");
            to = square_at(*file, *rank - 1);
        }
        const PieceType t = take_piece(line);
        if (t == kNoType) return no("unknown piece");
        bool promotes = false;
        bool drops = false;
        if (!take(line, "不成") && !take(line, "生")) {
            promotes = take(line, "成");
            drops = !promotes && take(line, "打");
        }
        Move m = Move::drop(t, to);
        if (!drops) {
            // "(77)"
            const bool has_origin = line.size() >= 4 && line[0] == '(' && line[3] == ')' &&
                                    is_on_board(line[1] - '0', line[2] - '1');
            if (!has_origin) return no("it does not say where it comes from");
            const Square from = square_at(line[1] - '0', line[2] - '1');
            line.remove_prefix(4);
            if (board_.on(from) != make_piece(board_.side(), t))
                return no("another piece stands there");
            m = Move::board(from, to, promotes);
        }
        if (t > kGold && drops) return no("it cannot be dropped");
        if (!board_.is_legal(m)) return no("not a legal move");
        BoardUndo undo;
        board_.do_move(m, undo);
        last_to_ = to;
        record_.moves.push_back({m, time(line)});
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
    bool in_variation_ = false;
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
