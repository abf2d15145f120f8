#include "karikomi/cli/nats_options.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace karikomi::cli {
namespace {

constexpr std::size_t kShortestKey = 16;  // bytes
constexpr const char* kGroup = "Other machines (docs/cluster.md)";

void must_exist(const char* option, const std::string& file) {
    if (file.empty() || std::filesystem::is_regular_file(file)) return;
    throw Failure({fmt::format("{}: there is no file '{}'", option, file), "name another"});
}

}  // namespace

void NatsSettings::add_to(Command& command, const std::string& url_help) {
    const auto name = [&](const char* option, std::string& to, const char* type, const char* help) {
        return add_name(command, option, to, type, help).group(kGroup);
    };
    name("--nats", url, "URL", url_help.c_str());
    // On the command line everybody on the machine could read it.
    name("--nats-token", token, "TOKEN", "The server's token; better in KARIKOMI_NATS_TOKEN")
        .environment("KARIKOMI_NATS_TOKEN");
    name("--job-key", job_key, "KEY",
         "Sign all messages, believe only such; better in KARIKOMI_JOB_KEY")
        .environment("KARIKOMI_JOB_KEY");
    name("--nats-creds", credentials, "FILE", "Credentials of a user (JWT and seed)");
    add_switch(command, "--nats-tls", tls, "Encrypted; also by a URL of tls://").group(kGroup);
    name("--nats-ca", ca_file, "FILE", "Trust these certificates");
    name("--nats-cert", cert_file, "FILE", "Our own certificate");
    name("--nats-key", key_file, "FILE", "The key of --nats-cert");
    add_number(command, "--nats-replicas", replicas, {1, 5},
               "Copies of the queue, when it is made: 3 in a cluster of three")
        .group(kGroup);
    add_number(command, "--nats-silence", silence_s, {1, 3600},
               "Seconds after which a silent worker's job goes to another")
        .group(kGroup);
}

queue::NatsOptions NatsSettings::read() const {
    must_exist("--nats-creds", credentials);
    must_exist("--nats-ca", ca_file);
    must_exist("--nats-cert", cert_file);
    must_exist("--nats-key", key_file);
    if (cert_file.empty() != key_file.empty()) {
        throw Failure({"--nats-cert and --nats-key belong together", "give both"});
    }
    queue::NatsOptions o;
    if (!url.empty()) o.url = url;
    o.token = token;
    if (!job_key.empty() && job_key.size() < kShortestKey) {
        throw Failure({fmt::format("--job-key: {} bytes are easily guessed", job_key.size()),
                       "take 16 or more: openssl rand -hex 32"});
    }
    o.job_key = job_key;
    o.credentials = credentials;
    o.ca_file = ca_file;
    o.cert_file = cert_file;
    o.key_file = key_file;
    o.tls = tls || o.url.starts_with("tls://");
    o.replicas = static_cast<int>(replicas);
    o.silence_ms = 1000 * silence_s;
    return o;
}

}  // namespace karikomi::cli
