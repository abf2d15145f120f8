/// KIF records, written.
#include <fmt/format.h>

#include "karikomi/games/shogi/kif_words.hpp"

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
    explicit KifWriter(const GameRecord& record) : record_(record), board_(record.start.board) {
        for (const Handicap& h : handicaps()) {
            if (format_sfen(board_, 1) == h.sfen) handicap_ = &h;
        }
        // In handicap games the players are called by strength, not by who moves first.
        by_strength_ = handicap_ != nullptr && board_.side() == kWhite;
    }

    std::string write(Encoding encoding) {
        text_ = fmt::format("#KIF version=2.0 encoding={}\n",
                            encoding == Encoding::Utf8 ? "UTF-8" : "Shift_JIS");
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
        for (const Colour c : {kBlack, kWhite}) {
            const std::string& name = record_.names[static_cast<std::size_t>(c)];
            if (!name.empty()) text_ += fmt::format("{}：{}\n", player(c), one_line(name));
        }
        text_ += "手数----指手---------消費時間--\n";
        write_comment(text_, record_.comment);
        write_moves();
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
        if (record_.start.move_number > 1) {
            text_ += fmt::format("手数＝{}\n", record_.start.move_number - 1);
        }
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
    void write_line(int number, const Body& b, std::optional<milliseconds> time) {
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
    void write_moves() {
        int number = 0;
        for (const RecordedMove& m : record_.moves) {
            write_line(++number, body(m.move), m.time);
            BoardUndo undo;
            board_.do_move(m.move, undo);
            last_to_ = m.move.to();
            write_comment(text_, m.comment);
        }
        if (record_.ending == Ending::None) return;
        for (const kif::EndWord& e : kif::kEndWords) {
            if (e.ending != record_.ending) continue;
            write_line(number + 1, joined({e.word}, ""), record_.last_time);
            break;
        }
        write_summary(number);
    }
    void write_summary(int played) {
        const auto winner = record_.winner();
        const auto end = [&](std::string_view what) {
            text_ += fmt::format("まで{}手で{}\n", played, what);
        };
        if (winner) return end(fmt::format("{}の勝ち", player(*winner)));
        switch (record_.ending) {
            case Ending::Interruption:
                return end("中断");
            case Ending::Repetition:
                return end("千日手");
            case Ending::Impasse:
                return end("持将棋");
            case Ending::Draw:
            case Ending::MaxMoves:
                return end("引き分け");
            default:
                return;
        }
    }

    const GameRecord& record_;
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

}  // namespace karikomi::shogi
