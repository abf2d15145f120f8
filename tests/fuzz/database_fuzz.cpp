// Databases of a match: opened, checked and read.
#include <unistd.h>

#include "karikomi/base/files.hpp"
#include "karikomi/engine/console.hpp"
#include "karikomi/lab/match/match_config.hpp"
#include "karikomi/lab/match/store.hpp"
#include "tests/fuzz/target.hpp"

namespace karikomi::fuzz {
namespace {

void run(std::string_view bytes) {
    static const std::string file = "/tmp/karikomi-fuzz-" + std::to_string(getpid()) + ".db";
    if (!write_file(file, bytes)) return;
    try {
        const auto store = match::Store::read(file);
        if (store) {
            (void)match::config_of((*store)->get("config"));
            (*store)->each_game([](const match::GameRow&) {});
        }
    } catch (const Failure&) {  // the one line that a command ends with
    }
    (void)unlink(file.c_str());
}

const Registration kTarget("database", run);

}  // namespace
}  // namespace karikomi::fuzz
