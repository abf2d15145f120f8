// Conversations: the first line names the protocol (usi, nboard, gtp, gomocup), the others are what
// the other side says. Searches are ended by the end of the input.
#include <cstdio>

#include <sys/mman.h>
#include <unistd.h>

#include "karikomi/engine/protocol.hpp"
#include "karikomi/engine/registry.hpp"
#include "tests/fuzz/target.hpp"

namespace karikomi::fuzz {
namespace {

void talk(const GameModule& module, const ProtocolFacet& facet, std::string_view lines) {
    auto engine = make_engine(module.name);
    if (!engine) return;
    (*engine)->set_hash(1);
    const int input = memfd_create("fuzz", MFD_CLOEXEC);
    std::FILE* const output = std::fopen("/dev/null", "w");
    if (input >= 0 && output != nullptr &&
        write(input, lines.data(), lines.size()) == static_cast<ssize_t>(lines.size()) &&
        lseek(input, 0, SEEK_SET) == 0) {
        const auto as_shipped = [](const Engine& e) { return e.params(); };
        (void)facet.run(
            {**engine, OptionValues(facet.options), 1, 1, as_shipped, {}, {input, output}});
    }
    if (output != nullptr) (void)std::fclose(output);
    if (input >= 0) (void)close(input);
}

void run(std::string_view bytes) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    for (const GameModule* m : games()) {
        for (const ProtocolFacet& facet : m->protocols) {
            if (!facet.run || facet.name != bytes.substr(0, end)) continue;
            return talk(*m, facet, bytes.substr(std::min(end + 1, bytes.size())));
        }
    }
}

const Registration kTarget("protocols", run);

}  // namespace
}  // namespace karikomi::fuzz
