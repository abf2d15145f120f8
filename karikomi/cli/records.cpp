/// karikomi records: reads game records, checks every move, says what is wrong, converts.
#include "karikomi/games/othello/records.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/cli/records.hpp"

namespace karikomi::cli {
namespace {

using othello::GameRecord;
using othello::RecordFormat;
using othello::RecordProblem;
using othello::Records;

constexpr std::size_t kShownProblems = 10;  // of each file

/// One file and what came of it.
struct Source {
    std::string name;
    Records records;
};

RecordFormat format_named(const std::string& name) {
    for (const auto f :
         {RecordFormat::Transcript, RecordFormat::Obf, RecordFormat::Ggf, RecordFormat::Wthor}) {
        if (name == name_of(f)) return f;
    }
    throw Failure(
        {fmt::format("--from: '{}' is unknown", name), "use transcript, obf, ggf or wthor"});
}

void check(const RecordsOptions& o, const Session& session) {
    if (o.game != "othello") {
        throw Failure({fmt::format("records: '{}' is not a game with records here", o.game),
                       "use othello, renju, gomoku or standard_gomoku"});
    }
    if (o.files.empty() == o.text.empty()) {
        throw Failure(
            {"records: give files or --text, one of the two", "see `karikomi records --help`"});
    }
    const std::vector<std::string> known = {"transcript", "ggf", "wthor", "obf", "json"};
    if (!o.to.empty() && std::find(known.begin(), known.end(), o.to) == known.end()) {
        throw Failure({fmt::format("--to: '{}' is unknown", o.to),
                       fmt::format("use one of {}", fmt::join(known, ", "))});
    }
    if (o.to.empty() && !o.out.empty()) {
        throw Failure({"--out: into which format?", "add --to"});
    }
    if (o.all_positions && o.to != "obf") {
        throw Failure({"--all-positions is for --to obf", "drop it or add --to obf"});
    }
    if (o.out.empty() && (o.to == "wthor" || (!o.to.empty() && session.json()))) {
        throw Failure(
            {fmt::format("--to {}: stdout is not the place for it", o.to), "add --out FILE"});
    }
}

// ---- Reading ------------------------------------------------------------------------------------

Records read_text(const std::string& bytes, const std::string& name, const RecordsOptions& o) {
    const auto format =
        o.from.empty() ? othello::detect_format(bytes) : std::optional(format_named(o.from));
    if (!format) {
        throw Failure({fmt::format("{}: no kind of Othello record that is known here", name),
                       "known are transcripts, OBF, GGF and WTHOR"});
    }
    return othello::read_records(bytes, *format);
}

std::vector<Source> read_all(const RecordsOptions& o) {
    std::vector<Source> sources;
    if (!o.text.empty()) sources.push_back({"--text", read_text(o.text, "--text", o)});
    for (const std::string& file : o.files) {
        if (file == "-") {
            const std::string bytes((std::istreambuf_iterator<char>(std::cin)),
                                    std::istreambuf_iterator<char>());
            sources.push_back({"(stdin)", read_text(bytes, "stdin", o)});
            continue;
        }
        const auto format =
            o.from.empty() ? std::optional<RecordFormat>() : std::optional(format_named(o.from));
        sources.push_back({file, take(othello::load_records(file, format))});
    }
    return sources;
}

std::size_t moves_of(const Records& records) {
    std::size_t n = 0;
    for (const GameRecord& game : records.games) n += game.moves.size();
    return n;
}

// ---- Writing ------------------------------------------------------------------------------------

Json to_json(const GameRecord& game) {
    Json moves = Json::array();
    Json values = Json::array();
    Json seconds = Json::array();
    const auto optional = [](const auto& x) { return x ? Json(*x) : Json(nullptr); };
    for (const auto& m : game.moves) {
        moves.push_back(othello::format_square(m.square));
        values.push_back(optional(m.value));
        seconds.push_back(optional(m.seconds));
    }
    Json scores = Json::object();
    for (const auto& [square, value] : game.scores) scores[othello::format_square(square)] = value;
    constexpr std::array<const char*, 4> kEndings = {"played", "resigned", "time", "agreed"};
    Json out = {{"start", othello::format_obf(game.start)},
                {"moves", moves},
                {"values", values},
                {"seconds", seconds},
                {"end", othello::format_obf(othello::end_position(game))},
                {"black", game.black},
                {"white", game.white},
                {"place", game.place},
                {"date", game.date},
                {"result", optional(game.result)},
                {"ending", kEndings[static_cast<std::size_t>(game.ending)]},
                {"final", optional(othello::final_result(game))}};
    if (game.best_black_discs) out["best_black_discs"] = *game.best_black_discs;
    if (!game.scores.empty()) out["scores"] = scores;
    return out;
}

/// Lines of text for the formats that are text.
std::string converted(const std::vector<Source>& sources, const RecordsOptions& o,
                      std::vector<std::string>& refused) {
    std::string out;
    for (const Source& source : sources) {
        int number = 0;
        for (const GameRecord& game : source.records.games) {
            ++number;
            if (o.to == "ggf") {
                out += othello::format_ggf(game) + "\n";
            } else if (o.to == "json") {
                out += to_text(to_json(game)) + "\n";
            } else if (o.to == "obf" && o.all_positions) {
                out += fmt::format("{}\n", fmt::join(othello::format_obf_positions(game), "\n"));
            } else if (o.to == "obf") {
                out += othello::format_obf_record(game) + "\n";
            } else if (const auto line = othello::format_transcript(game); line) {
                if (!line->empty()) out += *line + "\n";
            } else {
                refused.push_back(fmt::format("{}: game {} of the good ones is not written: {}",
                                              source.name, number, line.error().what));
            }
        }
    }
    return out;
}

othello::WthorDate today() {
    const std::chrono::year_month_day d(
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
    return {int(d.year()), static_cast<int>(unsigned(d.month())),
            static_cast<int>(unsigned(d.day()))};
}

void write_wthor(const std::vector<Source>& sources, const std::string& file) {
    std::vector<GameRecord> games;
    for (const Source& s : sources) {
        games.insert(games.end(), s.records.games.begin(), s.records.games.end());
    }
    const auto files = take(othello::format_wthor(games, today()));
    const std::filesystem::path path = file;
    write_whole_file(file, files.games);
    write_whole_file(std::filesystem::path(path).replace_extension(".jou").string(), files.players);
    write_whole_file(std::filesystem::path(path).replace_extension(".trn").string(),
                     files.tournaments);
}

// ---- The report ---------------------------------------------------------------------------------

Json to_json(const std::vector<RecordProblem>& problems) {
    Json out = Json::array();
    for (const RecordProblem& p : problems) {
        Json row = {{"game", p.game}, {"offset", p.offset}, {"what", p.what}};
        if (p.line > 0) row["line"] = p.line;
        out.push_back(row);
    }
    return out;
}

Json to_document(const std::vector<Source>& sources, const RecordsOptions& o,
                 const std::vector<std::string>& refused) {
    Json files = Json::array();
    std::size_t games = 0;
    for (const Source& s : sources) {
        games += s.records.games.size();
        files.push_back({{"file", s.name},
                         {"format", name_of(s.records.format)},
                         {"games", s.records.games.size()},
                         {"moves", moves_of(s.records)},
                         {"error_count", s.records.error_count},
                         {"errors", to_json(s.records.errors)},
                         {"note_count", s.records.note_count},
                         {"notes", to_json(s.records.notes)}});
    }
    Json document = {{"game", o.game}, {"files", files}, {"games", games}};
    if (!o.to.empty()) {
        document["to"] = o.to;
        document["out"] = o.out.empty() ? Json(nullptr) : Json(o.out);
        document["refused"] = refused;
    }
    return document;
}

void print_problems(std::FILE* to, const std::string& file, const char* kind,
                    const std::vector<RecordProblem>& problems, std::size_t count) {
    const std::size_t shown = std::min(problems.size(), kShownProblems);
    for (std::size_t i = 0; i < shown; ++i) {
        fmt::print(to, "{}: {}: {}\n", file, kind, describe(problems[i]));
    }
    if (count > shown) fmt::print(to, "{}: ... and {} more\n", file, count - shown);
}

void print_report(const std::vector<Source>& sources, const RecordsOptions& o,
                  const std::vector<std::string>& refused) {
    const bool data_on_stdout = !o.to.empty() && o.out.empty();
    std::FILE* const to = data_on_stdout ? stderr : stdout;
    if (!data_on_stdout) {
        Table table(
            {{"file", false}, {"format", false}, {"games"}, {"moves"}, {"errors"}, {"notes"}});
        for (const Source& s : sources) {
            table.add({s.name, std::string(name_of(s.records.format)),
                       grouped(s.records.games.size()), grouped(moves_of(s.records)),
                       grouped(s.records.error_count), grouped(s.records.note_count)});
        }
        fmt::print("{}", table.text());
    }
    for (const Source& s : sources) {
        print_problems(to, s.name, "error", s.records.errors, s.records.error_count);
        print_problems(to, s.name, "note", s.records.notes, s.records.note_count);
    }
    for (std::size_t i = 0; i < std::min(refused.size(), kShownProblems); ++i) {
        fmt::print(to, "{}\n", refused[i]);
    }
}

int run(const RecordsOptions& o, Session& session) {
    if (o.game == "renju" || o.game == "gomoku" || o.game == "standard_gomoku") {
        return records_renju(o, session);
    }
    check(o, session);
    session.begin(nullptr);
    const std::vector<Source> sources = read_all(o);
    std::vector<std::string> refused;
    if (o.to == "wthor") {
        write_wthor(sources, o.out);
    } else if (!o.to.empty()) {
        const std::string text = converted(sources, o, refused);
        if (o.out.empty()) {
            fmt::print("{}", text);
        } else {
            write_whole_file(o.out, text);
        }
    }
    if (!session.json()) print_report(sources, o, refused);
    session.finish(to_document(sources, o, refused));
    bool clean = refused.empty();
    for (const Source& s : sources) clean = clean && s.records.error_count == 0;
    return clean ? kDone : kNo;
}

}  // namespace

void write_whole_file(const std::string& file, const std::string& bytes) {
    const std::string fresh = file + ".new";
    std::ofstream out(fresh, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    std::error_code trouble;
    if (out) std::filesystem::rename(fresh, file, trouble);
    if (!out || trouble) {
        throw Failure(
            {fmt::format("--out: '{}' cannot be written", file), "check the folder and the disk"},
            kBroken);
    }
}

void add_records(Program& program) {
    CLI::App& command = program.add(
        "records", "Read, check and convert game records (exit code 1: a game is wrong)",
        {"karikomi records othello --text f5d6c3d3c4f4f6",
         "karikomi records othello --text f5d6c3d3c4f4f6 --to ggf",
         "karikomi records renju --text '(;SZ[15];B[hh];W[hi];B[ij])' --to json"});
    const auto o = std::make_shared<RecordsOptions>();
    add_game(command, o->game, {"othello", "renju", "gomoku", "standard_gomoku"});
    command.add_option("FILE", o->files, "Files to read; - is stdin")->type_name("");
    add_text(command, "--text", o->text, "TEXT", "Read this text instead of files");
    add_name(command, "--from", o->from, "FORMAT",
             "Othello: transcript, obf, ggf or wthor (default: by the contents)");
    add_name(command, "--to", o->to, "FORMAT",
             "transcript, ggf, wthor, obf or json; renju: transcript, positions or json");
    add_name(command, "--out", o->out, "FILE",
             "Write there (default: stdout); wthor also writes .jou and .trn");
    add_switch(command, "--all-positions", o->all_positions,
               "With --to obf, positions: every position of a game instead of its end");
    command.callback(
        [&program, o] { program.job = [o](Session& session) { return run(*o, session); }; });
}

}  // namespace karikomi::cli
