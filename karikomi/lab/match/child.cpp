#include "karikomi/lab/match/child.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace karikomi::match {
namespace {

using namespace std::chrono_literals;

constexpr auto kSlice = 50ms;              // how late a stop may be noticed
constexpr auto kWriteLimit = 2s;           // a program that does not read for so long hangs
constexpr std::size_t kLongest = 1 << 20;  // a longer "line" is junk

struct Pipe {
    int read = -1;
    int write = -1;
    bool open() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return false;
        read = ends[0], write = ends[1];
        return true;
    }
    void close_both() const {
        if (read >= 0) ::close(read);
        if (write >= 0) ::close(write);
    }
};

/// In the new process: only calls that are safe after fork() in a program with threads.
[[noreturn]] void become(const char* command, const char* folder, int cpu, const int* ends,
                         pid_t parent) {
    dup2(ends[0], STDIN_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[2], STDERR_FILENO);
    setpgid(0, 0);  // a group of its own: Ctrl-C is ours, and we can end all of it
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    if (cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(static_cast<std::size_t>(cpu), &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    if (*folder != '\0' && chdir(folder) != 0) {
        constexpr char kWhat[] = "no such folder\n";
        (void)!::write(STDERR_FILENO, kWhat, sizeof kWhat - 1);
        _exit(127);
    }
    execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
    _exit(127);
}

/// While it lives, writing into a closed pipe is an error of this thread and no signal.
class NoPipeSignal {
public:
    NoPipeSignal() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~NoPipeSignal() {
        const timespec now{0, 0};
        while (sigtimedwait(&pipe_, nullptr, &now) > 0) {
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    NoPipeSignal(const NoPipeSignal&) = delete;
    NoPipeSignal& operator=(const NoPipeSignal&) = delete;

private:
    sigset_t pipe_{};
    sigset_t before_{};
};

int remaining_ms(Child::Time deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Child::Clock::now());
    return static_cast<int>(std::clamp<std::chrono::milliseconds>(left, 0ms, kSlice).count());
}

/// Takes the first line out of the buffer.
bool take_line(std::string& buffer, std::string& line) {
    const std::size_t end = buffer.find('\n');
    if (end == std::string::npos) return false;
    line = buffer.substr(0, end);
    buffer.erase(0, end + 1);
    while (!line.empty() && line.back() == '\r') line.pop_back();
    return true;
}

}  // namespace

Status Child::start(const std::string& command, const std::string& folder, int cpu) {
    kill();
    Pipe in;
    Pipe out;
    Pipe err;
    const bool piped = in.open() && out.open() && err.open();
    const int ends[3] = {in.read, out.write, err.write};
    const std::string line =
        "exec " + command;  // without a shell in between where that is possible
    const bool simple = command.find_first_of(";|&<>(){}`$") == std::string::npos;
    const pid_t parent = getpid();
    const pid_t pid = piped ? fork() : -1;
    if (pid == 0)
        become(simple ? line.c_str() : command.c_str(), folder.c_str(), cpu, ends, parent);
    if (pid < 0) {
        const int why = errno;
        for (const Pipe& p : {in, out, err}) p.close_both();
        return Error{fmt::format("cannot start '{}': {}", command, std::strerror(why)),
                     "use fewer games at once"};
    }
    setpgid(pid, pid);  // here too: who comes first does not matter
    for (const int end : ends) ::close(end);
    in_ = in.write, out_ = out.read, err_ = err.read;
    for (const int fd : {in_, out_, err_}) fcntl(fd, F_SETFL, O_NONBLOCK);
    pid_ = pid;
    end_.clear();
    out_text_.clear();
    err_text_.clear();
    return {};
}

bool Child::write(std::string_view line) {
    if (pid_ <= 0) return false;
    remember('>', line);
    const std::string text = std::string(line) + "\n";
    const NoPipeSignal quiet;
    const Time limit = Clock::now() + kWriteLimit;
    std::size_t at = 0;
    while (at < text.size()) {
        const ssize_t n = ::write(in_, text.data() + at, text.size() - at);
        if (n > 0) {
            at += static_cast<std::size_t>(n);
        } else if (errno == EAGAIN) {
            pollfd wait{in_, POLLOUT, 0};
            ::poll(&wait, 1, remaining_ms(limit));
            if (Clock::now() >= limit || stop_.stop_requested()) return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/// What is there now; false at the end of the file.
bool Child::fill(int fd, std::string& buffer) {
    char block[4096];
    for (;;) {
        const ssize_t n = ::read(fd, block, sizeof block);
        if (n > 0) {
            buffer.append(block, static_cast<std::size_t>(n));
            if (buffer.size() > kLongest) return true;
        } else if (n == 0) {
            return false;
        } else if (errno != EINTR) {
            return errno == EAGAIN;
        }
    }
}

void Child::take_errors(bool rest) {
    std::string line;
    while (take_line(err_text_, line)) remember('!', line);
    if ((rest && !err_text_.empty()) || err_text_.size() > kLongest) {
        remember('!', err_text_);
        err_text_.clear();
    }
}

Child::Read Child::read(std::string& line, Time deadline) {
    if (pid_ <= 0) return Read::Closed;
    for (;;) {
        if (take_line(out_text_, line)) {
            remember('<', line);
            return Read::Line;
        }
        if (out_text_.size() > kLongest) {
            remember('<', "(a line without end)");
            out_text_.clear();
        }
        if (stop_.stop_requested()) return Read::Stopped;
        pollfd waits[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
        ::poll(waits, err_ >= 0 ? 2 : 1, remaining_ms(deadline));
        if (err_ >= 0 && waits[1].revents != 0) {
            if (!fill(err_, err_text_)) ::close(err_), err_ = -1;
            take_errors(err_ < 0);
        }
        if (waits[0].revents != 0) {
            const bool open = fill(out_, out_text_);
            if (out_text_.find('\n') != std::string::npos) continue;
            if (!open) {
                finish(200ms);
                return Read::Closed;
            }
            continue;
        }
        if (Clock::now() >= deadline) return Read::Timeout;
    }
}

void Child::drain() {
    std::string line;
    while (read(line, Clock::now()) == Read::Line) {
    }
}

void Child::collect(bool block) {
    int status = 0;
    const pid_t done = waitpid(pid_, &status, block ? 0 : WNOHANG);
    if (done != pid_) return;
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        end_ = fmt::format("killed by signal {} ({})", number, strsignal(number));
    } else {
        end_ = fmt::format("ended with code {}", WEXITSTATUS(status));
    }
    ::kill(-pid_, SIGKILL);  // what it has started itself
    pid_ = -1;
}

void Child::finish(std::chrono::milliseconds grace) {
    if (in_ >= 0) ::close(in_), in_ = -1;
    const Time limit = Clock::now() + grace;
    while (pid_ > 0) {
        collect(false);
        if (pid_ <= 0 || Clock::now() >= limit) break;
        if (out_ >= 0) {  // it must not be stopped by a full pipe on its way out
            std::string rest;
            (void)fill(out_, rest);
        }
        std::this_thread::sleep_for(2ms);
    }
    kill();
}

void Child::kill() {
    if (pid_ > 0) {
        ::kill(-pid_, SIGKILL);
        ::kill(pid_, SIGKILL);
        collect(true);
    }
    if (err_ >= 0) {
        (void)fill(err_, err_text_);
        take_errors(true);
    }
    close_pipes();
}

void Child::close_pipes() {
    for (int* fd : {&in_, &out_, &err_}) {
        if (*fd >= 0) ::close(*fd);
        *fd = -1;
    }
}

void Child::remember(char direction, std::string_view text) {
    constexpr std::size_t kShown = 300;
    std::string line = fmt::format("{} {}", direction, text.substr(0, kShown));
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    const std::lock_guard lock(mutex_);
    if (!last_.empty() && last_.back().line == line) {
        ++last_.back().times;
        return;
    }
    last_.push_back({std::move(line)});
    if (last_.size() > kKept) last_.pop_front();
}

std::vector<std::string> Child::last_lines() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> lines;
    lines.reserve(last_.size());
    for (const Remembered& r : last_) {
        lines.push_back(r.times == 1 ? r.line : fmt::format("{} ({} times)", r.line, r.times));
    }
    return lines;
}

}  // namespace karikomi::match
