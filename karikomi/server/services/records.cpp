#include "karikomi/server/services/records.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/text.hpp"

namespace karikomi::server {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kLongestPosition = 4'000;  // bytes

Words words_of(const std::string& text) {
    Words words;
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

std::string trimmed(const std::string& text) {
    const char* const blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

/// Moves one by one: the engine that has taken them all says what they are.
Expected<ReadGame> as_moves(Engine& engine, const Words& words) {
    ReadGame out;
    out.format = "moves";
    if (const Status s = engine.set_position({}); !s) return s.error();
    for (const std::string& word : words) {
        if (const Status s = engine.play(word); !s) return s.error();
        out.moves.push_back(word);
    }
    return out;
}

Expected<ReadGame> as_record(const RecordsFacet& facet, const std::string& bytes,
                             std::size_t number) {
    const auto file = facet.read(bytes, {});
    if (!file) return file.error();
    const std::size_t games = (*file)->size();
    if (games == 0) {
        const auto& errors = (*file)->errors();
        if (errors.empty()) return Error{"there is no game in this record"};
        return Error{describe(errors.front()), "correct the record"};
    }
    if (number >= games) {
        return Error{fmt::format("the file has {} games", games), "choose one of them"};
    }
    const PlayedGame game = (*file)->game(number);
    if (const auto size = game.rules.find("size"); size != game.rules.end()) {
        return Error{fmt::format("this game is on a board of {0} x {0}", size->second),
                     "the page has boards of the usual size"};
    }
    ReadGame out;
    out.format = (*file)->format();
    out.games = games;
    out.start = game.start;
    for (const PlayedMove& m : game.moves) out.moves.push_back(m.move);
    const bool named = !game.names[0].empty() || !game.names[1].empty();
    if (named) out.title = game.names[0] + " – " + game.names[1];
    return out;
}

/// The game played to its end on a board: who has won by the rules?
Expected<PlayedGame> played(const KeptGame& kept) {
    auto engine = make_engine(kept.game);
    if (!engine) return engine.error();
    PlayedGame game;
    game.start = kept.start;
    if (const Status s = (*engine)->set_position(kept.start); !s) return s.error();
    for (const std::string& word : words_of(kept.moves)) {
        if (const Status s = (*engine)->play(word); !s) return s.error();
        game.moves.push_back({word});
    }
    game.winner = (*engine)->winner();
    if (game.winner) {
        game.end = GameEnd::ByRules;
    } else if (!kept.result.empty()) {
        game.end = GameEnd::Resigned;
        game.winner = kept.result == "draw"    ? Winner::Nobody
                      : kept.result == "first" ? Winner::First
                                               : Winner::Second;
    }
    return game;
}

/// The moves alone, written as the game's notation has them.
Expected<WrittenGame> as_list(const KeptGame& kept) {
    auto engine = make_engine(kept.game);
    if (!engine) return engine.error();
    std::string joined = kept.moves;
    std::erase(joined, ' ');
    // Where a position is written as the list of its moves, so is a game.
    const bool is_notation = (*engine)->set_position({}, kept.moves) &&
                             (*engine)->position_text() == joined && kept.start.empty();
    return WrittenGame{(is_notation ? joined : kept.moves) + "\n", "txt"};
}

}  // namespace

Expected<ReadGame> read_game(const std::string& game, const std::string& bytes,
                             std::size_t number) {
    auto engine = make_engine(game);
    if (!engine) return engine.error();
    const bool is_text = is_utf8(bytes) && bytes.find('\0') == std::string::npos;
    const std::string text = is_text ? trimmed(bytes) : bytes;
    if (is_text) {
        if (auto moves = as_moves(**engine, words_of(text))) return moves;
    }
    if (const auto& facet = find_game(game)->records) {
        // Before the position: a list of positions with scores is a record too.
        auto record = as_record(*facet, text, number);
        if (record || !is_text || facet->looks_like_record(text)) return record;
    }
    if (is_text && text.size() < kLongestPosition && (*engine)->set_position(text)) {
        // A notation that is the list of moves from the start is better read as these.
        Words letters;
        for (const char c : text) letters.emplace_back(1, c);
        if (auto moves = as_moves(**engine, letters)) return moves;
        ReadGame out;
        out.format = "position";
        out.start = text;
        return out;
    }
    const GameInfo& info = (*engine)->info();
    return Error{fmt::format("this is neither a position nor moves nor a record of {}", info.title),
                 fmt::format("positions are written so: {}", info.position_help)};
}

std::vector<std::string> record_formats(const std::string& game) {
    const GameModule* const module = find_game(game);
    if (module == nullptr || !module->records) return {"moves"};
    Words names;
    for (const FormatInfo& f : module->records->formats) {
        if (f.write) names.push_back(f.name);
    }
    return names;
}

Expected<WrittenGame> write_game(const KeptGame& kept, const std::string& format) {
    const Words known = record_formats(kept.game);
    if (std::find(known.begin(), known.end(), format) == known.end()) {
        return Error{fmt::format("'{}' is not written for this game", format.substr(0, 40)),
                     fmt::format("use one of {}", fmt::join(known, ", "))};
    }
    const GameModule* const module = find_game(kept.game);
    if (module == nullptr || !module->records) return as_list(kept);
    const auto game = played(kept);
    if (!game) return game.error();
    const auto bytes = module->records->write(*game, format);
    if (!bytes) return bytes.error();
    const FormatInfo* const info = module->records->find(format);
    return WrittenGame{*bytes, info->ending, info->is_text};
}

}  // namespace karikomi::server
