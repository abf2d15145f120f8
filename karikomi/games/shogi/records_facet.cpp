/// Shogi's record formats (KIF, CSA, lines of USI) as the rest of the program asks for them.
#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/games/shogi/facets.hpp"
#include "karikomi/games/shogi/record.hpp"

namespace karikomi::shogi {
namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& text) {
    Words words;
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

// ---- Our record and everybody's -----------------------------------------------------------------

constexpr std::array<std::pair<Ending, const char*>, 14> kEndings = {
    {{Ending::None, "open"},
     {Ending::Resignation, "resignation"},
     {Ending::Interruption, "interruption"},
     {Ending::Repetition, "repetition"},
     {Ending::Impasse, "impasse"},
     {Ending::TimeUp, "time"},
     {Ending::IllegalMove, "illegal_move"},
     {Ending::IllegalByOther, "illegal_by_other"},
     {Ending::DeclaredWin, "declared_win"},
     {Ending::Draw, "draw"},
     {Ending::MaxMoves, "max_moves"},
     {Ending::Mate, "mate"},
     {Ending::NoMate, "no_mate"},
     {Ending::Broken, "error"}}};

const char* name_of_ending(Ending ending) {
    for (const auto& [e, name] : kEndings) {
        if (e == ending) return name;
    }
    return "open";
}

GameEnd end_of(Ending ending) {
    switch (ending) {
        case Ending::None:
        case Ending::NoMate:
        case Ending::Broken:
            return GameEnd::Open;
        case Ending::Resignation:
            return GameEnd::Resigned;
        case Ending::TimeUp:
            return GameEnd::Time;
        case Ending::IllegalMove:
        case Ending::IllegalByOther:
            return GameEnd::Illegal;
        case Ending::MaxMoves:
            return GameEnd::MoveLimit;
        case Ending::Interruption:
            return GameEnd::Agreed;
        default:
            return GameEnd::ByRules;
    }
}

Ending ending_of(const PlayedGame& game) {
    switch (game.end) {
        case GameEnd::Resigned:
            return Ending::Resignation;
        case GameEnd::Time:
            return Ending::TimeUp;
        case GameEnd::Illegal:
            return Ending::IllegalMove;
        case GameEnd::MoveLimit:
            return Ending::MaxMoves;
        case GameEnd::ByRules:
            return game.winner == Winner::Nobody ? Ending::Repetition : Ending::Mate;
        case GameEnd::Agreed:
            return Ending::Interruption;
        case GameEnd::Open:
            break;
    }
    return Ending::None;
}

std::string fact(const GameRecord& record, const char* name) {
    for (const auto& [key, value] : record.facts) {
        if (key == name) return value;
    }
    return {};
}

PlayedGame played(const GameRecord& record) {
    PlayedGame game;
    game.start = format_sfen(record.start.board, record.start.move_number);
    if (game.start == kStartSfen) game.start.clear();
    for (const RecordedMove& m : record.moves) {
        PlayedMove& to = game.moves.emplace_back();
        to.move = format_usi(m.move);
        if (m.time) to.time_ms = m.time->count();
        to.comment = m.comment;
    }
    game.names = record.names;
    game.event = fact(record, "EVENT");
    game.date = fact(record, "START_TIME");
    game.comment = record.comment;
    game.end = end_of(record.ending);
    if (const auto winner = record.winner()) {
        game.winner = *winner == kBlack ? Winner::First : Winner::Second;
    } else if (game.end != GameEnd::Open) {
        game.winner = Winner::Nobody;
    }
    return game;
}

Expected<GameRecord> record_of(const PlayedGame& game) {
    const auto start = parse_sfen(game.start.empty() ? std::string(kStartSfen) : game.start);
    if (!start) return start.error();
    GameRecord record{.start = *start};
    record.names = game.names;
    record.comment = game.comment;
    if (!game.event.empty()) record.facts.emplace_back("EVENT", game.event);
    if (!game.date.empty()) {
        std::string date = game.date.substr(0, 19);
        for (char& c : date) c = c == '-' ? '/' : c == 'T' ? ' ' : c;
        record.facts.emplace_back("START_TIME", date);
    }
    record.ending = ending_of(game);
    for (const PlayedMove& m : game.moves) {
        const auto move = parse_usi(m.move);
        if (!move) return move.error();
        if (move->is_declaration()) {
            record.ending = Ending::DeclaredWin;
            break;
        }
        record.moves.push_back({*move, {}, m.comment});
        if (m.time_ms) record.moves.back().time = std::chrono::milliseconds(*m.time_ms);
    }
    return record;
}

// ---- Reading ------------------------------------------------------------------------------------

/// "position sfen ... moves ...", or "startpos moves ...": one game a line.
Expected<GameRecord> read_usi(const std::string& line) {
    Words words = words_of(line);
    if (!words.empty() && words.front() == "position") words.erase(words.begin());
    PlayedGame game;
    const auto moves_at = std::find(words.begin(), words.end(), "moves");
    if (!words.empty() && words.front() == "sfen") {
        game.start = fmt::format("{}", fmt::join(words.begin() + 1, moves_at, " "));
    } else if (words.empty() || words.front() != "startpos") {
        return Error{"this is not a USI position"};
    }
    for (auto it = moves_at; it != words.end(); ++it) {
        if (it != moves_at) game.moves.push_back({*it});
    }
    return record_of(game);
}

bool is_usi(const std::string& bytes) {
    const Words words = words_of(bytes.substr(0, 200));
    if (words.empty()) return false;
    const std::string& first = words[words.front() == "position" && words.size() > 1 ? 1 : 0];
    return first == "startpos" || first == "sfen";
}

std::string line_text(const GameRecord& record) {
    const PlayedGame game = played(record);
    std::string line = game.start.empty() ? "position startpos" : "position sfen " + game.start;
    if (!game.moves.empty()) line += " moves";
    for (const PlayedMove& m : game.moves) line += " " + m.move;
    return line + "\n";
}

Expected<std::string> text_of(const GameRecord& record, const std::string& format,
                              bool every_position) {
    if (format == "csa") return format_csa(record);
    if (format == "usi") return line_text(record);
    if (format == "kif") return format_kif(record);
    std::string out;  // positions
    for (std::size_t i = every_position ? 0 : record.moves.size(); i <= record.moves.size(); ++i) {
        const int number = record.start.move_number + static_cast<int>(i);
        out += format_sfen(record.board_after(i), number) + "\n";
    }
    return out;
}

Json to_json(const GameRecord& record) {
    const PlayedGame game = played(record);
    Json moves = Json::array();
    Json seconds = Json::array();
    Json comments = Json::array();
    bool commented = false;
    for (const PlayedMove& m : game.moves) {
        moves.push_back(m.move);
        seconds.push_back(m.time_ms ? Json(static_cast<double>(*m.time_ms) / 1000.0) : Json());
        comments.push_back(m.comment);
        commented = commented || !m.comment.empty();
    }
    Json facts = Json::object();
    for (const auto& [key, value] : record.facts) facts[key] = value;
    const auto winner = record.winner();
    Json out = {
        {"start", format_sfen(record.start.board, record.start.move_number)},
        {"moves", moves},
        {"seconds", seconds},
        {"black", record.names[0]},
        {"white", record.names[1]},
        {"facts", facts},
        {"ending", name_of_ending(record.ending)},
        {"winner", winner ? Json(*winner == kBlack ? "black" : "white") : Json()},
        {"end", format_sfen(record.board_after(record.moves.size()),
                            record.start.move_number + static_cast<int>(record.moves.size()))}};
    if (commented) out["comments"] = comments;
    if (!record.comment.empty()) out["comment"] = record.comment;
    return out;
}

class ShogiFile final : public RecordFile {
public:
    ShogiFile(std::string format, std::vector<GameRecord> games,
              std::vector<RecordProblem> errors = {})
        : format_(std::move(format)), games_(std::move(games)), errors_(std::move(errors)) {}
    std::string format() const override { return format_; }
    std::size_t size() const override { return games_.size(); }
    PlayedGame game(std::size_t i) const override { return played(games_.at(i)); }
    Json json(std::size_t i) const override { return to_json(games_.at(i)); }
    Expected<std::string> text(std::size_t i, const std::string& format,
                               bool every_position) const override {
        return text_of(games_.at(i), format, every_position);
    }
    const std::vector<RecordProblem>& errors() const override { return errors_; }

private:
    std::string format_;
    std::vector<GameRecord> games_;
    std::vector<RecordProblem> errors_;
};

std::unique_ptr<RecordFile> usi_file(const std::string& bytes) {
    std::vector<GameRecord> games;
    std::vector<RecordProblem> errors;
    std::istringstream in(bytes);
    int number = 0;
    int line_number = 0;
    std::size_t offset = 0;
    for (std::string line; std::getline(in, line); offset += line.size() + 1) {
        ++line_number;
        if (words_of(line).empty()) continue;
        ++number;
        if (auto game = read_usi(line)) {
            games.push_back(std::move(*game));
        } else {
            errors.push_back({number, offset, line_number, game.error().what});
        }
    }
    return std::make_unique<ShogiFile>("usi", std::move(games), std::move(errors));
}

Expected<std::unique_ptr<RecordFile>> read(const std::string& bytes, const std::string& format) {
    if (format == "usi" || (format.empty() && is_usi(bytes))) return usi_file(bytes);
    if (format.empty() || format == "csa") {
        if (auto many = parse_csa_games(bytes); many && !many->empty()) {
            return std::unique_ptr<RecordFile>(new ShogiFile("csa", std::move(*many)));
        }
    }
    auto one = format == "kif"   ? parse_kif(bytes)
               : format == "csa" ? parse_csa(bytes)
                                 : parse_record(bytes);
    if (!one) return one.error();
    std::vector<GameRecord> games;
    games.push_back(std::move(*one));
    return std::unique_ptr<RecordFile>(
        new ShogiFile(format.empty() ? "kif" : format, std::move(games)));
}

Expected<std::unique_ptr<RecordFile>> load(const std::string& file, const std::string& format) {
    const auto bytes = read_bytes(file);
    if (!bytes) return bytes.error();
    auto read_in = read(*bytes, format);
    if (read_in) return read_in;
    return Error{fmt::format("{}: {}", file, read_in.error().what), read_in.error().remedy};
}

}  // namespace

RecordsFacet records_facet() {
    RecordsFacet facet;
    FormatInfo csa{"csa", "csa"};
    csa.separator = "/\n";
    FormatInfo positions{"positions", "txt"};
    positions.read = false;
    positions.write = false;
    positions.positions = true;
    FormatInfo kif{"kif", "kifu"};  // as files in UTF-8 are named
    facet.formats = {kif, csa, {"usi", "txt"}, positions};
    facet.examples = {"karikomi records shogi --text 'startpos moves 7g7f 3c3d' --to csa"};
    facet.read = read;
    facet.load = load;
    facet.looks_like_record = [](const std::string& bytes) {
        // Words of KIF and CSA.
        return bytes.find("手数") != std::string::npos || bytes.starts_with("V2") ||
               !is_utf8(bytes);
    };
    facet.write = [](const PlayedGame& game, const std::string& format) -> Expected<std::string> {
        const auto record = record_of(game);
        if (!record) return record.error();
        return text_of(*record, format, false);
    };
    return facet;
}

}  // namespace karikomi::shogi
