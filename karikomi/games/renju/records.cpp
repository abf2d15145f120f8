#include "karikomi/games/renju/records.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace karikomi::renju {
namespace {

Status add_move(GameRecord& game, Cell c, const std::string& where) {
    if (column_of(c) >= game.size || row_of(c) >= game.size) {
        return Error{where + ": the cell is not on the board"};
    }
    if (std::find(game.moves.begin(), game.moves.end(), c) != game.moves.end()) {
        return Error{where + ": there is a stone on the cell already"};
    }
    game.moves.push_back(c);
    return {};
}

std::optional<int> whole_number(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
    int n = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, n);
    if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
    return n;
}

// ---- SGF ----------------------------------------------------------------------------------------

/// Reads one property at a time; branches after the first of a node are passed over.
class SgfReader {
public:
    explicit SgfReader(std::string_view text) : text_(text) {}

    Expected<std::vector<GameRecord>> read() {
        std::vector<GameRecord> games;
        while (find_game()) {
            GameRecord game;
            if (const Status s = read_tree(game); !s) {
                return Error{fmt::format("SGF, game {}: {}", games.size() + 1, s.error().what),
                             "repair the file"};
            }
            games.push_back(std::move(game));
        }
        if (games.empty()) return Error{"SGF: there is no game", "give a file with '(;...)'"};
        return games;
    }

private:
    bool find_game() {
        at_ = text_.find("(", at_);
        return at_ != std::string_view::npos;
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    /// The tree that starts here: its first child wherever there are several.
    Status read_tree(GameRecord& game) {
        int depth = 0;
        bool skipping = false;  // inside a branch that is not the first
        int skip_depth = 0;
        std::vector<bool> had_child{false};
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '(') {
                ++at_, ++depth;
                if (!skipping && had_child.back()) skipping = true, skip_depth = depth;
                had_child.back() = true;
                had_child.push_back(false);
            } else if (c == ')') {
                ++at_;
                if (skipping && depth == skip_depth) skipping = false;
                had_child.pop_back();
                if (--depth == 0) return {};
            } else if (c >= 'A' && c <= 'Z') {
                if (const Status s = read_property(game, skipping); !s) return s;
            } else {
                ++at_;
            }
        }
        return Error{"the game has no end"};
    }

    Status read_property(GameRecord& game, bool skipping) {
        std::string name;
        while (peek() >= 'A' && peek() <= 'Z') name += text_[at_++];
        bool any = false;
        for (;;) {
            while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') ++at_;
            if (peek() != '[') break;
            const auto value = read_value();
            if (!value) return Error{"a value has no end"};
            any = true;
            if (skipping) continue;
            if (const Status s = take(game, name, *value); !s) return s;
        }
        return any ? Status() : Status(Error{fmt::format("{} has no value", name)});
    }
    std::optional<std::string> read_value() {
        std::string value;
        for (++at_; at_ < text_.size(); ++at_) {
            if (text_[at_] == ']') {
                ++at_;
                return value;
            }
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
            value += text_[at_];
        }
        return std::nullopt;
    }

    static Status take(GameRecord& game, const std::string& name, const std::string& value) {
        if (name == "SZ") {
            const auto n = whole_number(value);
            if (!n || *n < kMinSize || *n > kMaxSize) {
                return Error{fmt::format("size '{}' is not possible", value.substr(0, 20))};
            }
            game.size = *n;
        }
        if (name == "PB") game.black = value;
        if (name == "PW") game.white = value;
        if (name == "RE") game.result = value;
        if (name != "B" && name != "W") return {};
        if (value.empty() || value == "tt") return {};  // a pass
        const std::string where = fmt::format("move {} '{}'", game.moves.size() + 1, value);
        const char expected = game.moves.size() % 2 == 0 ? 'B' : 'W';
        if (name[0] != expected) return Error{where + ": the colours do not take turns"};
        const auto c = cell_of(value, game.size);
        if (!c) return Error{where + ": is no cell"};
        return add_move(game, *c, where);
    }
    static std::optional<Cell> cell_of(const std::string& value, int size) {
        const int x = value[0] - 'a';
        if (value.size() == 2 && value[1] >= 'a' && value[1] <= 'z') {
            const int y = size - 1 - (value[1] - 'a');
            if (x < 0 || x >= size || y < 0) return std::nullopt;
            return cell_at(x, y);
        }
        const auto row = whole_number(std::string_view(value).substr(1));
        if (x < 0 || x >= size || !row || *row < 1 || *row > size) return std::nullopt;
        return cell_at(x, *row - 1);
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

std::vector<std::string_view> split(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0;;) {
        const std::size_t at = text.find(by, from);
        parts.push_back(text.substr(from, at - from));
        if (at == std::string_view::npos) return parts;
        from = at + 1;
    }
}

