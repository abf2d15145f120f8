#include "karikomi/lab/audit.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <tuple>

#include <fmt/format.h>

#include "karikomi/base/random.hpp"
#include "karikomi/lab/fixed_depth.hpp"
#include "karikomi/lab/over_positions.hpp"

namespace karikomi::lab {
namespace {

/// Techniques alone at a level: name, what is set, and the share of errors that it allows.
struct Audited {
    std::string name;
    std::vector<std::string> changes;
    double allowed;
};
std::vector<Audited> audited_forms() {
    std::vector<Audited> out;
    for (const ConfidenceLevel& level : kLevels) {
        if (level.percent > 95) continue;  // too few cuts are wrong to count them
        for (const char* mode : {"model", "pairs"}) {
            out.push_back({fmt::format("multi_probcut {} %, {}", level.percent, mode),
                           {fmt::format("multi_probcut.preset={}", level.percent),
                            fmt::format("multi_probcut.mode={}", mode)},
                           1 - level.p});
        }
    }
    out.push_back({"probcut 95 %, basic",
                   {"probcut.enabled=true", "probcut.variant=basic", "probcut.by_phase=false",
                    "probcut.t=1.645"},
                   0.05});
    return out;
}

/// What one search gave.
struct Audit {
    std::uint64_t made = 0;
    std::vector<CheckedCut> checked;
};
Json to_json(const Audit& a) {
    Json cuts = Json::array();
    for (const CheckedCut& c : a.checked) cuts.push_back({c.stage, c.shallow, c.depth, c.wrong});
    return {a.made, cuts};
}
Audit audit_of(const Json& j) {
    Audit a;
    a.made = j.at(0);
    for (const Json& c : j.at(1)) {
        CheckedCut& cut = a.checked.emplace_back();
        cut.stage = c.at(0), cut.shallow = c.at(1), cut.depth = c.at(2), cut.wrong = c.at(3);
    }
    return a;
}

void count(AuditRow& row, const Audit& audit) {
    row.made += audit.made;
    for (const CheckedCut& c : audit.checked) {
        ++row.all.cuts;
        row.all.wrong += c.wrong ? 1 : 0;
        auto cell = std::find_if(row.cells.begin(), row.cells.end(), [&](const AuditCell& a) {
            return a.stage == c.stage && a.shallow == c.shallow && a.deep == c.depth;
        });
        if (cell == row.cells.end()) {
            row.cells.push_back({c.stage, c.shallow, c.depth, 0, 0});
            cell = row.cells.end() - 1;
        }
        ++cell->cuts;
        cell->wrong += c.wrong ? 1 : 0;
    }
}

Audit audit_search(const AuditOptions& o, const SearchParams& full, Engine& engine,
                   std::uint64_t seed, const StopToken& stop) {
    CutAudit audit;
    audit.full = full;
    audit.most = o.cuts_a_search;
    audit.seed = seed;
    SearchRequest request = fixed_depth(o.search.depth, stop);
    request.audit = &audit;
    engine.new_game();
    if (!engine.search(request)) return {};
    return {audit.seen, std::move(audit.checked)};
}

Json cell_json(const AuditCell& c) {
    const Share s = share_of(c.wrong, c.cuts);
    return {{"stage", c.stage}, {"shallow", c.shallow}, {"deep", c.deep}, {"checked", c.cuts},
            {"wrong", c.wrong}, {"rate", s.value},      {"low", s.low},   {"high", s.high}};
}

}  // namespace

Expected<std::vector<AuditRow>> run_audit(const AuditOptions& o, const SearchParams& shipped,
                                          const StopToken& stop, const AblationWatch& watch) {
    auto engine = make_engine(o.search.game, {o.search.weights_file});
    if (!engine) return engine.error();
    SearchParams off = shipped;
    off.selective.disable_all();
    std::vector<AuditRow> rows;
    const auto forms = audited_forms();
    const std::size_t positions = o.search.positions.size();
    for (std::size_t f = 0; f < forms.size(); ++f) {
        SearchParams params = off;
        for (const std::string& change : forms[f].changes) {
            if (const Status s = set_param(params, change); !s) return s.error();
        }
        if (!can_use(**engine, params) || !(*engine)->set_params(params)) continue;
        AuditRow row;
        row.name = forms[f].name;
        row.technique = forms[f].changes.front().substr(0, forms[f].changes.front().find('.'));
        row.allowed = forms[f].allowed;
        std::mutex mutex;
        std::size_t done = f * positions;
        const Status s = for_positions(o.search, params, stop, [&](Engine& e, std::size_t i) {
            const std::uint64_t number = f * positions + i;
            const Json known = known_result(o.search, number);
            const Audit audit = known.is_null()
                                    ? audit_search(o, off, e, Random(o.seed, i).next(), stop)
                                    : audit_of(known);
            if (stop.stop_requested()) return;
            const std::lock_guard lock(mutex);
            if (known.is_null()) keep_result(o.search, number, to_json(audit));
            count(row, audit);
            if (watch) watch({++done, forms.size() * positions, row.name});
        });
        if (!s) return s.error();
        if (row.all.cuts > 0) rows.push_back(std::move(row));
    }
    return rows;
}

Json to_json(const AuditRow& row) {
    Json out = cell_json(row.all);
    for (const char* key : {"stage", "shallow", "deep"}) out.erase(key);
    Json cells = Json::array();
    for (const AuditCell& c : row.cells) {
        if (c.cuts >= 30) cells.push_back(cell_json(c));
    }
    Json head = {{"setting", row.name},
                 {"technique", row.technique},
                 {"allowed", row.allowed},
                 {"cuts_made", row.made}};
    head.update(out);
    head["cells"] = cells;
    return head;
}

// ---- Inside the shipped search ------------------------------------------------------------------

namespace {

/// Cuts of one technique and depth in one search.
struct Stratum {
    std::uint64_t made = 0;
    std::int64_t unfinished = 0;
    std::map<Depth, std::pair<std::int64_t, std::int64_t>> by_shallow;  ///< checked, wrong

