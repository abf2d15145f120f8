/// WTHOR, the data base of the French federation: a header of 16 bytes, then 68 bytes a game.
/// Numbers are little-endian. Passes are not stored.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "karikomi/games/othello/records_detail.hpp"

namespace karikomi::othello {
namespace {

constexpr std::size_t kHeaderSize = 16;
constexpr std::size_t kGameSize = 68;
constexpr std::size_t kPlayerSize = 20;
constexpr std::size_t kTournamentSize = 26;
constexpr int kMoves = 60;

unsigned byte_at(std::string_view bytes, std::size_t at) {
    return static_cast<unsigned char>(bytes[at]);
}
unsigned word_at(std::string_view bytes, std::size_t at) {
    return byte_at(bytes, at) | byte_at(bytes, at + 1) << 8U;
}
std::uint32_t long_at(std::string_view bytes, std::size_t at) {
    return word_at(bytes, at) | word_at(bytes, at + 2) << 16U;
}

struct Header {
    unsigned century = 0;
    unsigned month = 0;
    unsigned day = 0;
    std::uint32_t games = 0;  ///< in a file of games
    unsigned records = 0;     ///< in a file of names
    unsigned year = 0;        ///< of the games
    unsigned board_size = 0;  ///< 0 and 8 mean 8
};

Header read_header(std::string_view bytes) {
    return {byte_at(bytes, 0), byte_at(bytes, 2),  byte_at(bytes, 3), long_at(bytes, 4),
            word_at(bytes, 8), word_at(bytes, 10), byte_at(bytes, 12)};
}

bool plausible(const Header& h) {
    return h.century >= 18 && h.century <= 21 && h.month >= 1 && h.month <= 12 && h.day >= 1 &&
           h.day <= 31;
}

// ---- Names: Latin-1, ended by a zero ------------------------------------------------------------

std::string utf8_of(std::string_view latin) {
    std::string out;
    for (const char c : latin.substr(0, latin.find('\0'))) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x80) {
            out += c;
        } else {
            out += static_cast<char>(0xC0 | code >> 6U);
            out += static_cast<char>(0x80 | (code & 0x3FU));
        }
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

/// What Latin-1 lacks becomes '?'.
std::string latin_of(std::string_view utf8) {
    std::string out;
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const auto code = static_cast<unsigned char>(utf8[i]);
        if (code < 0x80) {
            out += utf8[i];
        } else if ((code == 0xC2 || code == 0xC3) && i + 1 < utf8.size()) {
            const auto next = static_cast<unsigned char>(utf8[++i]);
            out += static_cast<char>((code & 3U) << 6U | (next & 0x3FU));
        } else if ((code & 0xC0U) != 0x80U) {
            out += '?';
        }
    }
    return out;
}

/// One file of names. What is wrong goes into `doubts`, and the names that are whole are kept.
std::vector<std::string> load_names(const std::filesystem::path& file, std::size_t size,
                                    std::vector<std::string>& doubts) {
    const auto bytes = detail::read_whole_file(file);
    if (!bytes || bytes->size() < kHeaderSize) {
        doubts.push_back(fmt::format("{}: no names: {}", file.string(),
                                     bytes ? "shorter than its header" : bytes.error().what));
        return {};
    }
    const std::size_t count = (bytes->size() - kHeaderSize) / size;
    const unsigned said = read_header(*bytes).records;
    if (said != count || bytes->size() != kHeaderSize + count * size) {
        doubts.push_back(
            fmt::format("{}: room for {} names, the header says {}", file.string(), count, said));
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        names.push_back(utf8_of(std::string_view(*bytes).substr(kHeaderSize + i * size, size)));
    }
    return names;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// The file of names beside the games: with their name, or the one that WTHOR ships.
std::filesystem::path names_beside(const std::filesystem::path& games, const char* extension) {
    std::filesystem::path shipped;
    std::error_code trouble;
    const auto folder = games.has_parent_path() ? games.parent_path() : std::filesystem::path(".");
    for (const auto& entry : std::filesystem::directory_iterator(folder, trouble)) {
        if (!detail::has_extension(entry.path(), extension)) continue;
        const std::string stem = entry.path().stem().string();
        if (stem == games.stem().string()) return entry.path();
        if (lower(stem) == "wthor") shipped = entry.path();
    }
    return shipped;
}

// ---- Games --------------------------------------------------------------------------------------

std::string name_at(const std::vector<std::string>& names, unsigned number) {
    return number < names.size() ? names[number] : fmt::format("#{}", number);
}

/// What is wrong with a game, and where in its 68 bytes.
struct GameError {
    std::size_t offset = 0;
    std::string what;
};

std::optional<GameError> read_moves(std::string_view bytes, GameRecord& game) {
    Replay replay(game);
    bool ended = false;
    for (std::size_t i = 8; i < kGameSize; ++i) {
        const unsigned code = byte_at(bytes, i);
        const int number = static_cast<int>(i) - 7;
        if (code == 0) {
            ended = true;
            continue;
        }
        if (ended) return GameError{i, fmt::format("move {}: moves after the last one", number)};
        const unsigned row = code / 10;
        const unsigned column = code % 10;
        if (row < 1 || row > 8 || column < 1 || column > 8) {
            return GameError{i, fmt::format("move {}: {} is no square", number, code)};
        }
        const auto square = static_cast<Square>((row - 1) * 8 + (column - 1));
        if (const Status s = replay.play({square}); !s) {
            return GameError{i, fmt::format("move {}: {}", number, s.error().what)};
        }
    }
    return std::nullopt;
}

std::optional<GameError> read_game(std::string_view bytes, const WthorNames& names,
                                   GameRecord& game) {
    game.place = name_at(names.tournaments, word_at(bytes, 0));
    game.black = name_at(names.players, word_at(bytes, 2));
    game.white = name_at(names.players, word_at(bytes, 4));
    const unsigned discs = byte_at(bytes, 6);
    const unsigned best = byte_at(bytes, 7);
    if (discs > 64) return GameError{6, fmt::format("{} black discs", discs)};
    if (best > 64) return GameError{7, fmt::format("a perfect score of {} black discs", best)};
    game.result = 2 * static_cast<int>(discs) - 64;
    game.best_black_discs = static_cast<int>(best);
    return read_moves(bytes, game);
}

void check_size(std::string_view bytes, const Header& header, Records& records) {
    const std::size_t room = (bytes.size() - kHeaderSize) / kGameSize;
    const std::size_t rest = (bytes.size() - kHeaderSize) % kGameSize;
    if (room < header.games) {
        records.add_error(
            {static_cast<int>(room) + 1, kHeaderSize + room * kGameSize, 0,
             fmt::format("the file ends here, its header says {} games", header.games)});
    } else if (room > header.games || rest != 0) {
        records.add_note({0, kHeaderSize + std::size_t{header.games} * kGameSize, 0,
                          fmt::format("more data than the {} games of the header; it is not read",
                                      header.games)});
    }
}

}  // namespace

namespace detail {

bool looks_like_wthor(std::string_view bytes) {
    if (bytes.size() < kHeaderSize) return false;
    const Header header = read_header(bytes);
    return plausible(header) && bytes.size() == kHeaderSize + std::size_t{header.games} * kGameSize;
}

WthorNames load_wthor_names(const std::filesystem::path& games, std::vector<std::string>& doubts) {
    WthorNames names;
    if (const auto file = names_beside(games, ".jou"); !file.empty()) {
        names.players = load_names(file, kPlayerSize, doubts);
    }
    if (const auto file = names_beside(games, ".trn"); !file.empty()) {
        names.tournaments = load_names(file, kTournamentSize, doubts);
    }
    return names;
}

}  // namespace detail

Records read_wthor(std::string_view bytes, const WthorNames& names) {
    Records records;
    records.format = RecordFormat::Wthor;
    if (bytes.size() < kHeaderSize) {
        records.add_error({0, bytes.size(), 0, "shorter than the header of 16 bytes"});
        return records;
    }
    const Header header = read_header(bytes);
    if (header.board_size != 0 && header.board_size != 8) {
        records.add_error({0, 12, 0, fmt::format("games on a board of {}", header.board_size)});
        return records;
    }
    if (!plausible(header)) records.add_note({0, 0, 0, "the header's date makes no sense"});
    const std::size_t room = (bytes.size() - kHeaderSize) / kGameSize;
    const std::size_t count = std::min<std::size_t>(room, header.games);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t offset = kHeaderSize + i * kGameSize;
        const int number = static_cast<int>(i) + 1;
        GameRecord game;
        if (header.year != 0) game.date = std::to_string(header.year);
        if (const auto wrong = read_game(bytes.substr(offset, kGameSize), names, game)) {
            records.add_error({number, offset + wrong->offset, 0, wrong->what});
            continue;
        }
        if (const auto doubt = detail::result_doubt(game)) {
            records.add_note({number, offset + 6, 0, *doubt});
        }
        records.games.push_back(std::move(game));
    }
    check_size(bytes, header, records);
    return records;
}

