/// cpp-httplib's server with a doorkeeper before it: the library parses and routes, and it sees
/// only whole requests.
#pragma once

#include <memory>

#include <httplib.h>

#include "karikomi/server/doorkeeper.hpp"

namespace karikomi::server {

class PatientServer final : public httplib::Server {
public:
    /// Before listening.
    Status set_door(const DoorLimits& limits, const TlsFiles& tls);

private:
    class Inline;  ///< the library's queue: hands each connection to the doorkeeper at once

    bool process_and_close_socket(socket_t socket) override;
    bool answer(Visitor& visitor);

    std::unique_ptr<Doorkeeper> door_;
};

}  // namespace karikomi::server
