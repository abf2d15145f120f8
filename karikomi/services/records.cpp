#include "karikomi/services/records.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/hash.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/text.hpp"

namespace karikomi::services {
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
    out.whole = game;
    return out;
}

/// Are the moves of the branches legal?
Status check_branches(Engine& engine, const PlayedGame& game) {
    for (std::size_t i = 0; i < game.branches.size(); ++i) {
        if (const Status s = engine.set_position(game.start); !s) return s;
        Words line = moves_before(game, i + 1);
        for (const PlayedMove& m : game.branches[i].moves) line.push_back(m.move);
        for (const std::string& move : line) {
            if (const Status s = engine.play(move); !s) return s;
        }
    }
    return {};
}

/// The game played to its end on a board: who has won by the rules?
Expected<PlayedGame> played(const KeptGame& kept) {
    auto engine = make_engine(kept.game);
    if (!engine) return engine.error();
    const Json document = Json::parse(kept.document, nullptr, false);
    auto whole = game_of(document);
    if (!whole) return whole.error();
    PlayedGame game = std::move(*whole);
    game.start = kept.start;
    Words moves = words_of(kept.moves);
    if (game.moves.size() != moves.size()) {  // nothing but the moves is known
        game.moves.clear();
        for (const std::string& word : moves) game.moves.push_back({word});
    }
    if (const Status s = check_branches(**engine, game); !s) return s.error();
    if (const Status s = (*engine)->set_position(kept.start); !s) return s.error();
    for (const PlayedMove& m : game.moves) {
        if (const Status s = (*engine)->play(m.move); !s) return s.error();
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

// ---- The page's tree ----------------------------------------------------------------------------

constexpr std::size_t kMostNodes = 6'000;

/// Adds the moves of a line after `parent`; the number of the last.
std::size_t add_nodes(Json& nodes, const std::vector<PlayedMove>& moves, std::size_t parent) {
    for (const PlayedMove& m : moves) {
        Json node = {{"m", m.move}, {"p", parent}};
        if (m.time_ms) node["t"] = *m.time_ms;
        if (!m.comment.empty()) node["c"] = m.comment;
        nodes.push_back(std::move(node));
        parent = nodes.size();
    }
    return parent;
}

void add_end(Json& nodes, std::size_t last, const std::string& ending, const std::string& comment,
             const std::optional<std::int64_t>& time) {
    if (last == 0 || (ending.empty() && comment.empty())) return;
    Json& end = nodes[last - 1]["e"];
    end["ending"] = ending;
    if (!comment.empty()) end["comment"] = comment;
    if (time) end["time_ms"] = *time;
}

std::string text_of(const Json& object, const char* name) {
    const auto it = object.find(name);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

/// The tree of a document, node by node, and the lines that it makes.
class TreeReader {
public:
    explicit TreeReader(const Json& nodes) : nodes_(nodes) {}

    Status read(PlayedGame& game) {
        if (!nodes_.is_array() || nodes_.size() > kMostNodes) return wrong();
        children_.resize(nodes_.size() + 1);
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const Json& node = nodes_[i];
            const auto p = node.is_object() ? node.find("p") : node.end();
            if (!node.is_object() || p == node.end() || !p->is_number_unsigned()) return wrong();
            const auto parent = p->get<std::size_t>();
            if (parent > i || text_of(node, "m").empty()) return wrong();
            children_[parent].push_back(i + 1);
        }
        std::vector<Start> starts = {{0, 0, 0}};
        for (std::size_t i = 0; i < starts.size(); ++i) follow(game, i, starts);
        return {};
    }

private:
    struct Start {
        std::size_t node;    ///< the first of the line; of the main line the root
        std::size_t parent;  ///< as PlayedBranch
        std::size_t begin;
    };
    static Error wrong() { return {"the game's tree is damaged", "export the main line only"}; }

    PlayedMove move_of(std::size_t node) const {
        const Json& from = nodes_[node - 1];
        PlayedMove m{text_of(from, "m")};
        m.comment = text_of(from, "c");
        const auto t = from.find("t");
        if (t != from.end() && t->is_number() && t->get<double>() >= 0 && t->get<double>() < 1e11) {
            m.time_ms = static_cast<std::int64_t>(t->get<double>());
        }
        return m;
    }
    bool ends(std::size_t node) const { return node != 0 && nodes_[node - 1].contains("e"); }
    /// By first children to the end; where there are others, lines begin.
    void follow(PlayedGame& game, std::size_t number, std::vector<Start>& starts) const {
        const Start start = starts[number];
        std::vector<PlayedMove> moves;
        std::size_t ply = start.begin;
        std::size_t at = start.node;
        if (at != 0) {
            moves.push_back(move_of(at));
            ++ply;
        }
        for (; !children_[at].empty() && !ends(at); at = children_[at].front(), ++ply) {
            for (std::size_t k = 1; k < children_[at].size(); ++k) {
                starts.push_back({children_[at][k], number, ply});
            }
            moves.push_back(move_of(children_[at].front()));
        }
        // What follows an end is beside it.
        for (const std::size_t child : children_[at]) starts.push_back({child, number, ply});
        const Json none = Json::object();
        const Json& last = at == 0 ? none : nodes_[at - 1];
        const auto found = last.find("e");
        const Json& end = found != last.end() && found->is_object() ? *found : none;
        if (number == 0) {
            game.moves = std::move(moves);
            game.ending = text_of(end, "ending");
            game.end_comment = text_of(end, "comment");
            const auto t = end.find("time_ms");
            if (t != end.end() && t->is_number_integer()) game.end_time_ms = t->get<std::int64_t>();
        } else {
            game.branches.push_back({start.parent, start.begin, std::move(moves),
                                     text_of(end, "ending"), text_of(end, "comment")});
        }
    }

    const Json& nodes_;
    std::vector<std::vector<std::size_t>> children_;
};

}  // namespace

std::string KeptGame::version() const {
    Fnv hash;
    for (const std::string* text : {&game, &title, &start, &moves, &result, &document}) {
        hash.add_number(text->size()).add(*text);
    }
    return hash.text();
}

Json nodes_of(const PlayedGame& game) {
    Json nodes = Json::array();
    std::vector<std::vector<std::size_t>> numbers(game.branches.size() + 1);  // nodes of each line
    const auto note = [&](std::size_t line, std::size_t first, std::size_t last) {
        for (std::size_t n = first; n <= last; ++n) numbers[line].push_back(n);
    };
    const std::size_t last = add_nodes(nodes, game.moves, 0);
    note(0, 1, last);
    add_end(nodes, last, game.ending, game.end_comment, game.end_time_ms);
    for (std::size_t i = 0; i < game.branches.size(); ++i) {
        const PlayedBranch& b = game.branches[i];
        const std::size_t first = b.parent == 0 ? 0 : game.branches[b.parent - 1].begin;
        // Its first move follows a move of its parent, or what the parent itself follows.
        std::size_t before = 0;
        if (b.begin > first) {
            before = numbers[b.parent].at(b.begin - first - 1);
            // Beside the end, not after it.
            const bool at_end = b.begin - first == numbers[b.parent].size();
            if (at_end && !nodes[before - 1].contains("e")) {
                nodes[before - 1]["e"] = {{"ending", ""}};
            }
        } else if (b.parent != 0 && !numbers[b.parent].empty()) {
            before = nodes[numbers[b.parent].front() - 1]["p"].get<std::size_t>();
        }
        const std::size_t from = nodes.size() + 1;
        const std::size_t end = add_nodes(nodes, b.moves, before);
        if (!b.moves.empty()) note(i + 1, from, end);
        add_end(nodes, b.moves.empty() ? 0 : end, b.ending, b.end_comment, {});
    }
    return nodes;
}

Json heading_of(const PlayedGame& game) {
    Json facts = Json::array();
    for (const auto& [key, value] : game.facts) facts.push_back({key, value});
    return {{"names", game.names},
            {"event", game.event},
            {"date", game.date},
            {"facts", facts},
            {"comment", game.comment}};
}

Expected<PlayedGame> game_of(const Json& document) {
    PlayedGame game;
    if (!document.is_object()) return game;
    if (const auto tree = document.find("tree"); tree != document.end()) {
        if (const Status s = TreeReader(*tree).read(game); !s) return s.error();
    }
    const auto record = document.find("record");
    if (record == document.end() || !record->is_object()) return game;
    const auto names = record->find("names");
    if (names != record->end() && names->is_array() && names->size() == 2) {
        for (std::size_t i = 0; i < 2; ++i) {
            if ((*names)[i].is_string()) game.names[i] = (*names)[i].get<std::string>();
        }
    }
    game.event = text_of(*record, "event");
    game.date = text_of(*record, "date");
    game.comment = text_of(*record, "comment");
    const auto facts = record->find("facts");
    if (facts == record->end() || !facts->is_array()) return game;
    for (const Json& fact : *facts) {
        if (!fact.is_array() || fact.size() != 2 || !fact[0].is_string() || !fact[1].is_string()) {
            continue;
        }
        game.facts.emplace_back(fact[0].get<std::string>(), fact[1].get<std::string>());
    }
    return game;
}

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

}  // namespace karikomi::services
