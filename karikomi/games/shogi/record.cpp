#include "karikomi/games/shogi/record.hpp"

#include <algorithm>

namespace karikomi::shogi {

Board GameRecord::board_after(std::size_t moves_played) const {
    Board b = start.board;
    for (std::size_t i = 0; i < std::min(moves_played, moves.size()); ++i) {
        BoardUndo undo;
        b.do_move(moves[i].move, undo);
    }
    return b;
}

std::optional<Colour> GameRecord::winner_of(const RecordedLine& line, Colour mover) {
    switch (line.ending) {
        case Ending::Resignation:
        case Ending::TimeUp:
        case Ending::IllegalMove:
        case Ending::Mate:
            return opposite(mover);
        case Ending::IllegalByOther:
        case Ending::DeclaredWin:
            return mover;
        default:
            return std::nullopt;
    }
}

std::vector<Move> GameRecord::moves_before(std::size_t line) const {
    if (line == 0) return {};
    const Variation& v = variations[line - 1];
    std::vector<Move> before = moves_before(v.parent);
    const std::vector<RecordedMove>& own = v.parent == 0 ? moves : variations[v.parent - 1].moves;
    for (std::size_t i = 0; before.size() < v.begin && i < own.size(); ++i) {
        before.push_back(own[i].move);
    }
    return before;
}

void GameRecord::sort_variations() {
    std::vector<Variation> sorted;
    // Variations of `line`, which is to have the number `number` from now on.
    const auto add = [&](const auto& self, std::size_t line, std::size_t number) -> void {
        std::vector<std::size_t> own;
        for (std::size_t i = 0; i < variations.size(); ++i) {
            if (variations[i].parent == line) own.push_back(i);
        }
        std::sort(own.begin(), own.end(), [&](std::size_t a, std::size_t b) {
            if (variations[a].begin == variations[b].begin) return a < b;
            return variations[a].begin > variations[b].begin;
        });
        for (const std::size_t i : own) {
            sorted.push_back(variations[i]);
            sorted.back().parent = number;
            self(self, i + 1, sorted.size());
        }
    };
    add(add, 0, 0);
    variations = std::move(sorted);
}

std::optional<std::size_t> parent_of(const GameRecord& record, std::size_t line,
                                     std::size_t begin) {
    while (line != 0 && begin <= record.variations[line - 1].begin) {
        line = record.variations[line - 1].parent;
    }
    const std::size_t end =
        line == 0 ? record.moves.size()
                  : record.variations[line - 1].begin + record.variations[line - 1].moves.size();
    if (begin > end) return std::nullopt;
    return line;
}

const std::vector<Handicap>& handicaps() {
    static const std::vector<Handicap> kHandicaps = {
        {"平手", "even", "HIRATE", kStartSfen},
        {"香落ち", "lance", "KY",
         "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"右香落ち", "right lance", "KY_R",
         "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"角落ち", "bishop", "KA", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"飛車落ち", "rook", "HI", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"飛香落ち", "rook and lance", "HIKY",
         "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"二枚落ち", "two pieces", "2",
         "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"三枚落ち", "three pieces", "3",
         "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"四枚落ち", "four pieces", "4",
         "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"五枚落ち", "five pieces", "5",
         "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"左五枚落ち", "five pieces, left", "5_L",
         "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"六枚落ち", "six pieces", "6",
         "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"左七枚落ち", "seven pieces, left", "7_L",
         "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"右七枚落ち", "seven pieces, right", "7_R",
         "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"八枚落ち", "eight pieces", "8",
         "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"十枚落ち", "ten pieces", "10", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    };
    return kHandicaps;
}

std::string_view kind_of_record(std::string_view bytes) {
    std::string_view rest = bytes;
    if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    if (rest.starts_with('{')) return "jkf";
    // CSA begins with a version, a comment, a name or a position; KIF has none of these so.
    for (const std::string_view word : {"'", "V2", "V3", "N+", "N-", "$", "PI", "P1", "P+", "P-"}) {
        if (rest.starts_with(word)) return "csa";
    }
    const auto text = to_utf8(bytes);
    for (const std::string_view mark : {"▲", "△", "▼", "▽", "☗", "☖"}) {
        if (text && (text->starts_with(mark) ||
                     text->find("\n" + std::string(mark)) != std::string::npos)) {
            return "ki2";
        }
    }
    return "kif";
}

Expected<GameRecord> parse_record(std::string_view bytes) {
    if (bytes.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        return Error{"the record is empty", "name another file"};
    }
    const std::string_view kind = kind_of_record(bytes);
    if (kind == "jkf") return parse_jkf(bytes);
    return kind == "csa" ? parse_csa(bytes) : parse_kif(bytes);
}

}  // namespace karikomi::shogi
