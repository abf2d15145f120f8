/// Records of one line each: transcripts (also XOT-style opening lists) and OBF positions.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "karikomi/games/othello/records_detail.hpp"

namespace karikomi::othello {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kSeparators = " \t\r\n,;.-_/|:";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_one_of(char c, std::string_view set) {
    return set.find(c) != std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// A character as an error may show it.
std::string shown(char c) {
    const auto code = static_cast<unsigned char>(c);
    return code >= 0x20 && code < 0x7f ? fmt::format("'{}'", c)
                                       : fmt::format("character code {}", code);
}

/// What is wrong, and where in the line.
struct LineError {
    std::size_t offset = 0;
    std::string what;
};

bool looks_like_board(std::string_view line) {
    const auto is_cell = [](char c) { return is_one_of(c, "XxOo*-.BbWw"); };
    const auto cells = std::find_if_not(line.begin(), line.end(), is_cell) - line.begin();
    // A transcript can begin with 'b', but a move's second letter is a digit.
    return cells >= 8;
}

/// Comments: from '#' on; from '%' on too, but "95%" is none.
std::string_view without_comment(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool after_digit = i > 0 && is_digit(line[i - 1]);
        if (line[i] == '#' || (line[i] == '%' && !after_digit)) return line.substr(0, i);
    }
    return line;
}

// ---- Transcripts --------------------------------------------------------------------------------

/// One word of a transcript: a move, or nothing for what only separates.
struct Word {
    std::size_t length = 1;
    std::optional<Square> move = {};
};

/// "12." or "3)": people number their moves.
std::size_t move_number_length(std::string_view rest) {
    std::size_t n = 0;
    while (n < rest.size() && is_digit(rest[n])) ++n;
    const bool numbered = n > 0 && n < rest.size() && is_one_of(rest[n], ".):");
    return numbered ? n + 1 : 0;
}

Expected<Word> next_word(std::string_view rest) {
    if (is_one_of(rest.front(), kSeparators)) return Word{};
    if (const std::size_t n = move_number_length(rest); n > 0) return Word{n};
    for (const std::size_t length : {std::size_t{4}, std::size_t{2}}) {
        if (rest.size() < length) continue;
        if (const auto square = parse_square(rest.substr(0, length))) {
            if (length == 4 && *square != kPass) continue;  // "f5  ": blanks were trimmed away
            return Word{length, *square};
        }
    }
    if (std::isalpha(static_cast<unsigned char>(rest.front())) == 0) {
        return Error{fmt::format("{} is no part of a move", shown(rest.front()))};
    }
    return Error{parse_square(trimmed(rest.substr(0, 2))).error().what};
}

std::optional<LineError> read_transcript(std::string_view line, GameRecord& game) {
    Replay replay(game);
    for (std::size_t i = 0; i < line.size();) {
        const auto word = next_word(line.substr(i));
        if (!word) return LineError{i, word.error().what};
        if (word->move) {
            if (const Status s = replay.play({*word->move}); !s) {
                return LineError{i, s.error().what};
            }
        }
        i += word->length;
    }
    if (game.moves.empty()) return LineError{0, "no move in the line"};
    return std::nullopt;
}

// ---- OBF ----------------------------------------------------------------------------------------

std::optional<LineError> read_scores(std::string_view rest, std::size_t at, GameRecord& game) {
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view item = trimmed(rest.substr(0, end));
        if (const std::size_t colon = item.find(':'); colon != std::string_view::npos) {
            const auto square = parse_square(item.substr(0, colon));
            if (!square) return LineError{at, square.error().what};
            GameRecord trial;
            trial.start = game.start;
            if (const Status s = Replay(trial).play({*square}); !s || trial.moves.size() > 1) {
                return LineError{
                    at, fmt::format("the scored move {} is not legal", format_square(*square))};
            }
            std::size_t used = 0;
            const auto score = detail::leading_number(trimmed(item.substr(colon + 1)), used);
            if (!score) return LineError{at, fmt::format("'{}' has no number", item.substr(0, 20))};
            game.scores.emplace_back(*square, *score);
        }
        at += end + 1;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return std::nullopt;
}

std::optional<LineError> read_obf(std::string_view line, GameRecord& game) {
    const std::size_t semicolon = std::min(line.find(';'), line.size());
    const auto position = parse_obf(line.substr(0, semicolon));
    if (!position) return LineError{0, position.error().what};
    game.start = *position;
    if (semicolon == line.size()) return std::nullopt;
    return read_scores(line.substr(semicolon + 1), semicolon + 1, game);
}

/// The lines of a text that hold something, each with its place.
struct TextLine {
    std::string_view text;
    std::size_t offset = 0;
    int number = 0;
};

template <class Visit> void for_each_line(std::string_view text, Visit&& visit) {
    std::size_t start = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte-order mark
    for (int number = 1; start < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view line = without_comment(text.substr(start, end - start));
        const std::size_t first = line.find_first_not_of(kBlanks);
        if (first != std::string_view::npos) {
            if (!visit(TextLine{trimmed(line), start + first, number})) return;
        }
        start = end + 1;
    }
}

}  // namespace

