/// The part of collecting that workers do: play a game, take positions, search them.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/random.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/collect.hpp"
#include "karikomi/lab/fixed_depth.hpp"
#include "karikomi/version.hpp"

namespace karikomi::lab {
namespace {

constexpr std::size_t kManyMoves = 100;  ///< games with more legal moves: most are nonsense
constexpr int kNearBest = 6;             ///< then one of so many good ones is a random move
/// A game's moves, and the stage before each of them.
struct Course {
    std::string start;
    std::vector<std::string> moves;
    std::vector<int> stages;  ///< one more than moves, unless the game is over
};

class SampleHandler final : public queue::Handler {
public:
    SampleHandler(const match::WorkPlace& place, int slot) : place_(place), slot_(slot) {}

    Expected<Json> run(const Json& payload, const StopToken& stop) override {
        stop_ = stop;
        try {
            return run_units(payload);
        } catch (const Json::exception& e) {
            return Error{fmt::format("job of samples: {}", e.what()),
                         "is the worker of the same version?"};
        }
    }
    Json progress() const override { return {{"positions_done", positions_done_.load()}}; }

private:
    Expected<Json> run_units(const Json& payload) {
        if (const Status s = prepare(payload.at("setup")); !s) return s.error();
        Json units = Json::array();
        for (const Json& unit : payload.at("units")) {
            faults_.clear();
            auto samples = run_unit(unit, payload.at("want"));
            if (!samples) return samples.error();
            units.push_back({{"number", unit.at("number")}, {"samples", std::move(*samples)}});
            if (!faults_.empty()) units.back()["faults"] = faults_;
        }
        return Json{{"units", std::move(units)}};
    }

    /// An engine as the setup says; kept as long as the setup stays the same.
    Status prepare(const Json& setup) {
        if (engine_ && setup == setup_) return {};
        const std::string program = fmt::format("{} {}", kVersion, kCommit);
        if (setup.at("program") != program) {
            return Error{fmt::format("samples are wanted of program {}, this is {}",
                                     setup.at("program").dump(), program),
                         "use one build everywhere: samples of different programs do not add up"};
        }
        match::EngineSpec::Pairs rules;
        for (const Json& r : setup.at("rules")) {
            rules.emplace_back(r.at(0).get<std::string>(), r.at(1).get<std::string>());
        }
        auto made = match::make_referee(setup.at("game").get<std::string>(), rules,
                                        setup.at("weights").get<std::string>());
        if (!made) return made.error();
        auto params = read_params(setup.at("params"), (*made)->info());
        if (!params) return params.error();
        if (const Status s = (*made)->set_params(*params); !s) return s;
        (*made)->set_hash(setup.at("hash_mb").get<std::size_t>());
        const Json& style = setup.at("style");
        style_ = {style.at("random_plies"), style.at("depth"), style.at("noise"), style.at("stray"),
                  style.at("most_plies")};
        depth_ = setup.at("depth");
        per_game_ = setup.at("per_game");
        seed_ = setup.at("seed");
        setup_ = setup;
        subject_.reset();
        if (setup.contains("engine")) {
            if (const Status s = start_subject(setup, rules); !s) return s;
        }
        (void)(*made)->set_position({});
        many_moves_ = (*made)->legal_moves().size() > kManyMoves;
        engine_ = std::move(*made);
        return {};
    }

    /// The program that is measured, if not our own. It must be the one that was asked for.
    Status start_subject(const Json& setup, const match::EngineSpec::Pairs& rules) {
        const auto text = setup.at("engine").at("text").get<std::string>();
        if (!place_.commands) {
            return Error{fmt::format("engine '{}': this worker runs no commands", text),
                         "start it with --allow-commands where you trust whoever sends jobs"};
        }
        match::PlayerSetup player{setup.at("game").get<std::string>(), rules};
        if (place_.affinity) player.cpu = match::cpu_of_slot(slot_);
        auto made = Subject::make(text, player, setup.at("hash_mb").get<int>());
        if (!made) return made.error();
        const std::string& here = (*made)->identity().evaluation;
        const auto wanted = setup.at("engine").at("evaluation").get<std::string>();
        if (here != wanted) {
            return Error{
                fmt::format("engine '{}' is another one here: {}; wanted {}", text, here, wanted),
                "use one program everywhere: samples of different ones do not add up"};
        }
        subject_ = std::move(*made);
        return {};
    }

