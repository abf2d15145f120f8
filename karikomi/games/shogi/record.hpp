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
};

struct GameRecord {
    Diagram start;
    std::array<std::string, 2> names{};  ///< by colour
    /// What else is known: EVENT, SITE, START_TIME, ... (CSA's keys) or keys of the file's own.
    std::vector<std::pair<std::string, std::string>> facts{};
    std::string comment{};  ///< before the first move
    std::vector<RecordedMove> moves{};
    Ending ending = Ending::None;
    std::optional<std::chrono::milliseconds> last_time{};  ///< thought before the end

    /// Replays the moves.
    Board board_after(std::size_t moves_played) const;
    /// Who moves after the last move of the record.
    Colour mover() const {
        return moves.size() % 2 == 0 ? start.board.side() : opposite(start.board.side());
    }
    /// Nothing where nobody won (or nobody knows).
    std::optional<Colour> winner() const;
};

/// A game with its usual name: "平手", "二枚落ち", ...
struct Handicap {
    std::string_view name;     ///< as KIF has it
    std::string_view english;  ///< "two pieces"
    std::string_view sfen;
};
const std::vector<Handicap>& handicaps();

/// One game. Bytes may be UTF-8 or Shift-JIS.
Expected<GameRecord> parse_csa(std::string_view bytes);
/// All games of a file, separated by lines of a single '/'.
Expected<std::vector<GameRecord>> parse_csa_games(std::string_view bytes);
std::string format_csa(const GameRecord& record);

/// The main line; variations are passed over.
Expected<GameRecord> parse_kif(std::string_view bytes);
Expected<std::string> format_kif(const GameRecord& record, Encoding encoding = Encoding::Utf8);

/// By what the text looks like.
Expected<GameRecord> parse_record(std::string_view bytes);

}  // namespace karikomi::shogi