// ---- Writing ------------------------------------------------------------------------------------

namespace {

void put(std::string& out, std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 255U);
}

std::string header(WthorDate written, std::size_t games, std::size_t records, unsigned year) {
    std::string out;
    put(out, static_cast<std::uint64_t>(written.year / 100), 1);
    put(out, static_cast<std::uint64_t>(written.year % 100), 1);
    put(out, static_cast<std::uint64_t>(written.month), 1);
    put(out, static_cast<std::uint64_t>(written.day), 1);
    put(out, games, 4);
    put(out, records, 2);
    put(out, year, 2);
    put(out, 0, 4);
    return out;
}

/// Numbers for names, in the order in which they come.
class NameList {
public:
    explicit NameList(std::size_t size) : size_(size) {}
    std::size_t number_of(const std::string& name) {
        const std::string key = latin_of(name).substr(0, size_ - 1);
        const auto [at, fresh] = numbers_.try_emplace(key, names_.size());
        if (fresh) names_.push_back(key);
        return at->second;
    }
    std::size_t count() const { return names_.size(); }
    std::string file(WthorDate written) const {
        std::string out = header(written, 0, names_.size(), 0);
        for (const std::string& name : names_) {
            out += name;
            out.append(size_ - name.size(), '\0');
        }
        return out;
    }

private:
    std::size_t size_;
    std::map<std::string, std::size_t> numbers_;
    std::vector<std::string> names_;
};

