/// Whoever plays: an Engine of this program, or another program by its protocol.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "karikomi/lab/match/spec.hpp"

namespace karikomi::match {

/// Scores of players are in the game's unit (discs, pawns), from their own point of view; a proven
/// end counts this much.
inline constexpr double kProven = 1000.0;

/// Who it is, as far as can be told: part of every record.
struct Identity {
    std::string name;
    std::string version;
    std::string binary_hash;  ///< of the program file; empty when it is not known
    std::string fingerprint;  ///< of the parameters of an internal engine
    std::string evaluation;
};
Json to_json(const Identity& id);

struct GameStart {
    std::string position;     ///< in the game's notation; empty: the usual start
    std::string start_board;  ///< the same, always written out
    int start_side = 0;       ///< who moves there
    TimeControl time;
    int side = 0;  ///< which side this player has
};

/// One move that is asked for.
struct Turn {
    const std::vector<std::string>& moves;  ///< all from the start position, in the game's notation
    int side = 0;
    Limits limits;
    std::int64_t clock_ms[2] = {0, 0};  ///< main time left of both sides
    /// After so many milliseconds it has lost on time, and may be told to stop; 0: no limit.
    std::int64_t lost_ms = 0;
    /// No answer after so many: it hangs.
    std::int64_t hang_ms = 0;
};

enum class Fault : std::uint8_t {
    None,
    Crash,     ///< the program is gone
    Hang,      ///< it does not answer any more
    Protocol,  ///< it answers what it must not, or refuses what it must do
};

/// What a program says of its best line at one depth: exact values only.
struct DepthReport {
    Depth depth = 0;
    double value = 0;  ///< in the protocol's own unit: centipawns, discs, or the program's
    /// 1: a proven win, -1: a proven loss, and then so many plies away, where it tells.
    int proven = 0;
    int plies = 0;
    std::uint64_t nodes = 0;  ///< of the search so far
};

struct Answer {
    std::string move;  ///< in the game's notation, not yet checked
    bool resigns = false;
    std::optional<double> score;
    int depth = 0;
    std::uint64_t nodes = 0;
    std::vector<DepthReport> reports;  ///< external: by depth, the last of each
    /// From the question itself to the answer, where more than that went to and fro; -1: all of it
    /// counts.
    std::int64_t time_ms = -1;
    Fault fault = Fault::None;
    std::string detail;
};

/// What went wrong; Fault::None: nothing.
struct Trouble {
    Fault fault = Fault::None;
    std::string what;
};

/// What a program says that it can be told: "option name NAME type spin default 3 min 0 max 9".
struct ProgramOption {
    std::string name;
    std::string type;   ///< "spin", "check", "combo", ...
    std::string value;  ///< its default
    double min = 0;     ///< of a spin
    double max = 0;
    std::vector<std::string> choices;  ///< of a combo
};

class Player {
public:
    virtual ~Player() = default;
    virtual const Identity& identity() const = 0;
    /// Makes it ready, after a fault too.
    virtual Trouble new_game(const GameStart& start) = 0;
    virtual Answer think(const Turn& turn) = 0;
    /// Other settings on top of its own from now on: off, only and set for internal engines, "set"
    /// of NAME=VALUE for programs.
    virtual Status adjust(const EngineSpec::Pairs& /*settings*/) {
        return Error{"this player cannot be adjusted"};
    }
    /// What it can be told, where the protocol lists it.
    virtual std::vector<ProgramOption> options() const { return {}; }
    /// From its own point of view: 1 won, 0 drawn, -1 lost. Nothing is expected in return.
    virtual void game_over(int /*outcome*/) {}
    /// The last lines that went to and fro: what a fault is explained with.
    virtual std::vector<std::string> last_lines() const { return {}; }
    /// From now on this ends what it does; what it answers then is thrown away.
    virtual void stop_on(StopToken stop) = 0;
};

using Rules = EngineSpec::Pairs;  ///< of Engine::set_rule

struct PlayerSetup {
    std::string game;
    Rules rules{};
    int cpu = -1;                    ///< run on this processor only; -1: anywhere
    std::int64_t start_ms = 30'000;  ///< a program must be ready in this time
};

/// Starts it once, so that its identity is known and a wrong command is found at once.
Expected<std::unique_ptr<Player>> make_player(const EngineSpec& spec, const PlayerSetup& setup);

/// What an internal engine of these settings searches with.
Expected<SearchParams> internal_params(const EngineSpec& spec, const Engine& engine);

// One function a protocol.
Expected<std::unique_ptr<Player>> make_internal(const EngineSpec& spec, const PlayerSetup& setup);
Expected<std::unique_ptr<Player>> make_nboard(const EngineSpec& spec, const PlayerSetup& setup);
Expected<std::unique_ptr<Player>> make_gtp(const EngineSpec& spec, const PlayerSetup& setup);
Expected<std::unique_ptr<Player>> make_usi(const EngineSpec& spec, const PlayerSetup& setup);
Expected<std::unique_ptr<Player>> make_gomocup(const EngineSpec& spec, const PlayerSetup& setup);

}  // namespace karikomi::match
