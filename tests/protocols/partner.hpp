// The other end of a conversation: a test plays the GUI, and the engine is either the real program
// in a process of its own or the protocol's function on a thread of this one.
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace karikomi::tests {

using Milliseconds = std::chrono::milliseconds;

class Partner {
public:
    virtual ~Partner();
    Partner(const Partner&) = delete;
    Partner& operator=(const Partner&) = delete;

    // Bytes as they are; a line needs its '\n'. Gone partners are not an error.
    void send(const std::string& bytes) const;
    void say(const std::string& line) const { send(line + "\n"); }
    void close_input();
    // The next line without its end; nothing when none has come in time or none can come any more.
    std::optional<std::string> hear(Milliseconds limit);
    // All output has been read and there will be no more.
    bool is_silent() const { return ended_; }

    virtual void signal(int number) const = 0;
    // The exit code, 128 + number after a signal; nothing when it still runs after this time.
    virtual std::optional<int> wait(Milliseconds limit) = 0;

protected:
    Partner() = default;
    int to_ = -1;    // we write
    int from_ = -1;  // we read

private:
    std::string unread_;
    bool ended_ = false;
};

// `command` is the program and its arguments.
std::unique_ptr<Partner> start_process(const std::vector<std::string>& command);
// `talk` gets the descriptor to read from and the file to write to; its result is the exit code.
using Talk = std::function<int(int, std::FILE*)>;
std::unique_ptr<Partner> start_thread(Talk talk);

}  // namespace karikomi::tests
