#include "karikomi/lab/evidence/worth.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi::evidence {
namespace {

/// Techniques that the project was given documents about (docs/techniques/README.md).
constexpr std::array kDocumented = {kTechnique<MultiProbCut>, kTechnique<ProbCut>,
                                    kTechnique<Futility>, kTechnique<Iid>, kTechnique<Singular>};
/// Pairs that bet on the same nodes.
constexpr std::array kOverlaps = {std::pair{kTechnique<ProbCut>, kTechnique<NullMove>},
                                  std::pair{kTechnique<MultiProbCut>, kTechnique<Futility>},
                                  std::pair{kTechnique<Iid>, kTechnique<Singular>}};

bool is_documented(Technique t) {
    return std::find(kDocumented.begin(), kDocumented.end(), t) != kDocumented.end();
}

/// Settings by which the shipped search comes to have each technique on or off as it is wanted.
class States {
public:
    explicit States(const SearchParams& shipped) : shipped_(shipped) {}
    void want(Technique t, bool on) {
        if (shipped_.selective.enabled(t) != on) (on ? on_ : off_).push_back(t);
    }
    std::string text() const {
        std::vector<std::string> parts;
        if (!off_.empty()) {
            std::vector<std::string_view> names;
            for (const Technique t : off_) names.push_back(name_of(t));
            parts.push_back(fmt::format("off={}", fmt::join(names, ",")));
        }
        for (const Technique t : on_)
            parts.push_back(fmt::format("set={}.enabled=true", name_of(t)));
        return fmt::format("{}", fmt::join(parts, "&"));
    }

private:
    const SearchParams& shipped_;
    std::vector<Technique> on_, off_;
};

Subject technique_subject(const SearchParams& shipped, Technique t) {
    Subject s;
    s.name = name_of(t);
    s.techniques = {t};
    s.shipped = shipped.selective.enabled(t);
    s.documented = is_documented(t);
    States with(shipped), without(shipped);
    with.want(t, true);
    without.want(t, false);
    s.with = with.text();
    s.without = without.text();
    return s;
}

Subject combination(const std::string& name, std::vector<Technique> of) {
    std::vector<std::string_view> names;
    for (const Technique t : of) names.push_back(name_of(t));
    Subject s;
    s.name = name;
    s.kind = SubjectKind::Combination;
    s.techniques = std::move(of);
    s.without = fmt::format("off={}", fmt::join(names, ","));
    return s;
}

/// The worth of `a` where `b` is not as it ships. Of the two the first that ships is `a`.
Subject interaction(const SearchParams& shipped, Technique a, Technique b) {
    Subject s = technique_subject(shipped, a);
    s.name = fmt::format("{} x {}", name_of(a), name_of(b));
    s.kind = SubjectKind::Interaction;
    s.flipped = b;
    s.other_ships = shipped.selective.enabled(b);
    const bool b_on = !shipped.selective.enabled(b);
    States with(shipped), without(shipped);
    with.want(a, true), with.want(b, b_on);
    without.want(a, false), without.want(b, b_on);
    s.with = with.text();
    s.without = without.text();
    return s;
}

std::string id_of(const std::string& game, const Subject& s, const curve::Budget& budget) {
    std::string name = s.name;
    std::replace(name.begin(), name.end(), ' ', '-');
    return fmt::format("worth.{}.{}.{}", game, name, budget.text());
}

/// The smaller, the sooner: documents first, what ships before what does not, each larger budget a
/// step later.
int rank_of(const Subject& s, std::size_t budget) {
    int rank = 2 * static_cast<int>(budget);
    if (s.kind != SubjectKind::Technique) return rank + 3;
    if (!s.documented) rank += 2;
    return s.shipped ? rank : rank + 1;
}

Status check_subjects(const std::vector<Subject>& known, const std::vector<std::string>& wanted) {
    for (const std::string& name : wanted) {
        const auto is_it = [&](const Subject& s) { return s.name == name; };
        if (std::any_of(known.begin(), known.end(), is_it)) continue;
        std::vector<std::string> names;
        for (const Subject& s : known) names.push_back(fmt::format("'{}'", s.name));
        return Error{fmt::format("'{}' cannot be measured in this game", name),
                     fmt::format("choose of {}", fmt::join(names, ", "))};
    }
    return {};
}

}  // namespace

