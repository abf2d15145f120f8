/// GGF, the generic game format of GGS and NBoard: `(;TAG[value]...;)`, any number in a file.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "karikomi/games/othello/records_detail.hpp"

namespace karikomi::othello {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string upper(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return out;
}

std::string shown(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 20)) {
        const auto code = static_cast<unsigned char>(c);
        out += code >= 0x20 && code < 0x7f ? c : '?';
    }
    return "'" + out + (text.size() > 20 ? "...'" : "'");
}

struct Tag {
    std::string name;  ///< upper case
    std::string value;
    std::size_t offset = 0;
};

/// An error somewhere in the text.
struct GgfError {
    std::size_t offset = 0;
    std::string what;
};

/// Reads the tags of one game; afterwards `at` is behind its end, or where it went wrong.
class Tags {
public:
    Tags(std::string_view text, std::size_t at) : text_(text), at_(at) {}

    std::optional<GgfError> read(std::vector<Tag>& tags) {
        for (;;) {
            while (at_ < text_.size() && (is_blank(text_[at_]) || lone_semicolon())) ++at_;
            if (at_ >= text_.size() || text_.substr(at_).starts_with("(;")) {
                return GgfError{at_, "the game does not end with ';)'"};
            }
            if (text_.substr(at_).starts_with(";)")) {
                at_ += 2;
                return std::nullopt;
            }
            if (text_[at_] == ')') {  // SGF's way to end, which some programs write
                ++at_;
                return std::nullopt;
            }
            Tag tag;
            if (auto wrong = read_tag(tag)) return wrong;
            tags.push_back(std::move(tag));
        }
    }
    std::size_t at() const { return at_; }

private:
    bool lone_semicolon() const {
        return text_[at_] == ';' && !text_.substr(at_).starts_with(";)");
    }
    std::optional<GgfError> read_tag(Tag& tag) {
        tag.offset = at_;
        while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0) {
            ++at_;
        }
        tag.name = upper(text_.substr(tag.offset, at_ - tag.offset));
        if (tag.name.empty() || at_ >= text_.size() || text_[at_] != '[') {
            return GgfError{at_, "a tag like PB[name] or ';)' is expected here"};
        }
        for (++at_; at_ < text_.size() && text_[at_] != ']'; ++at_) {
            if (text_.substr(at_).starts_with("(;")) break;  // the next game: this one is cut off
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
            tag.value += text_[at_];
        }
        if (at_ >= text_.size() || text_[at_] != ']') {
            return GgfError{tag.offset, fmt::format("the value of {} has no ']'", tag.name)};
        }
        ++at_;
        return std::nullopt;
    }

    std::string_view text_;
    std::size_t at_;
};

// ---- Values -------------------------------------------------------------------------------------

/// "12.5", "1:02" or "1:00:02" as seconds.
std::optional<double> seconds_of(std::string_view text) {
    double total = 0;
    for (;;) {
        const std::size_t colon = text.find(':');
        const auto part = detail::whole_number_text(text.substr(0, colon));
        if (!part || *part < 0) return std::nullopt;
        total = total * 60 + *part;
        if (colon == std::string_view::npos) return total;
        text.remove_prefix(colon + 1);
    }
}

/// BO[8 cells side], the cells with or without blanks between.
Expected<Position> parse_board(std::string_view value) {
    std::size_t at = value.find_first_not_of(" \t\r\n");
    int size = 0;
    if (at != std::string_view::npos) {
        const char* const end = value.data() + value.size();
        const auto [stop, code] = std::from_chars(value.data() + at, end, size);
        if (code == std::errc()) at = static_cast<std::size_t>(stop - value.data());
    }
    if (size != 8) {
        return Error{fmt::format("a board of {} is not 8", shown(value.substr(0, 6)))};
    }
    std::string cells;
    for (const char c : value.substr(at)) {
        if (!is_blank(c)) cells += c;
    }
    if (cells.size() != 65) {
        return Error{fmt::format("the board has {} cells and side, not 65", cells.size())};
    }
    return parse_obf(cells.substr(0, 64) + " " + cells.substr(64));
}

