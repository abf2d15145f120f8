/// What goes through the server, byte by byte. All of it is read as hostile input: whoever can
/// reach the server can write there.
///
/// A message is one line, `karikomi VERSION SIGNATURE`, and a JSON object. The signature is
/// HMAC-SHA256 over subject and object by a key that all sides share, or `-` where there is none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/engine/json.hpp"

namespace karikomi::queue {

inline constexpr int kFormatVersion = 1;
inline constexpr std::int64_t kMostSlots = 512;    ///< of one worker
inline constexpr std::size_t kMostWorkers = 4096;  ///< that a run listens to
inline constexpr std::size_t kMostIdBytes = 128;   ///< of a run, a job, a worker

/// Puts messages into their form and reads them.
class Wire {
public:
    explicit Wire(std::string key = {}) : key_(std::move(key)) {}
    bool is_signed() const { return !key_.empty(); }
    std::string write(std::string_view subject, const Json& object) const;
    /// The object; or why it is none of ours.
    Expected<Json> read(std::string_view subject, std::string_view text) const;
    /// Might another build, or one with another key, understand it?
    static bool is_of_karikomi(std::string_view text);

private:
    std::string signature(std::string_view subject, std::string_view object) const;

    std::string key_;
};

/// What the objects say. Names of runs are parts of subjects: letters, digits, '-' and '_'.
struct JobMessage {
    std::string run;
    std::string session;
    std::string id;
    std::string kind;
    Json payload;
};
struct ResultMessage {
    std::string run;
    std::string session;
    std::string id;
    std::string worker;
    std::string digest;  ///< of the job that was done
    Json result;
};
struct Presence {
    std::string worker;
    std::size_t slots = 0;
    std::uint64_t done = 0;
    Json busy;  ///< for people
};
struct Refusal {
    std::string run;
    std::string session;
    std::string job;
    std::string worker;
    std::string error;
    std::string remedy;
    std::string digest;  ///< of the job as it came: somebody may have sent another by its name
    bool dead = false;   ///< the job is in the queue no more
};
/// A message that was taken out of the queue for good.
struct DeadLetter {
    std::string subject;
    std::string worker;  ///< who took it out
    std::string reason;
    std::string when;
    std::string text;  ///< its beginning
    std::uint64_t bytes = 0;
};

Json to_json(const JobMessage& m);
Json to_json(const ResultMessage& m);
Json to_json(const Presence& m);
Json to_json(const Refusal& m);
Json to_json(const DeadLetter& m);
Expected<JobMessage> job_message(Json json);
Expected<ResultMessage> result_message(Json json);
Expected<Presence> presence_of(const Json& json);
Expected<Refusal> refusal_of(const Json& json);
Expected<std::string> cancelled_run(const Json& json);
Expected<DeadLetter> dead_letter_of(const Json& json);

/// HMAC-SHA256 in hexadecimal digits.
std::string signature_of(const std::string& key, std::string_view text);
/// May it be the name of a run?
bool is_run_name(std::string_view text);
/// By which a result is known to be of exactly this job.
std::string digest_of(const std::string& kind, const Json& payload);
/// Broken bytes of an engine's last words are replaced, not thrown at.
std::string wire_text(const Json& json);

}  // namespace karikomi::queue
