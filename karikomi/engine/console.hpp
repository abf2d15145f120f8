/// Where a command's results go, whoever runs it: what a game's facet sees of the command line.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "karikomi/base/stop.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi {

// Exit codes, the same for every command.
inline constexpr int kDone = 0;
inline constexpr int kNo = 1;        ///< it ran, and the answer is no (or not the whole answer)
inline constexpr int kBadInput = 2;  ///< wrong usage or bad input
inline constexpr int kBroken = 3;    ///< something broke

/// Ends a command: whoever runs it prints the error as one line and exits with the code.
struct Failure : std::exception {
    explicit Failure(Error e, int c = kBadInput) : error(std::move(e)), code(c) {}
    const char* what() const noexcept override { return error.what.c_str(); }
    Error error;
    int code;
};

template <class T> T take(Expected<T> expected) {
    if (!expected) throw Failure(expected.error());
    return std::move(*expected);
}
inline void require(const Status& status) {
    if (!status) throw Failure(status.error());
}

class Console {
public:
    virtual ~Console() = default;

    /// Machine output is wanted: print() must be left alone then.
    virtual bool json() const = 0;
    /// The words of the command line.
    virtual const std::vector<std::string>& arguments() const = 0;
    /// The log's first record. `fingerprint` is null where no parameters are in play.
    virtual void begin(const Json& fingerprint) = 0;
    virtual void log(const char* event, const Json& facts) = 0;
    /// One line of machine output, only where it is wanted.
    virtual void stream(const Json& document) const = 0;
    /// The result: into the log, and as machine output where it is wanted.
    virtual void finish(const Json& document) = 0;

    /// Text for people, with its line ends. At once: long work shows how it goes.
    virtual void print(std::string_view text) = 0;
    /// The same, beside the results.
    virtual void remark(std::string_view text) = 0;
    /// `done` of `total` of this work, and what comes next; for people who wait.
    virtual void progress(std::string_view work, double done, double total,
                          std::string_view now) = 0;
    /// The work is done.
    virtual void end_progress() = 0;

    /// Somebody wants it to end: what is done so far is kept.
    virtual StopToken stop() const = 0;
};

}  // namespace karikomi
