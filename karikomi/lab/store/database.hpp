/// A SQLite file (WAL) that one run at a time may write to, with a table of facts about the run.
#pragma once

#include <memory>
#include <string>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/params.hpp"

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
    /// ":memory:" keeps nothing. Another run on the same file is refused. `tables` are created when
    /// they are not there.
    struct Kind {
        std::string name;
        int format = 1;
        std::string tables;
    };
    static Expected<std::unique_ptr<Database>> open(const std::string& path, const Kind& kind);
    /// For reading only, also while a run writes to it.
    static Expected<std::unique_ptr<Database>> read(const std::string& path,
                                                    const std::string& kind);
    /// What wrote it: "match", "tune", ...; an error where the file is none of ours.
    static Expected<std::string> kind_of(const std::string& path);
    /// Is a run writing to it now? Looks at the kernel's list of locks and takes none itself.
    static bool is_in_use(const std::string& path);

    Json get(const std::string& key) const;  ///< null when it is not there
    void set(const std::string& key, const Json& value);
    SQLite::Database& sql() const { return *db_; }

private:
    Database() = default;
    Status check_kind(const Kind& kind);

    int lock_ = -1;  ///< a lock of the file that a kill releases
    std::unique_ptr<SQLite::Database> db_;
};

}  // namespace karikomi::lab
