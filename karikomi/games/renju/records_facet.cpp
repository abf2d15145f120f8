/// The record formats of renju and gomoku (SGF, PSQ, RenLib) as the rest of the program asks for
/// them. Games are judged by the rule that is played.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/games/renju/facets.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/games/renju/records.hpp"

namespace karikomi::renju {
namespace {

using Words = std::vector<std::string>;

/// A game that the rules allow.
struct Checked {
    GameRecord game;
    Position end;
    Words positions;    ///< before each move, and the end
    bool foul = false;  ///< Black's last move was forbidden
};

/// Plays the game by the rules. A forbidden move ends it: White has won by it.
Expected<Checked> check(const GameRecord& game, Rule rule) {
    Checked out{game, Position(Rules{rule, game.size}), {}, false};
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        const std::string cell = Notation::format_cell(game.moves[i]);
        if (out.foul || out.end.outcome(0)) {
            return Error{fmt::format("move {} {}: the game is over before it", i + 1, cell)};
        }
        out.positions.push_back(Notation::format(out.end));
        out.foul = out.end.is_forbidden(game.moves[i]);
        Undo undo;
        out.end.make(Move::from_cell(game.moves[i]), undo);
    }
    out.positions.push_back(Notation::format(out.end));
    return out;
}

Words cell_names(const GameRecord& game) {
    Words moves;
    for (const Cell c : game.moves) moves.push_back(Notation::format_cell(c));
    return moves;
}

/// How the board ends: who has five, or that Black's last move was forbidden.
std::string ending_of(const Checked& g) {
    if (g.foul) return "white_by_foul";
    const int winner = g.end.winner();
    if (winner >= 0) return winner == kBlack ? "black" : "white";
    return g.end.outcome(0) ? "draw" : "open";
}

std::optional<Winner> winner_of(const Checked& g) {
    const std::string ending = ending_of(g);
    if (ending == "black" || g.game.result.starts_with("B+")) return Winner::First;
    if (ending.starts_with("white") || g.game.result.starts_with("W+")) return Winner::Second;
    if (ending == "draw" || g.game.result == "0") return Winner::Nobody;
    return std::nullopt;
}

PlayedGame played(const Checked& g) {
    PlayedGame game;
    for (const std::string& cell : cell_names(g.game)) game.moves.push_back({cell});
    game.names = {g.game.black, g.game.white};
    game.winner = winner_of(g);
    if (game.winner) game.end = ending_of(g) == "open" ? GameEnd::Resigned : GameEnd::ByRules;
    if (g.game.size != kUsualSize) game.rules["size"] = std::to_string(g.game.size);
    return game;
}

// ---- Writing ------------------------------------------------------------------------------------

std::string sgf_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == ']' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

/// Stones of the start become the first moves, Black's and White's by turns: neither format has
/// another place for them.
Expected<std::vector<PlayedMove>> moves_from_empty(const PlayedGame& game, int& size) {
    std::vector<PlayedMove> moves;
    if (!game.start.empty()) {
        const auto pos = Notation::parse(game.start);
        if (!pos) return pos.error();
        size = pos->size();
        std::array<Words, 2> stones;
        for (int y = 0; y < size; ++y) {
            for (int x = 0; x < size; ++x) {
                const int colour = pos->lines().stone(cell_at(x, y));
                if (colour < 0) continue;
                stones.at(static_cast<std::size_t>(colour))
                    .push_back(Notation::format_cell(cell_at(x, y)));
            }
        }
        const auto turn = static_cast<std::size_t>(pos->side());
        if (stones[0].size() != stones[1].size() + turn) {
            return Error{"the stones of the start position are not placed by turns",
                         "these formats cannot hold such a game"};
        }
        for (std::size_t i = 0; i < stones[0].size() + stones[1].size(); ++i) {
            moves.push_back({stones.at(i % 2).at(i / 2)});
        }
    }
    moves.insert(moves.end(), game.moves.begin(), game.moves.end());
    return moves;
}

/// Column and row from the top left, from 0.
Expected<std::pair<int, int>> point_of(const std::string& move, int size) {
    const Cell c = Notation::parse_cell(move, size);
    if (c == kNoCell) return Error{fmt::format("'{}' is no cell of the board", move)};
    const std::string name = Notation::format_cell(c);
    return std::pair<int, int>{name[0] - 'a', size - std::stoi(name.substr(1))};
}

std::string sgf_head(const PlayedGame& game, int size) {
    std::string out = fmt::format("(;FF[4]GM[4]AP[karikomi]SZ[{}]", size);
    const auto add = [&](const char* key, const std::string& value) {
        if (!value.empty()) out += fmt::format("{}[{}]", key, sgf_text(value));
    };
    add("PB", game.names[0]);
    add("PW", game.names[1]);
    if (game.winner) {
        out += fmt::format("RE[{}]", *game.winner == Winner::Nobody  ? "0"
                                     : *game.winner == Winner::First ? "B+"
                                                                     : "W+");
    }
    add("EV", game.event);
    add("DT", game.date.substr(0, 10));
    add("C", game.comment);
    return out;
}

Expected<std::string> write(const PlayedGame& game, const std::string& format) {
    int size = kUsualSize;
    if (const auto it = game.rules.find("size"); it != game.rules.end()) {
        size = std::stoi(it->second);
    }
    const auto moves = moves_from_empty(game, size);
    if (!moves) return moves.error();
    if (format == "moves") {
        Words words;
        for (const PlayedMove& m : game.moves) words.push_back(m.move);
        return fmt::format("{}\n", fmt::join(words, " "));
    }
    const bool sgf = format == "sgf";
    std::string out =
        sgf ? sgf_head(game, size) : fmt::format("Piskvorky {0}x{0}, 11:11, 0\n", size);
    for (std::size_t i = 0; i < moves->size(); ++i) {
        const PlayedMove& m = (*moves)[i];
        const auto point = point_of(m.move, size);
        if (!point) return point.error();
        const auto [x, y] = *point;
        if (!sgf) {
            out += fmt::format("{},{},{}\n", x + 1, y + 1, m.time_ms.value_or(0));
            continue;
        }
        out += fmt::format(";{}[{}{}]", i % 2 == 0 ? 'B' : 'W', static_cast<char>('a' + x),
                           static_cast<char>('a' + y));
        std::string comment = m.time_ms ? fmt::format("{}ms", *m.time_ms) : std::string();
        if (!m.comment.empty()) comment += (comment.empty() ? "" : "\n") + m.comment;
        if (!comment.empty()) out += fmt::format("C[{}]", sgf_text(comment));
    }
    return sgf ? out + ")\n" : out;
}

// ---- Reading ------------------------------------------------------------------------------------

class StonesFile final : public RecordFile {
public:
    explicit StonesFile(std::string format) : format_(std::move(format)) {}
    void add(const GameRecord& game, Rule rule) {
        auto checked = check(game, rule);
        ++number_;
        if (checked) {
            games_.push_back(std::move(*checked));
        } else {
            errors_.push_back({number_, 0, 0, checked.error().what});
        }
    }
    std::string format() const override { return format_; }
    std::size_t size() const override { return games_.size(); }
    PlayedGame game(std::size_t i) const override { return played(games_.at(i)); }
    Json json(std::size_t i) const override {
        const Checked& g = games_.at(i);
        return {{"size", g.game.size},      {"moves", cell_names(g.game)}, {"black", g.game.black},
                {"white", g.game.white},    {"result", g.game.result},     {"ending", ending_of(g)},
                {"end", g.positions.back()}};
    }
    Expected<std::string> text(std::size_t i, const std::string& format,
                               bool every_position) const override {
        const Checked& g = games_.at(i);
        if (format == "transcript") return fmt::format("{}\n", fmt::join(cell_names(g.game), " "));
        if (format != "positions") return write(played(g), format);
        if (!every_position) return g.positions.back() + "\n";
        return fmt::format("{}\n", fmt::join(g.positions, "\n"));
    }
    const std::vector<RecordProblem>& errors() const override { return errors_; }

private:
    std::string format_;
    std::vector<Checked> games_;
    std::vector<RecordProblem> errors_;
    int number_ = 0;
};

std::string format_of(const std::string& bytes) {
    if (bytes.starts_with("Piskvorky")) return "psq";
    return bytes.find("(;") != std::string::npos ? "sgf" : "renlib";
}

Expected<std::unique_ptr<RecordFile>> read(const std::string& bytes, Rule rule) {
    const auto games = read_records(bytes);
    if (!games) {
        return Error{games.error().what, "known are SGF, PSQ (Piskvork) and RenLib's .lib"};
    }
    auto file = std::make_unique<StonesFile>(format_of(bytes));
    for (const GameRecord& game : *games) file->add(game, rule);
    return std::unique_ptr<RecordFile>(std::move(file));
}

}  // namespace

