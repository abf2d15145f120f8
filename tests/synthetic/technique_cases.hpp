/// What the tests of the techniques have in common: positions of two games, every technique with
/// every variant, and a search that tells all that can be compared.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "examples/connect_four/connect_four.hpp"
#include "karikomi/core/searcher.hpp"
#include "tests/synthetic/tree_game.hpp"

namespace karikomi::synthetic {

using ConnectFour = connect_four::Game;

/// Positions, depth and calibration of one game. Defined in technique_cases.cpp.
template <Game G> struct Arena {
    static const std::vector<typename G::Position>& positions();
    static const Calibration& calibration();
    static constexpr Depth kDepth = 8;
    static constexpr Value kWindow = 400;  ///< half-width of a PV window without decisive bounds
};

/// A technique in one of its forms. `set` switches it on with numbers that let it act at the
/// arena's depth; `acted` reads the counter that only this form moves.
struct Variant {
    std::string_view name;
    Technique technique{};
    void (*set)(SelectiveParams&) = nullptr;
    std::uint64_t (*acted)(const SelectiveStats&) = nullptr;
    /// The form that it must differ from; empty for a technique's plain form.
    std::string_view plain = {};
    bool needs_exchange = false;
    bool needs_null_move = false;
    bool trees_only = false;  ///< Connect Four lacks what it needs
};
void PrintTo(const Variant& v, std::ostream* out);

const std::vector<Variant>& variants();
const Variant& variant(std::string_view name);

/// Nothing but the full search.
SearchParams all_off(const Calibration& c);
/// All techniques with their default numbers.
SearchParams all_on(const Calibration& c);
/// This variant alone.
SearchParams only(const Variant& v, const Calibration& c);

struct Outcome {
    std::uint64_t nodes = 0;
    Value value = 0;
    MoveCode move = kNoMove;
    bool operator==(const Outcome&) const = default;
};
void PrintTo(const Outcome& o, std::ostream* out);

struct Examined {
    std::vector<Outcome> outcomes;
    SelectiveStats stats;
};

/// Each of the arena's positions by a whole search with iterative deepening, and by one that starts
/// at full depth with an empty table and an open window: the latter meets PV nodes without a table
/// move, which the former hardly ever does.
template <Game G, class Built = AllTechniques> Examined examine(const SearchParams& params) {
    Examined e;
    Limits limits;
    limits.depth = Arena<G>::kDepth;
    Searcher<G, Built> searcher(1);
    for (const auto& pos : Arena<G>::positions()) {
        searcher.set_params(params);
        const SearchResult<G> r = searcher.search(pos, limits);
        e.outcomes.push_back({r.nodes, r.lines.at(0).value, r.lines.at(0).pv.at(0).raw()});
        e.stats += r.selective;

        searcher.new_game();
        searcher.arm(limits);
        Worker<G, Built>& worker = searcher.main_worker();
        worker.prepare(searcher.shared(), pos);
        const Value v =
            worker.search_window(-Arena<G>::kWindow, Arena<G>::kWindow, Arena<G>::kDepth);
        e.outcomes.push_back({worker.stats().nodes, v, worker.best_of_last_window()});
        e.stats += worker.selective_stats();
    }
    return e;
}

/// The same with this technique left out of the build, and with all of them left out. Defined in
/// compiled_out_*.cpp, because each is a whole search to compile.
template <Game G> Examined examine_without(Technique t, const SearchParams& params);
template <Game G> Examined examine_without_all(const SearchParams& params);

template <class T> struct Without {
    static constexpr bool has(Technique t) { return t != kTechnique<T>; }
};
struct WithoutAll {
    static constexpr bool has(Technique) { return false; }
};

template <Game G> Examined dispatch_without(Technique t, const SearchParams& params) {
    Examined e;
    for_each_technique([&]<class T>() {
        if (t == kTechnique<T>) e = examine<G, Without<T>>(params);
    });
    return e;
}

}  // namespace karikomi::synthetic
