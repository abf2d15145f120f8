/// Engines of this program: no process, no text in between.
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/match/player.hpp"
#include "karikomi/lab/store/binary_hash.hpp"
#include "karikomi/version.hpp"

namespace karikomi::match {
namespace {

Status apply_changes(SearchParams& params, const EngineSpec::Pairs& changes) {
    for (const auto& [key, value] : changes) {
        const Status s = key == "off"    ? switch_off(params, value)
                         : key == "only" ? switch_only(params, value)
                                         : set_param(params, value);
        if (!s) return Error{fmt::format("{}: {}", key, s.error().what), s.error().remedy};
    }
    return {};
}

}  // namespace

Expected<SearchParams> internal_params(const EngineSpec& spec, const Engine& engine) {
    SearchParams params = engine.params();
    if (!spec.params_file.empty()) {
        if (std::filesystem::is_directory(spec.params_file)) {
            return Error{fmt::format("params: '{}' is a directory", spec.params_file),
                         "name a file"};
        }
        auto loaded = load_params(spec.params_file, engine.info());
        if (!loaded) return loaded.error();
        params = *loaded;
    }
    if (spec.legacy) params.selective.disable_all();
    if (const Status s = apply_changes(params, spec.changes); !s) return s.error();
    return params;
}

namespace {

Status check_level(int level, const GameInfo& game) {
    if (level < 0) return {};
    if (game.max_level == 0) {
        return Error{fmt::format("level: {} has none", game.name), "give a depth or nodes"};
    }
    if (level <= game.max_level) return {};
    return Error{fmt::format("level: {} outside 0..{}", level, game.max_level),
                 "choose a value inside"};
}

double in_units(Value v, Value unit) {
    if (is_decisive(v)) return v > 0 ? kProven : -kProven;
    return static_cast<double>(v) / static_cast<double>(unit);
}

class InternalPlayer final : public Player {
public:
    InternalPlayer(const EngineSpec& spec, std::unique_ptr<Engine> engine)
        : engine_(std::move(engine)), legacy_(spec.legacy) {
        identity_.name = spec.name.empty() ? spec.text : spec.name;
        identity_.version = fmt::format("{} ({})", kVersion, kCommit);
        identity_.binary_hash = lab::hash_of_this_program();
        identity_.fingerprint = fingerprint(engine_->params(), engine_->info());
        identity_.evaluation = engine_->info().evaluation;
        own_params_ = engine_->params();
    }

    const Identity& identity() const override { return identity_; }

    Status adjust(const EngineSpec::Pairs& settings) override {
        SearchParams params = own_params_;
        if (const Status s = apply_changes(params, settings); !s) return s;
        return engine_->set_params(params);
    }

    Trouble new_game(const GameStart& start) override {
        engine_->new_game();
        played_ = 0;
        const Status s = engine_->set_position(start.position);
        return s ? Trouble{} : Trouble{Fault::Protocol, s.error().what};
    }

    Answer think(const Turn& turn) override {
        Answer answer;
        for (; played_ < turn.moves.size(); ++played_) {
            if (const Status s = engine_->play(turn.moves[played_]); !s) {
                answer.fault = Fault::Protocol;
                answer.detail = s.error().what;
                return answer;
            }
        }
        SearchRequest request;
        request.limits = turn.limits;
        request.legacy = legacy_;
        request.stop = stop_;
        const auto found = engine_->search(request);
        if (!found || found->best_move.empty()) {
            answer.fault = Fault::Protocol;
            answer.detail = found ? "no move" : found.error().what;
            return answer;
        }
        answer.move = found->best_move;
        answer.nodes = found->nodes;
        const Line& line = found->lines.front();
        answer.depth = line.depth;
        if (line.bound != Bound::None) answer.score = in_units(line.value, engine_->info().unit);
        return answer;
    }

    void stop_on(StopToken stop) override { stop_ = std::move(stop); }

private:
    std::unique_ptr<Engine> engine_;
    Identity identity_;
    SearchParams own_params_;
    std::size_t played_ = 0;
    bool legacy_;
    StopToken stop_;
};

}  // namespace

Expected<std::unique_ptr<Player>> make_internal(const EngineSpec& spec, const PlayerSetup& setup) {
    const auto wrong = [&](const Error& e) {
        return Error{fmt::format("engine '{}': {}", spec.text, e.what), e.remedy};
    };
    auto engine = make_engine(name_by_rules(spec.game, setup.rules), {spec.weights_file});
    if (!engine) return wrong(engine.error());
    for (const auto& [name, value] : setup.rules) {
        if (const Status s = (*engine)->set_rule(name, value); !s) return wrong(s.error());
    }
    if (const Status s = check_level(spec.time.level, (*engine)->info()); !s) {
        return wrong(s.error());
    }
    const auto params = internal_params(spec, **engine);
    if (!params) return wrong(params.error());
    try {
        (*engine)->set_hash(static_cast<std::size_t>(spec.hash_mb));
    } catch (const std::bad_alloc&) {
        return wrong({fmt::format("no room for a table of {} MB", spec.hash_mb),
                      "choose a smaller hash or fewer games at once"});
    }
    (*engine)->set_threads(spec.threads);
    if (const Status s = (*engine)->set_params(*params); !s) return wrong(s.error());
    return std::unique_ptr<Player>(std::make_unique<InternalPlayer>(spec, std::move(*engine)));
}

}  // namespace karikomi::match
