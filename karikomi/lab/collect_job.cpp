/// The part of collecting that workers do: play a game, take positions, search them.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/random.hpp"
#include "karikomi/engine/strict.hpp"
#include "karikomi/lab/collect.hpp"
#include "karikomi/lab/fixed_depth.hpp"
#include "karikomi/version.hpp"

namespace karikomi::lab {
namespace {

constexpr std::size_t kManyMoves = 100;  ///< games with more legal moves: most are nonsense
constexpr int kNearBest = 6;             ///< then one of so many good ones is a random move
// What a job may hold.
constexpr std::size_t kMostText = 4'000;  ///< bytes of a name, a position
constexpr std::size_t kMostMoveText = 64;
constexpr std::size_t kMostRules = 32;
constexpr std::size_t kMostUnits = 1'000;
constexpr std::size_t kMostHashMb = 1 << 20;
constexpr int kMostPlies = 10'000;

/// A game's moves, and the stage before each of them.
struct Course {
    std::string start;
    std::vector<std::string> moves;
    std::vector<int> stages;  ///< one more than moves, unless the game is over
};

class SampleHandler final : public queue::Handler {
public:
    SampleHandler(const match::WorkPlace& place, int slot) : place_(place), slot_(slot) {}

    Status check(const Json& payload) const override {
        const auto read = strict::read_strictly("job of samples", kVersionRemedy, [&] {
            (void)setup_of(strict::object(payload, "setup"));
            (void)units_of(payload);
            return wanted_of(payload);
        });
        return read ? Status() : Status(read.error());
    }

    Expected<Json> run(const Json& payload, const StopToken& stop) override {
        stop_ = stop;
        details_.clear();
        if (const Status s = prepare(payload.at("setup")); !s) return s.error();
        const auto want = wanted_of(payload);
        Json units = Json::array();
        for (const Unit& unit : units_of(payload)) {
            faults_.clear();
            auto samples = run_unit(unit, want);
            if (!samples) return samples.error();
            units.push_back({{"number", unit.number}, {"samples", std::move(*samples)}});
            if (!faults_.empty()) units.back()["faults"] = faults_;
        }
        return Json{{"units", std::move(units)}};
    }
    std::string details() const override { return details_; }
    Json progress() const override { return {{"positions_done", positions_done_.load()}}; }

private:
    static constexpr const char* kVersionRemedy = "is the worker of the same version?";
    using Wanted = std::optional<std::vector<int>>;  ///< stages; nothing: all are welcome

    struct Setup {
        std::string program;
        std::string game;
        match::EngineSpec::Pairs rules;
        std::string weights;
        Json params;
        std::size_t hash_mb = 1;
        PlayStyle style;
        Depth depth = 1;
        int per_game = 1;
        std::uint64_t seed = 1;
        std::string engine;  ///< the program that is measured; empty: our own engine
        std::string engine_evaluation;
    };
    struct Unit {
        std::uint64_t number = 0;
        bool given = false;
        bool whole = false;
        Course course;
    };

    // What a stranger may have written. These throw StrictError.

    static PlayStyle style_of(const Json& j) {
        const auto number = [&](const char* name, int min, int max) {
            return strict::whole_as<int>(j, name, min, max);
        };
        return {number("random_plies", 0, kMostPlies), number("depth", 1, kMaxDepth),
                number("noise", 0, 100), number("stray", 0, kMostPlies),
                number("most_plies", 1, kMostPlies)};
    }
    static Setup setup_of(const Json& j) {
        Setup s;
        s.program = strict::text(j, "program", kMostText);
        s.game = strict::text(j, "game", kMostText);
        for (const Json& r : strict::list(j, "rules", kMostRules)) {
            if (!r.is_array() || r.size() != 2 || !r[0].is_string() || !r[1].is_string()) {
                throw strict::StrictError("'rules' has a member that is no pair");
            }
            s.rules.emplace_back(r[0].get<std::string>(), r[1].get<std::string>());
        }
        s.weights = strict::text(j, "weights", kMostText);
        s.params = strict::object(j, "params");
        s.hash_mb = strict::whole_as<std::size_t>(j, "hash_mb", 1, kMostHashMb);
        s.style = style_of(strict::object(j, "style"));
        s.depth = strict::whole_as<Depth>(j, "depth", 1, kMaxDepth);
        s.per_game = strict::whole_as<int>(j, "per_game", 1, kMostPlies);
        s.seed = strict::natural(j, "seed");
        if (j.contains("engine")) {
            const Json& engine = strict::object(j, "engine");
            s.engine = strict::text(engine, "text", kMostText);
            s.engine_evaluation = strict::text(engine, "evaluation", kMostText);
        }
        return s;
    }
    static std::vector<Unit> units_of(const Json& payload) {
        std::vector<Unit> out;
        for (const Json& j : strict::list(payload, "units", kMostUnits)) {
            Unit u;
            u.number = strict::natural(j, "number");
            u.given = j.contains("position");
            if (u.given) {
                u.course.start = strict::text(j, "position", kMostText);
                u.course.moves = strict::texts(j, "moves", kMostPlies, kMostMoveText);
                u.whole = strict::flag(j, "whole");
            }
            out.push_back(std::move(u));
        }
        return out;
    }
    static Wanted wanted_of(const Json& payload) {
        if (strict::member(payload, "want").is_null()) return std::nullopt;
        std::vector<int> out;
        for (const double stage : strict::reals(payload, "want", kMostPlies, 0, kMostPlies)) {
            out.push_back(static_cast<int>(stage));
        }
        return out;
    }

