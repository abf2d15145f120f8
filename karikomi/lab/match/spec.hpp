/// Engines and time controls as the command line writes them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "karikomi/core/clock.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi::match {

/// How long a player may think. What is not set has no effect; a clock needs main time, byoyomi or
/// an increment.
struct TimeControl {
    Depth depth = 0;
    int level = -1;
    std::uint64_t nodes = 0;
    std::int64_t move_time_ms = 0;
    std::int64_t main_ms = 0;
    std::int64_t increment_ms = 0;
    std::int64_t byoyomi_ms = 0;

    bool has_clock() const { return main_ms > 0 || increment_ms > 0 || byoyomi_ms > 0; }
    bool empty() const { return depth == 0 && level < 0 && nodes == 0 && !is_timed(); }
    bool is_timed() const { return move_time_ms > 0 || has_clock(); }
    /// "depth", "level", "nodes", "move-time" (ms), "clock" (main[+increment], s), "byoyomi" (ms).
    Status set(const std::string& key, const std::string& value);
    static bool knows(std::string_view key);
    std::string text() const;  ///< "200 ms a move"
};
Json to_json(const TimeControl& t);
Expected<TimeControl> time_control_of(const Json& json);

enum class Protocol : std::uint8_t { Internal, Nboard, Gtp, Usi, Gomocup };

/// One engine. Text form: `internal:GAME?key=value&key=value` or
/// `PROTOCOL[?key=value&...]:COMMAND`; `%26` writes an ampersand inside a value.
struct EngineSpec {
    using Pairs = std::vector<std::pair<std::string, std::string>>;

    std::string text;  ///< as given
    Protocol protocol = Protocol::Internal;
    std::string command;       ///< of an external engine, for the shell
    std::string game;          ///< of an internal engine
    std::string name;          ///< as given by name=; may be empty
    std::string folder;        ///< working directory; empty: ours
    TimeControl time;          ///< empty: that of the match
    int threads = 0;           ///< 0: that of the match
    int hash_mb = 0;           ///< 0: that of the match
    bool legacy = false;       ///< internal: the plain reference search
    std::string weights_file;  ///< internal: instead of the built-in weights
    std::string params_file;   ///< internal: instead of the shipped parameters
    Pairs changes;             ///< internal: off, only, set in the order given
    Pairs options;             ///< external: option.NAME=VALUE, sent as the protocol does it
    /// nboard, think=hint: think by `hint`, ended by `ping`, so that a time for the move is kept;
    /// think=go: by `go`, which knows a depth and a game clock only. Not set: by what is wanted.
    std::optional<bool> hint;
    bool ponder = false;  ///< usi, ponder=true: it thinks on the other's time too
};

Expected<EngineSpec> parse_engine(const std::string& text);
/// The name of the engine that knows these rules best (name_by_rule).
std::string name_by_rules(const std::string& game, const EngineSpec::Pairs& rules);
/// An engine of this game under these rules, to judge and to look at positions with.
Expected<std::unique_ptr<Engine>> make_referee(const std::string& game,
                                               const EngineSpec::Pairs& rules,
                                               const std::string& weights_file = {});
std::string_view name_of(Protocol p);
/// The first game that this protocol is spoken for; empty: none.
std::string usual_game(Protocol p);
/// An error where the game does not know the protocol of this engine.
Status require_protocol(const EngineSpec& spec, const std::string& game);

}  // namespace karikomi::match
