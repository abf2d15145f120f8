/// Work that others do. Whoever has jobs sees one interface, whether they are done by threads of
/// this program or by programs on other machines (nats.hpp); docs/cluster.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "karikomi/base/expected.hpp"
#include "karikomi/base/stop.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi::queue {

/// `payload` says all that is needed to do it, so that anybody can. A job may be done twice (by a
/// worker that was thought dead): its result must not depend on who does it, and whoever merges
/// results must take the second for the first.
struct Job {
    std::string id;    ///< unique in its run
    std::string kind;  ///< who can do it: "games"
    Json payload;
};

struct Done {
    std::string id;
    std::string worker;  ///< who did it
    Json result;
    std::optional<Error> error;  ///< it cannot be done here
    std::uint64_t ticket = 0;    ///< for confirm() and reject()
    std::string digest = {};     ///< of the job that was done; empty: nobody else could have
};

/// Does jobs of one kind, one after the other. It may keep what the next job will need again.
class Handler {
public:
    virtual ~Handler() = default;
    /// Could anybody do it? A payload may come from a stranger: every type, range and length is
    /// looked at before any work.
    virtual Status check(const Json& payload) const = 0;
    /// Called after check(). An error means that this machine cannot do it. What it returns after a
    /// stop is thrown away, and the handler too.
    virtual Expected<Json> run(const Json& payload, const StopToken& stop) = 0;
    /// What the last error did not say because it must not leave this machine.
    virtual std::string details() const { return {}; }
    /// How far it is, in the handler's own words; from any thread.
    virtual Json progress() const { return nullptr; }
};
/// By kind of job. The argument is the number of the slot that the handler will work in.
using Makers = std::map<std::string, std::function<std::unique_ptr<Handler>(int slot)>>;

class JobQueue {
public:
    virtual ~JobQueue() = default;
    /// Jobs that can be worked on at once, as far as it is known now; 0: nobody is there.
    virtual std::size_t slots() const = 0;
    /// Does not wait.
    virtual void submit(Job job) = 0;
    /// The next result, in any order; nothing when there was none in this time. An error ends the
    /// run.
    virtual Expected<std::optional<Done>> next(std::chrono::milliseconds patience) = 0;
    /// The result is kept now and need not be told again.
    virtual void confirm(const Done& /*done*/) {}
    /// It is no answer to what was asked: put aside, and the job is done again. An error ends the
    /// run.
    virtual Status reject(const Done& /*done*/, const Error& why) { return why; }
    /// Nobody wants the results any more. Nothing may be submitted afterwards.
    virtual void cancel() = 0;
    /// Who works, for people; may be empty.
    virtual std::string state() const { return {}; }
};

/// Threads of this program.
std::unique_ptr<JobQueue> make_local_queue(const Makers& makers, int threads);

}  // namespace karikomi::queue