// ---- RenLib -------------------------------------------------------------------------------------

constexpr std::string_view kRenlibStart = "\xFFRenLib\xFF";
constexpr std::size_t kRenlibHeader = 20;
constexpr std::size_t kMostLines = 1'000'000;

/// A tree as pairs of bytes: move, flags. A node's children follow it; then, where its flag says
/// so, its next sibling.
class RenlibReader {
public:
    explicit RenlibReader(std::string_view bytes) : bytes_(bytes) {}

    Expected<std::vector<GameRecord>> read() {
        at_ = kRenlibHeader;
        std::vector<std::size_t> open;  // lengths of the lines at which siblings go on
        while (at_ + 1 < bytes_.size()) {
            const auto move = byte(at_);
            const unsigned flags = byte(at_ + 1);
            at_ += 2;
            if ((flags & kExtended) != 0) at_ += 2;
            if ((flags & kSibling) != 0) open.push_back(line_.moves.size());
            if (const Status s = put(move); !s) return s.error();
            if ((flags & kComment) != 0) skip_text();
            if ((flags & kExtended) != 0) skip_text();
            if ((flags & kNoChild) == 0) continue;
            if (lines_.size() == kMostLines) break;
            lines_.push_back(line_);
            if (open.empty()) break;
            line_.moves.resize(open.back());
            open.pop_back();
        }
        if (lines_.empty()) return Error{"RenLib: the file has no line", "give a whole file"};
        return lines_;
    }

private:
    static constexpr unsigned kSibling = 0x80;
    static constexpr unsigned kNoChild = 0x40;
    static constexpr unsigned kComment = 0x08;
    static constexpr unsigned kExtended = 0x01;

    unsigned byte(std::size_t at) const { return static_cast<unsigned char>(bytes_[at]); }
    /// Row from the top in the high half, column from 1 in the low one; 0 is the root or a pass.
    Status put(unsigned move) {
        if (move == 0) return {};
        const int x = static_cast<int>(move & 15U) - 1;
        const int y = kUsualSize - 1 - static_cast<int>(move >> 4);
        const std::string where = fmt::format("RenLib, byte {}", at_ - 2);
        if (x < 0 || y < 0) return Error{where + ": no cell", "the file is damaged"};
        return add_move(line_, cell_at(x, y), where);
    }
    /// Text is written in pairs of bytes; the pair with a zero is the last.
    void skip_text() {
        bool more = true;
        while (more && at_ + 1 < bytes_.size()) {
            more = byte(at_) != 0 && byte(at_ + 1) != 0;
            at_ += 2;
        }
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
    GameRecord line_;
    std::vector<GameRecord> lines_;
};

}  // namespace

Expected<std::vector<GameRecord>> read_sgf(std::string_view text) {
    return SgfReader(text).read();
}

Expected<GameRecord> read_psq(std::string_view text) {
    const auto lines = lines_of(text);
    GameRecord game;
    const std::size_t x = lines.empty() ? std::string_view::npos : lines[0].find('x');
    if (x == std::string_view::npos || !lines[0].starts_with("Piskvorky ")) {
        return Error{"PSQ: the first line is not 'Piskvorky 15x15, ...'", "give a whole file"};
    }
    const auto size = whole_number(lines[0].substr(10, x - 10));
    if (!size || *size < kMinSize || *size > kMaxSize) {
        return Error{fmt::format("PSQ: size of '{}' is not possible", lines[0].substr(0, 30))};
    }
    game.size = *size;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const auto parts = split(lines[i], ',');
        if (parts.size() != 3) break;  // names and results follow
        const auto column = whole_number(parts[0]);
        const auto row = whole_number(parts[1]);
        const std::string where = fmt::format("PSQ, line {}", i + 1);
        if (!column || !row || !whole_number(parts[2])) return Error{where + ": not X,Y,ms"};
        if (*column < 1 || *row < 1 || *column > game.size || *row > game.size) {
            return Error{where + ": the cell is not on the board"};
        }
        const Status s = add_move(game, cell_at(*column - 1, game.size - *row), where);
        if (!s) return s.error();
    }
    return game;
}

Expected<std::vector<GameRecord>> read_renlib(std::string_view bytes) {
    if (!bytes.starts_with(kRenlibStart) || bytes.size() < kRenlibHeader) {
        return Error{"RenLib: the header is missing", "give a .lib file"};
    }
    return RenlibReader(bytes).read();
}

Expected<std::vector<GameRecord>> read_records(std::string_view bytes) {
    if (bytes.starts_with(kRenlibStart)) return read_renlib(bytes);
    if (bytes.starts_with("Piskvorky")) {
        const auto game = read_psq(bytes);
        if (!game) return game.error();
        return std::vector<GameRecord>{*game};
    }
    return read_sgf(bytes);
}

}  // namespace karikomi::renju