unsigned year_of(const GameRecord& game) {
    unsigned year = 0;
    const char* const begin = game.date.data();
    const auto [stop, code] = std::from_chars(begin, begin + game.date.size(), year);
    return code == std::errc() && stop - begin == 4 ? year : 0;
}

int black_discs(const GameRecord& game) {
    const auto ruled = final_result(game);
    double result = 0;
    if (game.result) {
        result = *game.result;
    } else if (ruled) {
        result = *ruled;
    } else {
        const Position end = end_position(game);
        result = std::popcount(end.black()) - std::popcount(end.white());
    }
    return std::clamp(static_cast<int>(std::lround((64 + result) / 2)), 0, 64);
}

Expected<std::string> game_bytes(const GameRecord& game, NameList& players, NameList& places) {
    if (game.start != start_position()) {
        return Error{"it does not begin at the start position, which WTHOR cannot say"};
    }
    std::string out;
    put(out, places.number_of(game.place), 2);
    put(out, players.number_of(game.black), 2);
    put(out, players.number_of(game.white), 2);
    const int discs = black_discs(game);
    put(out, static_cast<std::uint64_t>(discs), 1);
    put(out, static_cast<std::uint64_t>(game.best_black_discs.value_or(discs)), 1);
    for (const RecordMove& m : game.moves) {
        if (m.square == kPass) continue;
        put(out, static_cast<std::uint64_t>(10 * (m.square / 8 + 1) + m.square % 8 + 1), 1);
    }
    static_assert(kGameSize == 8 + kMoves);
    out.resize(kGameSize, '\0');
    return out;
}

}  // namespace

Expected<WthorFiles> format_wthor(std::span<const GameRecord> games, WthorDate written) {
    NameList players(kPlayerSize);
    NameList places(kTournamentSize);
    std::string body;
    unsigned year = 0;
    for (std::size_t i = 0; i < games.size(); ++i) {
        const auto bytes = game_bytes(games[i], players, places);
        if (!bytes) {
            return Error{fmt::format("game {}: {}", i + 1, bytes.error().what), "use ggf"};
        }
        if (players.count() > 0xFFFF || places.count() > 0xFFFF) {
            return Error{fmt::format("game {}: more names than WTHOR can number", i + 1),
                         "write several files"};
        }
        body += *bytes;
        year = std::max(year, year_of(games[i]));
    }
    return WthorFiles{header(written, games.size(), 0, year) + body, players.file(written),
                      places.file(written)};
}

}  // namespace karikomi::othello
