/// KIF records, written.
#include <fmt/format.h>

#include "karikomi/games/shogi/kif_words.hpp"
#include "karikomi/games/shogi/move_names.hpp"

namespace karikomi::shogi {
namespace {

using std::chrono::milliseconds;

std::string_view word_of(PieceType t) {
    for (const kif::PieceWord& w : kif::kPieceWords) {
        if (w.type == t) return w.word;
    }
    return "？";
}
std::string_view digit(const std::array<std::string_view, 10>& digits, int n) {
    return digits[static_cast<std::size_t>(n)];
}
std::string kanji_number(int n) {
    if (n < 10) return std::string(digit(kif::kKanjiDigits, n));
    return "十" + (n == 10 ? std::string() : std::string(digit(kif::kKanjiDigits, n - 10)));
}
std::string one_line(std::string text) {
    for (char& c : text) {
        if (c == '\n' || c == '\r') c = ' ';
    }
    return text;
}
void write_comment(std::string& text, std::string_view comment) {
    while (!comment.empty()) {
        const std::size_t end = std::min(comment.find('\n'), comment.size());
        text += fmt::format("*{}\n", comment.substr(0, end));
        comment.remove_prefix(std::min(end + 1, comment.size()));
    }
}

class KifWriter {
public:
    explicit KifWriter(const GameRecord& record, bool ki2 = false)
        : record_(record), ki2_(ki2), board_(record.start.board) {
        for (const Handicap& h : handicaps()) {
            if (format_sfen(board_, 1) == h.sfen) handicap_ = &h;
        }
        // In handicap games the players are called by strength, not by who moves first.
        by_strength_ = handicap_ != nullptr && board_.side() == kWhite;
    }

    std::string write(Encoding encoding) {
        if (!ki2_) {
            text_ = fmt::format("#KIF version=2.0 encoding={}\n",
                                encoding == Encoding::Utf8 ? "UTF-8" : "Shift_JIS");
        }
        for (const auto& [key, value] : record_.facts) {
            std::string_view name = key;
            for (const kif::Heading& h : kif::kHeadings) {
                if (h.csa == key) name = h.kif;
            }
            text_ += fmt::format("{}：{}\n", one_line(std::string(name)), one_line(value));
        }
        if (handicap_ != nullptr) {
            text_ += fmt::format("手合割：{}\n", handicap_->name);
        } else {
            write_diagram();
        }
        if (record_.start.move_number > 1) {
            text_ += fmt::format("手数＝{}\n", record_.start.move_number - 1);
        }
        for (const Colour c : {kBlack, kWhite}) {
            const std::string& name = record_.names[static_cast<std::size_t>(c)];
            if (!name.empty()) text_ += fmt::format("{}：{}\n", player(c), one_line(name));
        }
        if (!ki2_) text_ += "手数----指手---------消費時間--\n";
        write_comment(text_, record_.comment);
        write_line(record_, 0);
        for (std::size_t i = 0; i < record_.variations.size(); ++i) {
            go_to(i + 1);
            text_ += fmt::format("\n変化：{}手\n", record_.variations[i].begin + 1);
            write_line(record_.variations[i], record_.variations[i].begin);
        }
        return text_;
    }

private:
    std::string_view player(Colour c) const {
        if (by_strength_) return c == kBlack ? "下手" : "上手";
        return c == kBlack ? "先手" : "後手";
    }

    void write_hand(Colour c) {
        std::string list;
        for (const PieceType t : kHandOrder) {
            const int n = board_.hand(c).count(t);
            if (n == 0) continue;
            if (!list.empty()) list += "　";
            list += word_of(t);
            if (n > 1) list += kanji_number(n);
        }
        text_ += fmt::format("{}の持駒：{}\n", player(c), list.empty() ? "なし" : list);
    }
    void write_diagram() {
        write_hand(kWhite);
        text_ += "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n";
        for (int rank = 0; rank < 9; ++rank) {
            text_ += '|';
            for (int file = 9; file >= 1; --file) {
                const Piece p = board_.on(square_at(file, rank));
                text_ += p != kNoPiece && colour_of(p) == kWhite ? 'v' : ' ';
                text_ += kif::kOneCharacter[static_cast<std::size_t>(type_of(p))];
            }
            text_ += fmt::format("|{}\n", digit(kif::kKanjiDigits, rank + 1));
        }
        text_ += "+---------------------------+\n";
        write_hand(kBlack);
        text_ += fmt::format("{}番\n", player(board_.side()));
    }