/// "+12.000", with ":r", ":t" or ":s" behind; "?" and nothing mean that it is not known.
bool parse_result(std::string_view value, GameRecord& game) {
    if (value.empty() || value == "?") return true;
    const std::size_t colon = value.find(':');
    const auto number = detail::whole_number_text(value.substr(0, colon));
    if (!number) return false;
    game.result = *number;
    if (colon == std::string_view::npos) return true;
    const std::string suffix = upper(value.substr(colon + 1));
    if (suffix == "R") game.ending = Ending::Resigned;
    if (suffix == "T") game.ending = Ending::TimeOut;
    if (suffix == "S") game.ending = Ending::Agreed;
    return suffix == "R" || suffix == "T" || suffix == "S";
}

// ---- Games --------------------------------------------------------------------------------------

/// Turns tags into a game. Text fields and numbers that make no sense are doubts; the board and the
/// moves must be right.
class GameBuilder {
public:
    std::optional<GgfError> build(const std::vector<Tag>& tags) {
        for (const Tag& tag : tags) {
            if (auto wrong = read_head(tag)) return wrong;
        }
        if (!has_board_) return GgfError{tags.empty() ? 0 : tags.front().offset, "no BO[] tag"};
        Replay replay(game);
        for (const Tag& tag : tags) {
            if (tag.name != "B" && tag.name != "W") continue;
            if (auto wrong = read_move(tag, replay)) return wrong;
        }
        return std::nullopt;
    }

    GameRecord game;
    std::vector<GgfError> doubts;

private:
    std::optional<GgfError> read_head(const Tag& tag) {
        const std::array<std::pair<std::string_view, std::string*>, 4> texts = {
            {{"PB", &game.black}, {"PW", &game.white}, {"PC", &game.place}, {"DT", &game.date}}};
        for (const auto& [name, field] : texts) {
            if (tag.name != name) continue;
            *field = tag.value;
            return std::nullopt;
        }
        if (tag.name == "RB" || tag.name == "RW") {
            (tag.name == "RB" ? game.black_rating : game.white_rating) = number(tag);
        } else if (tag.name == "RE") {
            if (!parse_result(tag.value, game)) {
                doubts.push_back(
                    {tag.offset, "the result " + shown(tag.value) + " makes no sense"});
            }
        } else if (tag.name == "BO") {
            const auto board = parse_board(tag.value);
            if (!board) return GgfError{tag.offset, board.error().what};
            game.start = *board;
            has_board_ = true;
        } else if (tag.name == "GM") {
            const std::string name = upper(tag.value);
            if (name != "OTHELLO" && name != "REVERSI") {
                return GgfError{tag.offset, "a game of " + shown(tag.value) + ", not of Othello"};
            }
        } else if (tag.name == "TY" && upper(tag.value).find('A') != std::string::npos) {
            return GgfError{tag.offset, "anti-Othello (TY " + shown(tag.value) + ")"};
        } else if (tag.name != "B" && tag.name != "W") {
            game.tags.emplace_back(tag.name, tag.value);
        }
        return std::nullopt;
    }

    std::optional<double> number(const Tag& tag) {
        if (tag.value.empty() || tag.value == "?") return std::nullopt;
        auto n = detail::whole_number_text(tag.value);
        if (!n) doubts.push_back({tag.offset, tag.name + ": no number: " + shown(tag.value)});
        return n;
    }

    std::optional<GgfError> read_move(const Tag& tag, Replay& replay) {
        const std::string_view value = tag.value;
        const std::size_t first = std::min(value.find('/'), value.size());
        const std::size_t second = std::min(value.find('/', first + 1), value.size());
        const auto square = parse_square(value.substr(0, first));
        if (!square) return GgfError{tag.offset, square.error().what};
        RecordMove move{*square};
        const auto field = [&](std::size_t from, std::size_t to) {
            return from < to ? value.substr(from + 1, to - from - 1) : std::string_view();
        };
        if (const auto text = field(first, second); !text.empty()) {
            move.value = detail::whole_number_text(text);
            if (!move.value) doubts.push_back({tag.offset, "no evaluation: " + shown(text)});
        }
        if (const auto text = field(second, value.size()); !text.empty()) {
            move.seconds = seconds_of(text);
            if (!move.seconds) doubts.push_back({tag.offset, "no time: " + shown(text)});
        }
        const Colour colour = tag.name == "B" ? Colour::Black : Colour::White;
        if (replay.position().to_move != colour) replay.pass_if_forced();
        if (replay.position().to_move != colour) {
            return GgfError{tag.offset,
                            fmt::format("move {}: it is not {}'s turn", game.moves.size() + 1,
                                        tag.name == "B" ? "Black" : "White")};
        }
        const Status played = replay.play(move);
        if (played) return std::nullopt;
        return GgfError{tag.offset,
                        fmt::format("move {}: {}", game.moves.size() + 1, played.error().what)};
    }

