/// karikomi records renju, gomoku, standard_gomoku: SGF, PSQ and RenLib, checked by the rules.
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/output.hpp"
#include "karikomi/cli/records.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/games/renju/records.hpp"

namespace karikomi::cli {
namespace {

using renju::GameRecord;
using renju::Position;
using renju::Rule;

constexpr std::size_t kShownErrors = 10;  // of each file

struct Checked {
    GameRecord game;
    Position end;
    std::vector<std::string> positions;  ///< before each move, and the end
    bool foul = false;                   ///< Black's last move was forbidden
};
struct Source {
    std::string name;
    std::vector<Checked> games;
    std::vector<std::string> errors;
    std::size_t moves = 0;
};

Rule rule_of(const std::string& game) {
    return game == "gomoku"            ? Rule::Freestyle
           : game == "standard_gomoku" ? Rule::Standard
                                       : Rule::Renju;
}

/// Plays the game by the rules. A forbidden move ends it: White has won by it.
Expected<Checked> check(const GameRecord& game, Rule rule) {
    Checked out{game, Position(renju::Rules{rule, game.size}), {}, false};
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        const std::string cell = renju::Notation::format_cell(game.moves[i]);
        if (out.foul || out.end.outcome(0)) {
            return Error{fmt::format("move {} {}: the game is over before it", i + 1, cell)};
        }
        out.positions.push_back(renju::Notation::format(out.end));
        out.foul = out.end.is_forbidden(game.moves[i]);
        renju::Undo undo;
        out.end.make(renju::Move::from_cell(game.moves[i]), undo);
    }
    out.positions.push_back(renju::Notation::format(out.end));
    return out;
}

Source read_one(const std::string& name, const std::string& bytes, Rule rule) {
    Source source{name, {}, {}, 0};
    const auto games = renju::read_records(bytes);
    if (!games)
        throw Failure({fmt::format("{}: {}", name, games.error().what),
                       "known are SGF, PSQ (Piskvork) and RenLib's .lib"});
    for (std::size_t i = 0; i < games->size(); ++i) {
        auto checked = check((*games)[i], rule);
        if (!checked) {
            source.errors.push_back(fmt::format("game {}: {}", i + 1, checked.error().what));
            continue;
        }
        source.moves += (*games)[i].moves.size();
        source.games.push_back(std::move(*checked));
    }
    return source;
}

std::string bytes_of(std::istream& in) {
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<Source> read_all(const RecordsOptions& o) {
    const Rule rule = rule_of(o.game);
    std::vector<Source> sources;
    if (!o.text.empty()) sources.push_back(read_one("--text", o.text, rule));
    for (const std::string& file : o.files) {
        if (file == "-") {
            sources.push_back(read_one("(stdin)", bytes_of(std::cin), rule));
            continue;
        }
        std::ifstream in(file, std::ios::binary);
        if (!in) throw Failure({fmt::format("{}: cannot be opened", file), "check the path"});
        sources.push_back(read_one(file, bytes_of(in), rule));
    }
    return sources;
}

std::string moves_text(const GameRecord& game) {
    std::vector<std::string> moves;
    for (const renju::Cell c : game.moves) moves.push_back(renju::Notation::format_cell(c));
    return fmt::format("{}", fmt::join(moves, " "));
}

/// How the board ends: who has five, or that Black's last move was forbidden.
std::string ending_of(const Checked& g) {
    if (g.foul) return "white_by_foul";
    const int winner = g.end.winner();
    if (winner >= 0) return winner == renju::kBlack ? "black" : "white";
    return g.end.outcome(0) ? "draw" : "open";
}

std::string converted(const std::vector<Source>& sources, const RecordsOptions& o) {
    std::string out;
    for (const Source& source : sources) {
        for (const Checked& g : source.games) {
            if (o.to == "transcript") {
                out += moves_text(g.game) + "\n";
            } else if (o.to == "positions" && o.all_positions) {
                for (const std::string& p : g.positions) out += p + "\n";
            } else if (o.to == "positions") {
                out += g.positions.back() + "\n";
            } else {
                out += to_text(Json{{"size", g.game.size},
                                    {"moves", renju::Notation::split_moves(moves_text(g.game))},
                                    {"black", g.game.black},
                                    {"white", g.game.white},
                                    {"result", g.game.result},
                                    {"ending", ending_of(g)},
                                    {"end", g.positions.back()}}) +
                       "\n";
            }
        }
    }
    return out;
}

void check_options(const RecordsOptions& o, const Session& session) {
    if (o.files.empty() == o.text.empty()) {
        throw Failure(
            {"records: give files or --text, one of the two", "see `karikomi records --help`"});
    }
    if (!o.to.empty() && o.to != "json" && o.to != "transcript" && o.to != "positions") {
        throw Failure(
            {fmt::format("--to: '{}' is unknown", o.to), "use json, transcript or positions"});
    }
    if (!o.from.empty()) throw Failure({"--from is for Othello", "the contents tell the format"});
    if (o.to.empty() && !o.out.empty()) throw Failure({"--out: into which format?", "add --to"});
    if (o.all_positions && o.to != "positions") {
        throw Failure({"--all-positions is for --to positions", "drop it or add --to positions"});
    }
    if (o.out.empty() && !o.to.empty() && session.json()) {
        throw Failure(
            {fmt::format("--to {}: stdout is not the place for it", o.to), "add --out FILE"});
    }
}

Json to_document(const std::vector<Source>& sources, const RecordsOptions& o) {
    Json files = Json::array();
    std::size_t games = 0;
    for (const Source& s : sources) {
        games += s.games.size();
        files.push_back({{"file", s.name},
                         {"games", s.games.size()},
                         {"moves", s.moves},
                         {"error_count", s.errors.size()},
                         {"errors", s.errors}});
    }
    return {{"game", o.game}, {"files", files}, {"games", games}};
}

void print_report(const std::vector<Source>& sources, bool data_on_stdout) {
    std::FILE* const to = data_on_stdout ? stderr : stdout;
    Table table({{"file", false}, {"games"}, {"moves"}, {"errors"}});
    for (const Source& s : sources) {
        table.add({s.name, grouped(s.games.size()), grouped(s.moves), grouped(s.errors.size())});
    }
    if (!data_on_stdout) fmt::print("{}", table.text());
    for (const Source& s : sources) {
        const std::size_t shown = std::min(s.errors.size(), kShownErrors);
        for (std::size_t i = 0; i < shown; ++i) {
            fmt::print(to, "{}: error: {}\n", s.name, s.errors[i]);
        }
        if (s.errors.size() > shown) {
            fmt::print(to, "{}: ... and {} more\n", s.name, s.errors.size() - shown);
        }
    }
}

}  // namespace

int records_renju(const RecordsOptions& options, Session& session) {
    check_options(options, session);
    session.begin(nullptr);
    const std::vector<Source> sources = read_all(options);
    if (!options.to.empty()) {
        const std::string text = converted(sources, options);
        if (options.out.empty()) {
            fmt::print("{}", text);
        } else {
            write_whole_file(options.out, text);
        }
    }
    if (!session.json()) print_report(sources, !options.to.empty() && options.out.empty());
    session.finish(to_document(sources, options));
    for (const Source& s : sources) {
        if (!s.errors.empty()) return kNo;
    }
    return kDone;
}

}  // namespace karikomi::cli
