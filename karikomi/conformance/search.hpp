/// The checks of the search on a game: it is deterministic, finds wins in one, agrees with plain
/// alpha-beta when all is off, and a technique that is switched off is the same as one that was
/// never compiled in.
#pragma once

#include <utility>

#include "karikomi/conformance/context.hpp"
#include "karikomi/core/legacy.hpp"
#include "karikomi/core/worker.hpp"

namespace karikomi::conformance {

/// As the second argument of Worker: this technique is not compiled in.
template <Technique T> struct Without {
    static constexpr bool has(Technique t) { return t != T; }
};

struct Answer {
    Depth depth = 0;
    Value value = 0;
    std::uint64_t nodes = 0;
    MoveCode move = kNoMove;
    bool operator==(const Answer&) const = default;
};

template <Game G> class SearchCheck {
    using Position = typename G::Position;

public:
    SearchCheck(Context<G>& context, const std::vector<Position>& met)
        : context_(context), report_(context.report) {
        const auto wanted = static_cast<std::size_t>(context.options.search_positions);
        const std::size_t step =
            std::max<std::size_t>(met.size() / std::max<std::size_t>(wanted, 1), 1);
        for (std::size_t i = 0; i < met.size() && positions_.size() < wanted; i += step) {
            positions_.push_back(met[i]);
        }
    }

    void run(const std::vector<std::pair<Position, typename G::Move>>& wins) {
        check_deterministic();
        check_wins(wins);
        if (context_.options.equals_plain_search) check_plain();
        const auto check_all = [&]<std::size_t... I>(std::index_sequence<I...>) {
            (check_compiled_out<Technique(I)>(), ...);
        };
        check_all(std::make_index_sequence<kTechniqueNames.size()>{});
    }

private:
    static SearchParams all_off() {
        SearchParams p;
        p.selective.disable_all();
        return p;
    }
    /// Deeper and deeper, each position with a table of its own, until the nodes are used up.
    template <class Built = AllTechniques>
    std::vector<Answer> search(const std::vector<Position>& positions, const SearchParams& params,
                               Depth last = kMaxDepth) const {
        std::vector<Answer> answers;
        Worker<G, Built> worker(context_.options.evaluator);
        TranspositionTable table(1);
        for (const Position& pos : positions) {
            table.clear();
            Shared shared{table, params};
            shared.node_limit = context_.options.search_nodes;
            worker.prepare(shared, pos);
            worker.new_game();
            for (Depth depth = 1; depth <= last; ++depth) {
                const Value v = worker.search_window(-kInfinity, kInfinity, depth);
                if (worker.stopped()) break;
                answers.push_back({depth, v, worker.stats().nodes, worker.best_of_last_window()});
            }
        }
        return answers;
    }

    void check_deterministic() {
        const std::vector<Answer> first = search(positions_, context_.options.params);
        report_.expect("deterministic", first == search(positions_, context_.options.params), [] {
            return "the same search gave two answers: does the evaluation or the ordering keep "
                   "something from one call to the next?";
        });
    }
    void check_wins(const std::vector<std::pair<Position, typename G::Move>>& wins) {
        constexpr std::size_t kMost = 20;
        for (std::size_t i = 0; i < std::min(wins.size(), kMost); ++i) {
            const Position& pos = wins[i].first;
            for (const Answer& a : search({pos}, all_off(), 1)) {
                // The search begins at ply 1, so the win is two plies from its root.
                report_.expect("wins are found", a.value == win_in(2), [&] {
                    return fmt::format("{} wins at once, but the search says {}, not {}",
                                       context_.name(pos, wins[i].second), a.value, win_in(2));
                });
            }
        }
    }
    void check_plain() {
        for (const Position& pos : positions_) {
            for (const Answer& a : search({pos}, all_off(), 4)) {
                Legacy<G> plain(pos, nullptr, nullptr, 20 * context_.options.search_nodes,
                                context_.options.evaluator);
                const Value v = plain.search(-kInfinity, kInfinity, a.depth, 1);
                if (plain.stopped()) break;
                report_.expect("equals plain search", v == a.value, [&] {
                    return fmt::format("depth {}: {}, but plain alpha-beta says {}", a.depth,
                                       a.value, v);
                });
            }
        }
    }
    template <Technique T> void check_compiled_out() {
        SearchParams on = context_.options.params;
        on.selective.enabled(T) = true;
        SearchParams off = on;
        off.selective.enabled(T) = false;
        const std::vector<Answer> without = search(positions_, off);
        const bool same = without == search<Without<T>>(positions_, on);
        report_.expect("off == compiled out", same, [] {
            return fmt::format("{}: switched off is not the same as not built", name_of(T));
        });
        if (search(positions_, on) == without) {
            report_.note(fmt::format("{} changed nothing in these small searches", name_of(T)));
        }
    }

    Context<G>& context_;
    Report& report_;
    std::vector<Position> positions_;
};

}  // namespace karikomi::conformance
