// The beginning of a request to the server.
#include "karikomi/server/guard.hpp"
#include "karikomi/server/request_head.hpp"
#include "karikomi/services/base64.hpp"
#include "tests/fuzz/target.hpp"

namespace karikomi::fuzz {
namespace {

void run(std::string_view bytes) {
    const server::DoorLimits limits;
    const server::HeadState whole = server::look_at_request(bytes, limits);
    // However it is cut, it does not become whole earlier.
    if (whole.kind == server::HeadState::Kind::Whole && whole.bytes > bytes.size()) std::abort();
    (void)server::look_at_request(bytes.substr(0, bytes.size() / 2), limits);
    (void)server::cookie_value(bytes, "karikomi_token");
    (void)server::is_own_host(bytes, {8080, false, false, "", {"here"}});
    (void)services::from_base64(bytes);
}

const Registration kTarget("request", run);

}  // namespace
}  // namespace karikomi::fuzz
