/// The conformance kit: everything that the search and the program take for granted about a game,
/// checked with one call. docs/adding-a-game.md says how to use it.
///
///   int main() { return karikomi::conformance::run<my::Game>(); }
///
/// or with GoogleTest, `EXPECT_TRUE(report.passed()) << report.text();`.
#pragma once

#include <cstdio>
#include <stdexcept>

#include "karikomi/conformance/abilities.hpp"
#include "karikomi/conformance/notation.hpp"
#include "karikomi/conformance/rules.hpp"
#include "karikomi/conformance/search.hpp"

namespace karikomi::conformance {

/// The checks of `check_rules`, as far as the lists of moves have room.
template <Game G, class Then> void check_all_rules(Context<G>& context, Then&& then) {
    Report& report = context.report;
    if (!check_room(context)) return;
    RulesCheck<G> rules(context);
    rules.run();
    PerftCheck<G>(context).run(context.start(0));
    if constexpr (HasNotation<G>) {
        NotationCheck<G>(context).run();
    } else {
        report.warn("there is no Notation, so there is nothing that an engine could read");
    }
    if (report.passed()) {
        then(context, rules);
    } else {
        report.note("the search was not tried: mend the rules first");
    }
}

/// All but the search: quick to compile, for the first steps of a new game. Hands the positions
/// that it met to `then`, unless something was wrong.
template <Game G, class Then> Report check_rules(const Options<G>& options, Then&& then) {
    Report report(G::kName);
    report.set_abilities(list_abilities<G>());
    Context<G> context(report, options);
    try {
        check_all_rules(context, then);
    } catch (const std::length_error& e) {  // a list of kMaxMoves was full
        report.expect("kMaxMoves", false, [&] { return std::string(e.what()); });
    }
    return report;
}
template <Game G> Report check_rules(const Options<G>& options = {}) {
    return check_rules<G>(options, [](Context<G>&, const RulesCheck<G>&) {});
}

/// Everything.
template <Game G> Report check(const Options<G>& options = {}) {
    return check_rules<G>(options, [](Context<G>& context, const RulesCheck<G>& rules) {
        SearchCheck<G>(context, rules.positions()).run(rules.wins());
    });
}

/// For a `main`: prints the report, gives the exit code.
template <Game G> int run(const Options<G>& options = {}) {
    const Report report = check<G>(options);
    std::fputs(report.text().c_str(), stdout);
    return report.passed() ? 0 : 1;
}

}  // namespace karikomi::conformance
