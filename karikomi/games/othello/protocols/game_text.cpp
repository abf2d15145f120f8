#include "karikomi/games/othello/protocols/game_text.hpp"

#include <algorithm>

#include "karikomi/games/othello/records.hpp"
#include "karikomi/protocols/lines.hpp"

namespace karikomi::protocols {
namespace {

const char* const kRemedy = "give one Othello game as GGF or SGF: (;GM[Othello]...;)";

struct Property {
    std::string name;  ///< in capitals
    std::vector<std::string> values;
};

/// The properties of a game's main line, node after node.
class PropertyReader {
public:
    explicit PropertyReader(std::string_view text) : text_(text) {}

    Expected<std::vector<Property>> run() {
        // Files of GGS put the number of games before the first.
        while (at_ < text_.size() && text_[at_] != '(') {
            const char c = text_[at_++];
            if (trimmed({&c, 1}).empty() || (c >= '0' && c <= '9')) continue;
            return Error{"a game begins with '(;'", kRemedy};
        }
        // Every first branch is entered, so the first ')' is the end of the main line.
        while (at_ < text_.size() && text_[at_] != ')') {
            const char c = text_[at_];
            if (is_letter(c)) {
                if (!read_property()) return Error{"a game ends within a property", kRemedy};
            } else if (c == '(' || c == ';' || trimmed({&c, 1}).empty()) {
                ++at_;
            } else {
                return Error{"a game holds something that is no property", kRemedy};
            }
        }
        if (at_ == text_.size()) return Error{"a game has no end ')'", kRemedy};
        return std::move(properties_);
    }

private:
    static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

    bool read_property() {
        Property property;
        while (at_ < text_.size() && is_letter(text_[at_])) property.name += text_[at_++];
        property.name = upper_case(property.name);
        for (;;) {
            while (at_ < text_.size() && trimmed(text_.substr(at_, 1)).empty()) ++at_;
            if (at_ == text_.size() || text_[at_] != '[') break;
            ++at_;
            std::string value;
            while (at_ < text_.size() && text_[at_] != ']') {
                if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
                value += text_[at_++];
            }
            if (at_ == text_.size()) return false;
            ++at_;
            property.values.push_back(std::move(value));
        }
        if (property.values.empty()) return false;
        properties_.push_back(std::move(property));
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<Property> properties_;
};

/// The first game of a text; the reader of Othello's records has checked its moves.
Expected<GameRecord> read_ggf(std::string_view text) {
    const othello::Records records = othello::read_ggf(text);
    if (records.games.empty()) {
        return Error{records.errors.empty() ? "no game" : records.errors.front().what, kRemedy};
    }
    const othello::GameRecord& found = records.games.front();
    GameRecord game;
    game.start = othello::format_obf(found.start);
    Side side = found.start.to_move == othello::Colour::Black ? 0 : 1;
    for (const othello::RecordMove& m : found.moves) {
        game.moves.push_back({side, othello::format_square(m.square), m.seconds.value_or(0.0)});
        side = 1 - side;
    }
    for (const auto& [name, value] : found.tags) {
        if (name == "TI" || name == "TB") game.time[0] = read_time_control(value);
        if (name == "TI" || name == "TW") game.time[1] = read_time_control(value);
    }
    return game;
}

/// A point of SGF: two letters, column and row from the top left; or as Othello players write it.
std::optional<std::string> read_sgf_move(std::string_view text) {
    const std::string lower = lower_case(trimmed(text));
    if (lower.empty() || lower == "tt") return "pa";
    const bool two_letters = lower.size() == 2 && lower[0] >= 'a' && lower[0] <= 'h' &&
                             lower[1] >= 'a' && lower[1] <= 'h';
    if (two_letters) return std::string{lower[0], static_cast<char>('1' + (lower[1] - 'a'))};
    return read_move(lower);
}

class SgfGame {
public:
    Status take(const Property& p) {
        if (p.name == "SZ" && trimmed(p.values.front()) != "8") {
            return Error{"SZ: only boards of 8 x 8 are played", kRemedy};
        }
        if (p.name == "AB" || p.name == "AW") return set_up(p);
        if (p.name == "PL") {
            const std::string side = lower_case(trimmed(p.values.front()));
            first_ = side.starts_with('w') || side == "2" ? 'O' : 'X';
        }
        if (p.name != "B" && p.name != "W") return {};
        const auto move = read_sgf_move(p.values.front());
        if (!move) return Error{p.name + "[]: not a move", kRemedy};
        game_.moves.push_back({p.name == "B" ? 0 : 1, *move, 0});
        return {};
    }

