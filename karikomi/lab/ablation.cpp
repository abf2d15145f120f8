#include "karikomi/lab/ablation.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>

#include <fmt/format.h>

#include "karikomi/base/random.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/fixed_depth.hpp"
#include "karikomi/lab/over_positions.hpp"

namespace karikomi::lab {
namespace {

/// The setting that is a baseline itself.
constexpr std::string_view setting_name(Baseline b) {
    return b == Baseline::Off ? "all off" : "as shipped";
}

/// Each technique alone, in each of its forms.
std::vector<Setting> forms() {
    const auto form = [](std::string name, std::vector<std::string> changes) {
        std::string technique = changes.front().substr(0, changes.front().find('.'));
        return Setting{std::move(name), std::move(technique), std::move(changes), {}, {}};
    };
    std::vector<Setting> all = {
        // Not inside their own probes, which captures can afford and these cannot.
        form("probcut, basic", {"probcut.enabled=true", "probcut.variant=basic",
                                "probcut.nested=false", "probcut.pv_nodes=false"}),
        form("probcut, staged", {"probcut.enabled=true", "probcut.variant=staged",
                                 "probcut.nested=false", "probcut.pv_nodes=false"}),
        form("probcut, captures", {"probcut.enabled=true", "probcut.variant=captures"}),
        form("multi_probcut 95 %, pairs", {"multi_probcut.preset=95", "multi_probcut.mode=pairs"}),
        form("multi_probcut 95 %, pairs, full window",
             {"multi_probcut.preset=95", "multi_probcut.mode=pairs", "multi_probcut.window=full"}),
        form("multi_probcut 95 %, model", {"multi_probcut.preset=95", "multi_probcut.mode=model"}),
        form("multi_probcut 87 %, model", {"multi_probcut.preset=87", "multi_probcut.mode=model"}),
        form("multi_probcut 73 %, model", {"multi_probcut.preset=73", "multi_probcut.mode=model"}),
        form("futility", {"futility.enabled=true"}),
        form("futility, moves only", {"futility.enabled=true", "futility.reverse_max_depth=0",
                                      "futility.razor_max_depth=0", "futility.late_max_depth=0"}),
        form("futility, reverse only",
             {"futility.enabled=true", "futility.max_depth=0", "futility.reverse_max_depth=8",
              "futility.razor_max_depth=0", "futility.late_max_depth=0"}),
        form("iid, conservative", {"iid.preset=conservative"}),
        form("iid, balanced", {"iid.preset=balanced"}),
        form("iid, aggressive", {"iid.preset=aggressive"}),
        form("iid, adaptive", {"iid.preset=balanced", "iid.adaptive=true"}),
        form("iid, multi-level", {"iid.preset=balanced", "iid.multi_level=true"}),
        form("iid, selective", {"iid.preset=balanced", "iid.selective=true"}),
        form("iid, delayed", {"iid.preset=balanced", "iid.delayed=true"}),
        form("iid, cached", {"iid.preset=balanced", "iid.cached=true"}),
        form("iid, reduce (IIR)", {"iid.enabled=true", "iid.variant=reduce"}),
        form("singular", {"singular.enabled=true", "singular.double_extension=false"}),
        form("singular, double", {"singular.enabled=true", "singular.double_extension=true"}),
        form("singular, no multi-cut", {"singular.enabled=true", "singular.double_extension=false",
                                        "singular.multi_cut=false"}),
        form("singular, history filter", {"singular.enabled=true", "singular.history_filter=true"}),
        form("null_move", {"null_move.enabled=true"}),
        form("late_moves", {"late_moves.enabled=true"}),
        form("late_moves, reduction only",
             {"late_moves.enabled=true", "late_moves.prune_max_depth=0",
              "late_moves.exchange_max_depth=0", "late_moves.history_max_depth=0"}),
    };
    // A technique that names no forms of its own has one.
    for (const std::string_view name : kTechniqueNames) {
        const auto is_of = [&](const Setting& s) { return s.technique == name; };
        if (std::any_of(all.begin(), all.end(), is_of)) continue;
        all.push_back(form(std::string(name), {fmt::format("{}.enabled=true", name)}));
    }
    return all;
}

constexpr std::uint64_t kOrderSeed = 2;

/// What one position gave.
struct Found {
    std::uint64_t nodes = 0;
    std::int64_t cpu_us = 0;
    Value value = 0;
    double cut_rate = 0;
    std::string move;
    Depth depth_at_time = 0;
};

Json to_json(const Found& f) {
    return {f.nodes, f.cpu_us, f.value, f.cut_rate, f.move, f.depth_at_time};
}
Found found_of(const Json& j) {
    return {j.at(0), j.at(1), j.at(2), j.at(3), j.at(4).get<std::string>(), j.at(5)};
}

/// Processor time of this thread, which is all that a search with one thread uses.
std::int64_t cpu_now_us() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return std::int64_t{t.tv_sec} * 1'000'000 + t.tv_nsec / 1000;
}

Found search_once(Engine& engine, const AblationOptions& o, const StopToken& stop) {
    SearchRequest request = fixed_depth(o.depth, stop);
    engine.new_game();
    const std::int64_t before = cpu_now_us();
    const auto r = engine.search(request);
    const std::int64_t cpu_us = cpu_now_us() - before;
    if (!r || r->lines.empty()) return {};
    Found found{r->nodes, cpu_us, r->lines.front().value, r->first_move_cut_rate, r->best_move, 0};
    if (o.move_time_ms <= 0) return found;
    engine.new_game();
    request.limits.depth = 0;
    request.limits.move_time_ms = o.move_time_ms;
    if (const auto timed = engine.search(request); timed && !timed->lines.empty()) {
        found.depth_at_time = timed->lines.front().depth;
    }
    return found;
}

/// The numbers below `size` in an order that depends on the position alone: what a machine does
/// meanwhile (heat, neighbours) must not fall on the same setting every time.
std::vector<std::size_t> shuffled(std::size_t size, std::uint64_t position) {
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(kOrderSeed, position);
    for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    return order;
}

/// For each of the parameter sets, what every position gave.
Expected<std::vector<std::vector<Found>>> measure(const AblationOptions& o,
                                                  const std::vector<SearchParams>& all,
                                                  const StopToken& stop,
                                                  const AblationWatch& watch) {
    std::vector<std::vector<Found>> found(all.size(), std::vector<Found>(o.positions.size()));
    std::mutex mutex;
    std::size_t done = 0;
    const Status s = for_positions(o, all.front(), stop, [&](Engine& engine, std::size_t i) {
        const Json known = known_result(o, i);
        const bool fresh = known.is_null();
        for (const std::size_t k : shuffled(all.size(), i)) {
            if (stop.stop_requested()) return;
            if (!fresh) {
                found[k][i] = found_of(known.at(k));
            } else if (engine.set_params(all[k])) {
                found[k][i] = search_once(engine, o, stop);
            }
        }
        if (stop.stop_requested()) return;
        Json results = Json::array();
        for (std::size_t k = 0; k < all.size(); ++k) results.push_back(to_json(found[k][i]));
        const std::lock_guard lock(mutex);
        if (fresh) keep_result(o, i, results);
        if (watch) watch({++done, o.positions.size(), "positions"});
    });
    if (!s) return s.error();
    return found;
}

constexpr std::uint64_t kRatioSeed = 1;
constexpr int kRatioRounds = 1000;

AblationRow compare(const Setting& setting, const std::vector<Found>& base,
                    const std::vector<Found>& on) {
    AblationRow row;
    row.name = setting.name;
    row.technique = setting.technique;
    row.against = setting.against;
    double nodes[2] = {0, 0}, moved = 0, same = 0, depth[2] = {0, 0};
    std::vector<double> node_logs, time_logs;
    const auto log_ratio = [](auto a, auto b) {
        return std::log(std::max(static_cast<double>(a), 1.0) /
                        std::max(static_cast<double>(b), 1.0));
    };
    int decided = 0;
    const auto n = static_cast<double>(std::max<std::size_t>(base.size(), 1));
    row.first_move_cut_rate = 0;
    for (std::size_t i = 0; i < base.size(); ++i) {
        nodes[0] += static_cast<double>(base[i].nodes),
            nodes[1] += static_cast<double>(on[i].nodes);
        node_logs.push_back(log_ratio(on[i].nodes, base[i].nodes));
        time_logs.push_back(log_ratio(on[i].cpu_us, base[i].cpu_us));
        same += base[i].move == on[i].move ? 1 : 0;
        row.first_move_cut_rate += on[i].cut_rate / n;
        depth[0] += base[i].depth_at_time / n, depth[1] += on[i].depth_at_time / n;
        if (is_decisive(base[i].value) || is_decisive(on[i].value)) {
            ++decided;
        } else {
            moved += std::abs(on[i].value - base[i].value);
        }
    }
    row.node_ratio = nodes[1] / std::max(nodes[0], 1.0);
    row.nodes = ratio_of(node_logs, kRatioSeed);
    row.time = ratio_of(time_logs, kRatioSeed);
    row.value_difference = moved / std::max(n - decided, 1.0);
    row.same_move = same / n;
    row.depth_at_time = depth[1];
    row.depth_gained = depth[1] - depth[0];
    return row;
}

}  // namespace