    std::int64_t checked() const {
        std::int64_t n = 0;
        for (const auto& [shallow, counts] : by_shallow) n += counts.first;
        return n;
    }
    std::int64_t wrong() const {
        std::int64_t n = 0;
        for (const auto& [shallow, counts] : by_shallow) n += counts.second;
        return n;
    }
    void add(const Stratum& other) {
        made += other.made, unfinished += other.unfinished;
        for (const auto& [shallow, counts] : other.by_shallow) {
            by_shallow[shallow].first += counts.first;
            by_shallow[shallow].second += counts.second;
        }
    }
};
using Kind = std::pair<Technique, bool>;  ///< technique, moves
using ByDepth = std::map<Depth, Stratum>;
using OneSearch = std::map<Kind, ByDepth>;

OneSearch search_of(const CutAudit& audit) {
    OneSearch out;
    for (const CutAudit::Seen& s : audit.strata) {
        out[{s.technique, s.of_move}][s.depth].made += s.cuts;
    }
    for (const CheckedCut& c : audit.checked) {
        Stratum& at = out[{c.technique, c.of_move}][c.depth];
        if (!c.finished) {
            ++at.unfinished;
            continue;
        }
        auto& counts = at.by_shallow[c.shallow];
        ++counts.first;
        counts.second += c.wrong ? 1 : 0;
    }
    return out;
}

/// [[technique, of moves, depth, made, unfinished, [[shallow, checked, wrong], ...]], ...]
Json to_json(const OneSearch& search) {
    Json out = Json::array();
    for (const auto& [kind, depths] : search) {
        for (const auto& [depth, s] : depths) {
            Json pairs = Json::array();
            for (const auto& [shallow, n] : s.by_shallow) {
                pairs.push_back({shallow, n.first, n.second});
            }
            out.push_back({name_of(kind.first), kind.second, depth, s.made, s.unfinished, pairs});
        }
    }
    return out;
}
OneSearch search_of(const Json& json) {
    OneSearch out;
    for (const Json& row : json) {
        const auto name = row.at(0).get<std::string>();
        const auto at = std::find(kTechniqueNames.begin(), kTechniqueNames.end(), name);
        if (at == kTechniqueNames.end()) continue;
        const auto technique = static_cast<Technique>(at - kTechniqueNames.begin());
        Stratum& s = out[{technique, row.at(1).get<bool>()}][row.at(2).get<Depth>()];
        s.made = row.at(3), s.unfinished = row.at(4);
        for (const Json& pair : row.at(5)) {
            s.by_shallow[pair.at(0)] = {pair.at(1), pair.at(2)};
        }
    }
    return out;
}

/// Share of wrong ones at the depths that were checked, weighed by the cuts made.
double weighed_share(const ByDepth& depths) {
    double made = 0, wrong = 0;
    for (const auto& [depth, s] : depths) {
        if (s.checked() == 0) continue;
        const auto weight = static_cast<double>(s.made);
        made += weight;
        wrong += weight * static_cast<double>(s.wrong()) / static_cast<double>(s.checked());
    }
    return made > 0 ? wrong / made : 0;
}

/// A share with an interval by drawing searches again; Wilson's where nothing varies.
template <class ShareOf>
Share drawn_share(const std::vector<const ByDepth*>& searches, const ByDepth& all,
                  std::int64_t checked, const ShareOf& of, std::uint64_t seed) {
    constexpr int kRounds = 500;
    const double value = of(all);
    if (value <= 0 || value >= 1 || searches.size() < 3) {
        Share s = share_of(value >= 1 ? checked : 0, checked);
        return {value, s.low, s.high};
    }
    Random random(seed, 0);
    std::vector<double> drawn;
    for (int round = 0; round < kRounds; ++round) {
        ByDepth sum;
        for (std::size_t i = 0; i < searches.size(); ++i) {
            for (const auto& [depth, s] : *searches[random.below(searches.size())]) {
                sum[depth].add(s);
            }
        }
        drawn.push_back(of(sum));
    }
    std::sort(drawn.begin(), drawn.end());
    const auto at = [&](double q) {
        return drawn[static_cast<std::size_t>(q * static_cast<double>(drawn.size() - 1))];
    };
    return {value, at(0.025), at(0.975)};
}

/// What the technique promises in the form that it is shipped in.
std::optional<double> allowed_errors(const SearchParams& shipped, Technique t) {
    const auto beyond = [](float z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); };
    if (t == kTechnique<MultiProbCut>) return beyond(shipped.selective.of<MultiProbCut>().t);
    const auto& p = shipped.selective.of<ProbCut>();
    const bool fixed = p.variant == ProbCut::Variant::Captures && p.capture_margin > 0;
    if (t == kTechnique<ProbCut> && !fixed && !p.by_phase) return beyond(p.t);
    return std::nullopt;
}

ShippedAuditRow row_of(const Kind& kind, const std::vector<const ByDepth*>& searches,
                       std::uint64_t seed) {
    ShippedAuditRow row;
    row.technique = name_of(kind.first);
    row.of_moves = kind.second;
    ByDepth all;
    for (const ByDepth* search : searches) {
        for (const auto& [depth, s] : *search) all[depth].add(s);
    }
    for (const auto& [at, s] : all) {
        DepthAudit& d = row.depths.emplace_back();
        d.depth = at, d.made = s.made, d.unfinished = s.unfinished;
        d.checked = s.checked(), d.wrong = s.wrong();
        row.made += s.made;
        row.checked += d.checked;
        if (d.checked == 0) {
            row.unchecked += s.made;
            continue;
        }
        const auto share_here = [depth = d.depth](const ByDepth& depths) {
            const auto it = depths.find(depth);
            if (it == depths.end() || it->second.checked() == 0) return 0.0;
            return static_cast<double>(it->second.wrong()) /
                   static_cast<double>(it->second.checked());
        };
        d.share = drawn_share(searches, all, d.checked, share_here, seed);
        for (const auto& [shallow, n] : s.by_shallow) {
            d.pairs.push_back({shallow, n.first, n.second});
        }
    }
    row.share = drawn_share(searches, all, row.checked, weighed_share, seed);
    return row;
}

}  // namespace

