#include "karikomi/cli/serve_records.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/games/othello/records.hpp"
#include "karikomi/games/registry.hpp"
#include "karikomi/games/shogi/record.hpp"

namespace karikomi::cli {
namespace {

using server::KeptGame;
using server::ReadGame;
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

Expected<ReadGame> read_shogi(const std::string& text) {
    if (auto usi = read_usi(text)) return usi;
    const auto record = shogi::parse_record(text);
    if (!record) return record.error();
    ReadGame out;
    out.format = "record";
    const std::string start = shogi::format_sfen(record->start.board, record->start.move_number);
    if (start != shogi::kStartSfen) out.start = start;
    for (const auto& m : record->moves) out.moves.push_back(shogi::format_usi(m.move));
    if (!record->names[0].empty() || !record->names[1].empty()) {
        out.title = record->names[0] + " – " + record->names[1];
    }
    return out;
}

Expected<ReadGame> read_othello(const std::string& text) {
    const auto format = othello::detect_format(text);
    if (!format) return Error{"this is no Othello record", ""};
    const othello::Records records = othello::read_records(text, *format);
    if (records.games.empty()) {
        if (records.errors.empty()) return Error{"there is no game in this record", ""};
        return Error{othello::describe(records.errors.front()), "correct the record"};
    }
    const othello::GameRecord& game = records.games.front();
    ReadGame out;
    out.format = std::string(othello::name_of(*format));
    const std::string start = othello::format_obf(game.start);
    if (start != othello::format_obf(othello::start_position())) out.start = start;
    for (const auto& m : game.moves) {
        out.moves.push_back(m.square == othello::kPass ? "pa" : othello::format_square(m.square));
    }
    if (!game.black.empty() || !game.white.empty()) out.title = game.black + " – " + game.white;
    return out;
}

/// A position, moves from the start, or a record.
Expected<ReadGame> read(const std::string& game, const std::string& pasted) {
    auto engine = make_engine(game);
    if (!engine) return engine.error();
    const std::string text = trimmed(pasted);
    if (auto moves = as_moves(**engine, words_of(text), "moves")) return moves;
    if (game == "shogi") {
        if (auto record = read_shogi(text)) return record;
    }
    if (game == "othello") {
        // Before the position: a list of positions with scores is a record too.
        auto record = read_othello(text);
        if (record || text.find("(;") != std::string::npos) return record;
    }
    if (text.size() < 4'000 && (*engine)->set_position(text)) {
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

Expected<std::string> write_shogi(const KeptGame& kept, const std::string& format) {
    const auto start = shogi::parse_sfen(kept.start.empty() ? shogi::kStartSfen : kept.start);
    if (!start) return start.error();
    if (format == "usi") {
        const std::string where = kept.start.empty() ? "startpos" : "sfen " + kept.start;
        return fmt::format("position {} moves {}\n", where, kept.moves);
    }
    shogi::GameRecord record{.start = *start};
    for (const std::string& word : words_of(kept.moves)) {
        const auto move = shogi::parse_usi(word);
        if (!move) return move.error();
        if (move->is_declaration()) {
            record.ending = shogi::Ending::DeclaredWin;
            break;
        }
        record.moves.push_back({*move});
    }
    if (format == "csa") return shogi::format_csa(record);
    return shogi::format_kif(record);
}

Expected<std::string> write_othello(const KeptGame& kept, const std::string& format) {
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
    if (format == "ggf") return othello::format_ggf(record) + "\n";
    if (format == "obf") return othello::format_obf(othello::end_position(record)) + "\n";
    return othello::format_transcript(record);
}

Words formats(const std::string& game) {
    if (game == "shogi") return {"kif", "csa", "usi"};
    if (game == "othello") return {"transcript", "ggf", "obf"};
    return {"moves"};
}

Expected<std::string> write(const KeptGame& kept, const std::string& format) {
    const Words known = formats(kept.game);
    if (std::find(known.begin(), known.end(), format) == known.end()) {
        return Error{fmt::format("'{}' is not written for this game", format.substr(0, 40)),
                     fmt::format("use one of {}", fmt::join(known, ", "))};
    }
    if (kept.game == "shogi") return write_shogi(kept, format);
    if (kept.game == "othello") return write_othello(kept, format);
    if (kept.game != "connect_four") return kept.moves + "\n";
    std::string columns = kept.moves;  // its notation is the columns in one word
    std::erase(columns, ' ');
    return columns + "\n";
}

}  // namespace

server::Records page_records() {
    return {read, write, formats};
}

}  // namespace karikomi::cli
