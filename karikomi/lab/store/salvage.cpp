/// What can be read of a damaged database, row by row, into a new one.
#include <algorithm>
#include <filesystem>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/files.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/store/database.hpp"
#include "karikomi/lab/store/rows.hpp"

namespace karikomi::lab {
namespace {

constexpr std::string_view kHead("SQLite format 3\0", 16);

/// Does it begin as a database does, but for a few letters?
bool looks_like_database(std::string_view bytes) {
    if (bytes.size() < kHead.size()) return false;
    std::size_t same = 0;
    for (std::size_t i = 0; i < kHead.size(); ++i) same += bytes[i] == kHead[i] ? 1U : 0U;
    return same >= 12;
}

struct Table {
    std::string name;
    std::string sql;
};
std::vector<Table> tables_of(SQLite::Database& db) {
    std::vector<Table> all;
    SQLite::Statement q(db,
                        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT "
                        "LIKE 'sqlite_%' ORDER BY name");
    while (q.executeStep()) all.push_back({q.getColumn(0).getString(), q.getColumn(1).getString()});
    return all;
}

/// Good rows of one table. A broken page ends a walk; the other way round reaches what is behind.
std::size_t copy_table(SQLite::Database& from, SQLite::Database& to, const Table& table) {
    std::vector<std::string> columns = columns_of(from, table.name);
    const std::string sum = fmt::format("row_sum_of({})", fmt::join(columns, ", "));
    const bool sealed = is_sealed(from, table.name);
    const std::string which = sealed ? fmt::format("WHERE row_sum IS {}", sum) : "";
    if (sealed) columns.emplace_back("row_sum");
    to.exec(table.sql);
    const std::string marks = fmt::format("{}", fmt::join(std::vector(columns.size(), '?'), ","));
    std::size_t rows = 0;
    for (const char* order : {"", "DESC"}) {
        try {
            SQLite::Statement key(from, fmt::format("SELECT group_concat(name, ' {0}, ') FROM "
                                                    "pragma_table_info(?) WHERE pk > 0",
                                                    order));
            key.bind(1, table.name);
            key.executeStep();
            SQLite::Statement q(
                from, fmt::format("SELECT {} FROM {} {} ORDER BY {} {}", fmt::join(columns, ", "),
                                  table.name, which, key.getColumn(0).getString(), order));
            SQLite::Statement put(to, fmt::format("INSERT OR IGNORE INTO {} ({}) VALUES ({})",
                                                  table.name, fmt::join(columns, ", "), marks));
            while (q.executeStep()) {
                put.reset();
                for (int i = 0; i < q.getColumnCount(); ++i) {
                    const SQLite::Column c = q.getColumn(i);
                    if (c.isNull()) {
                        put.bind(i + 1);
                    } else if (c.isInteger()) {
                        put.bind(i + 1, c.getInt64());
                    } else if (c.isFloat()) {
                        put.bind(i + 1, c.getDouble());
                    } else {
                        put.bind(i + 1, c.getString());
                    }
                }
                rows += static_cast<std::size_t>(put.exec());
            }
            break;
        } catch (const SQLite::Exception&) {
            continue;  // what was read so far is in `to`
        }
    }
    return rows;
}

/// Copies what is good; `counts` gets a word for each table.
void salvage(const std::string& file, const std::string& to, std::vector<std::string>& counts) {
    SQLite::Database from(file, SQLite::OPEN_READONLY, 5000);
    add_sum_function(from);
    SQLite::Database fresh(to, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    SQLite::Transaction transaction(fresh);
    const std::vector<Table> tables = tables_of(from);
    TableNames names;
    for (const Table& t : tables) {
        const std::size_t rows = copy_table(from, fresh, t);
        names.push_back(t.name);
        if (rows > 0) counts.push_back(fmt::format("{} rows of {}", rows, t.name));
    }
    if (std::find(names.begin(), names.end(), "facts") != names.end() &&
        is_sealed(fresh, "facts")) {
        add_sum_function(fresh);
        const Json sealed = {{"tables", names}, {"schema", schema_hash(fresh, names)}};
        SQLite::Statement q(fresh,
                            "INSERT OR REPLACE INTO facts (key, value, row_sum) "
                            "VALUES ('sealed', ?1, row_sum_of('sealed', ?1))");
        q.bind(1, sealed.dump());
        q.exec();
    }
    transaction.commit();
}

/// A copy with the right first bytes, where those are what is damaged.
std::string with_head(const std::string& file, std::string bytes, const std::string& to) {
    if (bytes.starts_with(kHead)) return file;
    bytes.replace(0, kHead.size(), kHead);
    const std::string copy = to + ".copy";
    return write_file(copy, bytes) ? copy : file;
}

Status save(const std::string& file, const std::string& bytes, const std::string& to,
            std::vector<std::string>& counts) {
    std::error_code ignored;
    std::filesystem::remove(to, ignored);
    const std::string source = with_head(file, bytes, to);
    Status status;
    try {
        salvage(source, to, counts);
    } catch (const SQLite::Exception& e) {
        status = database_error(file, e);
    }
    if (source != file) std::filesystem::remove(source, ignored);
    return status;
}

}  // namespace

std::optional<Repair> examine_database(const std::string& file) {
    const auto bytes = read_file(file);
    if (!bytes || !looks_like_database(*bytes)) return std::nullopt;
    Repair r;
    r.kind = "database";
    if (!bytes->starts_with(kHead)) r.faults.emplace_back("at byte 0: the head is damaged");
    try {
        SQLite::Database db(file, SQLite::OPEN_READONLY, 5000);
        TableNames names;
        for (const Table& t : tables_of(db)) names.push_back(t.name);
        for (std::string& f : faults_of(db, names)) r.faults.push_back(std::move(f));
        if (r.faults.empty() && db.tableExists("facts")) {
            SQLite::Statement q(db, "SELECT value FROM facts WHERE key = 'sealed'");
            if (q.executeStep() &&
                Json::parse(q.getColumn(0).getString()).at("schema") != schema_hash(db, names)) {
                r.faults.emplace_back("its tables are not declared as they were");
            }
        }
    } catch (const std::exception& e) {
        if (r.faults.empty()) r.faults.emplace_back(e.what());
    }
    // What is good is known by trying.
    std::vector<std::string> counts;
    const std::string trial = file + ".trial";
    (void)save(file, *bytes, trial, counts);
    std::error_code ignored;
    std::filesystem::remove(trial, ignored);
    r.good = fmt::format("{}", fmt::join(counts, ", "));
    r.save = [file, bytes = *bytes](const std::string& to) {
        std::vector<std::string> saved;
        return save(file, bytes, to, saved);
    };
    return r;
}

}  // namespace karikomi::lab
