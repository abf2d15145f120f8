/// Othello's record formats as the rest of the program asks for them.
#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/games/othello/facets.hpp"
#include "karikomi/games/othello/records.hpp"

namespace karikomi::othello {
namespace {

constexpr std::array<RecordFormat, 4> kFormats = {RecordFormat::Transcript, RecordFormat::Obf,
                                                  RecordFormat::Ggf, RecordFormat::Wthor};

GameEnd end_of(const GameRecord& game) {
    switch (game.ending) {
        case Ending::Resigned:
            return GameEnd::Resigned;
        case Ending::TimeOut:
            return GameEnd::Time;
        case Ending::Agreed:
            return GameEnd::Agreed;
        case Ending::Played:
            break;
    }
    return final_result(game) ? GameEnd::ByRules : GameEnd::Open;
}

Ending ending_of(GameEnd end) {
    if (end == GameEnd::Resigned) return Ending::Resigned;
    if (end == GameEnd::Time) return Ending::TimeOut;
    return end == GameEnd::ByRules || end == GameEnd::Open ? Ending::Played : Ending::Agreed;
}

std::optional<Winner> winner_of(const std::optional<double>& result) {
    if (!result) return std::nullopt;
    if (*result == 0) return Winner::Nobody;
    return *result > 0 ? Winner::First : Winner::Second;
}

PlayedGame played(const GameRecord& record) {
    PlayedGame game;
    game.start = format_obf(record.start);
    // So that plies are counted from the start of the game.
    if (game.start == format_obf(start_position())) game.start.clear();
    for (const RecordMove& m : record.moves) {
        PlayedMove& to = game.moves.emplace_back();
        to.move = m.square == kPass ? "pa" : format_square(m.square);
        to.value = m.value;
        if (m.seconds) to.time_ms = static_cast<std::int64_t>(*m.seconds * 1000.0);
    }
    game.names = {record.black, record.white};
    game.event = record.place;
    game.date = record.date;
    game.end = end_of(record);
    const auto ruled = final_result(record);
    game.winner = winner_of(record.result ? record.result
                            : ruled       ? std::optional<double>(*ruled)
                                          : std::nullopt);
    return game;
}

Expected<GameRecord> record_of(const PlayedGame& game) {
    GameRecord record;
    if (!game.start.empty()) {
        const auto start = parse_obf(game.start);
        if (!start) return start.error();
        record.start = *start;
    }
    record.black = game.names[0];
    record.white = game.names[1];
    record.place = game.event;
    record.date = game.date;
    Replay replay(record);
    for (const PlayedMove& m : game.moves) {
        const auto square = parse_square(m.move);
        if (!square) return square.error();
        if (*square == kPass) continue;  // the record puts them in by itself
        RecordMove move{*square, m.value, {}};
        if (m.time_ms) move.seconds = static_cast<double>(*m.time_ms) / 1000.0;
        if (const Status s = replay.play(move); !s) return s.error();
    }
    record.ending = ending_of(game.end);
    record.result = final_result(record);
    const bool by_rules = game.end == GameEnd::ByRules || game.end == GameEnd::Open;
    if (game.winner && (!record.result || !by_rules)) {
        record.result = *game.winner == Winner::Nobody  ? 0.0
                        : *game.winner == Winner::First ? 64.0
                                                        : -64.0;
    }
    return record;
}

WthorDate today() {
    const std::chrono::year_month_day d(
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
    return {int(d.year()), static_cast<int>(unsigned(d.month())),
            static_cast<int>(unsigned(d.day()))};
}

Json to_json(const GameRecord& game) {
    Json moves = Json::array();
    Json values = Json::array();
    Json seconds = Json::array();
    const auto optional = [](const auto& x) { return x ? Json(*x) : Json(nullptr); };
    for (const auto& m : game.moves) {
        moves.push_back(format_square(m.square));
        values.push_back(optional(m.value));
        seconds.push_back(optional(m.seconds));
    }
    Json scores = Json::object();
    for (const auto& [square, value] : game.scores) scores[format_square(square)] = value;
    constexpr std::array<const char*, 4> kEndings = {"played", "resigned", "time", "agreed"};
    Json out = {{"start", format_obf(game.start)},
                {"moves", moves},
                {"values", values},
                {"seconds", seconds},
                {"end", format_obf(end_position(game))},
                {"black", game.black},
                {"white", game.white},
                {"place", game.place},
                {"date", game.date},
                {"result", optional(game.result)},
                {"ending", kEndings[static_cast<std::size_t>(game.ending)]},
                {"final", optional(final_result(game))}};
    if (game.best_black_discs) out["best_black_discs"] = *game.best_black_discs;
    if (!game.scores.empty()) out["scores"] = scores;
    return out;
}

Expected<std::string> text_of(const GameRecord& game, const std::string& format,
                              bool every_position) {
    if (format == "ggf") return format_ggf(game) + "\n";
    if (format == "obf" && every_position) {
        return fmt::format("{}\n", fmt::join(format_obf_positions(game), "\n"));
    }
    if (format == "obf") return format_obf_record(game) + "\n";
    const auto line = format_transcript(game);
    if (!line) return line.error();
    return line->empty() ? std::string() : *line + "\n";
}

class OthelloFile final : public RecordFile {
public:
    explicit OthelloFile(Records records) : records_(std::move(records)) {}
    std::string format() const override { return std::string(name_of(records_.format)); }
    std::size_t size() const override { return records_.games.size(); }
    PlayedGame game(std::size_t i) const override { return played(records_.games.at(i)); }
    Json json(std::size_t i) const override { return to_json(records_.games.at(i)); }
    Expected<std::string> text(std::size_t i, const std::string& format,
                               bool every_position) const override {
        return text_of(records_.games.at(i), format, every_position);
    }
    const std::vector<RecordProblem>& errors() const override { return records_.errors; }
    std::size_t error_count() const override { return records_.error_count; }
    const std::vector<RecordProblem>& notes() const override { return records_.notes; }
    std::size_t note_count() const override { return records_.note_count; }
    const std::vector<GameRecord>& games() const { return records_.games; }

private:
    Records records_;
};

std::optional<RecordFormat> format_named(const std::string& name) {
    for (const RecordFormat f : kFormats) {
        if (name == name_of(f)) return f;
    }
    return std::nullopt;
}

Expected<std::unique_ptr<RecordFile>> read(const std::string& bytes, const std::string& format) {
    const auto found = format.empty() ? detect_format(bytes) : format_named(format);
    if (!found) {
        return Error{"no kind of Othello record that is known here",
                     "known are transcripts, OBF, GGF and WTHOR"};
    }
    return std::unique_ptr<RecordFile>(new OthelloFile(read_records(bytes, *found)));
}

Expected<std::unique_ptr<RecordFile>> load(const std::string& file, const std::string& format) {
    auto records = load_records(file, format_named(format));
    if (!records) return records.error();
    return std::unique_ptr<RecordFile>(new OthelloFile(std::move(*records)));
}

Expected<std::vector<FileBytes>> wthor_files(const std::vector<GameRecord>& games) {
    auto files = format_wthor(games, today());
    if (!files) return files.error();
    return std::vector<FileBytes>{{".wtb", std::move(files->games)},
                                  {".jou", std::move(files->players)},
                                  {".trn", std::move(files->tournaments)}};
}

Expected<std::string> write(const PlayedGame& game, const std::string& format) {
    const auto record = record_of(game);
    if (!record) return record.error();
    if (format == "wthor") {
        auto files = wthor_files({*record});
        if (!files) return files.error();
        return std::move(files->front().bytes);
    }
    if (format == "obf") return format_obf(end_position(*record)) + "\n";
    return text_of(*record, format, false);
}

Expected<std::vector<FileBytes>> whole(const std::vector<const RecordFile*>& files,
                                       const std::string& /*format*/) {
    std::vector<GameRecord> games;
    for (const RecordFile* file : files) {
        const auto& some = dynamic_cast<const OthelloFile&>(*file).games();
        games.insert(games.end(), some.begin(), some.end());
    }
    return wthor_files(games);
}

}  // namespace

RecordsFacet records_facet() {
    RecordsFacet facet;
    FormatInfo transcript{"transcript", "txt"};
    FormatInfo ggf{"ggf", "ggf"};
    FormatInfo wthor{"wthor", "wtb"};
    wthor.is_text = false;
    wthor.one_file = true;
    FormatInfo obf{"obf", "obf"};
    obf.positions = true;
    facet.formats = {transcript, ggf, wthor, obf};
    facet.read = read;
    facet.load = load;
    facet.looks_like_record = [](const std::string& bytes) {
        return bytes.find("(;") != std::string::npos || bytes.find('\0') != std::string::npos;
    };
    facet.write = write;
    facet.whole = whole;
    facet.examples = {"karikomi records othello --text f5d6c3d3c4f4f6",
                      "karikomi records othello --text f5d6c3d3c4f4f6 --to ggf"};
    return facet;
}

}  // namespace karikomi::othello
