/// Where the games of a match begin: a list, or random plies that a search finds balanced.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "karikomi/engine/engine.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi::match {

struct Opening {
    std::string position;            ///< in the game's notation; empty: the usual start
    std::vector<std::string> moves;  ///< from there
    std::string text() const;        ///< as parse_opening reads it
    bool operator==(const Opening&) const = default;
};

/// Moves ("f5d6c3", "f5 d6 c3"), a position, or "POSITION moves M1 M2"; "startpos", "sfen" and
/// "position" before it are understood. Passes need not be written.
Expected<Opening> parse_opening(Engine& referee, const std::string& line);

/// The move that is played without asking when it is the only one: a pass. Empty: no such thing.
std::string forced_pass(const Engine& referee);

struct OpeningOptions {
    std::string source = "random:8";  ///< "random:PLIES", "start", or a file of one opening a line
    double balance = 3.0;             ///< greatest value for either side, in the game's unit
    Depth depth = 6;                  ///< of the search that judges it
    std::uint64_t seed = 1;
    bool shuffle = false;  ///< a list: in random order
};
Json to_json(const OpeningOptions& o);

/// Gives opening 0, 1, 2, ... Each is a function of the options and its number alone, so that a run
/// that was killed goes on with the same openings.
class Openings {
public:
    /// The referee judges lines of a list and looks for balanced positions.
    static Expected<std::unique_ptr<Openings>> make(const OpeningOptions& options,
                                                    std::unique_ptr<Engine> referee);
    virtual ~Openings() = default;
    virtual Opening get(std::size_t number) = 0;  ///< from one thread at a time
    /// How many different ones there are; 0: not known, more than anybody needs.
    virtual std::size_t size() const { return 0; }
    virtual std::string file_hash() const { return {}; }
};

}  // namespace karikomi::match
