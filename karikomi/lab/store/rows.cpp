#include "karikomi/lab/store/rows.hpp"

#include <algorithm>
#include <bit>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include "karikomi/base/expected.hpp"
#include "karikomi/base/hash.hpp"

namespace karikomi::lab {
namespace {

constexpr std::size_t kMostFaults = 5;
constexpr const char* kSum = "row_sum";

/// Type and contents of every value, so that neither 1 and '1' nor two texts that were cut
/// elsewhere are the same.
void row_sum_of(sqlite3_context* context, int count, sqlite3_value** values) {
    Fnv hash;
    for (int i = 0; i < count; ++i) {
        sqlite3_value* const v = values[i];
        const int type = sqlite3_value_type(v);
        hash.add_number(static_cast<std::uint64_t>(type));
        if (type == SQLITE_INTEGER) {
            hash.add_number(static_cast<std::uint64_t>(sqlite3_value_int64(v)));
        } else if (type == SQLITE_FLOAT) {
            hash.add_number(std::bit_cast<std::uint64_t>(sqlite3_value_double(v)));
        } else if (type != SQLITE_NULL) {
            const auto* const bytes = static_cast<const char*>(sqlite3_value_blob(v));
            const auto size = static_cast<std::size_t>(sqlite3_value_bytes(v));
            hash.add_number(size);
            if (size > 0) hash.add(std::string_view(bytes, size));
        }
    }
    sqlite3_result_int64(context, static_cast<sqlite3_int64>(hash.value()));
}

struct Column {
    std::string name;
    bool key = false;
};
std::vector<Column> all_columns(SQLite::Database& db, const std::string& table) {
    std::vector<Column> columns;
    SQLite::Statement q(db, fmt::format("PRAGMA table_info({})", table));
    while (q.executeStep()) {
        columns.push_back({q.getColumn(1).getString(), q.getColumn(5).getInt() > 0});
    }
    return columns;
}

/// "row_sum_of(NEW.id, NEW.round)".
std::string sum_text(const std::vector<std::string>& columns, const char* prefix) {
    std::vector<std::string> names;
    for (const std::string& c : columns) names.push_back(prefix + c);
    return fmt::format("row_sum_of({})", fmt::join(names, ", "));
}

void keep_sums(SQLite::Database& db, const std::string& table) {
    const std::vector<std::string> columns = columns_of(db, table);
    std::vector<std::string> same;
    for (const Column& c : all_columns(db, table)) {
        if (c.key) same.push_back(fmt::format("{0} = NEW.{0}", c.name));
    }
    if (same.empty()) same.emplace_back("rowid = NEW.rowid");
    const std::string update = fmt::format("UPDATE {} SET {} = {} WHERE {}", table, kSum,
                                           sum_text(columns, "NEW."), fmt::join(same, " AND "));
    // Temporary ones: another program may still write to the file, and its rows are found.
    db.exec(
        fmt::format("CREATE TEMP TRIGGER IF NOT EXISTS seal_new_{0} AFTER INSERT ON main.{0} "
                    "BEGIN {1}; END",
                    table, update));
    db.exec(
        fmt::format("CREATE TEMP TRIGGER IF NOT EXISTS seal_old_{0} AFTER UPDATE OF {2} ON "
                    "main.{0} BEGIN {1}; END",
                    table, update, fmt::join(columns, ", ")));
}

/// Rows that are not what was written, by their keys.
void find_changed_rows(SQLite::Database& db, const std::string& table,
                       std::vector<std::string>& faults) {
    std::vector<std::string> keys;
    for (const Column& c : all_columns(db, table)) {
        if (c.key) keys.push_back(c.name);
    }
    if (keys.empty()) keys.emplace_back("rowid");
    SQLite::Statement q(
        db, fmt::format("SELECT {} FROM {} WHERE {} IS NOT {}", fmt::join(keys, ", "), table, kSum,
                        sum_text(columns_of(db, table), "")));
    while (faults.size() < kMostFaults && q.executeStep()) {
        std::vector<std::string> key;
        for (int i = 0; i < q.getColumnCount(); ++i) key.push_back(q.getColumn(i).getString());
        faults.push_back(
            fmt::format("row {} of {} is not what was written", fmt::join(key, " "), table));
    }
}

}  // namespace

std::vector<std::string> columns_of(SQLite::Database& db, const std::string& table) {
    std::vector<std::string> names;
    for (const Column& c : all_columns(db, table)) {
        if (c.name != kSum) names.push_back(c.name);
    }
    return names;
}

bool is_sealed(SQLite::Database& db, const std::string& table) {
    const std::vector<Column> all = all_columns(db, table);
    return std::any_of(all.begin(), all.end(), [](const Column& c) { return c.name == kSum; });
}

void add_sum_function(SQLite::Database& db) {
    db.check(sqlite3_create_function_v2(db.getHandle(), "row_sum_of", -1,
                                        SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr, row_sum_of,
                                        nullptr, nullptr, nullptr));
}

void seal_tables(SQLite::Database& db, const TableNames& tables) {
    add_sum_function(db);
    for (const std::string& table : tables) {
        if (!is_sealed(db, table)) {
            db.exec(fmt::format("ALTER TABLE {} ADD COLUMN {} INTEGER", table, kSum));
            db.exec(fmt::format("UPDATE {} SET {} = {}", table, kSum,
                                sum_text(columns_of(db, table), "")));
        }
        keep_sums(db, table);
    }
}

std::vector<std::string> faults_of(SQLite::Database& db, const TableNames& tables) {
    std::vector<std::string> faults;
    try {
        SQLite::Statement q(db, fmt::format("PRAGMA integrity_check({})", kMostFaults));
        while (q.executeStep()) {
            const std::string line = q.getColumn(0).getString();
            if (line != "ok") faults.push_back(line);
        }
        add_sum_function(db);
        for (const std::string& table : tables) {
            if (is_sealed(db, table)) find_changed_rows(db, table, faults);
        }
    } catch (const std::exception& e) {
        faults.emplace_back(e.what());
    }
    return faults;
}

std::string schema_hash(SQLite::Database& db, const TableNames& tables) {
    Fnv hash;
    for (const std::string& table : tables) {
        SQLite::Statement q(db, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?");
        q.bind(1, table);
        hash.add(q.executeStep() ? q.getColumn(0).getString() : std::string("none"));
    }
    return hash.text();
}

Error damaged_database(const std::string& path, const std::vector<std::string>& faults) {
    return {fmt::format("database '{}' is damaged: {}{}", path,
                        faults.empty() ? std::string("it cannot be read") : faults.front(),
                        faults.size() > 1 ? " (and more)" : ""),
            fmt::format("save what is good with `karikomi repair {}`", path)};
}

bool is_of_the_machine(const SQLite::Exception& e) {
    switch (e.getErrorCode()) {
        case SQLITE_FULL:
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_READONLY:
        case SQLITE_PERM:
        case SQLITE_CANTOPEN:
        case SQLITE_IOERR:
        case SQLITE_NOMEM:
            return true;
        default:
            return false;
    }
}

Error database_error(const std::string& path, const SQLite::Exception& e) {
    const auto wrong = [&](const std::string& why, const std::string& remedy) {
        return Error{fmt::format("database '{}': {}", path, why), remedy};
    };
    const std::string saved = "what was saved before stays";
    switch (e.getErrorCode()) {
        case SQLITE_CORRUPT:
            return damaged_database(path, {e.what()});
        case SQLITE_NOTADB:
            return wrong("is no database, or its first bytes are damaged",
                         fmt::format("name another, or try `karikomi repair {}`", path));
        case SQLITE_FULL:
            return wrong("the disk is full; " + saved, "make room, then give the command again");
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return wrong("another program has locked it; " + saved,
                         "end that program, then give the command again");
        case SQLITE_READONLY:
        case SQLITE_PERM:
        case SQLITE_CANTOPEN:
            return wrong("cannot be opened or written here",
                         "check the path and the rights of the file and its folder");
        case SQLITE_NOMEM:
            return wrong("there is no memory for it; " + saved, "use a smaller --hash");
        case SQLITE_IOERR:
            return wrong(fmt::format("the disk refuses ({}); {}", e.what(), saved),
                         "check the disk, then give the command again");
        case SQLITE_ERROR:
            return wrong(fmt::format("has not the tables that are expected ({})", e.what()),
                         fmt::format("try `karikomi repair {}`", path));
        default:
            return wrong(e.what(), "check the file and the disk");
    }
}

}  // namespace karikomi::lab