Expected<std::vector<ShippedAuditRow>> run_shipped_audit(const ShippedAuditOptions& o,
                                                         const SearchParams& shipped,
                                                         const StopToken& stop,
                                                         const AblationWatch& watch) {
    auto engine = make_engine(o.search.game, {o.search.weights_file});
    if (!engine) return engine.error();
    SearchParams params = shipped;
    for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {  // as settings_for() has it
        const auto& can = (*engine)->info().techniques;
        const auto t = static_cast<Technique>(i);
        if (std::find(can.begin(), can.end(), t) == can.end()) params.selective.enabled(t) = false;
    }
    SearchParams full = params;
    full.selective.disable_all();
    std::vector<OneSearch> found(o.search.positions.size());
    std::mutex mutex;
    std::size_t done = 0;
    const Status s = for_positions(o.search, params, stop, [&](Engine& e, std::size_t i) {
        const Json known = known_result(o.search, i);
        if (known.is_null()) {
            CutAudit audit;
            audit.full = full;
            audit.most = o.cuts_a_depth;
            audit.seed = Random(o.seed, i).next();
            audit.by_stratum = true;
            audit.deepest = o.deepest;
            audit.check_nodes = o.check_nodes;
            SearchRequest request = fixed_depth(o.search.depth, stop);
            request.audit = &audit;
            e.new_game();
            if (e.search(request)) found[i] = search_of(audit);
        } else {
            found[i] = search_of(known);
        }
        if (stop.stop_requested()) return;
        const std::lock_guard lock(mutex);
        if (known.is_null()) keep_result(o.search, i, to_json(found[i]));
        if (watch) watch({++done, found.size(), "shipped search"});
    });
    if (!s) return s.error();
    std::map<Kind, std::vector<const ByDepth*>> kinds;
    for (const OneSearch& one : found) {
        for (const auto& [kind, depths] : one) kinds[kind].push_back(&depths);
    }
    std::vector<ShippedAuditRow> rows;
    for (const auto& [kind, searches] : kinds) {
        rows.push_back(row_of(kind, searches, o.seed));
        rows.back().allowed = allowed_errors(shipped, kind.first);
    }
    return rows;
}

Json to_json(const ShippedAuditRow& row) {
    const auto share = [](const Share& s) {
        return Json{{"rate", s.value}, {"low", s.low}, {"high", s.high}};
    };
    Json depths = Json::array();
    for (const DepthAudit& d : row.depths) {
        Json pairs = Json::array();
        for (const DepthAudit::Pair& p : d.pairs) {
            pairs.push_back({{"shallow", p.shallow}, {"checked", p.checked}, {"wrong", p.wrong}});
        }
        Json out = {{"depth", d.depth}, {"cuts_made", d.made},        {"checked", d.checked},
                    {"wrong", d.wrong}, {"unfinished", d.unfinished}, {"pairs", pairs}};
        out.update(d.checked > 0 ? share(d.share) : Json::object());
        depths.push_back(std::move(out));
    }
    Json out = {{"technique", row.technique},
                {"leaves_out", row.of_moves ? "moves" : "nodes"},
                {"allowed", row.allowed ? Json(*row.allowed) : Json(nullptr)},
                {"cuts_made", row.made},
                {"at_depths_not_checked", row.unchecked},
                {"checked", row.checked}};
    out.update(share(row.share));
    out["depths"] = depths;
    return out;
}

}  // namespace karikomi::lab
