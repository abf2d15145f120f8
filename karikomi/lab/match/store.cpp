#include "karikomi/lab/match/store.hpp"

#include <filesystem>
#include <sstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

namespace karikomi::match {
namespace {

constexpr int kFormat = 2;  // of the tables

const char* result_text(Winner w) {
    return w == Winner::Nobody ? "1/2-1/2" : w == Winner::First ? "1-0" : "0-1";
}

End end_of(const std::string& name) {
    for (int i = 0; i <= static_cast<int>(End::Stopped); ++i) {
        if (name_of(static_cast<End>(i)) == name) return static_cast<End>(i);
    }
    return End::Rules;
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
    const std::string result = text("result");
    r.winner = result == "1-0" ? Winner::First : result == "0-1" ? Winner::Second : Winner::Nobody;
    r.end = end_of(text("reason"));
    r.detail = text("detail");
    r.final_position = text("final_position");
    r.seconds = q.getColumn("seconds").getDouble();
    r.slowest_ms = {number("slowest_first_ms"), number("slowest_second_ms")};
    std::istringstream moves(text("moves"));
    for (std::string m; moves >> m;) r.moves.emplace_back().move = m;
    read_notes(Json::parse(text("notes")), r);
    const auto opening = static_cast<std::size_t>(number("opening_plies"));
    for (std::size_t i = 0; i < opening; ++i) row.opening.moves.push_back(r.moves.at(i).move);
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

Store::~Store() {
    db_.reset();  // before the lock: closing a descriptor of the file drops SQLite's own locks
    if (lock_ >= 0) ::close(lock_);
}

Expected<std::unique_ptr<Store>> Store::open(const std::string& path) {
    std::unique_ptr<Store> store(new Store);
    const bool in_memory = path == ":memory:";
    const auto wrong = [&](const std::string& why, const std::string& remedy) {
        return Error{fmt::format("database '{}': {}", path, why), remedy};
    };
    if (!in_memory) {
        store->lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (store->lock_ < 0) return wrong("cannot be written", "name another file with --db");
        if (flock(store->lock_, LOCK_EX | LOCK_NB) != 0) {
            return wrong("another run is using it", "wait for its end, or use another --db");
        }
    }
    try {
        store->db_ = std::make_unique<SQLite::Database>(
            path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 5000);
        store->create_tables();
        const Json format = store->get("format");
        if (format.is_null()) {
            store->set("format", kFormat);
        } else if (format != kFormat) {
            return wrong(
                fmt::format("has format {}, this program writes {}", format.dump(), kFormat),
                "use another --db");
        }
    } catch (const std::exception& e) {
        return wrong(e.what(), "use another --db");
    }
    return store;
}

Expected<std::unique_ptr<Store>> Store::read(const std::string& path) {
    std::unique_ptr<Store> store(new Store);
    try {
        store->db_ = std::make_unique<SQLite::Database>(path, SQLite::OPEN_READONLY, 5000);
        if (!store->has("config")) {
            return Error{fmt::format("database '{}': holds no match", path), "name another"};
        }
    } catch (const std::exception& e) {
        return Error{fmt::format("database '{}': {}", path, e.what()),
                     "name a database that `karikomi match` has written"};
    }
    return store;
}

void Store::create_tables() {
    // NORMAL: after a crash of the machine the last games may be missing, never the database.
    db_->exec("PRAGMA journal_mode=WAL");
    db_->exec("PRAGMA synchronous=NORMAL");
    db_->exec(
        "CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);"
        "CREATE TABLE IF NOT EXISTS games ("
        " id INTEGER PRIMARY KEY, round INTEGER NOT NULL, pairing INTEGER NOT NULL,"
        " first INTEGER NOT NULL, second INTEGER NOT NULL, result TEXT NOT NULL,"
        " reason TEXT NOT NULL, plies INTEGER NOT NULL, opening_plies INTEGER NOT NULL,"
        " start_position TEXT NOT NULL, moves TEXT NOT NULL, notes TEXT NOT NULL,"
        " final_position TEXT NOT NULL, margin INTEGER, detail TEXT NOT NULL,"
        " last_lines TEXT NOT NULL, slowest_first_ms INTEGER NOT NULL,"
        " slowest_second_ms INTEGER NOT NULL, seconds REAL NOT NULL, started TEXT NOT NULL,"
        " host TEXT NOT NULL)");
}

bool Store::has(const std::string& key) const {
    return !get(key).is_null();
}

Json Store::get(const std::string& key) const {
    SQLite::Statement q(*db_, "SELECT value FROM facts WHERE key = ?");
    q.bind(1, key);
    return q.executeStep() ? Json::parse(q.getColumn(0).getString()) : Json(nullptr);
}

void Store::set(const std::string& key, const Json& value) {
    SQLite::Statement q(*db_, "INSERT OR REPLACE INTO facts VALUES (?, ?)");
    q.bind(1, key);
    q.bind(2, value.dump(-1, ' ', false, Json::error_handler_t::replace));
    q.exec();
}

void Store::save(const GameRow& row) {
    const GameResult& r = row.result;
    SQLite::Statement q(
        *db_, "INSERT OR REPLACE INTO games VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
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
}

std::vector<bool> Store::done() const {
    std::vector<bool> done;
    SQLite::Statement q(*db_, "SELECT id FROM games ORDER BY id");
    while (q.executeStep()) {
        const auto id = static_cast<std::size_t>(q.getColumn(0).getInt64());
        if (done.size() <= id) done.resize(id + 1);
        done[id] = true;
    }
    return done;
}

void Store::each_game(const std::function<void(const GameRow&)>& see) const {
    SQLite::Statement q(*db_, "SELECT * FROM games ORDER BY id");
    while (q.executeStep()) see(row_of(q));
}

}  // namespace karikomi::match
