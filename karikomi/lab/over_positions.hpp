/// Work on many positions, with an engine for each thread and a notebook of what is done.
#pragma once

#include <atomic>
#include <mutex>

#include "karikomi/core/parallel.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/ablation.hpp"

namespace karikomi::lab {

inline bool can_use(const Engine& engine, const SearchParams& params) {
    const auto& can = engine.info().techniques;
    for (std::size_t i = 0; i < kTechniqueNames.size(); ++i) {
        const auto t = static_cast<Technique>(i);
        if (params.selective.enabled(t) && std::find(can.begin(), can.end(), t) == can.end())
            return false;
    }
    return true;
}

/// What the notebook has under a number; null: nothing.
inline Json known_result(const AblationOptions& o, std::uint64_t number) {
    if (!o.notebook) return nullptr;
    const auto at = o.notebook->known.find(number);
    return at == o.notebook->known.end() ? Json(nullptr) : at->second;
}
inline void keep_result(const AblationOptions& o, std::uint64_t number, const Json& result) {
    if (o.notebook) o.notebook->write(number, result);
}

/// Runs `act(engine, position number)` over the positions, with an engine for each thread.
template <class Act>
Status for_positions(const AblationOptions& o, const SearchParams& params, const StopToken& stop,
                     const Act& act) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    Status status;
    const auto fail = [&](const Error& e) {
        const std::lock_guard lock(mutex);
        if (status) status = e;
    };
    run_crew(o.threads, [&](int) {
        auto made = make_engine(o.game, {o.weights_file});
        if (!made) return fail(made.error());
        Engine& engine = **made;
        engine.set_hash(static_cast<std::size_t>(o.hash_mb));
        if (const Status s = engine.set_params(params); !s) return fail(s.error());
        for (std::size_t i = next++; i < o.positions.size() && !stop.stop_requested(); i = next++) {
            if (const Status s = engine.set_position(o.positions[i]); !s) return fail(s.error());
            act(engine, i);
        }
    });
    if (status && stop.stop_requested())
        return Error{"stopped", "the same command goes on from here"};
    return status;
}

}  // namespace karikomi::lab
