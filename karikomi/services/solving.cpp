#include "karikomi/services/solving.hpp"

#include "karikomi/engine/proof.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::services {

std::vector<std::string> solver_kinds(const std::string& game) {
    std::vector<std::string> names;
    const GameModule* const module = find_game(game);
    if (module == nullptr || !module->solver) return names;
    for (const SolverFacet::Kind& k : module->solver->kinds) names.push_back(k.name);
    return names;
}

Expected<Json> prove(const SolveOrder& order, const JobView& view) {
    const auto with_kind = [&](Json answer) {
        Json out = {{"kind", order.kind}};
        out.update(answer);
        return out;
    };
    const SolverFacet& facet = *find_game(order.place.game)->solver;
    SolverSetup setup;
    setup.options = OptionValues(facet.options);
    for (const SolverFacet::Kind& k : facet.kinds) {
        if (k.name != order.kind) continue;
        for (const auto& [name, value] : k.options) {
            if (const Status s = setup.options.set(name, value); !s) return s.error();
        }
    }
    setup.hash_mb = order.hash_mb;
    setup.rules = order.place.rules;
    const auto solver = facet.make(setup);
    if (!solver) return solver.error();
    SolveTask task;
    task.position = order.position;
    task.time_ms = order.time_ms;
    task.stop = view.stop;
    task.report = [&](const Json& answer) { view.report(with_kind(answer)); };
    const auto proof = (*solver)->solve(task);
    if (!proof) return proof.error();
    return with_kind(proof->answer);
}

}  // namespace karikomi::services
