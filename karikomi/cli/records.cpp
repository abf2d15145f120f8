/// karikomi records: reads game records, checks every move, says what is wrong, converts.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/facets.hpp"
#include "karikomi/cli/files.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::cli {
namespace {

constexpr std::size_t kShownProblems = 10;  // of each file

struct RecordsOptions {
    std::string game;
    std::vector<std::string> files;
    std::string text;
    std::string from;
    std::string to;
    std::string out;
    bool all_positions = false;
};

/// One file and what came of it.
struct Source {
    std::string name;
    std::unique_ptr<RecordFile> records;
};

std::vector<std::string> names_of(const RecordsFacet& facet, bool FormatInfo::*can) {
    std::vector<std::string> names;
    for (const FormatInfo& f : facet.formats) {
        if (f.*can) names.push_back(f.name);
    }
    return names;
}

void check_format(const char* option, const std::string& name,
                  const std::vector<std::string>& known) {
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
    throw Failure({fmt::format("{}: '{}' is unknown", option, name),
                   fmt::format("use one of {}", fmt::join(known, ", "))});
}

void check(const RecordsOptions& o, const RecordsFacet& facet, const Session& session) {
    if (o.files.empty() == o.text.empty()) {
        throw Failure(
            {"records: give files or --text, one of the two", "see `karikomi records --help`"});
    }
    check_format("--from", o.from, names_of(facet, &FormatInfo::read));
    auto writes = names_of(facet, &FormatInfo::convert);
    writes.emplace_back("json");
    check_format("--to", o.to, writes);
    if (o.to.empty() && !o.out.empty()) throw Failure({"--out: into which format?", "add --to"});
    const FormatInfo* const to = facet.find(o.to);
    if (o.all_positions && (to == nullptr || !to->positions)) {
        const auto lists = names_of(facet, &FormatInfo::positions);
        const std::string name = lists.empty() ? "positions" : lists.front();
        throw Failure({fmt::format("--all-positions is for --to {}", name),
                       fmt::format("drop it or add --to {}", name)});
    }
    const bool one_file = to != nullptr && to->one_file;
    if (o.out.empty() && (one_file || (!o.to.empty() && session.json()))) {
        throw Failure(
            {fmt::format("--to {}: stdout is not the place for it", o.to), "add --out FILE"});
    }
}

// ---- Reading ------------------------------------------------------------------------------------

std::unique_ptr<RecordFile> read_text(const RecordsFacet& facet, const std::string& bytes,
                                      const std::string& name, const std::string& from) {
    auto records = facet.read(bytes, from);
    if (records) return std::move(*records);
    throw Failure({fmt::format("{}: {}", name, records.error().what), records.error().remedy});
}

std::vector<Source> read_all(const RecordsOptions& o, const RecordsFacet& facet) {
    std::vector<Source> sources;
    if (!o.text.empty()) {
        sources.push_back({"--text", read_text(facet, o.text, "--text", o.from)});
    }
    for (const std::string& file : o.files) {
        if (file == "-") {
            const std::string bytes((std::istreambuf_iterator<char>(std::cin)),
                                    std::istreambuf_iterator<char>());
            sources.push_back({"(stdin)", read_text(facet, bytes, "stdin", o.from)});
            continue;
        }
        sources.push_back({file, take(facet.load(file, o.from))});
    }
    return sources;
}

std::size_t moves_of(const RecordFile& records) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < records.size(); ++i) n += records.game(i).moves.size();
    return n;
}

// ---- Writing ------------------------------------------------------------------------------------

/// The games one after the other.
std::string converted(const std::vector<Source>& sources, const RecordsOptions& o,
                      const RecordsFacet& facet, std::vector<std::string>& refused) {
    const FormatInfo* const format = facet.find(o.to);
    std::string out;
    for (const Source& source : sources) {
        for (std::size_t i = 0; i < source.records->size(); ++i) {
            if (format == nullptr) {
                out += to_text(source.records->json(i)) + "\n";
                continue;
            }
            const auto text = source.records->text(i, o.to, o.all_positions);
            if (text) {
                out += *text + format->separator;
            } else {
                refused.push_back(fmt::format("{}: game {} of the good ones is not written: {}",
                                              source.name, i + 1, text.error().what));
            }
        }
    }
    return out;
}

