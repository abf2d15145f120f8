#include "karikomi/cli/trust.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/rand.h>
#include <unistd.h>

#include "karikomi/base/files.hpp"
#include "karikomi/cli/common.hpp"
#include "karikomi/cli/play_options.hpp"
#include "karikomi/engine/strict.hpp"
#include "karikomi/lab/queue/wire.hpp"

namespace karikomi::cli {
namespace {

constexpr std::size_t kKeyBytes = 32;

/// A key that only this user has, made on first use; empty where it cannot be kept.
std::string own_key() {
    const std::string file = state_file("key");
    if (file.empty()) return {};
    const int made = open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (made >= 0) {
        std::string key(kKeyBytes, '\0');
        const bool good = RAND_bytes(reinterpret_cast<unsigned char*>(key.data()),
                                     static_cast<int>(kKeyBytes)) == 1 &&
                          write(made, key.data(), key.size()) == static_cast<ssize_t>(key.size());
        close(made);
        if (!good) unlink(file.c_str());
    }
    const auto key = read_file(file);
    return key && key->size() == kKeyBytes ? *key : std::string();
}

}  // namespace

std::vector<std::string> commands_of(const match::MatchConfig& config) {
    std::vector<std::string> out;
    for (const match::EngineSpec& e : config.engines) {
        if (e.protocol != match::Protocol::Internal) out.push_back(e.text);
    }
    return out;
}

std::string seal_of(const std::string& run_id, const match::MatchConfig& config) {
    const std::string key = own_key();
    if (key.empty()) return {};
    std::string text = run_id;
    for (const std::string& command : commands_of(config)) text += "\n" + command;
    return queue::signature_of(key, text);
}

void require_own_commands(const std::string& file, const match::MatchConfig& config,
                          const std::string& run_id, const std::string& seal, bool allowed) {
    const auto commands = commands_of(config);
    if (allowed || commands.empty()) return;
    if (!seal.empty() && seal == seal_of(run_id, config)) return;
    throw Failure(
        {fmt::format("'{}' was not begun here by this user, and its engines are commands: "
                     "{}",
                     file, strict::printable(fmt::format("{}", fmt::join(commands, "; ")))),
         "read them; if they may run here, add --allow-commands"});
}

}  // namespace karikomi::cli
