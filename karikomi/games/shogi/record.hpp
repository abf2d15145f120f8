/// Game records: CSA and KIF files, read and written. All text inside is UTF-8.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "karikomi/games/shogi/encoding.hpp"
#include "karikomi/games/shogi/notation.hpp"

namespace karikomi::shogi {

/// Why a game ended; "the mover" is who would have had the next move.
enum class Ending : std::uint8_t {
    None,         ///< the record just stops
    Resignation,  ///< the mover resigned
    Interruption,
    Repetition,
    Impasse,         ///< both kings entered, points for a draw
    TimeUp,          ///< the mover's time
    IllegalMove,     ///< the mover lost by an illegal move
    IllegalByOther,  ///< the mover won by an illegal move of the other
    DeclaredWin,     ///< the mover declared a win
    Draw,
    MaxMoves,
    Mate,    ///< the mover is mated
    NoMate,  ///< a problem without a solution
    Broken,  ///< "error"
};

struct RecordedMove {
    Move move;
    std::optional<std::chrono::milliseconds> time{};  ///< thought
    std::string comment{};                            ///< after the move; lines
    bool operator==(const RecordedMove&) const = default;
};

/// Moves one after the other, and how they end.
struct RecordedLine {
    std::vector<RecordedMove> moves{};
    Ending ending = Ending::None;
    std::optional<std::chrono::milliseconds> last_time{};  ///< thought before the end
    std::string end_comment{};                             ///< after the end; lines
    bool operator==(const RecordedLine&) const = default;
};

/// A line beside another one.
struct Variation : RecordedLine {
    std::size_t parent = 0;  ///< the line that it leaves: 0 is the main line, i is variation i - 1
    std::size_t begin = 0;   ///< moves from the start of the game to its first
    bool operator==(const Variation&) const = default;
};

/// The main line and everything around it.
struct GameRecord : RecordedLine {
    Diagram start;
    std::array<std::string, 2> names{};  ///< by colour
    /// What else is known: EVENT, SITE, START_TIME, ... (CSA's keys) or keys of the file's own.
    std::vector<std::pair<std::string, std::string>> facts{};
    std::string comment{};  ///< before the first move
    /// In the order of sort_variations().
    std::vector<Variation> variations{};

    /// Replays the moves of the main line.
    Board board_after(std::size_t moves_played) const;
    /// The moves from the start to the first of a line, as GameRecord counts lines.
    std::vector<Move> moves_before(std::size_t line) const;
    /// Who has the move after so many moves.
    Colour mover_after(std::size_t moves_played) const {
        return moves_played % 2 == 0 ? start.board.side() : opposite(start.board.side());
    }
    /// Who moves after the last move of the main line.
    Colour mover() const { return mover_after(moves.size()); }
    /// Nothing where nobody won (or nobody knows).
    std::optional<Colour> winner() const { return winner_of(*this, mover()); }
    static std::optional<Colour> winner_of(const RecordedLine& line, Colour mover);
    /// The order in which KIF writes variations: of each line the latest first, each followed by
    /// its own. Readers leave them so; who puts a record together calls it.
    void sort_variations();
    bool operator==(const GameRecord&) const = default;
};
/// The line that a variation at `begin` leaves, when `line` is the one that was read last. Nothing:
/// there is no such place.
std::optional<std::size_t> parent_of(const GameRecord& record, std::size_t line, std::size_t begin);

/// A game with its usual name: "平手", "二枚落ち", ...
struct Handicap {
    std::string_view name;     ///< as KIF has it
    std::string_view english;  ///< "two pieces"
    std::string_view jkf;      ///< as JKF has it: "2"
    std::string_view sfen;
};
const std::vector<Handicap>& handicaps();

/// One game. Bytes may be UTF-8 or Shift-JIS.
Expected<GameRecord> parse_csa(std::string_view bytes);
/// All games of a file, separated by lines of a single '/'.
Expected<std::vector<GameRecord>> parse_csa_games(std::string_view bytes);
std::string format_csa(const GameRecord& record);

/// KIF and KI2, and a bare list of moves ("▲７六歩 △３四歩").
Expected<GameRecord> parse_kif(std::string_view bytes);
Expected<std::string> format_kif(const GameRecord& record, Encoding encoding = Encoding::Utf8);
/// KI2 has no times.
std::string format_ki2(const GameRecord& record);

/// JSON Kifu Format.
Expected<GameRecord> parse_jkf(std::string_view bytes);
std::string format_jkf(const GameRecord& record);

/// "csa", "jkf", "ki2" or "kif": what the text looks like.
std::string_view kind_of_record(std::string_view bytes);
/// By what the text looks like.
Expected<GameRecord> parse_record(std::string_view bytes);

}  // namespace karikomi::shogi
