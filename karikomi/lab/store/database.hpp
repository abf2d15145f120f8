/// A SQLite file (WAL) that one run at a time may write to, with a table of facts about the run.
/// Every page and every row is checked when it is opened (rows.hpp): what is damaged is named and
/// not used.
#pragma once

#include <memory>
#include <string>

#include "karikomi/engine/console.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/repair.hpp"

namespace SQLite {  // NOLINT: the library's name
class Database;
}

namespace karikomi::lab {

class Database {
public:
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Creates it, or opens an existing one of the same kind ("match", "tune") and format. `path`
    /// ":memory:" keeps nothing. Another run on the same file is refused, and so are damaged files
    /// and those of other programs, which are left as they are. `tables` are created when they are
    /// not there.
    struct Kind {
        std::string name;
        int format = 1;
        std::string tables;
    };
    static Expected<std::unique_ptr<Database>> open(const std::string& path, const Kind& kind);
    /// For reading only, also while a run writes to it.
    static Expected<std::unique_ptr<Database>> read(const std::string& path,
                                                    const std::string& kind);
    /// What wrote it: "match", "tune", ...; an error where the file is none of ours. Looks at no
    /// more than that.
    static Expected<std::string> kind_of(const std::string& path);
    /// Is a run writing to it now? Looks at the kernel's list of locks and takes none itself.
    static bool is_in_use(const std::string& path);

    Json get(const std::string& key) const;  ///< null when it is not there
    void set(const std::string& key, const Json& value);
    /// `work(SQLite::Database&)`; what the disk or the file refuses ends the command with one line
    /// that names the file.
    template <class Work> auto run(Work&& work) const {
        try {
            return work(*db_);
        } catch (const std::exception&) {
            rethrow_named();
        }
    }

private:
    Database() = default;
    Status check_kind(const Kind& kind);
    Status check_rows() const;
    void seal();
    [[noreturn]] void rethrow_named() const;

    std::string path_;
    int lock_ = -1;  ///< a lock of the file that a kill releases
    std::unique_ptr<SQLite::Database> db_;
};

/// For `karikomi repair`; nothing: the file is no database. Good rows are saved one by one.
std::optional<Repair> examine_database(const std::string& file);

}  // namespace karikomi::lab
