/// Orders carried out: the same events and the same result, whoever brings them to the page.
#pragma once

#include <functional>
#include <memory>

#include "karikomi/services/orders.hpp"

namespace karikomi::services {

/// Hears of work as it goes: "started", then "info" as often as there is something to say.
using Tell = std::function<void(const char* event, const Json& data)>;

/// One thing after another, on an engine that is kept while the game stays the same.
class Workshop {
public:
    /// The result of the order, as the page reads it.
    Expected<Json> carry_out(const Order& order, const StopToken& stop, const Tell& tell);
    /// The engine goes; for after something that should not have happened.
    void clear() { engine_.reset(); }

private:
    Expected<Json> search(const Order& order, const StopToken& stop, const Tell& tell);

    std::unique_ptr<Engine> engine_;
};

}  // namespace karikomi::services
