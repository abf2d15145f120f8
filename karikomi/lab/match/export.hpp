/// Games of a match in the formats that other programs read.
#pragma once

#include <string>
#include <vector>

#include "karikomi/lab/match/store.hpp"

namespace karikomi::match {

enum class ExportFormat : std::uint8_t { JsonLines, Transcript, Ggf, Usi, Csa, Kif, Sgf, Psq };

/// By name: "jsonl", "transcript", "ggf", "usi", "csa", "kif", "sgf", "psq". An error where the
/// game is not one that is written so.
Expected<ExportFormat> export_format(const std::string& name, const std::string& game);

/// One game with its line ends.
Expected<std::string> export_game(const GameRow& row, const std::vector<std::string>& names,
                                  ExportFormat format);

/// The parts of it.
Expected<std::string> to_csa(const GameRow& row, const std::vector<std::string>& names);
Expected<std::string> to_kif(const GameRow& row, const std::vector<std::string>& names);
std::string to_sgf(const GameRow& row, const std::vector<std::string>& names);
std::string to_psq(const GameRow& row);

}  // namespace karikomi::match
