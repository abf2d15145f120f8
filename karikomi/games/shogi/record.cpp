#include "karikomi/games/shogi/record.hpp"

namespace karikomi::shogi {

Board GameRecord::board_after(std::size_t moves_played) const {
    Board b = start.board;
    for (std::size_t i = 0; i < std::min(moves_played, moves.size()); ++i) {
        BoardUndo undo;
        b.do_move(moves[i].move, undo);
    }
    return b;
}

std::optional<Colour> GameRecord::winner() const {
    switch (ending) {
        case Ending::Resignation:
        case Ending::TimeUp:
        case Ending::IllegalMove:
        case Ending::Mate:
            return opposite(mover());
        case Ending::IllegalByOther:
        case Ending::DeclaredWin:
            return mover();
        default:
            return std::nullopt;
    }
}

const std::vector<Handicap>& handicaps() {
    static const std::vector<Handicap> kHandicaps = {
        {"平手", "even", kStartSfen},
        {"香落ち", "lance", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"右香落ち", "right lance",
         "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"角落ち", "bishop", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"飛車落ち", "rook", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"飛香落ち", "rook and lance",
         "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"二枚落ち", "two pieces", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"三枚落ち", "three pieces", "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"四枚落ち", "four pieces", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"五枚落ち", "five pieces", "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"左五枚落ち", "five pieces, left",
         "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"六枚落ち", "six pieces", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"左七枚落ち", "seven pieces, left",
         "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"右七枚落ち", "seven pieces, right",
         "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"八枚落ち", "eight pieces", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"十枚落ち", "ten pieces", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    };
    return kHandicaps;
}

Expected<GameRecord> parse_record(std::string_view bytes) {
    // CSA begins with a version, a comment, a name or a position; KIF has none of these so.
    std::string_view rest = bytes;
    if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
    const std::size_t start = rest.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return Error{"the record is empty", "name another file"};
    rest.remove_prefix(start);
    const bool is_csa = rest.starts_with('\'') || rest.starts_with("V2") ||
                        rest.starts_with("V3") || rest.starts_with("N+") ||
                        rest.starts_with("N-") || rest.starts_with('$') || rest.starts_with("PI") ||
                        rest.starts_with("P1") || rest.starts_with("P+") || rest.starts_with("P-");
    return is_csa ? parse_csa(bytes) : parse_kif(bytes);
}

}  // namespace karikomi::shogi
