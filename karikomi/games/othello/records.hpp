/// Othello game records: transcripts, GGF, WTHOR and OBF lists (docs/records.md).
///
/// Every move is checked by the rules while it is read. A game that is wrong becomes a problem that
/// says where it stands; the games before and after it are kept.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "karikomi/engine/record.hpp"
#include "karikomi/games/othello/board.hpp"

namespace karikomi::othello {

struct RecordMove {
    Square square = kPass;
    std::optional<double> value = {};    ///< discs, as the mover saw it
    std::optional<double> seconds = {};  ///< spent on the move
};

/// How a game ended before the board was full, if it did.
enum class Ending : std::uint8_t { Played, Resigned, TimeOut, Agreed };

struct GameRecord {
    Position start = start_position();
    std::vector<RecordMove> moves;  ///< every pass is written out
    std::string black;
    std::string white;
    std::string place;
    std::string date;              ///< as the file has it: "2024", "2003.12.15_13:24:03.MST"
    std::optional<double> result;  ///< discs, for Black
    Ending ending = Ending::Played;
    std::optional<double> black_rating;
    std::optional<double> white_rating;
    std::optional<int> best_black_discs;            ///< WTHOR: with perfect play at its depth
    std::vector<std::pair<Square, double>> scores;  ///< OBF: moves of `start` with values
    std::vector<std::pair<std::string, std::string>> tags;  ///< GGF: all others, in their order
};

/// Plays moves onto a record and puts in the passes that nobody had to write.
class Replay {
public:
    explicit Replay(GameRecord& game) : game_(game), position_(game.start) {}
    const Position& position() const { return position_; }
    Status play(const RecordMove& move);
    /// The pass that this position forces, if it does.
    void pass_if_forced();

private:
    GameRecord& game_;
    Position position_;
};

Position end_position(const GameRecord& game);
/// Black's discs minus White's at the end, empties to the winner; nothing if the game is not over.
std::optional<int> final_result(const GameRecord& game);

// ---- Reading ------------------------------------------------------------------------------------
enum class RecordFormat : std::uint8_t { Transcript, Obf, Ggf, Wthor };
std::string_view name_of(RecordFormat format);

struct Records {
    RecordFormat format = RecordFormat::Transcript;
    std::vector<GameRecord> games;  ///< the good ones, in their order
    /// Games that are left out and damage to the file; the first kMostProblems of them.
    std::vector<RecordProblem> errors;
    std::size_t error_count = 0;
    /// Doubts about games that are kept: a result that is not the board's.
    std::vector<RecordProblem> notes;
    std::size_t note_count = 0;

    static constexpr std::size_t kMostProblems = 100;
    void add_error(RecordProblem problem);
    void add_note(RecordProblem problem);
};

/// Players and tournaments of WTHOR games, by number.
struct WthorNames {
    std::vector<std::string> players;
    std::vector<std::string> tournaments;
};

/// What the bytes look like; nothing where they look like no record at all.
std::optional<RecordFormat> detect_format(std::string_view bytes);
Records read_records(std::string_view bytes, RecordFormat format, const WthorNames& names = {});
/// Detects the format unless it is given (a name that ends in .wtb says it too); for WTHOR it reads
/// the names beside the file. An error only where there is nothing to read at all.
Expected<Records> load_records(const std::filesystem::path& file,
                               std::optional<RecordFormat> format = {});

/// The parts of read_records.
Records read_lines(std::string_view text);  ///< transcripts and OBF, line by line
Records read_ggf(std::string_view text);
Records read_wthor(std::string_view bytes, const WthorNames& names);
/// "(;GM[Othello]...;)": one game, as NBoard sends it.
Expected<GameRecord> parse_ggf(std::string_view text);
/// "f5d6c3": separators, move numbers, passes and either case are welcome.
Expected<GameRecord> parse_transcript(std::string_view text);

// ---- Writing ------------------------------------------------------------------------------------
/// No passes; an error for a game that does not begin at the start of the game.
Expected<std::string> format_transcript(const GameRecord& game);
std::string format_ggf(const GameRecord& game);
/// The start position and its scores where there are no moves; else the end position.
std::string format_obf_record(const GameRecord& game);
/// Every position in which a move was made, with the value that the file gives for it.
std::vector<std::string> format_obf_positions(const GameRecord& game);

struct WthorFiles {
    std::string games;        ///< .wtb
    std::string players;      ///< .jou
    std::string tournaments;  ///< .trn
};
/// `year`, `month`, `day`: of writing. An error names the first game that WTHOR cannot hold.
struct WthorDate {
    int year = 2000;
    int month = 1;
    int day = 1;
};
Expected<WthorFiles> format_wthor(std::span<const GameRecord> games, WthorDate written);

}  // namespace karikomi::othello
