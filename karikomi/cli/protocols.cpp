/// karikomi nboard, gtp, usi, gomocup: every protocol that a game's facets speak, as a command.
#include <fmt/format.h>

#include "karikomi/base/system.hpp"
#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/facets.hpp"
#include "karikomi/engine/json.hpp"

namespace karikomi::cli {
namespace {

struct ProtocolOptions {
    EngineOptions engine;
    TuningOptions tuning;
    FacetOptions own;
};

int run(const ProtocolOptions& o, const GameModule& module, const ProtocolFacet& facet,
        Session& session) {
    const auto engine =
        ready_engine(module.name, o.engine, facet.sets_params ? TuningOptions() : o.tuning);
    session.begin(fingerprint(engine->params(), engine->info()));
    const auto options_of = [&](const GameModule&) { return facet.options; };
    const auto tuned = [&](const Engine& e) { return o.tuning.apply(e.params(), e.info()); };
    const auto transcript = [&session](Direction direction, std::string_view line) {
        session.log(direction == Direction::In ? "in" : "out", {{"line", line}});
    };
    const Summary summary = take(facet.run({*engine,
                                            o.own.values_for(module, options_of),
                                            static_cast<int>(o.engine.threads),
                                            static_cast<int>(o.engine.hash_mb),
                                            tuned,
                                            transcript,
                                            {os::kStandardInput, stdout}}));
    session.finish({{"lines_read", summary.lines_read}, {"searches", summary.searches}});
    return kDone;
}

void add_protocol(Program& program, const GameModule& module, const ProtocolFacet& facet) {
    Command command = program.add(facet.name, facet.summary, facet.examples);
    // stdout belongs to the protocol.
    command.remove_option("--json");
    const auto o = std::make_shared<ProtocolOptions>();
    o->own.add_to(command, [&](const GameModule& m) {
        return &m == &module ? facet.options : std::vector<OptionInfo>();
    });
    o->engine.add_to(command);
    o->tuning.add_to(command, TuningOptions::Profile::Without);
    command.does(
        [&module, &facet, o](Session& session) { return run(*o, module, facet, session); });
}

}  // namespace

void add_protocols(Program& program) {
    for (const GameModule* m : games()) {
        for (const ProtocolFacet& facet : m->protocols) {
            if (facet.run) add_protocol(program, *m, facet);
        }
    }
}

std::string command_of_link(const std::string& program) {
    for (const GameModule* m : games()) {
        for (const ProtocolFacet& facet : m->protocols) {
            for (const std::string& link : facet.links) {
                if (link == program) return facet.name;
            }
        }
    }
    return {};
}

}  // namespace karikomi::cli
