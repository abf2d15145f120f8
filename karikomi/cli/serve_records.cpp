#include "karikomi/cli/serve_records.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/othello/records.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/games/renju/records.hpp"
#include "karikomi/games/shogi/record.hpp"
#include "karikomi/lab/match/squares.hpp"

namespace karikomi::cli {
namespace {

using server::KeptGame;
using server::ReadGame;
using server::WrittenGame;
using Words = std::vector<std::string>;

Words words_of(const std::string& text) {
    Words words;
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

std::string trimmed(const std::string& text) {
    const char* const blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

Error cannot_read(const std::string& game, const std::string& help) {
    return {fmt::format("this is neither a position nor moves nor a record of {}", game),
            fmt::format("positions are written so: {}", help)};
}

Error no_such_game(std::size_t games) {
    return {fmt::format("the file has {} games", games), "choose one of them"};
}

std::string names_of(const std::string& first, const std::string& second) {
    return first.empty() && second.empty() ? std::string() : first + " – " + second;
}

/// Moves one by one: the engine that has taken them all says what they are.
Expected<ReadGame> as_moves(Engine& engine, const Words& words, const std::string& format) {
    ReadGame out;
    out.format = format;
    if (const Status s = engine.set_position({}); !s) return s.error();
    for (const std::string& word : words) {
        if (const Status s = engine.play(word); !s) return s.error();
        out.moves.push_back(word);
    }
    return out;
}

/// "position sfen ... moves ...", "startpos moves ..." or only the moves.
Expected<ReadGame> read_usi(const std::string& text) {
    Words words = words_of(text);
    if (!words.empty() && words.front() == "position") words.erase(words.begin());
    ReadGame out;
    out.format = "usi";
    const auto moves_at = std::find(words.begin(), words.end(), "moves");
    if (!words.empty() && words.front() == "sfen") {
        out.start = fmt::format("{}", fmt::join(words.begin() + 1, moves_at, " "));
    } else if (words.empty() || words.front() != "startpos") {
        return Error{"this is not a USI position", ""};
    }
    if (moves_at != words.end()) out.moves.assign(moves_at + 1, words.end());
    return out;
}

Expected<std::vector<shogi::GameRecord>> shogi_games(const std::string& bytes) {
    auto one = shogi::parse_record(bytes);
    if (one) return std::vector<shogi::GameRecord>{std::move(*one)};
    // A CSA file may hold several games; what was wrong with the first is the better complaint.
    if (auto many = shogi::parse_csa_games(bytes); many && !many->empty()) return many;
    return one.error();
}

Expected<ReadGame> read_shogi(const std::string& bytes, std::size_t number) {
    if (auto usi = read_usi(bytes)) return usi;
    const auto games = shogi_games(bytes);
    if (!games) return games.error();
    if (number >= games->size()) return no_such_game(games->size());
    const shogi::GameRecord& record = (*games)[number];
    ReadGame out;
    out.format = "record";
    out.games = games->size();
    const std::string start = shogi::format_sfen(record.start.board, record.start.move_number);
    if (start != shogi::kStartSfen) out.start = start;
    for (const auto& m : record.moves) out.moves.push_back(shogi::format_usi(m.move));
    out.title = names_of(record.names[0], record.names[1]);
    return out;
}

Expected<ReadGame> read_othello(const std::string& bytes, std::size_t number) {
    const auto format = othello::detect_format(bytes);
    if (!format) return Error{"this is no Othello record", ""};
    const othello::Records records = othello::read_records(bytes, *format);
    if (records.games.empty()) {
        if (records.errors.empty()) return Error{"there is no game in this record", ""};
        return Error{othello::describe(records.errors.front()), "correct the record"};
    }
    if (number >= records.games.size()) return no_such_game(records.games.size());
    const othello::GameRecord& game = records.games[number];
    ReadGame out;
    out.format = std::string(othello::name_of(*format));
    out.games = records.games.size();
    const std::string start = othello::format_obf(game.start);
    if (start != othello::format_obf(othello::start_position())) out.start = start;
    for (const auto& m : game.moves) out.moves.push_back(othello::format_square(m.square));
    out.title = names_of(game.black, game.white);
    return out;
}

/// SGF, PSQ and RenLib, on the page's boards.
Expected<ReadGame> read_stones(const std::string& bytes, std::size_t number) {
    const auto games = renju::read_records(bytes);
    if (!games) return games.error();
    if (number >= games->size()) return no_such_game(games->size());
    const renju::GameRecord& game = (*games)[number];
    if (game.size != renju::kUsualSize) {
        return Error{fmt::format("this game is on a board of {0} x {0}", game.size),
                     "the page has boards of 15 x 15"};
    }
    ReadGame out;
    out.format = bytes.starts_with("Piskvorky") ? "psq" : bytes[0] == '(' ? "sgf" : "renlib";
    out.games = games->size();
    for (const renju::Cell c : game.moves) out.moves.push_back(renju::Notation::format_cell(c));
    out.title = names_of(game.black, game.white);
    return out;
}

bool is_stones(const std::string& game) {
    return game == "renju" || game == "gomoku";
}

/// A record; nothing where the bytes look like none.
std::optional<Expected<ReadGame>> read_record(const std::string& game, const std::string& bytes,
                                              std::size_t number) {
    if (is_stones(game)) {
        const bool sgf = bytes.find("(;") != std::string::npos;
        const bool lib = bytes.starts_with("\xFFRenLib");
        if (sgf || lib || bytes.starts_with("Piskvorky")) return read_stones(bytes, number);
    }
    if (game == "shogi") {
        auto record = read_shogi(bytes, number);
        // Words of KIF and CSA: then what is wrong with the record is what matters.
        const bool sure = bytes.find("手数") != std::string::npos || bytes.starts_with("V2") ||
                          !shogi::is_utf8(bytes);
        if (record || sure) return record;
    }
    if (game == "othello") {
        // Before the position: a list of positions with scores is a record too.
        auto record = read_othello(bytes, number);
        const bool sure = bytes.find("(;") != std::string::npos ||
                          bytes.find('\0') != std::string::npos || !shogi::is_utf8(bytes);
        if (record || sure) return record;
    }
    return std::nullopt;
}

/// A position, moves from the start, or a record.
Expected<ReadGame> read(const std::string& game, const std::string& bytes, std::size_t number) {
    auto engine = make_engine(game);
    if (!engine) return engine.error();
    const bool is_text = shogi::is_utf8(bytes) && bytes.find('\0') == std::string::npos;
    const std::string text = is_text ? trimmed(bytes) : bytes;
    if (is_text) {
        if (auto moves = as_moves(**engine, words_of(text), "moves")) return moves;
    }
    if (auto record = read_record(game, text, number)) return *record;
    if (is_text && text.size() < 4'000 && (*engine)->set_position(text)) {
        ReadGame out;
        out.format = "position";
        // A notation that is the list of moves from the start is better read as these.
        Words digits;
        for (const char c : text) digits.emplace_back(1, c);
        if (auto moves = as_moves(**engine, digits, "moves")) return moves;
        out.start = text;
        return out;
    }
    return cannot_read((*engine)->info().title, (*engine)->info().position_help);
}

// ---- Writing ------------------------------------------------------------------------------------

/// The game played to its end on a board.
Expected<std::unique_ptr<Engine>> replay(const KeptGame& kept) {
    auto engine = make_engine(kept.game);
    if (!engine) return engine.error();
    if (const Status s = (*engine)->set_position(kept.start); !s) return s.error();
    for (const std::string& word : words_of(kept.moves)) {
        if (const Status s = (*engine)->play(word); !s) return s.error();
    }
    return engine;
}

/// How it ended: on the board, or because somebody gave up.
Expected<shogi::Ending> shogi_ending(const KeptGame& kept) {
    const auto engine = replay(kept);
    if (!engine) return engine.error();
    const auto winner = (*engine)->winner();
    if (!winner) return kept.result.empty() ? shogi::Ending::None : shogi::Ending::Resignation;
    if (*winner == Winner::Nobody) return shogi::Ending::Repetition;
    return (*engine)->legal_moves().empty() ? shogi::Ending::Mate : shogi::Ending::None;
}

Expected<WrittenGame> write_shogi(const KeptGame& kept, const std::string& format) {
    const auto start = shogi::parse_sfen(kept.start.empty() ? shogi::kStartSfen : kept.start);
    if (!start) return start.error();
    if (format == "usi") {
        const std::string where = kept.start.empty() ? "startpos" : "sfen " + kept.start;
        return WrittenGame{fmt::format("position {} moves {}\n", where, kept.moves), "txt"};
    }
    shogi::GameRecord record{.start = *start};
    const auto ending = shogi_ending(kept);
    if (!ending) return ending.error();
    record.ending = *ending;
    for (const std::string& word : words_of(kept.moves)) {
        const auto move = shogi::parse_usi(word);
        if (!move) return move.error();
        if (move->is_declaration()) {
            record.ending = shogi::Ending::DeclaredWin;
            break;
        }
        record.moves.push_back({*move});
    }
    if (format == "csa") return WrittenGame{shogi::format_csa(record), "csa"};
    const auto kif = shogi::format_kif(record);
    if (!kif) return kif.error();
    return WrittenGame{*kif, "kifu"};  // as files in UTF-8 are named
}

othello::WthorDate today() {
    const std::chrono::year_month_day d(
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
    return {int(d.year()), static_cast<int>(unsigned(d.month())),
            static_cast<int>(unsigned(d.day()))};
}

Expected<WrittenGame> write_othello(const KeptGame& kept, const std::string& format) {
    othello::GameRecord record;
    if (!kept.start.empty()) {
        const auto start = othello::parse_obf(kept.start);
        if (!start) return start.error();
        record.start = *start;
    }
    othello::Replay replay(record);
    for (const std::string& word : words_of(kept.moves)) {
        const auto square = othello::parse_square(word);
        if (!square) return square.error();
        if (const Status s = replay.play({*square}); !s) return s.error();
    }
    record.result = othello::final_result(record);
    if (format == "ggf") return WrittenGame{othello::format_ggf(record) + "\n", "ggf"};
    if (format == "obf") {
        return WrittenGame{othello::format_obf(othello::end_position(record)) + "\n", "obf"};
    }
    if (format == "wthor") {
        const auto files = othello::format_wthor({&record, 1}, today());
        if (!files) return files.error();
        return WrittenGame{files->games, "wtb", false};
    }
    const auto line = othello::format_transcript(record);
    if (!line) return line.error();
    return WrittenGame{*line, "txt"};
}

/// Stones of the start become the first moves, Black's and White's by turns: neither format has
/// another place for them.
Expected<Words> moves_from_empty(const KeptGame& kept) {
    Words moves;
    if (!kept.start.empty()) {
        const auto pos = renju::Notation::parse(kept.start);
        if (!pos) return pos.error();
        std::array<Words, 2> stones;
        for (int y = 0; y < pos->size(); ++y) {
            for (int x = 0; x < pos->size(); ++x) {
                const int colour = pos->lines().stone(renju::cell_at(x, y));
                if (colour < 0) continue;
                stones.at(static_cast<std::size_t>(colour))
                    .push_back(renju::Notation::format_cell(renju::cell_at(x, y)));
            }
        }
        const auto turn = static_cast<std::size_t>(pos->side());
        if (stones[0].size() != stones[1].size() + turn) {
            return Error{"the stones of the start position are not placed by turns",
                         "these formats cannot hold such a game"};
        }
        for (std::size_t i = 0; i < stones[0].size() + stones[1].size(); ++i) {
            moves.push_back(stones.at(i % 2).at(i / 2));
        }
    }
    const Words played = words_of(kept.moves);
    moves.insert(moves.end(), played.begin(), played.end());
    return moves;
}

Expected<WrittenGame> write_stones(const KeptGame& kept, const std::string& format) {
    const auto moves = moves_from_empty(kept);
    if (!moves) return moves.error();
    const match::Squares squares;  // of a board of 15
    const auto size = squares.size();
    std::string out = fmt::format("Piskvorky {0}x{0}, 11:11, 0\n", size);
    if (format == "sgf") {
        const bool drawn = kept.result == "draw";
        out = fmt::format("(;FF[4]GM[4]AP[karikomi]SZ[{}]", size);
        if (!kept.result.empty()) {
            out += fmt::format("RE[{}]", drawn ? "0" : kept.result == "first" ? "B+" : "W+");
        }
    }
    for (std::size_t i = 0; i < moves->size(); ++i) {
        const auto [x, y] = squares.pair_of((*moves)[i]);
        if (format == "sgf") {
            out += fmt::format(";{}[{}{}]", i % 2 == 0 ? 'B' : 'W', static_cast<char>('a' + x),
                               static_cast<char>('a' + y));
        } else {
            out += fmt::format("{},{},0\n", x + 1, y + 1);
        }
    }
    return WrittenGame{format == "sgf" ? out + ")\n" : out, format};
}

Words formats(const std::string& game) {
    if (game == "shogi") return {"kif", "csa", "usi"};
    if (game == "othello") return {"transcript", "ggf", "wthor", "obf"};
    if (is_stones(game)) return {"sgf", "psq", "moves"};
    return {"moves"};
}

Expected<WrittenGame> write(const KeptGame& kept, const std::string& format) {
    const Words known = formats(kept.game);
    if (std::find(known.begin(), known.end(), format) == known.end()) {
        return Error{fmt::format("'{}' is not written for this game", format.substr(0, 40)),
                     fmt::format("use one of {}", fmt::join(known, ", "))};
    }
    if (kept.game == "shogi") return write_shogi(kept, format);
    if (kept.game == "othello") return write_othello(kept, format);
    if (is_stones(kept.game) && format != "moves") return write_stones(kept, format);
    std::string moves = kept.moves;
    if (kept.game == "connect_four") std::erase(moves, ' ');  // its notation is one word
    return WrittenGame{moves + "\n", "txt"};
}

}  // namespace

server::Records page_records() {
    return {read, write, formats};
}

}  // namespace karikomi::cli
