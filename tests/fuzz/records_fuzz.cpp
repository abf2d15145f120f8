// Game records of every game and format, read and written again.
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "tests/fuzz/target.hpp"

namespace karikomi::fuzz {
namespace {

constexpr std::size_t kMostGames = 4;

void run(std::string_view bytes) {
    const std::string text(bytes);
    for (const GameModule* m : games()) {
        if (!m->records) continue;
        if (m->records->looks_like_record) (void)m->records->looks_like_record(text);
        std::vector<std::string> formats = {""};
        for (const FormatInfo& f : m->records->formats) {
            if (f.read) formats.push_back(f.name);
        }
        for (const std::string& format : formats) {
            const auto file = m->records->read(text, format);
            if (!file) continue;
            for (std::size_t i = 0; i < std::min((*file)->size(), kMostGames); ++i) {
                (void)(*file)->game(i);
                (void)(*file)->json(i);
            }
        }
        if (m->solver && m->solver->problems) (void)m->solver->problems(text, "fuzz");
    }
}

const Registration kTarget("records", run);

}  // namespace
}  // namespace karikomi::fuzz
