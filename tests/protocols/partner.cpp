#include "tests/protocols/partner.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <future>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace karikomi::tests {
namespace {

using Clock = std::chrono::steady_clock;

struct Ends {
    int ours = -1;
    int theirs = -1;
};

// Sockets behave as pipes do, and writing to a closed one can be told not to kill the tests.
Ends connect() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw std::runtime_error(std::strerror(errno));
    }
    return {ends[0], ends[1]};
}

int remaining_ms(Clock::time_point end) {
    const auto left = std::chrono::duration_cast<Milliseconds>(end - Clock::now()).count();
    return static_cast<int>(std::max<std::int64_t>(left, 0));
}

class ProcessPartner final : public Partner {
public:
    explicit ProcessPartner(const std::vector<std::string>& command) {
        std::vector<char*> arguments;
        for (const std::string& w : command) arguments.push_back(const_cast<char*>(w.c_str()));
        arguments.push_back(nullptr);
        const Ends in = connect();
        const Ends out = connect();
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_adddup2(&files, in.theirs, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&files, out.theirs, STDOUT_FILENO);
        const int failed =
            posix_spawn(&pid_, arguments[0], &files, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&files);
        close(in.theirs);
        close(out.theirs);
        to_ = in.ours;
        from_ = out.ours;
        if (failed != 0) throw std::runtime_error(command[0] + ": " + std::strerror(failed));
    }
    ~ProcessPartner() override {
        if (code_) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    void signal(int number) const override { kill(pid_, number); }
    std::optional<int> wait(Milliseconds limit) override {
        const auto end = Clock::now() + limit;
        while (!code_) {
            int status = 0;
            if (waitpid(pid_, &status, WNOHANG) == pid_) {
                code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            } else if (Clock::now() >= end) {
                return std::nullopt;
            } else {
                std::this_thread::sleep_for(Milliseconds(2));
            }
        }
        return code_;
    }

private:
    pid_t pid_ = -1;
    std::optional<int> code_;
};

class ThreadPartner final : public Partner {
public:
    explicit ThreadPartner(Talk talk) {
        const Ends in = connect();
        const Ends out = connect();
        to_ = in.ours;
        from_ = out.ours;
        std::packaged_task<int()> task([talk = std::move(talk), in, out] {
            std::FILE* file = fdopen(out.theirs, "w");
            const int code = talk(in.theirs, file);
            std::fclose(file);
            close(in.theirs);
            return code;
        });
        code_ = task.get_future().share();
        thread_ = std::thread(std::move(task));
    }
    ~ThreadPartner() override {
        close_input();
        thread_.join();
    }
    void signal(int) const override { throw std::runtime_error("only a process gets signals"); }
    std::optional<int> wait(Milliseconds limit) override {
        if (code_.wait_for(limit) != std::future_status::ready) return std::nullopt;
        return code_.get();
    }

private:
    std::shared_future<int> code_;
    std::thread thread_;
};

}  // namespace

Partner::~Partner() {
    close_input();
    if (from_ >= 0) close(from_);
}

void Partner::send(const std::string& bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t n = ::send(to_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (n < 0) return;
        sent += static_cast<std::size_t>(n);
    }
}

void Partner::close_input() {
    if (to_ >= 0) close(to_);
    to_ = -1;
}

std::optional<std::string> Partner::hear(Milliseconds limit) {
    const auto deadline = Clock::now() + limit;
    for (;;) {
        if (const std::size_t end = unread_.find('\n'); end != std::string::npos) {
            std::string line = unread_.substr(0, end);
            unread_.erase(0, end + 1);
            return line;
        }
        struct pollfd ready = {from_, POLLIN, 0};
        if (ended_ || poll(&ready, 1, remaining_ms(deadline)) <= 0) return std::nullopt;
        std::array<char, 4096> buffer{};
        const ssize_t n = read(from_, buffer.data(), buffer.size());
        if (n <= 0) ended_ = true;
        if (n > 0) unread_.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

std::unique_ptr<Partner> start_process(const std::vector<std::string>& command) {
    return std::make_unique<ProcessPartner>(command);
}

std::unique_ptr<Partner> start_thread(Talk talk) {
    return std::make_unique<ThreadPartner>(std::move(talk));
}

}  // namespace karikomi::tests