    GameRecord result() {
        if (is_set_up_) game_.start = cells_ + ' ' + first_;
        return std::move(game_);
    }

private:
    Status set_up(const Property& p) {
        if (!game_.moves.empty()) return Error{p.name + ": discs are set up after a move", kRemedy};
        is_set_up_ = true;
        for (const std::string& value : p.values) {
            const auto square = read_sgf_move(value);
            if (!square || *square == "pa") return Error{p.name + ": not a square", kRemedy};
            const int index = ((*square)[1] - '1') * 8 + ((*square)[0] - 'a');
            cells_[static_cast<std::size_t>(index)] = p.name == "AB" ? 'X' : 'O';
        }
        return {};
    }

    GameRecord game_;
    std::string cells_ = std::string(64, '-');
    char first_ = 'X';
    bool is_set_up_ = false;
};

/// "[[[days.]hours:]minutes:]seconds"
std::optional<double> read_seconds(std::string_view text) {
    double total = 0;
    for (;;) {
        const std::size_t colon = text.find(':');
        std::string_view part = text.substr(0, colon);
        const std::size_t point = part.find('.');
        if (colon != std::string_view::npos && point != std::string_view::npos) {
            const auto days = parse_whole(part.substr(0, point));
            if (!days) return std::nullopt;
            total += 24.0 * static_cast<double>(*days);
            part.remove_prefix(point + 1);
        }
        const auto number = parse_decimal(part);
        if (!number || *number < 0) return std::nullopt;
        total += *number;
        if (colon == std::string_view::npos) return total;
        total *= 60;
        text.remove_prefix(colon + 1);
    }
}

}  // namespace

Expected<GameRecord> read_game(std::string_view text) {
    const auto properties = PropertyReader(text).run();
    if (!properties) return properties.error();
    const auto named = [&](std::string_view name) {
        return std::find_if(properties->begin(), properties->end(),
                            [&](const Property& p) { return p.name == name; });
    };
    const auto kind = named("GM");
    if (kind == properties->end()) return Error{"a game without GM: which game is it?", kRemedy};
    const std::string game = lower_case(trimmed(kind->values.front()));
    if (game != "2") return read_ggf(text);
    SgfGame sgf;
    for (const Property& p : *properties) {
        if (const Status s = sgf.take(p); !s) return s.error();
    }
    return sgf.result();
}

std::optional<TimeControl> read_time_control(std::string_view text) {
    TimeControl control;
    double* const parts[] = {&control.main, &control.increment, &control.extension};
    for (double* const part : parts) {
        const std::size_t slash = text.find('/');
        // What follows a comma (moves, ways of losing on time) is of no use here.
        std::string_view field = text.substr(0, slash);
        field = trimmed(field.substr(0, field.find(',')));
        if (!field.empty()) {
            const auto seconds = read_seconds(field);
            if (!seconds) return std::nullopt;
            *part = *seconds;
        }
        if (slash == std::string_view::npos) break;
        text.remove_prefix(slash + 1);
    }
    const bool any = control.main > 0 || control.increment > 0 || control.extension > 0;
    return any ? std::optional(control) : std::nullopt;
}

std::optional<std::string> read_move(std::string_view text) {
    const std::string lower = lower_case(trimmed(text));
    if (lower == "pa" || lower == "ps" || lower == "pass") return "pa";
    const bool square = lower.size() == 2 && lower[0] >= 'a' && lower[0] <= 'h' &&
                        lower[1] >= '1' && lower[1] <= '8';
    return square ? std::optional(lower) : std::nullopt;
}

std::optional<RecordedMove> read_timed_move(std::string_view text, Side side) {
    const std::size_t slash = text.find('/');
    const auto move = read_move(text.substr(0, slash));
    if (!move) return std::nullopt;
    RecordedMove out{side, *move, 0};
    if (slash == std::string_view::npos) return out;
    const std::size_t second = text.find('/', slash + 1);
    if (second == std::string_view::npos) return out;
    const std::string_view time = text.substr(second + 1);
    out.seconds = std::max(parse_decimal(trimmed(time)).value_or(0.0), 0.0);
    return out;
}

}  // namespace karikomi::protocols
