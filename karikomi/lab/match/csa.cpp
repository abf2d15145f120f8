/// Shogi games in CSA. Its moves name the piece after the move, so a board is kept here; the
/// referee has judged the moves already.
#include <array>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "karikomi/lab/match/export.hpp"

namespace karikomi::match {
namespace {

constexpr std::string_view kStart =
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// A piece by its SFEN letter; lower case: White's.
struct Piece {
    char letter = ' ';
    bool promoted = false;
};

bool is_white(char letter) {
    return letter >= 'a';
}
char upper(char letter) {
    return is_white(letter) ? static_cast<char>(letter - 'a' + 'A') : letter;
}

std::string csa_name(Piece p) {
    static const std::map<char, std::array<const char*, 2>> kNames = {
        {'P', {"FU", "TO"}}, {'L', {"KY", "NY"}}, {'N', {"KE", "NK"}}, {'S', {"GI", "NG"}},
        {'G', {"KI", "KI"}}, {'B', {"KA", "UM"}}, {'R', {"HI", "RY"}}, {'K', {"OU", "OU"}}};
    const auto found = kNames.find(upper(p.letter));
    return found == kNames.end() ? "**" : found->second[p.promoted ? 1 : 0];
}

class Board {
public:
    explicit Board(std::string_view sfen) {
        std::istringstream in{std::string(sfen)};
        std::string cells;
        std::string side;
        in >> cells >> side >> hands_;
        std::size_t at = 0;
        bool promoted = false;
        for (const char c : cells) {
            if (c == '+') {
                promoted = true;
            } else if (c >= '1' && c <= '9') {
                at += static_cast<std::size_t>(c - '0');
            } else if (c != '/') {
                if (at < squares_.size()) squares_[at] = {c, promoted};
                ++at;
                promoted = false;
            }
        }
        white_ = side == "w";
    }

    bool white() const { return white_; }

    /// The move in CSA; played on the board.
    std::string play(const std::string& usi) {
        std::string out = white_ ? "-" : "+";
        if (usi.size() < 4) return out;
        Piece piece;
        if (usi[1] == '*') {
            piece.letter = usi[0];
            out += "00";
        } else {
            Piece& from = square(usi[0], usi[1]);
            piece = from;
            piece.promoted |= usi.size() > 4 && usi[4] == '+';
            from = {};
            out += csa_square(usi[0], usi[1]);
        }
        out += csa_square(usi[2], usi[3]) + csa_name(piece);
        square(usi[2], usi[3]) = piece;
        white_ = !white_;
        return out;
    }

    /// P1 to P9 and the pieces in hand.
    std::string draw() const {
        std::string out;
        for (std::size_t rank = 0; rank < 9; ++rank) {
            out += fmt::format("P{}", rank + 1);
            for (std::size_t file = 0; file < 9; ++file) {
                const Piece& p = squares_[9 * rank + file];
                if (p.letter == ' ') {
                    out += " * ";
                } else {
                    out += (is_white(p.letter) ? "-" : "+") + csa_name(p);
                }
            }
            out += "\n";
        }
        return out + hand_lines();
    }

private:
    Piece& square(char file, char rank) {
        const int f = '9' - file;
        const int r = rank - 'a';
        static Piece nowhere;
        if (f < 0 || f > 8 || r < 0 || r > 8) return nowhere = {};
        return squares_[static_cast<std::size_t>(9 * r + f)];
    }
    static std::string csa_square(char file, char rank) {
        return fmt::format("{}{}", file, static_cast<char>('1' + (rank - 'a')));
    }
    std::string hand_lines() const {
        std::string lines[2] = {"P+", "P-"};
        int count = 0;
        for (const char c : hands_) {
            if (c >= '0' && c <= '9') {
                count = 10 * count + (c - '0');
            } else if (c != '-') {
                for (int i = 0; i < std::max(count, 1); ++i) {
                    lines[is_white(c) ? 1 : 0] += "00" + csa_name({c, false});
                }
                count = 0;
            }
        }
        std::string out;
        for (const std::string& line : lines) {
            if (line.size() > 2) out += line + "\n";
        }
        return out;
    }

    std::array<Piece, 81> squares_{};
    std::string hands_;
    bool white_ = false;
};

std::string_view csa_end(const GameResult& r) {
    switch (r.end) {
        case End::Resigned:
            return "%TORYO";
        case End::Time:
        case End::Hang:
            return "%TIME_UP";
        case End::Illegal:
            return "%ILLEGAL_MOVE";
        case End::MoveLimit:
            return "%MAX_MOVES";
        case End::Rules:
            return r.winner == Winner::Nobody ? "%SENNICHITE" : "%TSUMI";
        case End::ByScore:
        case End::Crash:
        case End::Stopped:
            break;
    }
    return "%CHUDAN";
}

}  // namespace

std::string to_csa(const GameRow& row, const std::vector<std::string>& names) {
    const std::string& start = row.opening.position;
    Board board(start.empty() ? kStart : std::string_view(start));
    std::string date = row.started.substr(0, 19);
    for (char& c : date) c = c == '-' ? '/' : c == 'T' ? ' ' : c;
    std::string out = fmt::format("V2.2\nN+{}\nN-{}\n$EVENT:karikomi match\n$START_TIME:{}\n",
                                  names.at(static_cast<std::size_t>(row.slot.first)),
                                  names.at(static_cast<std::size_t>(row.slot.second)), date);
    out += start.empty() ? "PI\n" : board.draw();
    out += board.white() ? "-\n" : "+\n";
    bool declared = false;
    for (const MoveNote& n : row.result.moves) {
        declared = n.move == "win";
        if (declared) break;
        out += fmt::format("{}\nT{}\n", board.play(n.move), n.time_ms / 1000);
    }
    out += declared ? "%KACHI" : csa_end(row.result);
    return out + fmt::format("\n'reason {}\n/\n", name_of(row.result.end));
}

}  // namespace karikomi::match
