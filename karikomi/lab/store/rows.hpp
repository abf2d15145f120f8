/// Rows that are what was written. Each row of a sealed table has its checksum in the column
/// `row_sum`: SQLite's own check finds broken pages, but not a changed letter.
#pragma once

#include <string>
#include <vector>

namespace SQLite {  // NOLINT: the library's name
class Database;
class Exception;
}  // namespace SQLite

namespace karikomi {
struct Error;
}

namespace karikomi::lab {

using TableNames = std::vector<std::string>;

/// Adds the column where it is missing (with the sums of the rows that are there), and keeps it
/// right for as long as this connection lives. Throws what the library throws.
void seal_tables(SQLite::Database& db, const TableNames& tables);

/// What is wrong, at most a few lines; nothing: every page and every row is good. Tables without
/// the column are read as far as their pages. Throws nothing.
std::vector<std::string> faults_of(SQLite::Database& db, const TableNames& tables);

/// The columns of a table without its sum.
std::vector<std::string> columns_of(SQLite::Database& db, const std::string& table);
bool is_sealed(SQLite::Database& db, const std::string& table);
/// Makes `row_sum_of(...)` known to the connection.
void add_sum_function(SQLite::Database& db);
/// Hash of how these tables are declared: a damaged declaration reads the rows wrongly.
std::string schema_hash(SQLite::Database& db, const TableNames& tables);

/// A full disk, a lock, missing rights: no fault of the file.
bool is_of_the_machine(const SQLite::Exception& e);
/// The fault in words: a full disk, a locked or damaged file, ...
Error database_error(const std::string& path, const SQLite::Exception& e);
/// "is damaged: WHAT", with the way to save the rest.
Error damaged_database(const std::string& path, const std::vector<std::string>& faults);

}  // namespace karikomi::lab
