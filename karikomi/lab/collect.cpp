#include "karikomi/lab/collect.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "karikomi/engine/strict.hpp"
#include "karikomi/lab/queue/feed.hpp"
#include "karikomi/lab/store/binary_hash.hpp"
#include "karikomi/lab/store/machine.hpp"
#include "karikomi/version.hpp"

namespace karikomi::lab {
namespace {

Json rules_json(const match::EngineSpec::Pairs& rules) {
    Json out = Json::array();
    for (const auto& [name, value] : rules) out.push_back({name, value});
    return out;
}

/// What must be the same for all samples of a file.
Json conditions_of(const CollectPlan& p, const GameInfo& info,
                   const std::optional<SubjectIdentity>& subject) {
    if (subject) {
        return {{"game", p.game},
                {"rules", rules_json(p.rules)},
                {"evaluation", subject->evaluation},
                {"engine", subject->facts},
                {"depth", p.depth}};
    }
    Json on = Json::array();
    for (const Technique t : info.techniques) {
        if (p.params.selective.enabled(t)) on.push_back(name_of(t));
    }
    return {{"game", p.game},
            {"rules", rules_json(p.rules)},
            {"evaluation", info.evaluation},
            {"techniques", on},
            {"fingerprint", fingerprint(p.params, info)},
            {"depth", p.depth}};
}

/// What decides the units of a source and all that is taken of them.
Json source_facts(const CollectPlan& p, const GameInfo& info) {
    Json facts = {{"kind", p.given.empty() ? "self-play" : p.given_name}, {"seed", p.seed}};
    if (!p.engine.empty() && p.given_name != "positions") {
        facts["moves_by"] = {{"evaluation", info.evaluation},
                             {"fingerprint", fingerprint(p.params, info)}};
    }
    if (p.given_name != "positions" || p.given.empty()) {
        facts["per_game"] = p.per_game;
        facts["balance"] = p.balance;
    }
    if (p.given.empty()) {
        facts["style"] = to_json(p.style);
        return facts;
    }
    std::string all;
    for (const match::Opening& o : p.given) all += o.text() + "\n";
    facts["hash"] = hash_of_text(all);
    return facts;
}

}  // namespace

Json to_json(const PlayStyle& s) {
    return {{"random_plies", s.random_plies},
            {"depth", s.depth},
            {"noise", s.noise},
            {"stray", s.stray},
            {"most_plies", s.most_plies}};
}

Expected<SearchParams> measuring_params(const Engine& engine, const SearchParams& base,
                                        const std::vector<std::string>& with) {
    SearchParams params = base;
    std::string names;
    for (const std::string& w : with) names += (names.empty() ? "" : ",") + w;
    params.selective.disable_all();
    if (!names.empty()) {
        if (const Status s = switch_only(params, names); !s) return s.error();
    }
    const auto& can = engine.info().techniques;
    for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {
        const auto t = static_cast<Technique>(i);
        if (std::find(can.begin(), can.end(), t) == can.end()) params.selective.enabled(t) = false;
    }
    if (!params.selective.of<MultiProbCut>().enabled) return params;
    // The model speaks beyond the depth it was fitted on: here, where it is being extended.
    if (auto model = params.calibration.smooth_model()) {
        model->max_deep = Calibration::kDepths - 1;
        params.calibration =
            Calibration(engine.info().stages, params.calibration.cells(), model,
                        params.calibration.evaluation(), params.calibration.laws());
    }
    return params;
}

Expected<std::unique_ptr<Collector>> Collector::make(CollectPlan plan,
                                                     const std::string& database) {
    auto referee = match::make_referee(plan.game, plan.rules, plan.weights_file);
    if (!referee) return referee.error();
    const GameInfo& info = (*referee)->info();
    std::unique_ptr<Collector> c(new Collector);
    if (!plan.given.empty()) {
        plan.games = std::min<std::uint64_t>(plan.games, plan.given.size());
    }
    c->plan_ = std::move(plan);
    const CollectPlan& p = c->plan_;
    c->stages_ = info.stages;
    c->setup_ = {{"program", fmt::format("{} {}", kVersion, kCommit)},
                 {"game", p.game},
                 {"rules", rules_json(p.rules)},
                 {"weights", p.weights_file},
                 {"params", write_params(p.params, info, nullptr)},
                 {"depth", p.depth},
                 {"hash_mb", p.hash_mb},
                 {"style", to_json(p.style)},
                 {"per_game", p.per_game},
                 {"seed", p.seed}};
    std::optional<SubjectIdentity> subject;
    if (!p.engine.empty()) {
        auto made = Subject::make(p.engine, {p.game, p.rules}, p.hash_mb);
        if (!made) return made.error();
        subject = (*made)->identity();
        c->setup_["engine"] = {{"text", p.engine}, {"evaluation", subject->evaluation}};
    }
    auto store = SampleStore::open(database, conditions_of(p, info, subject));
    if (!store) return store.error();
    c->store_ = std::move(*store);
    const Json facts = source_facts(p, info);
    c->source_ = hash_of_text(facts.dump());
    c->store_->add_source(c->source_, facts);
    for (const std::uint64_t n : c->store_->done(c->source_)) {
        if (n < p.games) c->done_.insert(n);
    }
    c->by_stage_ = c->store_->by_stage();
    c->before_ = c->store_->size();
    return c;
}

Expected<bool> Collector::run(queue::JobQueue& queue, const Watch& watch, const StopToken& stop) {
    const auto merge_and_tell = [&](const queue::Done& done) {
        const Status s = merge(done);
        if (s && watch) watch({done_.size(), before_ + fresh_, queue.state()});
        return s;
    };
    const Status worked = queue::run(queue, {stop,
                                             {},
                                             [&] { return next_job(); },
                                             [&](const queue::Done& done) { return check(done); },
                                             merge_and_tell,
                                             under_way_});
    if (!worked) return worked.error();
    queue.cancel();
    return done_.size() >= plan_.games;
}

/// Stages that have less than their share; null: all are welcome.
Json Collector::wanted_stages() const {
    if (!plan_.balance) return nullptr;
    const std::uint64_t positions = plan_.games * static_cast<std::uint64_t>(plan_.per_game);
    const auto share = positions / static_cast<std::uint64_t>(stages_) + 1;
    Json out = Json::array();
    for (int stage = 0; stage < stages_; ++stage) {
        const auto found = by_stage_.find(stage);
        if (found == by_stage_.end() || found->second < share) out.push_back(stage);
    }
    return out;
}

std::optional<queue::Job> Collector::next_job() {
    while (next_ < plan_.games && done_.contains(next_)) ++next_;
    if (next_ >= plan_.games) return std::nullopt;
    // A position of a file is little work, a game is enough.
    const std::size_t batch = plan_.given_name == "positions" ? 8 : 1;
    Json units = Json::array();
    const std::uint64_t first = next_;
    for (; next_ < plan_.games && units.size() < batch; ++next_) {
        if (done_.contains(next_)) continue;
        Json unit = {{"number", next_}};
        if (!plan_.given.empty()) {
            const match::Opening& game = plan_.given[static_cast<std::size_t>(next_)];
            unit["position"] = game.position;
            unit["moves"] = game.moves;
            unit["whole"] = plan_.given_name == "records";
        }
        units.push_back(std::move(unit));
    }
    return queue::Job{fmt::format("{}-{}", source_, first),
                      kSamplesJob,
                      {{"setup", setup_}, {"units", std::move(units)}, {"want", wanted_stages()}}};
}

namespace {

struct Unit {
    std::uint64_t number = 0;
    std::vector<Sample> samples;
    std::vector<std::string> faults;  ///< of the program that is measured
};

/// What a worker says. Throws StrictError.
std::vector<Unit> units_of(const Json& result, const CollectPlan& plan) {
    constexpr std::size_t kMostUnits = 100;
    constexpr std::size_t kMostFault = 4'000;  ///< bytes
    const auto most = static_cast<std::size_t>(std::max(plan.per_game, 1));
    std::vector<Unit> out;
    for (const Json& unit : strict::list(result, "units", kMostUnits)) {
        Unit u{strict::natural(unit, "number", plan.games - 1), {}, {}};
        if (unit.contains("faults")) u.faults = strict::texts(unit, "faults", most, kMostFault);
        for (const Json& s : strict::list(unit, "samples", most)) {
            u.samples.push_back(sample_of(s));
            if (u.samples.back().values.size() != static_cast<std::size_t>(plan.depth)) {
                throw strict::StrictError("a sample of another depth");
            }
        }
        out.push_back(std::move(u));
    }
    return out;
}

Expected<std::vector<Unit>> read_units(const Json& result, const CollectPlan& plan) {
    return strict::read_strictly("a worker's result", "are all workers of this version?",
                                 [&] { return units_of(result, plan); });
}

}  // namespace

Status Collector::check(const queue::Done& done) const {
    const auto units = read_units(done.result, plan_);
    return units ? Status() : Status(units.error());
}

Status Collector::merge(const queue::Done& done) {
    under_way_.erase(done.id);
    if (done.error) return *done.error;
    const auto units = read_units(done.result, plan_);
    if (!units) return units.error();
    for (const Unit& unit : *units) {
        fresh_ += store_->save(source_, unit.number, unit.samples);
        done_.insert(unit.number);
        for (const std::string& fault : unit.faults) faults_.push_back(fault);
        // Near enough: some of them may have been known.
        for (const Sample& s : unit.samples) ++by_stage_[s.stage];
    }
    return {};
}

Json Collector::result() const {
    Json stages = Json::object();
    for (const auto& [stage, n] : store_->by_stage()) stages[std::to_string(stage)] = n;
    Json out = {{"event", "result"},         {"game", plan_.game},
                {"units", done_.size()},     {"units_wanted", plan_.games},
                {"samples", store_->size()}, {"added", fresh_},
                {"stages", stages},          {"complete", done_.size() >= plan_.games}};
    if (!plan_.engine.empty()) out["faults"] = faults_;
    out["conditions"] = store_->conditions();
    out["sources"] = store_->sources();
    out["commit"] = kCommit;
    out["machine"] = machine_json();
    return out;
}

}  // namespace karikomi::lab