RecordsFacet records_facet(Rule rule) {
    RecordsFacet facet;
    FormatInfo renlib{"renlib", "lib"};
    renlib.write = false;
    renlib.convert = false;
    renlib.is_text = false;
    FormatInfo transcript{"transcript", "txt"};
    transcript.read = false;
    transcript.write = false;
    FormatInfo moves{"moves", "txt"};
    moves.read = false;
    moves.convert = false;
    FormatInfo positions{"positions", "txt"};
    positions.read = false;
    positions.write = false;
    positions.positions = true;
    FormatInfo psq{"psq", "psq"};
    psq.single = true;
    facet.formats = {{"sgf", "sgf"}, psq, renlib, transcript, moves, positions};
    facet.read = [rule](const std::string& bytes, const std::string&) { return read(bytes, rule); };
    facet.load = [rule](const std::string& name,
                        const std::string&) -> Expected<std::unique_ptr<RecordFile>> {
        const auto bytes = read_bytes(name);
        if (!bytes) return bytes.error();
        auto file = read(*bytes, rule);
        if (file) return file;
        return Error{fmt::format("{}: {}", name, file.error().what), file.error().remedy};
    };
    facet.looks_like_record = [](const std::string& bytes) {
        return bytes.find("(;") != std::string::npos || bytes.starts_with("\xFFRenLib") ||
               bytes.starts_with("Piskvorky");
    };
    facet.write = write;
    if (rule == Rule::Renju) {
        facet.examples = {"karikomi records renju --text '(;SZ[15];B[hh];W[hi];B[ij])' --to json"};
    }
    return facet;
}

}  // namespace karikomi::renju