std::string_view name_of(SubjectKind kind) {
    constexpr std::array<std::string_view, 3> kNames = {"technique", "combination", "interaction"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::vector<Subject> subjects_of(const Engine& engine) {
    const SearchParams& shipped = engine.params();
    const auto& usable = engine.info().techniques;
    const auto can = [&](Technique t) {
        return std::find(usable.begin(), usable.end(), t) != usable.end();
    };
    std::vector<Subject> all;
    for (const Technique t : usable) all.push_back(technique_subject(shipped, t));
    const auto place = [](const Subject& s) {
        return std::tuple(!s.documented, !s.shipped, s.techniques.front());
    };
    std::sort(all.begin(), all.end(),
              [&](const Subject& a, const Subject& b) { return place(a) < place(b); });
    std::vector<Technique> on, documented;
    for (const Technique t : usable) {
        if (!shipped.selective.enabled(t)) continue;
        on.push_back(t);
        if (is_documented(t)) documented.push_back(t);
    }
    if (on.size() > 1) all.push_back(combination("all", on));
    if (documented.size() > 1 && documented.size() < on.size()) {
        all.push_back(combination("all of documents", documented));
    }
    for (const auto& [a, b] : kOverlaps) {
        if (!can(a) || !can(b)) continue;
        const bool swap = !shipped.selective.enabled(a) && shipped.selective.enabled(b);
        all.push_back(swap ? interaction(shipped, b, a) : interaction(shipped, a, b));
    }
    return all;
}

Expected<std::vector<Cell>> plan_of(const Engine& engine, const WorthOptions& options) {
    const std::vector<Subject> known = subjects_of(engine);
    if (const Status s = check_subjects(known, options.subjects); !s) return s.error();
    const auto wanted = [&](const Subject& s) {
        const auto& names = options.subjects;
        return names.empty() || std::find(names.begin(), names.end(), s.name) != names.end();
    };
    std::vector<Cell> cells;
    for (std::size_t b = 0; b < options.budgets.size(); ++b) {
        for (const Subject& s : known) {
            if (!wanted(s)) continue;
            const WorthBudget& at = options.budgets[b];
            cells.push_back({id_of(options.match.game, s, at.budget), s, at, rank_of(s, b),
                             static_cast<int>(cells.size())});
        }
    }
    const auto place = [](const Cell& c) { return std::pair(c.rank, c.number); };
    std::sort(cells.begin(), cells.end(),
              [&](const Cell& a, const Cell& b) { return place(a) < place(b); });
    return cells;
}

Expected<match::MatchConfig> match_of(const WorthOptions& options, const Cell& cell) {
    match::MatchConfig m = options.match;
    m.time = cell.at.budget.limits();
    m.half_width = cell.at.half_width;
    m.games = options.most_games;
    const std::string more =
        cell.subject.kind == SubjectKind::Interaction ? " (the other changed)" : "";
    for (const bool with : {true, false}) {
        const std::string& settings = with ? cell.subject.with : cell.subject.without;
        auto spec = match::parse_engine(fmt::format(
            "internal:{}?{}{}name={} {}{}", m.game, settings, settings.empty() ? "" : "&",
            with ? "with" : "without", cell.subject.name, more));
        if (!spec) return spec.error();
        m.engines.push_back(std::move(*spec));
    }
    return m;
}

std::string database_of(const std::string& folder, const Cell& cell) {
    return (std::filesystem::path(folder) / (cell.id + ".db")).string();
}

namespace {

Json about(const Cell& cell) {
    const Subject& s = cell.subject;
    Json out = {{"subject", s.name},
                {"kind", name_of(s.kind)},
                {"shipped", s.shipped},
                {"documented", s.documented},
                {"budget", cell.at.budget.text()},
                {"limits", to_json(cell.at.budget.limits())},
                {"half_width", cell.at.half_width}};
    out["techniques"] = Json::array();
    for (const Technique t : s.techniques) out["techniques"].push_back(name_of(t));
    out["flipped"] = s.flipped ? Json(name_of(*s.flipped)) : Json(nullptr);
    if (s.flipped) out["other_ships"] = s.other_ships;
    return out;
}

Json finished(const Cell& cell, Json record, const Json& acts) {
    Json out = {{"id", cell.id}};
    out.update(record);
    out["kind"] = "worth";
    out["worth"] = about(cell);
    out["acts"] = acts;
    return out;
}

}  // namespace

Expected<Json> record_of_cell(const Cell& cell, const match::Store& store, const Json& acts,
                              const std::string& command) {
    auto record = record_of_match(store, command);
    if (!record) return record.error();
    // A cell that has used up its games is done too: its interval says what that was good for.
    const Json& stop = (*record)["stop"];
    const std::uint64_t most = (*record)["config"]["games"];
    const std::uint64_t games = (*record)["counts"]["games"];
    (*record)["complete"] = stop.value("reached", false) || (most > 0 && games >= most);
    return finished(cell, std::move(*record), acts);
}

Expected<Json> record_of_nothing(const Cell& cell, const match::MatchConfig& config,
                                 const std::string& command) {
    const auto shipped = shipped_of(config.game, config.rules);
    if (!shipped) return shipped.error();
    Json record = {{"kind", "worth"},
                   {"source", "run"},
                   {"game", config.game},
                   {"command", command},
                   {"parameters", shipped->parameters},
                   {"evaluation", shipped->evaluation}};
    record.update(conditions_now());
    record["config"] = to_json(config);
    record["result"] = nullptr;
    record["note"] = "changes nothing in the search of the game's own positions; not played";
    record["complete"] = true;
    return finished(cell, std::move(record), nullptr);
}

}  // namespace karikomi::evidence
