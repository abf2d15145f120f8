/// Shogi's record formats (KIF, CSA, lines of USI) as the rest of the program asks for them.
#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/games/shogi/facets.hpp"
#include "karikomi/games/shogi/move_names.hpp"
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

std::vector<PlayedMove> played_moves(const RecordedLine& line) {
    std::vector<PlayedMove> moves;
    for (const RecordedMove& m : line.moves) {
        PlayedMove& to = moves.emplace_back();
        to.move = format_usi(m.move);
        if (m.time) to.time_ms = m.time->count();
        to.comment = m.comment;
    }
    return moves;
}

std::string word_of_ending(Ending ending) {
    return ending == Ending::None ? std::string() : name_of_ending(ending);
}

PlayedGame played(const GameRecord& record) {
    PlayedGame game;
    game.start = format_sfen(record.start.board, record.start.move_number);
    if (game.start == kStartSfen) game.start.clear();
    game.moves = played_moves(record);
    game.names = record.names;
    for (const auto& [key, value] : record.facts) {
        if (key == "EVENT" && game.event.empty()) {
            game.event = value;
        } else if (key == "START_TIME" && game.date.empty()) {
            game.date = value;
        } else {
            game.facts.emplace_back(key, value);
        }
    }
    game.comment = record.comment;
    game.end = end_of(record.ending);
    game.ending = word_of_ending(record.ending);
    game.end_comment = record.end_comment;
    if (record.last_time) game.end_time_ms = record.last_time->count();
    for (const Variation& v : record.variations) {
        game.branches.push_back(
            {v.parent, v.begin, played_moves(v), word_of_ending(v.ending), v.end_comment});
    }
    if (const auto winner = record.winner()) {
        game.winner = *winner == kBlack ? Winner::First : Winner::Second;
    } else if (game.end != GameEnd::Open) {
        game.winner = Winner::Nobody;
    }
    return game;
}

/// Adds the moves. A declaration is no move in a record but an end.
Status add_moves(RecordedLine& line, const std::vector<PlayedMove>& moves) {
    for (const PlayedMove& m : moves) {
        const auto move = parse_usi(m.move);
        if (!move) return move.error();
        if (move->is_declaration()) {
            line.ending = Ending::DeclaredWin;
            break;
        }
        line.moves.push_back({*move, {}, m.comment});
        if (m.time_ms) line.moves.back().time = std::chrono::milliseconds(*m.time_ms);
    }
    return {};
}

std::optional<Ending> ending_named(const std::string& word) {
    for (const auto& [ending, name] : kEndings) {
        if (word == name) return ending;
    }
    return std::nullopt;
}

Expected<GameRecord> record_of(const PlayedGame& game) {
    const auto start = parse_sfen(game.start.empty() ? std::string(kStartSfen) : game.start);
    if (!start) return start.error();
    GameRecord record;
    record.start = *start;
    record.names = game.names;
    record.comment = game.comment;
    record.end_comment = game.end_comment;
    if (game.end_time_ms) record.last_time = std::chrono::milliseconds(*game.end_time_ms);
    if (!game.event.empty()) record.facts.emplace_back("EVENT", game.event);
    if (!game.date.empty()) {
        std::string date = game.date.substr(0, 19);
        for (char& c : date) c = c == '-' ? '/' : c == 'T' ? ' ' : c;
        record.facts.emplace_back("START_TIME", date);
    }
    record.facts.insert(record.facts.end(), game.facts.begin(), game.facts.end());
    record.ending = ending_named(game.ending).value_or(ending_of(game));
    if (const Status s = add_moves(record, game.moves); !s) return s.error();
    for (const PlayedBranch& b : game.branches) {
        Variation v;
        v.parent = b.parent;
        v.begin = b.begin;
        v.end_comment = b.end_comment;
        v.ending = ending_named(b.ending).value_or(Ending::None);
        if (const Status s = add_moves(v, b.moves); !s) return s.error();
        record.variations.push_back(std::move(v));
    }
    record.sort_variations();
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
    if (format == "ki2") return format_ki2(record);
    if (format == "jkf") return format_jkf(record);
    std::string out;  // positions
    for (std::size_t i = every_position ? 0 : record.moves.size(); i <= record.moves.size(); ++i) {
        const int number = record.start.move_number + static_cast<int>(i);
        out += format_sfen(record.board_after(i), number) + "\n";
    }
    return out;
}

/// The moves of a line, as GameRecord counts lines, as players write them.
Json names_json(const GameRecord& record, std::size_t line) {
    const RecordedLine& own =
        line == 0 ? static_cast<const RecordedLine&>(record) : record.variations[line - 1];
    std::vector<Move> moves = record.moves_before(line);
    const std::size_t before = moves.size();
    for (const RecordedMove& m : own.moves) moves.push_back(m.move);
    Json out = Json::object();
    for (const MoveStyle& style : move_styles()) {
        const Words all = names_of(record.start.board, moves, style.name);
        out[style.name] = Words(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
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
    if (!record.end_comment.empty()) out["end_comment"] = record.end_comment;
    out["names"] = names_json(record, 0);
    for (std::size_t i = 0; i < record.variations.size(); ++i) {
        const Variation& v = record.variations[i];
        Json line = {{"parent", v.parent}, {"begin", v.begin}, {"moves", Json::array()}};
        for (const RecordedMove& m : v.moves) line["moves"].push_back(format_usi(m.move));
        line["names"] = names_json(record, i + 1);
        if (v.ending != Ending::None) line["ending"] = name_of_ending(v.ending);
        out["variations"].push_back(std::move(line));
    }
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
    auto one = format == "kif" || format == "ki2" ? parse_kif(bytes)
               : format == "csa"                  ? parse_csa(bytes)
               : format == "jkf"                  ? parse_jkf(bytes)
                                                  : parse_record(bytes);
    if (!one) return one.error();
    std::vector<GameRecord> games;
    games.push_back(std::move(*one));
    const std::string name = format.empty() ? std::string(kind_of_record(bytes)) : format;
    return std::unique_ptr<RecordFile>(new ShogiFile(name, std::move(games)));
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
    FormatInfo jkf{"jkf", "jkf"};
    jkf.single = true;
    facet.formats = {kif, {"ki2", "ki2u"}, csa, jkf, {"usi", "txt"}, positions};
    facet.examples = {"karikomi records shogi --text 'startpos moves 7g7f 3c3d' --to csa",
                      "karikomi records shogi --text '▲７六歩 △３四歩 ▲２六歩' --to kif"};
    facet.read = read;
    facet.load = load;
    facet.looks_like_record = [](const std::string& bytes) {
        // Words of KIF, CSA and JKF, and moves in Japanese.
        for (const char* const word : {"手数", "手合割", "▲", "△", "▼", "▽", "☗", "☖"}) {
            if (bytes.find(word) != std::string::npos) return true;
        }
        const std::string_view kind = kind_of_record(bytes);
        return kind == "csa" || kind == "jkf" || looks_japanese(bytes) || !is_utf8(bytes);
    };
    facet.write = [](const PlayedGame& game, const std::string& format) -> Expected<std::string> {
        const auto record = record_of(game);
        if (!record) return record.error();
        return text_of(*record, format, false);
    };
    return facet;
}

}  // namespace karikomi::shogi