    struct Body {
        std::string text;
        int columns = 0;  ///< on a screen, where these characters are two wide
    };
    static Body joined(std::initializer_list<std::string_view> wide, std::string_view narrow) {
        Body b;
        for (const std::string_view w : wide) {
            b.text += w;
            b.columns += 2 * static_cast<int>(w.size() / 3);
        }
        b.text += narrow;
        b.columns += static_cast<int>(narrow.size());
        return b;
    }
    Body body(Move m) const {
        const Square to = m.to();
        const bool same = to == last_to_;
        const std::string_view file = same ? "同" : digit(kif::kWideDigits, file_of(to));
        const std::string_view rank = same ? "　" : digit(kif::kKanjiDigits, rank_of(to) + 1);
        const std::string_view piece = word_of(board_.moved_type(m));
        if (m.is_drop()) return joined({file, rank, piece, "打"}, "");
        const PieceType t = board_.moved_type(m);
        const bool could = can_promote(t) && (relative_rank(board_.side(), to) < 3 ||
                                              relative_rank(board_.side(), m.from()) < 3);
        const std::string_view suffix = m.promotes() ? "成" : could ? "不成" : "";
        return joined({file, rank, piece, suffix},
                      fmt::format("({}{})", file_of(m.from()), rank_of(m.from()) + 1));
    }
    void write_row(std::size_t number, const Body& b, std::optional<milliseconds> time) {
        text_ += fmt::format("{:>4} {}", number, b.text);
        if (time) {
            milliseconds& total = total_[static_cast<std::size_t>(board_.side())];
            total += *time;
            const auto s = time->count() / 1000;
            const auto all = total.count() / 1000;
            text_ += std::string(static_cast<std::size_t>(std::max(14 - b.columns, 1)), ' ');
            text_ += fmt::format("({:>2}:{:02}/{:02}:{:02}:{:02})", s / 60, s % 60, all / 3600,
                                 all / 60 % 60, all % 60);
        }
        text_ += '\n';
    }
    void advance(Move m) {
        BoardUndo undo;
        board_.do_move(m, undo);
        last_to_ = m.to();
    }
    /// To where a variation begins, with the times of both players so far.
    void go_to(std::size_t line) {
        board_ = record_.start.board;
        last_to_ = kNowhere;
        for (const Move m : record_.moves_before(line)) advance(m);
        total_ = {};
        for (; line != 0; line = record_.variations[line - 1].parent) {
            const Variation& v = record_.variations[line - 1];
            const std::size_t first = v.parent == 0 ? 0 : record_.variations[v.parent - 1].begin;
            const RecordedLine& from =
                v.parent == 0 ? static_cast<const RecordedLine&>(record_)
                              : static_cast<const RecordedLine&>(record_.variations[v.parent - 1]);
            for (std::size_t i = first; i < v.begin && i - first < from.moves.size(); ++i) {
                total_[static_cast<std::size_t>(record_.mover_after(i))] +=
                    from.moves[i - first].time.value_or(milliseconds(0));
            }
        }
    }
    /// `before`: moves from the start of the game to its first.
    void write_line(const RecordedLine& line, std::size_t before) {
        std::size_t number = before;
        for (const RecordedMove& m : line.moves) {
            ++number;
            if (ki2_) {
                write_marked(m.move);
            } else {
                write_row(number, body(m.move), m.time);
            }
            advance(m.move);
            if (!m.comment.empty()) end_row();
            write_comment(text_, m.comment);
        }
        end_row();
        if (line.ending == Ending::None) return;
        if (!ki2_) {
            for (const kif::EndWord& e : kif::kEndWords) {
                if (e.ending != line.ending) continue;
                write_row(number + 1, joined({e.word}, ""), line.last_time);
                break;
            }
        }
        // Whoever is mated where KIF's readers know one word for the end.
        if (ki2_ || &line == &record_) write_summary(line, number);
        write_comment(text_, line.end_comment);
    }
    void write_marked(Move m) {
        constexpr int kInARow = 6;
        if (in_row_ == kInARow) end_row();
        if (in_row_++ > 0) text_ += "    ";
        text_ += mark_of(board_.side());
        text_ += japanese_name(board_, m, last_to_);
    }
    void end_row() {
        if (std::exchange(in_row_, 0) > 0) text_ += '\n';
    }
    void write_summary(const RecordedLine& line, std::size_t played) {
        const Colour mover = record_.mover_after(played);
        const auto end = [&](std::string_view what) {
            text_ += fmt::format("まで{}手で{}\n", played, what);
        };
        const std::string_view won = player(opposite(mover));
        switch (line.ending) {
            case Ending::Resignation:
                return end(fmt::format("{}の勝ち", won));
            case Ending::TimeUp:
                return end(fmt::format("時間切れにより{}の勝ち", won));
            case Ending::IllegalMove:
                return end(fmt::format("{}の反則負け", player(mover)));
            case Ending::IllegalByOther:
                return end(fmt::format("{}の反則勝ち", player(mover)));
            case Ending::DeclaredWin:
                return end("入玉勝ち");
            default:
                break;
        }
        for (const kif::EndWord& e : kif::kEndWords) {
            if (e.ending == line.ending) return end(e.word);
        }
    }

    const GameRecord& record_;
    bool ki2_ = false;
    int in_row_ = 0;  ///< moves of KI2 on this line
    Board board_;
    const Handicap* handicap_ = nullptr;
    bool by_strength_ = false;
    Square last_to_ = kNowhere;
    std::array<milliseconds, 2> total_{};
    std::string text_;
};

}  // namespace

Expected<std::string> format_kif(const GameRecord& record, Encoding encoding) {
    std::string text = KifWriter(record).write(encoding);
    if (encoding == Encoding::Utf8) return text;
    return to_shift_jis(text);
}

std::string format_ki2(const GameRecord& record) {
    return KifWriter(record, true).write(Encoding::Utf8);
}

}  // namespace karikomi::shogi
