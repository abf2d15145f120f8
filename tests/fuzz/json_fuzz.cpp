// JSON of strangers: parsed, printed and copied.
#include "karikomi/engine/strict.hpp"
#include "tests/fuzz/target.hpp"

namespace karikomi::fuzz {
namespace {

void run(std::string_view bytes) {
    const auto json = strict::parse(bytes);
    if (!json) return;
    const Json copy = *json;
    (void)copy.dump(-1, ' ', false, Json::error_handler_t::replace);
    (void)strict::printable(bytes);
}

const Registration kTarget("json", run);

}  // namespace
}  // namespace karikomi::fuzz
