#include "karikomi/services/work.hpp"

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/notation.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/engine/report.hpp"

namespace karikomi::services {
namespace {

/// With the moves of its lines as players write them.
Json named(Json found, const Place& place) {
    add_names(found, place.game, place.position, place.moves);
    return found;
}

}  // namespace

Expected<Json> Workshop::search(const Order& order, const StopToken& stop, const Tell& tell) {
    const std::string game = engine_of(order.place);
    if (!engine_ || engine_->info().name != game) {
        engine_.reset();  // the old table goes before the new one comes
        auto made = make_engine(game);
        if (!made) return made.error();
        engine_ = std::move(*made);
    }
    engine_->set_threads(order.threads);
    engine_->set_hash(order.hash_mb);
    if (const Status s = engine_->set_params(order.params); !s) return s.error();
    if (const Status s = set_up(*engine_, order.place); !s) return s.error();
    // Every search starts with an empty table, so that two settings can be compared.
    engine_->new_game();
    tell("started", {{"position", engine_->position_text()}, {"fingerprint", order.fingerprint}});
    SearchRequest request = order.request;
    request.stop = stop;
    const auto result = engine_->search(
        request, [&](const Info& i) { tell("info", named(to_json(i), order.place)); });
    if (!result) return result.error();
    return named(to_json(*result), order.place);
}

Expected<Json> Workshop::carry_out(const Order& order, const StopToken& stop, const Tell& tell) {
    if (!order.job) return search(order, stop, tell);
    tell("started", Json::object());
    auto result =
        order.job({stop, [&](const Json& info) { tell("info", named(info, order.place)); }});
    if (!result) return result.error();
    return named(std::move(*result), order.place);
}

}  // namespace karikomi::services