Ratio ratio_of(const std::vector<double>& logs, std::uint64_t seed) {
    if (logs.empty()) return {};
    const auto n = static_cast<double>(logs.size());
    Random random(seed, 0);
    std::vector<double> drawn;
    for (int round = 0; round < kRatioRounds; ++round) {
        double sum = 0;
        for (std::size_t i = 0; i < logs.size(); ++i) sum += logs[random.below(logs.size())];
        drawn.push_back(sum / n);
    }
    std::sort(drawn.begin(), drawn.end());
    const auto at = [&drawn](double q) {
        return drawn[static_cast<std::size_t>(q * static_cast<double>(drawn.size() - 1))];
    };
    const double mean = std::accumulate(logs.begin(), logs.end(), 0.0) / n;
    return {std::exp(mean), std::exp(at(0.025)), std::exp(at(0.975))};
}

std::vector<Setting> settings_for(const Engine& engine, const SearchParams& params, Around around,
                                  const std::string& weights_file) {
    SearchParams off = params;
    off.selective.disable_all();
    SearchParams shipped = off;  // a file may switch on what the game cannot use
    for (const Technique t : engine.info().techniques) {
        shipped.selective.enabled(t) = params.selective.enabled(t);
    }
    auto probe = make_engine(engine.info().name, {weights_file});
    std::vector<Setting> out;
    const auto add = [&](Setting s) {
        if (can_use(engine, s.params) && probe && (*probe)->set_params(s.params)) {
            out.push_back(std::move(s));
        }
    };
    const bool alone = around == Around::Nothing;
    const Baseline against = alone ? Baseline::Off : Baseline::Shipped;
    if (alone) add({std::string(setting_name(Baseline::Off)), "", {}, off, against});
    add({std::string(setting_name(Baseline::Shipped)), "", {}, shipped, against});
    for (const Technique t : engine.info().techniques) {
        if (!shipped.selective.enabled(t)) continue;
        SearchParams without = shipped;
        without.selective.enabled(t) = false;
        const std::string name(name_of(t));
        add({"shipped without " + name, name, {}, without, Baseline::Shipped});
    }
    for (Setting s : forms()) {
        s.params = alone ? off : shipped;
        s.against = against;
        bool known = true;
        for (const std::string& change : s.changes) {
            known = known && static_cast<bool>(set_param(s.params, change));
        }
        if (known) add(std::move(s));
    }
    return out;
}

