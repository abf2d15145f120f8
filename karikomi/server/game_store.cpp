#include "karikomi/server/game_store.hpp"

#include <filesystem>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/console.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/store/rows.hpp"

namespace karikomi::server {
namespace {

constexpr int kFormat = 1;  // of the table
constexpr const char* kNow = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
constexpr const char* kColumns = "id, game, title, start, moves, result, created, updated";

KeptGame row_of(SQLite::Statement& q) {
    KeptGame g;
    g.id = q.getColumn(0).getInt64();
    g.game = q.getColumn(1).getString();
    g.title = q.getColumn(2).getString();
    g.start = q.getColumn(3).getString();
    g.moves = q.getColumn(4).getString();
    g.result = q.getColumn(5).getString();
    g.created = q.getColumn(6).getString();
    g.updated = q.getColumn(7).getString();
    return g;
}

Error no_game(std::int64_t id) {
    return {fmt::format("there is no game {}", id), "see the list of games"};
}

}  // namespace

Json to_json(const KeptGame& g, bool with_document) {
    Json out = {{"id", g.id},           {"game", g.game},      {"title", g.title},
                {"start", g.start},     {"moves", g.moves},    {"result", g.result},
                {"created", g.created}, {"updated", g.updated}};
    if (with_document) out["version"] = g.version();
    if (with_document) out["document"] = Json::parse(g.document, nullptr, false);
    return out;
}

GameStore::~GameStore() = default;

Expected<std::unique_ptr<GameStore>> GameStore::open(const std::string& path) {
    std::unique_ptr<GameStore> store(new GameStore);
    try {
        const std::filesystem::path folder = std::filesystem::path(path).parent_path();
        if (!folder.empty()) std::filesystem::create_directories(folder);
        store->db_ = std::make_unique<SQLite::Database>(
            path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);  // NOLINT(hicpp-signed-bitwise)
        SQLite::Database& db = *store->db_;
        db.setBusyTimeout(2'000);
        if (db.execAndGet("SELECT count(*) FROM sqlite_master").getInt() > 0) {
            if (!db.tableExists("games")) {
                return Error{fmt::format("{} is a database of another program", path),
                             "choose another --data folder"};
            }
            auto faults = lab::faults_of(db, {"games"});
            // Otherwise it opens, and no game can be read.
            if (fmt::format("{}", fmt::join(lab::columns_of(db, "games"), ", ")) !=
                std::string(kColumns) + ", document") {
                faults.emplace_back("its table is not declared as it was");
            }
            if (!faults.empty()) return lab::damaged_database(path, faults);
        }
        if (path != ":memory:") db.exec("PRAGMA journal_mode = WAL");
        const int format = db.execAndGet("PRAGMA user_version").getInt();
        if (format > kFormat) {
            return Error{fmt::format("{} was written by a newer karikomi", path),
                         "use another --data folder"};
        }
        db.exec(
            "CREATE TABLE IF NOT EXISTS games (id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "game TEXT NOT NULL, title TEXT NOT NULL, start TEXT NOT NULL, moves TEXT NOT NULL, "
            "result TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL, "
            "document TEXT NOT NULL)");
        db.exec(fmt::format("PRAGMA user_version = {}", kFormat));
        lab::seal_tables(db, {"games"});
    } catch (const SQLite::Exception& e) {
        if (lab::is_of_the_machine(e)) throw Failure(lab::database_error(path, e), kBroken);
        return lab::database_error(path, e);
    } catch (const std::exception& e) {
        return Error{fmt::format("{}: {}", path, e.what()), "choose another --data folder"};
    }
    return store;
}

Expected<GameStore::Saved> GameStore::save(const KeptGame& g, const std::string& version) {
    const std::lock_guard lock(mutex_);
    try {
        const bool fresh = g.id == 0;
        if (fresh && db_->execAndGet("SELECT count(*) FROM games").getInt() >= kMostGames) {
            return Error{fmt::format("{} games are kept already", kMostGames), "delete some"};
        }
        if (!fresh) {
            const auto old = find(g.id);
            if (!old) return no_game(g.id);
            if (old->version() != version) return Saved{g.id, old->version(), true};
        }
        SQLite::Statement q(
            *db_, fresh ? fmt::format("INSERT INTO games (game, title, start, moves, result, "
                                      "document, created, updated) VALUES (?, ?, ?, ?, ?, ?, {0}, "
                                      "{0})",
                                      kNow)
                        : fmt::format("UPDATE games SET game = ?, title = ?, start = ?, moves = ?, "
                                      "result = ?, document = ?, updated = {} WHERE id = ?",
                                      kNow));
        int at = 0;
        for (const std::string* text :
             {&g.game, &g.title, &g.start, &g.moves, &g.result, &g.document}) {
            q.bind(++at, *text);
        }
        if (!fresh) q.bind(++at, g.id);
        if (q.exec() == 0) return no_game(g.id);
        return Saved{fresh ? db_->getLastInsertRowid() : g.id, g.version(), false};
    } catch (const std::exception& e) {
        return Error{fmt::format("the game could not be kept: {}", e.what()), "check the disk"};
    }
}

std::optional<KeptGame> GameStore::find(std::int64_t id) const {
    SQLite::Statement q(*db_, fmt::format("SELECT {}, document FROM games WHERE id = ?", kColumns));
    q.bind(1, id);
    if (!q.executeStep()) return std::nullopt;
    KeptGame g = row_of(q);
    g.document = q.getColumn(8).getString();
    return g;
}

Expected<KeptGame> GameStore::load(std::int64_t id) const {
    const std::lock_guard lock(mutex_);
    try {
        auto game = find(id);
        if (!game) return no_game(id);
        return *game;
    } catch (const std::exception& e) {
        return Error{fmt::format("the game could not be read: {}", e.what()), "check the disk"};
    }
}

Status GameStore::remove(std::int64_t id) {
    const std::lock_guard lock(mutex_);
    try {
        SQLite::Statement q(*db_, "DELETE FROM games WHERE id = ?");
        q.bind(1, id);
        if (q.exec() == 0) return no_game(id);
        return {};
    } catch (const std::exception& e) {
        return Error{fmt::format("the game could not be deleted: {}", e.what()), "check the disk"};
    }
}

Json GameStore::list(const std::string& game, int limit) const {
    const std::lock_guard lock(mutex_);
    Json out = Json::array();
    SQLite::Statement q(*db_, fmt::format("SELECT {} FROM games WHERE ?1 = '' OR game = ?1 "
                                          "ORDER BY updated DESC, id DESC LIMIT ?2",
                                          kColumns));
    q.bind(1, game);
    q.bind(2, limit);
    while (q.executeStep()) out.push_back(to_json(row_of(q), false));
    return out;
}

}  // namespace karikomi::server