    /// An engine as the setup says; kept as long as the setup stays the same.
    Status prepare(const Json& setup) {
        if (engine_ && setup == setup_) return {};
        const Setup wanted = setup_of(setup);
        const std::string program = fmt::format("{} {}", kVersion, kCommit);
        if (wanted.program != program) {
            return Error{fmt::format("samples are wanted of program '{}', this is '{}'",
                                     wanted.program, program),
                         "use one build everywhere: samples of different programs do not add up"};
        }
        if (place_.most_hash_mb > 0 &&
            wanted.hash_mb > static_cast<std::size_t>(place_.most_hash_mb)) {
            return Error{fmt::format("a table of {} MB, and this worker gives {}", wanted.hash_mb,
                                     place_.most_hash_mb),
                         "choose a smaller --hash, or start the worker with a larger --max-hash"};
        }
        auto made = match::make_referee(wanted.game, wanted.rules, wanted.weights);
        if (!made && !wanted.weights.empty()) {
            // Whoever sends jobs must not look around among our files.
            details_ = made.error().what;
            return Error{"the weights that are wanted cannot be used here",
                         "the worker says more on its own machine"};
        }
        if (!made) return made.error();
        auto params = read_params(wanted.params, (*made)->info());
        if (!params) return params.error();
        if (const Status s = (*made)->set_params(*params); !s) return s;
        (*made)->set_hash(wanted.hash_mb);
        style_ = wanted.style;
        depth_ = wanted.depth;
        per_game_ = wanted.per_game;
        seed_ = wanted.seed;
        setup_ = setup;
        subject_.reset();
        if (!wanted.engine.empty()) {
            if (const Status s = start_subject(wanted); !s) return s;
        }
        (void)(*made)->set_position({});
        many_moves_ = (*made)->legal_moves().size() > kManyMoves;
        engine_ = std::move(*made);
        return {};
    }

    /// The program that is measured, if not our own. It must be the one that was asked for.
    Status start_subject(const Setup& wanted) {
        const std::string& text = wanted.engine;
        if (!place_.commands) {
            return Error{fmt::format("engine '{}': this worker runs no commands", text),
                         "start it with --allow-commands where you trust whoever sends jobs"};
        }
        match::PlayerSetup player{wanted.game, wanted.rules};
        if (place_.affinity) player.cpu = match::cpu_of_slot(slot_);
        auto made = Subject::make(text, player, static_cast<int>(wanted.hash_mb));
        if (!made) return made.error();
        const std::string& here = (*made)->identity().evaluation;
        if (here != wanted.engine_evaluation) {
            return Error{fmt::format("engine '{}' is another one here: {}; wanted {}", text, here,
                                     wanted.engine_evaluation),
                         "use one program everywhere: samples of different ones do not add up"};
        }
        subject_ = std::move(*made);
        return {};
    }

    Expected<Json> run_unit(const Unit& unit, const Wanted& want) {
        Random random(seed_, unit.number);
        engine_->new_game();
        Course course = unit.course;
        std::vector<std::size_t> plies;
        const bool given = unit.given;
        if (given && unit.whole) {
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
    std::vector<std::size_t> choose(const Course& course, const Wanted& want,
                                    Random& random) const {
        std::map<int, std::vector<std::size_t>> by_stage;
        const bool balanced = want.has_value();
        for (std::size_t i = 0; i < course.stages.size(); ++i) {
            const int stage = course.stages[i];
            if (balanced && std::find(want->begin(), want->end(), stage) == want->end()) continue;
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
    std::string details_;  ///< of the last refusal
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
