#include "karikomi/lab/queue/wire.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/hmac.h>

#include "karikomi/base/hash.hpp"
#include "karikomi/base/text.hpp"
#include "karikomi/engine/strict.hpp"

namespace karikomi::queue {
namespace {

constexpr std::string_view kName = "karikomi";
constexpr std::string_view kUnsigned = "-";
constexpr std::size_t kMostHead = 128;     // bytes of the first line
constexpr std::size_t kMostReason = 2000;  // bytes of what people are told
constexpr std::size_t kMostDigest = 64;
constexpr std::size_t kMostBusy = 1024;

/// A name of something: it must say something, and nothing that a terminal would obey.
std::string name(const Json& of, const char* member) {
    std::string text = strict::text(of, member, kMostIdBytes);
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7F;
    });
    if (text.empty() || !plain) {
        throw strict::StrictError(fmt::format("'{}' is no name", member));
    }
    return text;
}

std::string run_name(const Json& of, const char* member) {
    std::string text = strict::text(of, member, kMostIdBytes);
    if (!is_run_name(text)) {
        throw strict::StrictError(fmt::format("'{}' is no name of a run", member));
    }
    return text;
}

template <class Read> auto read_message(std::string_view what, Read&& read) {
    return strict::read_strictly(what, "is everything of the same version?", read);
}

}  // namespace

bool is_run_name(std::string_view text) {
    return !text.empty() && text.size() <= kMostIdBytes &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '-' || c == '_';
           });
}

std::string wire_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string digest_of(const std::string& kind, const Json& payload) {
    return fnv_of(kind + "\n" + wire_text(payload)).text();
}

std::string signature_of(const std::string& key, std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
    unsigned int size = 0;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
    if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, text.size(), mac.data(),
             &size) == nullptr) {
        throw std::runtime_error("HMAC-SHA256 failed");
    }
    std::string out;
    for (unsigned int i = 0; i < size; ++i) out += fmt::format("{:02x}", mac[i]);
    return out;
}

std::string Wire::signature(std::string_view subject, std::string_view object) const {
    if (key_.empty()) return std::string(kUnsigned);
    return signature_of(key_, fmt::format("{} {}\n{}", kFormatVersion, subject, object));
}

std::string Wire::write(std::string_view subject, const Json& object) const {
    const std::string text = wire_text(object);
    return fmt::format("{} {} {}\n{}", kName, kFormatVersion, signature(subject, text), text);
}

bool Wire::is_of_karikomi(std::string_view text) {
    const std::size_t line = text.substr(0, kMostHead).find('\n');
    if (line == std::string_view::npos) return false;
    const auto words = split(text.substr(0, line), ' ');
    return words.size() == 3 && words[0] == kName && parse_whole<int>(words[1]) > 0;
}

Expected<Json> Wire::read(std::string_view subject, std::string_view text) const {
    if (!is_of_karikomi(text)) {
        return Error{"no message of karikomi", "is everything of the same version?"};
    }
    const std::size_t line = text.find('\n');
    const auto words = split(text.substr(0, line), ' ');
    if (parse_whole<int>(words[1]) != kFormatVersion) {
        return Error{fmt::format("message of version {}, this program speaks {}",
                                 strict::printable(words[1], 20), kFormatVersion),
                     "use one build everywhere"};
    }
    const std::string_view object = text.substr(line + 1);
    const std::string wanted = signature(subject, object);
    const bool same = words[2].size() == wanted.size() &&
                      CRYPTO_memcmp(words[2].data(), wanted.data(), wanted.size()) == 0;
    if (!same && key_.empty()) {
        return Error{"the message is signed, and no key was given here",
                     "give the same key on every side: KARIKOMI_JOB_KEY"};
    }
    if (!same) {
        return Error{words[2] == kUnsigned ? "the message is not signed"
                                           : "the message is signed with another key",
                     "give the same key on every side: KARIKOMI_JOB_KEY"};
    }
    auto json = strict::parse(object);
    if (json && !json->is_object()) return Error{"the message is no object", "check who wrote it"};
    return json;
}

// ---- Messages -----------------------------------------------------------------------------------

Json to_json(const JobMessage& m) {
    return {{"run", m.run},
            {"session", m.session},
            {"id", m.id},
            {"kind", m.kind},
            {"payload", m.payload}};
}

Json to_json(const ResultMessage& m) {
    return {{"run", m.run},       {"session", m.session}, {"id", m.id},
            {"worker", m.worker}, {"digest", m.digest},   {"result", m.result}};
}

Json to_json(const Presence& m) {
    return {{"worker", m.worker}, {"slots", m.slots}, {"busy", m.busy}, {"done", m.done}};
}

Json to_json(const Refusal& m) {
    return {{"run", m.run},     {"session", m.session}, {"job", m.job},       {"worker", m.worker},
            {"error", m.error}, {"remedy", m.remedy},   {"digest", m.digest}, {"dead", m.dead}};
}

Json to_json(const DeadLetter& m) {
    return {{"subject", m.subject}, {"worker", m.worker}, {"reason", m.reason},
            {"when", m.when},       {"bytes", m.bytes},   {"text", m.text}};
}

Expected<JobMessage> job_message(Json json) {
    return read_message("job", [&] {
        JobMessage m{
            run_name(json, "run"), name(json, "session"), name(json, "id"), name(json, "kind"), {}};
        (void)strict::object(json, "payload");
        m.payload = std::move(json["payload"]);
        return m;
    });
}

Expected<ResultMessage> result_message(Json json) {
    return read_message("result", [&] {
        ResultMessage m{run_name(json, "run"),
                        name(json, "session"),
                        name(json, "id"),
                        name(json, "worker"),
                        strict::text(json, "digest", kMostDigest),
                        {}};
        (void)strict::object(json, "result");
        m.result = std::move(json["result"]);
        return m;
    });
}

Expected<Presence> presence_of(const Json& json) {
    return read_message("presence", [&] {
        return Presence{name(json, "worker"),
                        static_cast<std::size_t>(strict::whole(json, "slots", 0, kMostSlots)),
                        strict::natural(json, "done"), strict::list(json, "busy", kMostBusy)};
    });
}

Expected<Refusal> refusal_of(const Json& json) {
    return read_message("refusal", [&] {
        return Refusal{run_name(json, "run"),
                       name(json, "session"),
                       name(json, "job"),
                       name(json, "worker"),
                       strict::printable(strict::text(json, "error", kMostReason), kMostReason),
                       strict::printable(strict::text(json, "remedy", kMostReason), kMostReason),
                       strict::text(json, "digest", kMostDigest),
                       strict::flag(json, "dead")};
    });
}

Expected<std::string> cancelled_run(const Json& json) {
    return read_message("cancel", [&] { return run_name(json, "run"); });
}

Expected<DeadLetter> dead_letter_of(const Json& json) {
    return read_message("dead letter", [&] {
        const auto text = [&](const char* m) {
            return strict::printable(strict::text(json, m, 2 * kMostReason), 2 * kMostReason);
        };
        return DeadLetter{text("subject"), text("worker"), text("reason"),
                          text("when"),    text("text"),   strict::natural(json, "bytes")};
    });
}

}  // namespace karikomi::queue
