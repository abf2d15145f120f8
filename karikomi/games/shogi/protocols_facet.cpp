/// USI, as the program starts it.
#include "karikomi/games/shogi/facets.hpp"
#include "karikomi/games/shogi/usi/usi.hpp"

namespace karikomi::shogi {

std::vector<ProtocolFacet> protocol_facets() {
    ProtocolFacet usi;
    usi.name = "usi";
    usi.summary = "Play shogi by USI on stdin and stdout (docs/gui/shogi.md)";
    usi.examples = {
        R"(printf 'usi\nisready\nposition startpos\ngo depth 5\nquit\n' | karikomi usi)"};
    usi.options = {
        switch_option("--all-options", "Show a GUI every parameter of the search as an option")};
    usi.links = {"karikomi-shogi"};
    usi.run = [](const ProtocolCall& call) -> Expected<Summary> {
        protocols::UsiOptions options;
        options.hash_mb = call.hash_mb;
        options.threads = call.threads;
        options.all_params = call.options.flag("--all-options");
        return protocols::run_usi(call.engine, options, call.transcript, call.streams);
    };
    return {usi};
}

}  // namespace karikomi::shogi