namespace detail {

std::optional<RecordFormat> detect_lines(std::string_view text) {
    std::optional<RecordFormat> found;
    for_each_line(text, [&](const TextLine& line) {
        if (looks_like_board(line.text)) {
            found = RecordFormat::Obf;
        } else if (const auto word = next_word(line.text); word) {
            found = RecordFormat::Transcript;
        }
        return false;
    });
    return found;
}

}  // namespace detail

Records read_lines(std::string_view text) {
    Records records;
    int number = 0;
    for_each_line(text, [&](const TextLine& line) {
        ++number;
        GameRecord game;
        const bool board = looks_like_board(line.text);
        if (number == 1) records.format = board ? RecordFormat::Obf : RecordFormat::Transcript;
        const auto wrong = board ? read_obf(line.text, game) : read_transcript(line.text, game);
        if (wrong) {
            records.add_error({number, line.offset + wrong->offset, line.number, wrong->what});
        } else {
            records.games.push_back(std::move(game));
        }
        return true;
    });
    return records;
}

Expected<GameRecord> parse_transcript(std::string_view text) {
    GameRecord game;
    if (const auto wrong = read_transcript(trimmed(text), game)) {
        return Error{fmt::format("move {}: {}", game.moves.size() + 1, wrong->what),
                     "write moves like f5d6c3"};
    }
    return game;
}

Expected<std::string> format_transcript(const GameRecord& game) {
    if (game.start != start_position()) {
        return Error{"a transcript cannot say that the game began at another position", "use ggf"};
    }
    std::string text;
    for (const RecordMove& m : game.moves) {
        if (m.square != kPass) text += format_square(m.square);
    }
    return text;
}

std::string format_obf_record(const GameRecord& game) {
    if (!game.moves.empty()) return format_obf(end_position(game)) + ";";
    std::string line = format_obf(game.start) + ";";
    for (const auto& [square, score] : game.scores) {
        line += fmt::format(" {}:{:+g};", format_square(square), score);
    }
    return line;
}

std::vector<std::string> format_obf_positions(const GameRecord& game) {
    if (game.moves.empty()) return {format_obf_record(game)};
    std::vector<std::string> lines;
    GameRecord played;
    played.start = game.start;
    Replay replay(played);
    for (const RecordMove& m : game.moves) {
        if (m.square != kPass) {
            lines.push_back(format_obf(replay.position()) + ";");
            if (m.value)
                lines.back() += fmt::format(" {}:{:+g};", format_square(m.square), *m.value);
        }
        if (!replay.play(m)) break;  // no record that was read can come here
    }
    return lines;
}

}  // namespace karikomi::othello
