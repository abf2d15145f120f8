// What the page asks for: the bodies of the server's requests.
#include "karikomi/engine/strict.hpp"
#include "karikomi/services/orders.hpp"
#include "tests/fuzz/target.hpp"

namespace karikomi::fuzz {
namespace {

void run(std::string_view bytes) {
    const auto json = strict::parse(bytes);
    if (!json || !json->is_object()) return;
    static services::Desk desk{services::OrderLimits{}};
    (void)desk.read_place(*json);
    (void)desk.show(*json);
    (void)desk.read_order(*json);
    (void)desk.read_solve(*json);
    (void)desk.read_opening(*json);
}

const Registration kTarget("orders", run);

}  // namespace
}  // namespace karikomi::fuzz
