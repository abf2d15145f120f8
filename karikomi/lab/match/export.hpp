/// Games of a match in the formats that other programs read.
#pragma once

#include <string>
#include <vector>

#include "karikomi/engine/module.hpp"
#include "karikomi/lab/match/match_config.hpp"
#include "karikomi/lab/match/store.hpp"

namespace karikomi::match {

/// Writes games in one format: "jsonl" and "usi" for every game, else one of its own formats.
class Exporter {
public:
    /// An error that names the formats where the game is not written so.
    static Expected<Exporter> make(const std::string& format, const MatchConfig& config);

    /// One game with its line ends. `names` by engine.
    Expected<std::string> text(const GameRow& row, const std::vector<std::string>& names) const;
    /// A file of this format holds one game only.
    bool single() const { return info_ != nullptr && info_->single; }

private:
    std::string format_;
    const GameModule* module_ = nullptr;
    const FormatInfo* info_ = nullptr;  ///< nothing: a format of every game
    Rules rules_;
};

}  // namespace karikomi::match