    Expected<Json> run_unit(const Json& unit, const Json& want) {
        const auto number = unit.at("number").get<std::uint64_t>();
        Random random(seed_, number);
        engine_->new_game();
        Course course;
        std::vector<std::size_t> plies;
        const bool given = unit.contains("position");
        if (given) {
            course.start = unit.at("position").get<std::string>();
            course.moves = unit.at("moves").get<std::vector<std::string>>();
        }
        if (given && unit.at("whole").get<bool>()) {
            if (const Status s = replay(course); !s) return s.error();
        } else if (given) {
            plies.push_back(course.moves.size());
        } else {
            play(course, random);
        }
        if (plies.empty()) plies = choose(course, want, random);
        Json out = Json::array();
        for (const std::size_t ply : plies) {
            auto sample = sample_at(course, ply, !given, random);
            if (!sample) return sample.error();
            if (*sample) out.push_back(to_json(**sample));
            if (stop_.stop_requested()) return Error{"stopped", ""};
            ++positions_done_;
        }
        return out;
    }

    /// The stages of a game that was read. What comes after its end is left out.
    Status replay(Course& course) {
        if (const Status s = engine_->set_position(course.start); !s) return s;
        std::size_t played = 0;
        course.stages.push_back(engine_->stage());
        for (const std::string& move : course.moves) {
            if (engine_->winner() || !engine_->play(move)) break;
            ++played;
            if (!engine_->winner()) course.stages.push_back(engine_->stage());
        }
        course.moves.resize(played);
        return {};
    }

    void play(Course& course, Random& random) {
        (void)engine_->set_position({});
        const std::uint64_t at_random =
            random.below(static_cast<std::uint64_t>(style_.random_plies) + 1);
        course.stages.push_back(engine_->stage());
        while (!engine_->winner() && !stop_.stop_requested() &&
               course.moves.size() < static_cast<std::size_t>(style_.most_plies)) {
            const bool stray = course.moves.size() < at_random;
            const bool noise =
                stray || random.below(100) < static_cast<std::uint64_t>(style_.noise);
            const std::string move = noise ? random_move(random, stray) : best_move();
            if (move.empty() || !engine_->play(move)) break;
            course.moves.push_back(move);
            if (!engine_->winner()) course.stages.push_back(engine_->stage());
        }
    }

    std::string best_move() {
        const auto found = engine_->search(fixed_depth(style_.depth, stop_));
        return found ? found->best_move : std::string();
    }
    /// Any legal move, or where most are nonsense (or a game is to go on sensibly) a good one.
    std::string random_move(Random& random, bool any) {
        if (any && !many_moves_) {
            const auto legal = engine_->legal_moves();
            return legal.empty() ? std::string() : legal[random.below(legal.size())];
        }
        const auto found = engine_->search(fixed_depth(style_.depth, stop_, kNearBest));
        if (!found || found->lines.empty()) return {};
        return found->lines[random.below(found->lines.size())].pv.front();
    }

    /// Plies of the course: any, or where stages are wanted one of each of them in turn.
    std::vector<std::size_t> choose(const Course& course, const Json& want, Random& random) const {
        std::map<int, std::vector<std::size_t>> by_stage;
        const bool balanced = want.is_array();
        for (std::size_t i = 0; i < course.stages.size(); ++i) {
            const int stage = course.stages[i];
            if (balanced && std::find(want.begin(), want.end(), stage) == want.end()) continue;
            by_stage[balanced ? stage : 0].push_back(i);
        }
        std::vector<std::vector<std::size_t>> lists;
        for (auto& [stage, list] : by_stage) lists.push_back(std::move(list));
        shuffle(lists, random);
        for (auto& list : lists) shuffle(list, random);
        std::vector<std::size_t> out;
        const auto most = static_cast<std::size_t>(per_game_);
        for (std::size_t round = 0; out.size() < most; ++round) {
            const std::size_t before = out.size();
            for (const auto& list : lists) {
                if (round < list.size() && out.size() < most) out.push_back(list[round]);
            }
            if (out.size() == before) break;
        }
        return out;
    }
    template <class T> static void shuffle(std::vector<T>& list, Random& random) {
        for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.below(i)]);
    }

