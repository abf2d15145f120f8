#include "karikomi/lab/match/export.hpp"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/games/othello/records.hpp"
#include "karikomi/lab/match/squares.hpp"

namespace karikomi::match {
namespace {

struct Known {
    std::string_view name;
    ExportFormat format;
    std::vector<std::string_view> games;  ///< empty: any
};
const std::vector<Known>& known() {
    static const std::vector<Known> kKnown = {
        {"jsonl", ExportFormat::JsonLines, {}},
        {"usi", ExportFormat::Usi, {}},
        {"transcript", ExportFormat::Transcript, {"othello"}},
        {"ggf", ExportFormat::Ggf, {"othello"}},
        {"csa", ExportFormat::Csa, {"shogi"}},
        {"kif", ExportFormat::Kif, {"shogi"}},
        {"sgf", ExportFormat::Sgf, {"renju", "gomoku", "standard_gomoku"}},
        {"psq", ExportFormat::Psq, {"renju", "gomoku", "standard_gomoku"}},
    };
    return kKnown;
}

const std::string& name_at(const std::vector<std::string>& names, int engine) {
    return names.at(static_cast<std::size_t>(engine));
}

othello::Ending ending_of(End end) {
    if (end == End::Resigned) return othello::Ending::Resigned;
    if (end == End::Time || end == End::Hang) return othello::Ending::TimeOut;
    return end == End::ByRules ? othello::Ending::Played : othello::Ending::Agreed;
}

Expected<othello::GameRecord> othello_record(const GameRow& row,
                                             const std::vector<std::string>& names) {
    othello::GameRecord game;
    if (!row.opening.position.empty()) {
        const auto start = othello::parse_obf(row.opening.position);
        if (!start) return start.error();
        game.start = *start;
    }
    game.black = name_at(names, row.slot.first);
    game.white = name_at(names, row.slot.second);
    game.place = "karikomi";
    game.date = row.started;
    othello::Replay replay(game);
    for (const MoveNote& n : row.result.moves) {
        const auto square = othello::parse_square(n.move);
        if (!square) return square.error();
        if (*square == othello::kPass) continue;  // the record puts them in by itself
        othello::RecordMove move{*square, n.score, {}};
        if (n.asked) move.seconds = static_cast<double>(n.time_ms) / 1000.0;
        if (const Status s = replay.play(move); !s) return s.error();
    }
    game.ending = ending_of(row.result.end);
    game.result = othello::final_result(game);
    if (!game.result || row.result.end != End::ByRules) {
        game.result = row.result.winner == Winner::Nobody  ? 0.0
                      : row.result.winner == Winner::First ? 64.0
                                                           : -64.0;
    }
    return game;
}

Expected<std::string> to_transcript(const GameRow& row) {
    if (!row.opening.position.empty()) {
        return Error{fmt::format("game {} does not begin at the start of the game", row.slot.game),
                     "use ggf or jsonl"};
    }
    std::string line;
    for (const MoveNote& n : row.result.moves) {
        if (n.move != "pa") line += n.move;
    }
    return line + "\n";
}

std::string to_usi(const GameRow& row) {
    const std::string& start = row.opening.position;
    std::string line = start.empty() ? "startpos" : "sfen " + start;
    if (!row.result.moves.empty()) line += " moves";
    for (const MoveNote& n : row.result.moves) line += " " + n.move;
    return line + "\n";
}

std::string sgf_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == ']' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

}  // namespace

Expected<ExportFormat> export_format(const std::string& name, const std::string& game) {
    std::vector<std::string_view> names;
    for (const Known& k : known()) {
        const bool fits =
            k.games.empty() || std::find(k.games.begin(), k.games.end(), game) != k.games.end();
        if (fits && k.name == name) return k.format;
        if (fits) names.push_back(k.name);
    }
    return Error{fmt::format("--format: {} is not written as '{}'", game, name),
                 fmt::format("use one of {}", fmt::join(names, ", "))};
}

Expected<std::string> export_game(const GameRow& row, const std::vector<std::string>& names,
                                  ExportFormat format) {
    switch (format) {
        case ExportFormat::JsonLines:
            return to_json(row, names).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
        case ExportFormat::Transcript:
            return to_transcript(row);
        case ExportFormat::Ggf: {
            const auto record = othello_record(row, names);
            if (!record) return record.error();
            return othello::format_ggf(*record) + "\n";
        }
        case ExportFormat::Usi:
            return to_usi(row);
        case ExportFormat::Csa:
            return to_csa(row, names);
        case ExportFormat::Kif:
            return to_kif(row, names);
        case ExportFormat::Sgf:
            return to_sgf(row, names);
        case ExportFormat::Psq:
            return to_psq(row);
    }
    return Error{"unknown format"};
}

// ---- Renju and gomoku ---------------------------------------------------------------------------

std::string to_sgf(const GameRow& row, const std::vector<std::string>& names) {
    const Squares squares(row.result.final_position);
    const Winner w = row.result.winner;
    std::string out = fmt::format("(;FF[4]GM[4]SZ[{}]PB[{}]PW[{}]RE[{}]DT[{}]", squares.size(),
                                  sgf_text(name_at(names, row.slot.first)),
                                  sgf_text(name_at(names, row.slot.second)),
                                  w == Winner::Nobody  ? "0"
                                  : w == Winner::First ? "B+"
                                                       : "W+",
                                  row.started.substr(0, 10));
    if (!row.opening.position.empty()) out += fmt::format("C[{}]", sgf_text(row.opening.position));
    for (std::size_t i = 0; i < row.result.moves.size(); ++i) {
        const MoveNote& n = row.result.moves[i];
        const auto [x, y] = squares.pair_of(n.move);
        out += fmt::format(";{}[{}{}]", i % 2 == 0 ? 'B' : 'W', static_cast<char>('a' + x),
                           static_cast<char>('a' + y));
        if (n.asked) out += fmt::format("C[{}ms]", n.time_ms);
    }
    return out + ")\n";
}

std::string to_psq(const GameRow& row) {
    const Squares squares(row.result.final_position);
    std::string out = fmt::format("Piskvorky {0}x{0}, 11:11, 0\n", squares.size());
    for (const MoveNote& n : row.result.moves) {
        const auto [x, y] = squares.pair_of(n.move);
        out += fmt::format("{},{},{}\n", x + 1, y + 1, n.time_ms);
    }
    return out;
}

}  // namespace karikomi::match