/// Formats that hold all games in one file, and some files beside it.
void write_files(const std::vector<Source>& sources, const RecordsOptions& o,
                 const RecordsFacet& facet) {
    std::vector<const RecordFile*> all;
    all.reserve(sources.size());
    for (const Source& s : sources) all.push_back(s.records.get());
    const auto files = take(facet.whole(all, o.to));
    for (std::size_t i = 0; i < files.size(); ++i) {
        std::filesystem::path path = o.out;
        if (i > 0) path.replace_extension(files[i].ending);
        write_output("--out", path.string(), files[i].bytes);
    }
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
        const RecordFile& r = *s.records;
        games += r.size();
        files.push_back({{"file", s.name},
                         {"format", r.format()},
                         {"games", r.size()},
                         {"moves", moves_of(r)},
                         {"error_count", r.error_count()},
                         {"errors", to_json(r.errors())},
                         {"note_count", r.note_count()},
                         {"notes", to_json(r.notes())}});
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
            const RecordFile& r = *s.records;
            table.add({s.name, r.format(), grouped(r.size()), grouped(moves_of(r)),
                       grouped(r.error_count()), grouped(r.note_count())});
        }
        fmt::print("{}", table.text());
    }
    for (const Source& s : sources) {
        print_problems(to, s.name, "error", s.records->errors(), s.records->error_count());
        print_problems(to, s.name, "note", s.records->notes(), s.records->note_count());
    }
    for (std::size_t i = 0; i < std::min(refused.size(), kShownProblems); ++i) {
        fmt::print(to, "{}\n", refused[i]);
    }
}

int run(const RecordsOptions& o, Session& session) {
    const GameModule& module =
        module_with(&GameModule::records, o.game, "records: there are no records of '{}'");
    const RecordsFacet& facet = *module.records;
    check(o, facet, session);
    session.begin(nullptr);
    const std::vector<Source> sources = read_all(o, facet);
    std::vector<std::string> refused;
    const FormatInfo* const to = facet.find(o.to);
    if (to != nullptr && to->one_file) {
        write_files(sources, o, facet);
    } else if (!o.to.empty()) {
        const std::string text = converted(sources, o, facet, refused);
        if (o.out.empty()) {
            fmt::print("{}", text);
        } else {
            write_output("--out", o.out, text);
        }
    }
    if (!session.json()) print_report(sources, o, refused);
    session.finish(to_document(sources, o, refused));
    bool clean = refused.empty();
    for (const Source& s : sources) clean = clean && s.records->error_count() == 0;
    return clean ? kDone : kNo;
}

/// The formats of the listed games, a line each, for the help.
std::string formats_help() {
    std::string out;
    for (const auto& [formats, titles] : grouped_titles([&](const GameModule& m) {
             if (!m.records) return std::string();
             return fmt::format("from {}; to {}",
                                fmt::join(names_of(*m.records, &FormatInfo::read), ", "),
                                fmt::join(names_of(*m.records, &FormatInfo::convert), ", "));
         })) {
        out += fmt::format("\n  {}: {}", titles, formats);
    }
    return out;
}

}  // namespace

void add_records(Program& program) {
    Command command = program.add(
        "records", "Read, check and convert game records (exit code 1: a game is wrong)",
        examples_of([](const GameModule& m) {
            return m.records ? m.records->examples : std::vector<std::string>();
        }));
    const auto o = std::make_shared<RecordsOptions>();
    add_game(command, o->game, names_with(&GameModule::records));
    add_list(command, "FILE", o->files, "", "Files to read; - is stdin");
    add_text(command, "--text", o->text, "TEXT", "Read this text instead of files");
    add_name(command, "--from", o->from, "FORMAT",
             "A format of the game, see below (default: by the contents)");
    add_name(command, "--to", o->to, "FORMAT", "json, or a format of the game, see below");
    add_name(command, "--out", o->out, "FILE",
             "Write there (default: stdout); some formats also write files beside it");
    add_switch(command, "--all-positions", o->all_positions,
               "Where a format lists positions: all of a game, not its end only");
    command.add_footer("\n\nFormats:" + formats_help());
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