    /// Nothing where there is nothing to sample. An error: the program that is measured is broken.
    Expected<std::optional<Sample>> sample_at(const Course& course, std::size_t ply, bool stray,
                                              Random& random) {
        constexpr std::optional<Sample> kNothing;
        Subject::Course way{course.start,
                            {course.moves.begin(), course.moves.begin() + static_cast<long>(ply)}};
        const auto moves = fmt::format("{}", fmt::join(way.moves, " "));
        if (!engine_->set_position(way.start, moves)) return kNothing;
        std::uint64_t strays =
            stray ? random.below(static_cast<std::uint64_t>(style_.stray) + 1) : 0;
        for (; strays > 0 && !engine_->winner(); --strays, ++ply) {
            const std::string move = random_move(random, true);
            if (move.empty() || !engine_->play(move)) return kNothing;
            way.moves.push_back(move);
        }
        if (engine_->winner()) return kNothing;
        // A search that sees every end of the game is exact: there is nothing to predict.
        const Depth deepest = std::min(depth_, engine_->moves_left().value_or(kMaxPly) - 1);
        if (deepest < 1) return kNothing;
        Sample s;
        s.key = key_of(*engine_);
        s.position = engine_->position_text();
        s.stage = engine_->stage();
        s.side = engine_->side_to_move();
        s.ply = course.start.empty() ? static_cast<int>(ply) : -1;
        s.static_value = subject_ ? kNoValue : engine_->static_value();
        s.values.assign(static_cast<std::size_t>(depth_), kNoValue);
        s.nodes.assign(static_cast<std::size_t>(depth_), 0);
        if (subject_) return search_by_subject(way, deepest, std::move(s));
        return search_it(deepest, s) ? std::optional(std::move(s)) : kNothing;
    }

    bool search_it(Depth deepest, Sample& s) {
        engine_->new_game();
        const auto found = engine_->search(fixed_depth(deepest, stop_), [&](const Info& info) {
            const auto at = static_cast<std::size_t>(info.line.depth) - 1;
            if (at >= s.values.size() || info.line.bound != Bound::Exact) return;
            s.values[at] = info.line.value;
            s.nodes[at] = info.nodes;
        });
        return found && !stop_.stop_requested();
    }

    Expected<std::optional<Sample>> search_by_subject(const Subject::Course& way, Depth deepest,
                                                      Sample s) {
        constexpr std::optional<Sample> kNothing;
        // A pass that is forced is told by no program in the same way.
        if (!match::forced_pass(*engine_).empty()) return kNothing;
        subject_->stop_on(stop_);
        auto fault = subject_->search(way, deepest, s);
        if (!fault) return fault.error();
        if (*fault) return faults_.push_back(**fault), kNothing;
        const bool empty =
            std::all_of(s.values.begin(), s.values.end(), [](Value v) { return v == kNoValue; });
        return empty ? kNothing : std::optional(std::move(s));
    }

    match::WorkPlace place_;
    int slot_;
    Json setup_;
    std::unique_ptr<Subject> subject_;  ///< none: our own engine is measured
    std::vector<std::string> faults_;   ///< of the program, in the unit at work
    PlayStyle style_;
    Depth depth_ = 1;
    int per_game_ = 1;
    std::uint64_t seed_ = 1;
    bool many_moves_ = false;
    std::unique_ptr<Engine> engine_;
    StopToken stop_;  ///< of the running job
    std::atomic<std::uint64_t> positions_done_{0};
};

}  // namespace

queue::Makers sample_makers(const match::WorkPlace& place) {
    return {
        {kSamplesJob, [place](int slot) { return std::make_unique<SampleHandler>(place, slot); }}};
}

}  // namespace karikomi::lab
