/// What the readers of records share; for records*.cpp only.
#pragma once

#include "karikomi/games/othello/records.hpp"

namespace karikomi::othello::detail {

bool looks_like_wthor(std::string_view bytes);
/// Transcript or OBF, by the first line that is no comment.
std::optional<RecordFormat> detect_lines(std::string_view text);

/// Why the given result cannot be that of the moves; nothing when it can.
std::optional<std::string> result_doubt(const GameRecord& game);

/// Counted from 1.
int line_of(std::string_view text, std::size_t offset);

Expected<std::string> read_whole_file(const std::filesystem::path& file);
bool has_extension(const std::filesystem::path& file, std::string_view lower_case);

/// A number as records write it ("+1.25", "-4", "0.5"); `used` says how much of the text it takes.
std::optional<double> leading_number(std::string_view text, std::size_t& used);
/// The text is a number and nothing else.
std::optional<double> whole_number_text(std::string_view text);

/// From STEM.jou and STEM.trn beside the games, or wthor.jou and wthor.trn, in either case. Without
/// a file there are no names; what is wrong with one goes into `doubts`.
WthorNames load_wthor_names(const std::filesystem::path& games, std::vector<std::string>& doubts);

}  // namespace karikomi::othello::detail
