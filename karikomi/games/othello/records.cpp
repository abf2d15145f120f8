/// What all formats of records share: replaying, detecting, loading. Each format has a file of its
/// own: records_lines.cpp, records_ggf.cpp, records_wthor.cpp.
#include "karikomi/games/othello/records.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "karikomi/base/text.hpp"
#include "karikomi/games/othello/records_detail.hpp"

namespace karikomi::othello {

// ---- Games --------------------------------------------------------------------------------------

void Replay::pass_if_forced() {
    if (!position_.board.must_pass()) return;
    position_ = Position{position_.board.passed(), opposite(position_.to_move)};
    game_.moves.push_back({kPass});
}

Status Replay::play(const RecordMove& move) {
    const Board& board = position_.board;
    if (board.over()) return Error{"a move after the end of the game", "cut the line there"};
    if (move.square == kPass) {
        if (!board.must_pass()) return Error{"a pass is not allowed here", "leave it out"};
        pass_if_forced();
        game_.moves.back() = move;
        return {};
    }
    if (move.square < 0 || move.square >= 64) return Error{"not a square", "a1 to h8"};
    pass_if_forced();
    const Bits target = bit(move.square);
    const bool free = (position_.board.empty() & target) != 0;
    if ((position_.board.moves() & target) == 0) {
        const std::string who = position_.to_move == Colour::Black ? "Black" : "White";
        return Error{fmt::format("{} is not a legal move for {}: {}", format_square(move.square),
                                 who, free ? "it turns nothing" : "the square is taken"),
                     "check the moves before it"};
    }
    const Bits turned = position_.board.flips(move.square);
    position_ = Position{position_.board.after(move.square, turned), opposite(position_.to_move)};
    game_.moves.push_back(move);
    return {};
}

Position end_position(const GameRecord& game) {
    Position p = game.start;
    for (const RecordMove& m : game.moves) {
        const Board next =
            m.square == kPass ? p.board.passed() : p.board.after(m.square, p.board.flips(m.square));
        p = Position{next, opposite(p.to_move)};
    }
    return p;
}

std::optional<int> final_result(const GameRecord& game) {
    const Position end = end_position(game);
    if (!end.board.over()) return std::nullopt;
    const int score = final_score(end.board);
    return end.to_move == Colour::Black ? score : -score;
}

// ---- Problems -----------------------------------------------------------------------------------

void Records::add_error(RecordProblem problem) {
    ++error_count;
    if (errors.size() < kMostProblems) errors.push_back(std::move(problem));
}

void Records::add_note(RecordProblem problem) {
    ++note_count;
    if (notes.size() < kMostProblems) notes.push_back(std::move(problem));
}

namespace detail {

/// Some files count the empties for the winner, some do not: both are right.
std::optional<std::string> result_doubt(const GameRecord& game) {
    if (!game.result || game.ending != Ending::Played) return std::nullopt;
    const auto ruled = final_result(game);
    if (!ruled) return std::nullopt;
    const Position end = end_position(game);
    const int counted = std::popcount(end.black()) - std::popcount(end.white());
    const bool right =
        std::abs(*game.result - *ruled) < 0.5 || std::abs(*game.result - counted) < 0.5;
    if (right) return std::nullopt;
    return fmt::format("the result is given as {:+g}, the board says {:+}", *game.result, *ruled);
}

std::optional<double> leading_number(std::string_view text, std::size_t& used) {
    std::size_t start = 0;
    if (text.starts_with('+')) start = 1;  // from_chars knows no plus sign
    const char* const end = text.data() + text.size();
    double number = 0;
    const auto [stop, code] = read_real(text.data() + start, end, number, true);
    if (code != std::errc() || !std::isfinite(number)) return std::nullopt;
    if (start == 1 && text.size() > 1 && text[1] == '-') return std::nullopt;
    used = static_cast<std::size_t>(stop - text.data());
    return number;
}

std::optional<double> whole_number_text(std::string_view text) {
    std::size_t used = 0;
    const auto number = leading_number(text, used);
    return number && used == text.size() ? number : std::nullopt;
}

int line_of(std::string_view text, std::size_t offset) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
    return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

}  // namespace detail

// ---- Formats ------------------------------------------------------------------------------------

std::string_view name_of(RecordFormat format) {
    switch (format) {
        case RecordFormat::Transcript:
            return "transcript";
        case RecordFormat::Obf:
            return "obf";
        case RecordFormat::Ggf:
            return "ggf";
        case RecordFormat::Wthor:
            return "wthor";
    }
    return "";
}

std::optional<RecordFormat> detect_format(std::string_view bytes) {
    if (detail::looks_like_wthor(bytes)) return RecordFormat::Wthor;
    if (bytes.find('\0') != std::string_view::npos) return std::nullopt;
    if (bytes.find("(;") != std::string_view::npos) return RecordFormat::Ggf;
    return detail::detect_lines(bytes);
}

Records read_records(std::string_view bytes, RecordFormat format, const WthorNames& names) {
    if (format == RecordFormat::Ggf) return read_ggf(bytes);
    if (format == RecordFormat::Wthor) return read_wthor(bytes, names);
    Records records = read_lines(bytes);
    records.format = format;
    return records;
}

Expected<Records> load_records(const std::filesystem::path& file,
                               std::optional<RecordFormat> format) {
    const auto bytes = detail::read_whole_file(file);
    if (!bytes) return bytes.error();
    if (!format && detail::has_extension(file, ".wtb")) format = RecordFormat::Wthor;
    if (!format) format = detect_format(*bytes);
    if (!format) {
        return Error{fmt::format("{}: no kind of Othello record that is known here", file.string()),
                     "known are transcripts, OBF, GGF and WTHOR (.wtb)"};
    }
    if (*format != RecordFormat::Wthor) return read_records(*bytes, *format);
    std::vector<std::string> doubts;
    const WthorNames names = detail::load_wthor_names(file, doubts);
    Records records = read_wthor(*bytes, names);
    for (std::string& doubt : doubts) records.add_note({0, 0, 0, std::move(doubt)});
    return records;
}

namespace detail {

Expected<std::string> read_whole_file(const std::filesystem::path& file) {
    std::error_code trouble;
    if (std::filesystem::is_directory(file, trouble)) {
        return Error{fmt::format("'{}' is a directory", file.string()), "name a file"};
    }
    std::ifstream in(file, std::ios::binary);
    if (!in) return Error{fmt::format("'{}' cannot be opened", file.string()), "check the path"};
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (in.bad()) return Error{fmt::format("'{}' cannot be read", file.string()), "check the disk"};
    return bytes;
}

bool has_extension(const std::filesystem::path& file, std::string_view extension) {
    std::string own = file.extension().string();
    std::transform(own.begin(), own.end(), own.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return own == extension;
}

}  // namespace detail
}  // namespace karikomi::othello
