/// karikomi repair: is a file whole, and if not, what of it can be saved?
#include <filesystem>

#include <fmt/format.h>

#include "karikomi/base/files.hpp"
#include "karikomi/cli/commands.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/store/database.hpp"

namespace karikomi::cli {
namespace {

namespace fs = std::filesystem;

struct RepairOptions {
    std::string file;
    std::string out;
    bool check = false;
};

Repair examined(const std::string& file) {
    std::error_code failed;
    if (!fs::is_regular_file(file, failed)) {
        throw Failure({fmt::format("repair: '{}' is no file", file), "check the path"});
    }
    if (auto database = lab::examine_database(file)) return std::move(*database);
    for (const GameModule* m : games()) {
        if (!m->examine) continue;
        if (auto r = m->examine(file)) return std::move(*r);
    }
    throw Failure({fmt::format("repair: '{}' is neither a database nor a book of karikomi", file),
                   "weights and parameter files have no spare parts: take them from a copy"});
}

/// "x.db.damaged", or with a number where there is one already.
std::string name_aside(const std::string& file) {
    std::string name = file + ".damaged";
    for (int i = 2; fs::exists(name); ++i) name = fmt::format("{}.damaged.{}", file, i);
    return name;
}

void rename_or_fail(const std::string& from, const std::string& to) {
    std::error_code failed;
    fs::rename(from, to, failed);
    if (!failed) return;
    throw Failure({fmt::format("'{}' cannot be renamed to '{}': {}", from, to, failed.message()),
                   "check the folder and the disk"},
                  kBroken);
}

/// What is good takes the file's name (or the name that was given), the damaged file stays.
Json repaired(const RepairOptions& o, const Repair& r) {
    if (!o.out.empty()) {
        require(r.save(o.out));
        return {{"saved", o.out}, {"kept_aside", nullptr}};
    }
    const std::string fresh = o.file + ".repaired";
    require(r.save(fresh));
    const std::string aside = name_aside(o.file);
    rename_or_fail(o.file, aside);
    // A database's journals belong to the damaged file.
    for (const char* end : {"-wal", "-shm"}) {
        if (fs::exists(o.file + end)) rename_or_fail(o.file + end, aside + end);
    }
    rename_or_fail(fresh, o.file);
    sync_folder_of(o.file);
    return {{"saved", o.file}, {"kept_aside", aside}};
}

int run(const RepairOptions& o, Session& session) {
    if (!o.out.empty() && fs::exists(o.out)) {
        throw Failure({fmt::format("--out: '{}' exists", o.out), "name a new file"});
    }
    session.begin(nullptr);
    const Repair r = examined(o.file);
    const bool good = r.faults.empty();
    Json result = {{"file", o.file},     {"kind", r.kind},     {"good", good},
                   {"faults", r.faults}, {"saveable", r.good}, {"saved", nullptr}};
    if (!session.json()) {
        fmt::print("{}: {}, {}\n", o.file, r.kind, good ? "in order" : "damaged");
        for (const std::string& fault : r.faults) fmt::print("  {}\n", fault);
        if (!good) fmt::print("good: {}\n", r.good.empty() ? "nothing" : r.good);
    }
    if (!good && !o.check && !r.good.empty()) {
        result.update(repaired(o, r));
        if (!session.json()) {
            fmt::print("saved in {}\n", result["saved"].get<std::string>());
            if (result["kept_aside"].is_string()) {
                fmt::print("the damaged file is kept as {}\n",
                           result["kept_aside"].get<std::string>());
            }
        }
    }
    session.finish(result);
    return good ? kDone : kNo;
}

}  // namespace

void add_repair(Program& program) {
    Command command =
        program.add("repair", "Checks a book or a database and saves what is good of a damaged one",
                    {"karikomi repair match.db", "karikomi repair my.book --check"});
    command.add_footer(
        "\n\nThe good part takes the file's name; the damaged file is kept as FILE.damaged.\n"
        "Exit code: 0 the file is in order, 1 it was damaged, 2 it is none of ours.");
    const auto o = std::make_shared<RepairOptions>();
    add_text(command, "FILE", o->file, "", "A book, or a database of match, tune, lab or serve")
        .required();
    add_name(command, "--out", o->out, "NEW", "Save the good part there and leave FILE alone");
    add_switch(command, "--check", o->check, "Only say what is wrong");
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
