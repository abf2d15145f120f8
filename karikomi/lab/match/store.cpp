#include "karikomi/lab/match/store.hpp"

#include <algorithm>
#include <sstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/text.hpp"
#include "karikomi/engine/strict.hpp"

namespace karikomi::match {
namespace {

constexpr int kFormat = 3;  // of the tables
// What a game from a worker may hold.
constexpr std::size_t kMostMoves = 100'000;
constexpr std::size_t kMostMoveText = 64;
constexpr std::size_t kMostText = 10'000;  // bytes of a position, of an engine's words
constexpr std::size_t kMostName = 300;
constexpr std::size_t kMostLines = 1'000;
constexpr int kMostPlayers = 1'000;
constexpr int kMostMargin = 1'000'000;
constexpr const char* kTables =
    "CREATE TABLE IF NOT EXISTS games ("
    " id INTEGER PRIMARY KEY, round INTEGER NOT NULL, pairing INTEGER NOT NULL,"
    " first INTEGER NOT NULL, second INTEGER NOT NULL, result TEXT NOT NULL,"
    " reason TEXT NOT NULL, plies INTEGER NOT NULL, opening_plies INTEGER NOT NULL,"
    " start_position TEXT NOT NULL, moves TEXT NOT NULL, notes TEXT NOT NULL,"
    " final_position TEXT NOT NULL, margin INTEGER, detail TEXT NOT NULL,"
    " last_lines TEXT NOT NULL, slowest_first_ms INTEGER NOT NULL,"
    " slowest_second_ms INTEGER NOT NULL, seconds REAL NOT NULL, started TEXT NOT NULL,"
    " host TEXT NOT NULL)";

const char* result_text(Winner w) {
    return w == Winner::Nobody ? "1/2-1/2" : w == Winner::First ? "1-0" : "0-1";
}

End end_of(const std::string& name) {
    for (int i = 0; i <= static_cast<int>(End::Stopped); ++i) {
        if (name_of(static_cast<End>(i)) == name) return static_cast<End>(i);
    }
    return End::ByRules;
}

/// What was noted beside the moves, as parallel lists.
Json notes_json(const GameResult& r) {
    Json scores = Json::array();
    Json depths = Json::array();
    Json nodes = Json::array();
    Json times = Json::array();
    for (const MoveNote& n : r.moves) {
        scores.push_back(n.score ? Json(*n.score) : Json(nullptr));
        depths.push_back(n.depth);
        nodes.push_back(n.nodes);
        times.push_back(n.asked ? Json(n.time_ms) : Json(nullptr));
    }
    return {{"scores", scores}, {"depths", depths}, {"nodes", nodes}, {"times_ms", times}};
}

void read_notes(const Json& notes, GameResult& r) {
    for (std::size_t i = 0; i < r.moves.size(); ++i) {
        MoveNote& n = r.moves[i];
        if (const Json& s = notes.at("scores").at(i); s.is_number()) n.score = s.get<double>();
        n.depth = notes.at("depths").at(i).get<int>();
        n.nodes = notes.at("nodes").at(i).get<std::uint64_t>();
        const Json& t = notes.at("times_ms").at(i);
        n.asked = t.is_number();
        if (n.asked) n.time_ms = t.get<std::int64_t>();
    }
}

std::string moves_text(const GameResult& r) {
    std::string out;
    for (const MoveNote& n : r.moves) out += (out.empty() ? "" : " ") + n.move;
    return out;
}

Winner winner_of(const std::string& result) {
    return result == "1-0" ? Winner::First : result == "0-1" ? Winner::Second : Winner::Nobody;
}

void read_moves(const std::string& text, const Json& notes, std::size_t opening, GameRow& row) {
    std::istringstream moves(text);
    for (std::string m; moves >> m;) row.result.moves.emplace_back().move = m;
    read_notes(notes, row.result);
    for (std::size_t i = 0; i < std::min(opening, row.result.moves.size()); ++i) {
        row.opening.moves.push_back(row.result.moves[i].move);
    }
}

GameRow row_of(SQLite::Statement& q) {
    GameRow row;
    const auto number = [&](const char* c) { return q.getColumn(c).getInt64(); };
    const auto text = [&](const char* c) { return q.getColumn(c).getString(); };
    row.slot.game = static_cast<std::uint64_t>(number("id"));
    row.slot.pair = row.slot.game / 2;
    row.slot.round = static_cast<std::uint64_t>(number("round"));
    row.slot.pairing = static_cast<std::size_t>(number("pairing"));
    row.slot.first = static_cast<int>(number("first"));
    row.slot.second = static_cast<int>(number("second"));
    row.opening.position = text("start_position");
    row.started = text("started");
    row.host = text("host");
    GameResult& r = row.result;
    r.winner = winner_of(text("result"));
    r.end = end_of(text("reason"));
    r.detail = text("detail");
    r.final_position = text("final_position");
    r.seconds = q.getColumn("seconds").getDouble();
    r.slowest_ms = {number("slowest_first_ms"), number("slowest_second_ms")};
    read_moves(text("moves"), Json::parse(text("notes")),
               static_cast<std::size_t>(number("opening_plies")), row);
    std::istringstream lines(text("last_lines"));
    for (std::string l; std::getline(lines, l);) r.last_lines.push_back(l);
    if (!q.getColumn("margin").isNull()) row.margin = static_cast<int>(number("margin"));
    return row;
}

}  // namespace

GameSummary summary_of(const GameRow& row) {
    const GameResult& r = row.result;
    return {row.slot,  r.winner,     r.end,     static_cast<int>(r.moves.size()),
            r.seconds, r.slowest_ms, row.margin};
}

Json to_json(const GameRow& row, const std::vector<std::string>& names) {
    const GameResult& r = row.result;
    Json out = {{"event", "game"},
                {"game", row.slot.game},
                {"pair", row.slot.pair},
                {"first", names.at(static_cast<std::size_t>(row.slot.first))},
                {"second", names.at(static_cast<std::size_t>(row.slot.second))},
                {"result", result_text(r.winner)},
                {"winner", nullptr},
                {"reason", name_of(r.end)},
                {"plies", r.moves.size()},
                {"opening_plies", row.opening.moves.size()},
                {"start_position", row.opening.position},
                {"moves", moves_text(r)}};
    if (r.winner != Winner::Nobody)
        out["winner"] = out[r.winner == Winner::First ? "first" : "second"];
    out.update(notes_json(r));
    out["final_position"] = r.final_position;
    if (row.margin) out["margin"] = *row.margin;
    if (!r.detail.empty()) out["detail"] = r.detail;
    if (!r.last_lines.empty()) out["last_lines"] = r.last_lines;
    out["slowest_ms"] = r.slowest_ms;
    out["seconds"] = r.seconds;
    out["started"] = row.started;
    out["host"] = row.host;
    return out;
}

Json pack(const GameRow& row) {
    const GameResult& r = row.result;
    Json out = {{"game", row.slot.game},
                {"first", row.slot.first},
                {"second", row.slot.second},
                {"position", row.opening.position},
                {"opening_plies", row.opening.moves.size()},
                {"result", result_text(r.winner)},
                {"reason", name_of(r.end)},
                {"detail", r.detail},
                {"last_lines", r.last_lines},
                {"moves", moves_text(r)},
                {"notes", notes_json(r)},
                {"final_position", r.final_position},
                {"slowest_ms", r.slowest_ms},
                {"seconds", r.seconds},
                {"started", row.started},
                {"host", row.host},
                {"margin", nullptr}};
    if (row.margin) out["margin"] = *row.margin;
    return out;
}

namespace {

/// The parallel lists beside the moves, as long as they: what read_notes() takes.
const Json& checked_notes(const Json& j, std::size_t moves) {
    const Json& notes = strict::object(j, "notes");
    for (const char* name : {"scores", "depths", "nodes", "times_ms"}) {
        const Json& list = strict::list(notes, name, kMostMoves);
        const bool numbers = std::all_of(list.begin(), list.end(), [&](const Json& x) {
            return name == std::string_view("scores")
                       ? x.is_null() || x.is_number()
                       : (name == std::string_view("times_ms") && x.is_null()) ||
                             (x.is_number_integer() && x.get<std::int64_t>() >= 0);
        });
        if (list.size() != moves || !numbers) {
            throw strict::StrictError(fmt::format("'notes.{}' does not fit the moves", name));
        }
    }
    return notes;
}

}  // namespace

GameRow unpack(const Json& j) {
    using strict::text;
    GameRow row;
    row.slot.game = strict::natural(j, "game", static_cast<std::uint64_t>(strict::kMostExact));
    row.slot.first = strict::whole_as<int>(j, "first", 0, kMostPlayers);
    row.slot.second = strict::whole_as<int>(j, "second", 0, kMostPlayers);
    row.opening.position = text(j, "position", kMostText);
    row.started = text(j, "started", kMostName);
    row.host = text(j, "host", kMostName);
    if (!strict::member(j, "margin").is_null()) {
        row.margin = strict::whole_as<int>(j, "margin", -kMostMargin, kMostMargin);
    }
    GameResult& r = row.result;
    const std::string result = text(j, "result", kMostName);
    r.winner = winner_of(result);
    if (result != result_text(r.winner)) throw strict::StrictError("'result' is none");
    const std::string reason = text(j, "reason", kMostName);
    r.end = end_of(reason);
    if (reason != name_of(r.end)) throw strict::StrictError("'reason' is none");
    r.detail = text(j, "detail", kMostText);
    r.last_lines = strict::texts(j, "last_lines", kMostLines, kMostText);
    r.final_position = text(j, "final_position", kMostText);
    const Json& slowest = strict::list(j, "slowest_ms", 2);
    if (slowest.size() != 2 || !slowest[0].is_number_integer() || !slowest[1].is_number_integer()) {
        throw strict::StrictError("'slowest_ms' is no pair of numbers");
    }
    r.slowest_ms = {slowest[0].get<std::int64_t>(), slowest[1].get<std::int64_t>()};
    r.seconds = strict::real(j, "seconds", 0, 1e9);
    const std::string moves = text(j, "moves", kMostMoves * kMostMoveText);
    const std::size_t plies = split_words(moves).size();
    read_moves(moves, checked_notes(j, plies), strict::natural(j, "opening_plies", plies), row);
    return row;
}

Expected<std::unique_ptr<Store>> Store::open(const std::string& path) {
    auto database = lab::Database::open(path, {"match", kFormat, kTables});
    if (!database) return database.error();
    return std::unique_ptr<Store>(new Store(std::move(*database)));
}

Expected<std::unique_ptr<Store>> Store::read(const std::string& path) {
    auto database = lab::Database::read(path, "match");
    if (!database) return database.error();
    return std::unique_ptr<Store>(new Store(std::move(*database)));
}

void Store::save(const GameRow& row) {
    database_->run([&](SQLite::Database& db) {
        const GameResult& r = row.result;
        SQLite::Statement q(db,
                            "INSERT OR REPLACE INTO games (id, round, pairing, first, second, "
                            "result, reason, plies,"
                            " opening_plies, start_position, moves, notes, final_position, margin, "
                            "detail, last_lines,"
                            " slowest_first_ms, slowest_second_ms, seconds, started, host)"
                            " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
        int at = 0;
        const auto bind = [&](const auto& value) { q.bind(++at, value); };
        bind(static_cast<std::int64_t>(row.slot.game));
        bind(static_cast<std::int64_t>(row.slot.round));
        bind(static_cast<std::int64_t>(row.slot.pairing));
        bind(row.slot.first);
        bind(row.slot.second);
        bind(std::string(result_text(r.winner)));
        bind(std::string(name_of(r.end)));
        bind(static_cast<std::int64_t>(r.moves.size()));
        bind(static_cast<std::int64_t>(row.opening.moves.size()));
        bind(row.opening.position);
        bind(moves_text(r));
        bind(notes_json(r).dump());
        bind(r.final_position);
        if (row.margin) {
            bind(*row.margin);
        } else {
            q.bind(++at);
        }
        bind(r.detail);
        bind(fmt::format("{}", fmt::join(r.last_lines, "\n")));
        bind(r.slowest_ms[0]);
        bind(r.slowest_ms[1]);
        bind(r.seconds);
        bind(row.started);
        bind(row.host);
        q.exec();
    });
}

std::vector<bool> Store::done() const {
    return database_->run([&](SQLite::Database& db) {
        std::vector<bool> done;
        SQLite::Statement q(db, "SELECT id FROM games ORDER BY id");
        while (q.executeStep()) {
            const auto id = static_cast<std::size_t>(q.getColumn(0).getInt64());
            if (done.size() <= id) done.resize(id + 1);
            done[id] = true;
        }
        return done;
    });
}

void Store::each_game(const std::function<void(const GameRow&)>& see) const {
    database_->run([&](SQLite::Database& db) {
        SQLite::Statement q(db, "SELECT * FROM games ORDER BY id");
        while (q.executeStep()) see(row_of(q));
    });
}

void Store::each_summary(const std::function<void(const GameSummary&)>& see) const {
    database_->run([&](SQLite::Database& db) {
        SQLite::Statement q(
            db,
            "SELECT id, round, pairing, first, second, result, reason, plies, seconds,"
            " slowest_first_ms, slowest_second_ms, margin FROM games ORDER BY id");
        while (q.executeStep()) {
            const auto number = [&](int column) { return q.getColumn(column).getInt64(); };
            GameSummary g;
            g.slot.game = static_cast<std::uint64_t>(number(0));
            g.slot.pair = g.slot.game / 2;
            g.slot.round = static_cast<std::uint64_t>(number(1));
            g.slot.pairing = static_cast<std::size_t>(number(2));
            g.slot.first = static_cast<int>(number(3));
            g.slot.second = static_cast<int>(number(4));
            g.winner = winner_of(q.getColumn(5).getString());
            g.end = end_of(q.getColumn(6).getString());
            g.plies = static_cast<int>(number(7));
            g.seconds = q.getColumn(8).getDouble();
            g.slowest_ms = {number(9), number(10)};
            if (!q.getColumn(11).isNull()) g.margin = static_cast<int>(number(11));
            see(g);
        }
    });
}

}  // namespace karikomi::match
