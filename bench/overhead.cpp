/// One fixed-depth search of Connect Four, with every technique switched off or compiled out, for
///   callgrind: valgrind --tool=callgrind build/bench/overhead off|out|on [DEPTH]
/// bench/overhead.sh runs both and compares the instructions per node.
#include <cstring>

#include <fmt/format.h>

#include "examples/connect_four/connect_four.hpp"
#include "karikomi/core/searcher.hpp"

namespace {
using namespace karikomi;

struct Nothing {
    static constexpr bool has(Technique) { return false; }
};

template <class Built> void run(bool on, Depth depth) {
    Searcher<connect_four::Game, Built> searcher(16);
    SearchParams params;
    if (!on) params.selective.disable_all();
    searcher.set_params(params);
    Limits limits;
    limits.depth = depth;
    const auto result = searcher.search(*connect_four::Notation::parse("4453"), limits);
    fmt::print("{}\n", result.nodes);
}
}  // namespace

int main(int argc, char** argv) {
    const char* mode = argc > 1 ? argv[1] : "off";
    const Depth depth = argc > 2 ? std::atoi(argv[2]) : 13;
    if (std::strcmp(mode, "out") == 0) {
        run<Nothing>(false, depth);
    } else {
        run<AllTechniques>(std::strcmp(mode, "on") == 0, depth);
    }
    return 0;
}
