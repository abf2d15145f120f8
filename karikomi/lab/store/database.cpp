#include "karikomi/lab/store/database.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/store/rows.hpp"

namespace karikomi::lab {
namespace {

bool has_table(const SQLite::Database& db, const std::string& name) {
    return db.tableExists(name);
}

TableNames own_tables(const SQLite::Database& db) {
    TableNames names;
    SQLite::Statement q(db,
                        "SELECT name FROM sqlite_master WHERE type = 'table' AND "
                        "name NOT LIKE 'sqlite_%' ORDER BY name");
    while (q.executeStep()) names.push_back(q.getColumn(0).getString());
    return names;
}

}  // namespace

Database::~Database() {
    db_.reset();  // before the lock: closing a descriptor of the file drops SQLite's own locks
    if (lock_ >= 0) ::close(lock_);
}

Expected<std::unique_ptr<Database>> Database::open(const std::string& path, const Kind& kind) {
    std::unique_ptr<Database> database(new Database);
    database->path_ = path;
    const auto wrong = [&](const std::string& why, const std::string& remedy) {
        return Error{fmt::format("database '{}': {}", path, why), remedy};
    };
    if (path != ":memory:") {
        database->lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (database->lock_ < 0) {
            throw Failure(wrong(fmt::format("cannot be written: {}", std::strerror(errno)),
                                "name another file with --db"),
                          kBroken);
        }
        if (flock(database->lock_, LOCK_EX | LOCK_NB) != 0) {
            throw Failure(wrong("another run is using it", "wait for its end, or use another --db"),
                          kBroken);
        }
    }
    try {
        database->db_ = std::make_unique<SQLite::Database>(
            path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 5000);
        if (!own_tables(*database->db_).empty()) {
            if (!has_table(*database->db_, "facts")) {
                return wrong("is of another program, and is left as it is", "use another --db");
            }
            if (const Status s = database->check_rows(); !s) return s.error();
        }
        // NORMAL: after a crash of the machine the last games may be missing, never the database.
        database->db_->exec("PRAGMA journal_mode=WAL");
        database->db_->exec("PRAGMA synchronous=NORMAL");
        database->db_->exec(
            "CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value TEXT NOT NULL)");
        if (const Status s = database->check_kind(kind); !s) {
            return wrong(s.error().what, s.error().remedy);
        }
        database->db_->exec(kind.tables);
        database->seal();
    } catch (const SQLite::Exception& e) {
        if (is_of_the_machine(e)) throw Failure(database_error(path, e), kBroken);
        return database_error(path, e);
    } catch (const Failure& f) {
        if (f.code == kBroken) throw;
        return f.error;
    } catch (const std::exception& e) {
        return damaged_database(path, {e.what()});
    }
    return database;
}

Status Database::check_rows() const {
    const std::vector<std::string> faults = faults_of(*db_, own_tables(*db_));
    if (!faults.empty()) return damaged_database(path_, faults);
    const Json sealed = get("sealed");
    if (sealed.is_null()) return {};  // of a version that did not
    const TableNames tables = sealed.at("tables");
    if (sealed.at("schema") == schema_hash(*db_, tables)) return {};
    return damaged_database(path_, {"its tables are not declared as they were"});
}

/// All rows from now on have their checksums, and so has what the tables look like.
void Database::seal() {
    SQLite::Transaction transaction(*db_);
    const TableNames tables = own_tables(*db_);
    seal_tables(*db_, tables);
    set("sealed", {{"tables", tables}, {"schema", schema_hash(*db_, tables)}});
    transaction.commit();
}

void Database::rethrow_named() const {
    try {
        throw;
    } catch (const SQLite::Exception& e) {
        throw Failure(database_error(path_, e), is_of_the_machine(e) ? kBroken : kBadInput);
    } catch (const Json::exception& e) {
        throw Failure(damaged_database(path_, {e.what()}));
    }
}

Status Database::check_kind(const Kind& kind) {
    const Json found = get("kind");
    if (found.is_null()) {
        set("kind", kind.name);
        set("format", kind.format);
        return {};
    }
    if (found != kind.name) {
        return Error{fmt::format("is of `karikomi {}`", found.get<std::string>()),
                     "use another --db"};
    }
    if (get("format") != kind.format) {
        return Error{
            fmt::format("has format {}, this program writes {}", get("format").dump(), kind.format),
            "use another --db"};
    }
    return {};
}

Expected<std::unique_ptr<Database>> Database::read(const std::string& path,
                                                   const std::string& kind) {
    std::unique_ptr<Database> database(new Database);
    database->path_ = path;
    try {
        database->db_ = std::make_unique<SQLite::Database>(path, SQLite::OPEN_READONLY, 5000);
        if (!has_table(*database->db_, "facts")) {
            return Error{fmt::format("database '{}': is none of ours", path),
                         fmt::format("name a database that `karikomi {}` has written", kind)};
        }
        if (const Status s = database->check_rows(); !s) return s.error();
        if (database->get("kind") != kind || database->get("config").is_null()) {
            return Error{fmt::format("database '{}': holds no {}", path, kind), "name another"};
        }
    } catch (const SQLite::Exception& e) {
        return database_error(path, e);
    } catch (const Failure& f) {
        return f.error;
    } catch (const std::exception& e) {
        return damaged_database(path, {e.what()});
    }
    return database;
}

Expected<std::string> Database::kind_of(const std::string& path) {
    const Error none{fmt::format("database '{}': is none of ours", path), "name another"};
    try {
        const SQLite::Database db(path, SQLite::OPEN_READONLY, 1000);
        SQLite::Statement q(db, "SELECT value FROM facts WHERE key = 'kind'");
        if (!q.executeStep()) return none;
        const Json kind = Json::parse(q.getColumn(0).getString(), nullptr, false);
        return kind.is_string() ? Expected<std::string>(kind.get<std::string>()) : none;
    } catch (const std::exception&) {
        return none;
    }
}

bool Database::is_in_use(const std::string& path) {
    struct stat file {};
    if (::stat(path.c_str(), &file) != 0) return false;
    // "1: FLOCK  ADVISORY  WRITE 4711 08:01:123456 0 EOF"
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::istringstream words(line);
        std::string number, kind, advisory, access, holder, where;
        words >> number >> kind >> advisory >> access >> holder >> where;
        if (kind != "FLOCK" || access != "WRITE") continue;
        if (where.substr(where.rfind(':') + 1) == std::to_string(file.st_ino)) return true;
    }
    return false;
}

Json Database::get(const std::string& key) const {
    return run([&](SQLite::Database& db) {
        SQLite::Statement q(db, "SELECT value FROM facts WHERE key = ?");
        q.bind(1, key);
        return q.executeStep() ? Json::parse(q.getColumn(0).getString()) : Json(nullptr);
    });
}

void Database::set(const std::string& key, const Json& value) {
    run([&](SQLite::Database& db) {
        SQLite::Statement q(db, "INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)");
        q.bind(1, key);
        q.bind(2, value.dump(-1, ' ', false, Json::error_handler_t::replace));
        q.exec();
    });
}

}  // namespace karikomi::lab