    bool has_board_ = false;
};

/// Brackets and backslashes in names are escaped, and line ends become blanks.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == ']' || c == '\\') out += '\\';
        out += is_blank(c) ? ' ' : c;
    }
    // "(;" inside a value would look like the next game.
    for (std::size_t at = 0; (at = out.find("(;", at)) != std::string::npos;)
        out.insert(at + 1, " ");
    return out;
}

std::string format_move(const RecordMove& m, Colour colour) {
    std::string text = fmt::format("{}[{}", colour == Colour::Black ? 'B' : 'W',
                                   m.square == kPass ? "PA" : upper(format_square(m.square)));
    if (m.value || m.seconds) text += "/";
    if (m.value) text += fmt::format("{:.2f}", *m.value);
    if (m.seconds) text += fmt::format("/{:.3f}", *m.seconds);
    return text + "]";
}

std::string format_board(const Position& start) {
    std::string cells = format_obf(start);
    std::replace(cells.begin(), cells.end(), 'X', '*');
    return "8 " + cells;
}

}  // namespace

Records read_ggf(std::string_view text) {
    Records records;
    records.format = RecordFormat::Ggf;
    int number = 0;
    const auto problem = [&](const GgfError& e) {
        const bool shows =
            records.errors.size() < Records::kMostProblems;  // counting lines is slow
        const int line = shows ? detail::line_of(text, e.offset) : 0;
        return RecordProblem{number, e.offset, line, e.what};
    };
    for (std::size_t at = text.find("(;"); at != std::string_view::npos; at = text.find("(;", at)) {
        ++number;
        std::vector<Tag> tags;
        Tags reader(text, at + 2);
        auto wrong = reader.read(tags);
        at = std::max(reader.at(), at + 2);
        GameBuilder builder;
        if (!wrong) wrong = builder.build(tags);
        if (wrong) {
            records.add_error(problem(*wrong));
            continue;
        }
        for (const GgfError& doubt : builder.doubts) records.add_note(problem(doubt));
        if (const auto doubt = detail::result_doubt(builder.game)) {
            records.add_note(problem({tags.front().offset, *doubt}));
        }
        records.games.push_back(std::move(builder.game));
    }
    return records;
}

Expected<GameRecord> parse_ggf(std::string_view text) {
    Records records = read_ggf(text);
    if (records.error_count > 0) {
        return Error{fmt::format("GGF, byte {}: {}", records.errors.front().offset,
                                 records.errors.front().what),
                     "write (;GM[Othello]BO[8 ...]B[F5]...;)"};
    }
    if (records.games.size() != 1) {
        return Error{fmt::format("GGF: {} games where one is expected", records.games.size()),
                     "write (;GM[Othello]BO[8 ...]B[F5]...;)"};
    }
    return std::move(records.games.front());
}

std::string format_ggf(const GameRecord& game) {
    std::string text = "(;GM[Othello]";
    const auto tag = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) text += fmt::format("{}[{}]", name, escaped(value));
    };
    const auto other = [&](std::string_view name) {
        for (const auto& [n, value] : game.tags) {
            if (n == name) return value;
        }
        return std::string();
    };
    tag("PC", game.place);
    tag("DT", game.date);
    text += fmt::format("PB[{}]PW[{}]", escaped(game.black), escaped(game.white));
    if (game.black_rating) tag("RB", fmt::format("{:.2f}", *game.black_rating));
    if (game.white_rating) tag("RW", fmt::format("{:.2f}", *game.white_rating));
    for (const auto& [name, value] : game.tags) {
        if (name != "TY") tag(name, value);
    }
    tag("TY", other("TY").empty() ? "8" : other("TY"));
    auto result = game.result;
    if (!result) {
        if (const auto ruled = final_result(game)) result = *ruled;
    }
    if (result) {
        constexpr std::array<const char*, 4> kSuffix = {"", ":r", ":t", ":s"};
        tag("RE",
            fmt::format("{:+.3f}{}", *result, kSuffix[static_cast<std::size_t>(game.ending)]));
    } else {
        tag("RE", "?");
    }
    text += fmt::format("BO[{}]", format_board(game.start));
    Colour colour = game.start.to_move;
    for (const RecordMove& m : game.moves) {
        text += format_move(m, colour);
        colour = opposite(colour);
    }
    return text + ";)";
}

}  // namespace karikomi::othello
