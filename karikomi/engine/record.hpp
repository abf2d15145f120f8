/// Game records as all games have them. A game's own formats hold more than this; its facet keeps
/// what it has read whole and shows it here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "karikomi/engine/engine.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi {

struct PlayedMove {
    std::string move;                       ///< in the game's notation
    std::optional<double> value{};          ///< as the mover saw it, in the game's unit
    std::optional<std::int64_t> time_ms{};  ///< thought
    std::string comment{};
};

/// How a game ended.
enum class GameEnd : std::uint8_t {
    Open,  ///< it did not, or nobody knows
    ByRules,
    Resigned,
    Time,
    Illegal,    ///< the mover's last try was no legal move
    MoveLimit,  ///< too long
    Agreed,     ///< by agreement, by a referee or by an accident
};

/// A line beside another one.
struct PlayedBranch {
    std::size_t parent = 0;  ///< the line that it leaves: 0 is the main line, i is branch i - 1
    std::size_t begin = 0;   ///< moves from the start of the game to its first
    std::vector<PlayedMove> moves{};
    std::string ending{};  ///< as PlayedGame has it
    std::string end_comment{};
};

struct PlayedGame {
    std::string start{};  ///< position; empty: the game's own start
    std::vector<PlayedMove> moves{};
    std::array<std::string, 2> names{};  ///< of the players, first mover first
    std::string event{};
    std::string date{};  ///< ISO 8601, or as the file has it
    std::optional<Winner> winner{};
    GameEnd end = GameEnd::Open;
    std::string comment{};                       ///< before the first move
    std::map<std::string, std::string> rules{};  ///< as set_rule() takes them

    // What not every game's records hold.
    std::vector<PlayedBranch> branches{};
    std::vector<std::pair<std::string, std::string>> facts{};  ///< beside event and date
    std::string ending{};                       ///< the records' own word, where it says more
    std::optional<std::int64_t> end_time_ms{};  ///< thought before it ended
    std::string end_comment{};                  ///< after the end
};

/// The moves from the start of the game to the first of a line, as PlayedBranch counts lines.
std::vector<std::string> moves_before(const PlayedGame& game, std::size_t line);

struct RecordProblem {
    int game = 0;            ///< counted from 1; 0: the file as a whole
    std::size_t offset = 0;  ///< bytes from the start of the file
    int line = 0;            ///< counted from 1; 0 where there are no lines
    std::string what;
};
/// "game 3 (line 7, byte 132): f1 is not a legal move".
std::string describe(const RecordProblem& problem);

/// The bytes of one file that is to be written.
struct FileBytes {
    std::string ending;  ///< of its name: ".wtb"
    std::string bytes;
};

/// A record file that has been read, with all that its format holds.
class RecordFile {
public:
    virtual ~RecordFile() = default;

    virtual std::string format() const = 0;
    virtual std::size_t size() const = 0;  ///< games that are good
    virtual PlayedGame game(std::size_t i) const = 0;
    /// Everything that is known of it.
    virtual Json json(std::size_t i) const = 0;
    /// As text with its line end. `every_position`: for formats that list positions.
    virtual Expected<std::string> text(std::size_t i, const std::string& format,
                                       bool every_position) const = 0;
    /// Games that are left out and damage to the file; the first of them, and how many there are.
    virtual const std::vector<RecordProblem>& errors() const = 0;
    virtual std::size_t error_count() const { return errors().size(); }
    /// Doubts about games that are kept.
    virtual const std::vector<RecordProblem>& notes() const;
    virtual std::size_t note_count() const { return notes().size(); }
};

struct FormatInfo {
    std::string name;    ///< "sgf"
    std::string ending;  ///< of a file's name: "sgf"
    bool read = true;
    bool write = true;        ///< a single game by write()
    bool convert = true;      ///< the games of a file by text() or whole()
    bool positions = false;   ///< lists positions, and can list every one of a game
    bool is_text = true;      ///< in UTF-8
    bool one_file = false;    ///< games do not follow each other: all are written by whole()
    bool single = false;      ///< a file holds one game
    std::string separator{};  ///< a line after each game where several follow each other
};

struct RecordsFacet {
    std::vector<FormatInfo> formats;
    /// `format` empty: by the contents. An error only where there is nothing to read at all.
    std::function<Expected<std::unique_ptr<RecordFile>>(const std::string& bytes,
                                                        const std::string& format)>
        read;
    /// The same for a file: its name, and files beside it, may say more.
    std::function<Expected<std::unique_ptr<RecordFile>>(const std::string& file,
                                                        const std::string& format)>
        load;
    /// The bytes look like a record, so that what is wrong with it is what matters.
    std::function<bool(const std::string& bytes)> looks_like_record;
    /// One game, with its line end.
    std::function<Expected<std::string>(const PlayedGame& game, const std::string& format)> write;
    /// All games of some files, for formats that are `one_file`; the first is the file itself.
    std::function<Expected<std::vector<FileBytes>>(const std::vector<const RecordFile*>& files,
                                                   const std::string& format)>
        whole;

    std::vector<std::string> examples;  ///< of `karikomi records`, for its help

    const FormatInfo* find(const std::string& name) const;
};

/// The bytes of a file, or why there are none.
Expected<std::string> read_bytes(const std::string& file);

}  // namespace karikomi
