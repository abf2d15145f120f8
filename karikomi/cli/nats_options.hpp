/// Options of commands that send jobs to a NATS server, or take them from there.
#pragma once

#include <string>

#include "karikomi/cli/common.hpp"
#include "karikomi/lab/queue/nats.hpp"

namespace karikomi::cli {

struct NatsSettings {
    std::string url;  ///< empty: no server
    std::string token;
    std::string job_key;
    std::string credentials;
    std::string ca_file;
    std::string cert_file;
    std::string key_file;
    bool tls = false;
    std::int64_t replicas = 1;
    std::int64_t silence_s = 30;

    /// `url_help` says what --nats is for in this command.
    void add_to(Command& command, const std::string& url_help);
    queue::NatsOptions read() const;
};

}  // namespace karikomi::cli