Expected<std::vector<AblationRow>> run_ablation(const AblationOptions& o,
                                                const std::vector<Setting>& settings,
                                                const StopToken& stop, const AblationWatch& watch) {
    std::vector<SearchParams> params;
    params.reserve(settings.size());
    for (const Setting& s : settings) params.push_back(s.params);
    if (params.empty()) return std::vector<AblationRow>{};
    const auto found = measure(o, params, stop, watch);
    if (!found) return found.error();
    std::vector<AblationRow> rows;
    for (std::size_t i = 0; i < settings.size(); ++i) {
        const auto base = std::find_if(settings.begin(), settings.end(), [&](const Setting& s) {
            return s.name == setting_name(settings[i].against);
        });
        if (base == settings.end()) return Error{"nothing to compare with", settings[i].name};
        const auto at = static_cast<std::size_t>(base - settings.begin());
        rows.push_back(compare(settings[i], (*found)[at], (*found)[i]));
    }
    return rows;
}

Json to_json(const AblationRow& r) {
    return {{"setting", r.name},
            {"technique", r.technique.empty() ? Json(nullptr) : Json(r.technique)},
            {"against", name_of(r.against)},
            {"node_ratio", r.node_ratio},
            {"mean_node_ratio", r.nodes.mean},
            {"mean_node_ratio_low", r.nodes.low},
            {"mean_node_ratio_high", r.nodes.high},
            {"time_ratio", r.time.mean},
            {"time_ratio_low", r.time.low},
            {"time_ratio_high", r.time.high},
            {"value_difference", r.value_difference},
            {"same_move", r.same_move},
            {"first_move_cut_rate", r.first_move_cut_rate},
            {"depth_at_time", r.depth_at_time},
            {"depth_gained", r.depth_gained}};
}

Expected<double> node_ratio(const AblationOptions& o, const SearchParams& without,
                            const SearchParams& with, const StopToken& stop) {
    const auto found = measure(o, {without, with}, stop, {});
    if (!found) return found.error();
    return compare({}, (*found)[0], (*found)[1]).nodes.mean;
}

std::vector<std::string> positions_of(const SampleStore& store, std::size_t count,
                                      int held_out_percent, std::uint64_t seed) {
    std::map<int, std::vector<std::string>> by_stage[2];
    store.for_each(held_out_percent, [&](const Sample& s, bool held_out) {
        const auto depth = static_cast<Depth>(s.values.size());
        if (s.value(depth) == kNoValue) return;  // decided positions measure nothing
        by_stage[held_out ? 0 : 1][s.stage].push_back(s.position);
    });
    std::vector<std::string> out;
    Random random(seed);
    for (auto& part : by_stage) {
        for (bool more = true; more && out.size() < count;) {
            more = false;
            for (auto& [stage, list] : part) {
                if (list.empty() || out.size() >= count) continue;
                const auto at = static_cast<std::size_t>(random.below(list.size()));
                out.push_back(list[at]);
                list[at] = list.back();
                list.pop_back();
                more = true;
            }
        }
    }
    return out;
}

}  // namespace karikomi::lab
