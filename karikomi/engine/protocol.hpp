/// Protocols by which graphical programs and tournament managers speak to an engine, as the program
/// starts them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/engine/options.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi {

/// Who said a line.
enum class Direction : std::uint8_t { In, Out };
/// Sees every line of a conversation, from any thread, one at a time.
using Transcript = std::function<void(Direction, std::string_view)>;

/// Where a conversation takes place.
struct Streams {
    int input = 0;  ///< file descriptor
    std::FILE* output = stdout;
};

/// A conversation in figures, for the log.
struct Summary {
    std::uint64_t lines_read = 0;
    std::uint64_t searches = 0;
};

struct ProtocolCall {
    Engine& engine;
    OptionValues options;
    int threads = 1;
    int hash_mb = 64;
    /// An engine's parameters with the changes that the user wants.
    std::function<SearchParams(const Engine&)> tuned;
    Transcript transcript;
    Streams streams;
};

struct ProtocolFacet {
    std::string name;  ///< the subcommand: "usi"
    std::string summary{};
    std::vector<OptionInfo> options{};  ///< besides those of the engine
    std::vector<std::string> examples{};
    std::vector<std::string> links{};  ///< names of programs that stand for the subcommand
    std::string rule_code{};           ///< what the protocol calls this module's rule
    bool sets_params = false;          ///< run() itself gives the engine its parameters, by `tuned`
    /// Talks to the end. Empty: another module of the family does it.
    std::function<Expected<Summary>(const ProtocolCall&)> run{};
};

}  // namespace karikomi
