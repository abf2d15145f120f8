#include "karikomi/server/doorkeeper.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "karikomi/server/request_head.hpp"
#include "karikomi/server/tls.hpp"

namespace karikomi::server {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kSweepMs = 200;                  // how exactly times are kept
constexpr milliseconds kFarewell{2'000};       // for a refused client to read why
constexpr std::size_t kMostIgnored = 4 << 20;  // bytes that it may still send meanwhile
constexpr std::size_t kSpareFiles = 160;  // beside connections: databases, the page, the terminal
constexpr std::size_t kChunk = 16 << 10;

void set_non_blocking(int socket) {
    const int flags = fcntl(socket, F_GETFL, 0);
    (void)fcntl(socket, F_SETFL, flags | O_NONBLOCK);  // NOLINT(hicpp-signed-bitwise)
}

std::pair<std::string, int> peer_of(int socket) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return {"?", 0};
    if (peer.ss_family == AF_INET) {
        const auto* const v4 = reinterpret_cast<const sockaddr_in*>(&peer);
        (void)inet_ntop(AF_INET, &v4->sin_addr, text.data(), text.size());
        return {text.data(), ntohs(v4->sin_port)};
    }
    const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(&peer);
    (void)inet_ntop(AF_INET6, &v6->sin6_addr, text.data(), text.size());
    return {text.data(), ntohs(v6->sin6_port)};
}

/// As many files as the system lets us open, for connections are files.
std::size_t raise_file_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1'024;
    constexpr rlim_t kWanted = 16'384;
    if (limit.rlim_cur < kWanted && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = std::min(kWanted, limit.rlim_max);
        (void)setrlimit(RLIMIT_NOFILE, &limit);
        (void)getrlimit(RLIMIT_NOFILE, &limit);
    }
    return static_cast<std::size_t>(limit.rlim_cur);
}

/// One connection. The doorkeeper's thread and a worker have it in turn.
struct Connection {
    explicit Connection(int s) : socket(s) { std::tie(address, port) = peer_of(s); }
    ~Connection() {
        tls.reset();
        ::close(socket);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    int socket;
    std::unique_ptr<TlsSession> tls;
    std::string address;
    int port = 0;
    std::string in;                          ///< what has come and is not answered
    std::size_t needed = 0;                  ///< bytes of the request, once its head has come
    Clock::time_point since = Clock::now();  ///< connected, or last answered
    Clock::time_point begun;                 ///< the request's first byte
    bool used = false;                       ///< it has been answered once
    bool leaving = false;                    ///< refused: what comes is ignored
    std::size_t ignored = 0;
};

/// Bytes read, 0: nothing now, -1: closed or broken.
ssize_t receive(Connection& c, char* to, std::size_t size) {
    if (c.tls) return c.tls->read(to, size);
    const ssize_t n = recv(c.socket, to, size, 0);
    if (n > 0) return n;
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

/// Bytes taken, 0: none now, -1: closed or broken.
ssize_t transmit(Connection& c, const char* bytes, std::size_t size) {
    if (c.tls) return c.tls->write(bytes, size);
    const ssize_t n = send(c.socket, bytes, size, MSG_NOSIGNAL);
    if (n > 0) return n;
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

std::string refusal_text(int status, const std::string& what) {
    const std::string body =
        fmt::format("{{\"error\":\"{}\",\"remedy\":\"see docs/page.md\"}}", what);
    return fmt::format(
        "HTTP/1.1 {} Refused\r\nContent-Type: application/json\r\n"
        "Cache-Control: no-store\r\nConnection: close\r\n"
        "Content-Length: {}\r\n\r\n{}",
        status, body.size(), body);
}

class WholeRequest final : public Visitor {
public:
    WholeRequest(Connection& connection, std::string request, milliseconds patience)
        : connection_(connection), request_(std::move(request)), patience_(patience) {}

    const std::string& request() const override { return request_; }
    const std::string& address() const override { return connection_.address; }
    int port() const override { return connection_.port; }
    int socket() const override { return connection_.socket; }
    bool write(const char* bytes, std::size_t size) override {
        const auto end = Clock::now() + patience_;
        while (size > 0 && !broken_) {
            const ssize_t n = transmit(connection_, bytes, size);
            if (n < 0) broken_ = true;
            if (n > 0) {
                bytes += n;
                size -= static_cast<std::size_t>(n);
            }
            if (n == 0) broken_ = !wait_until_writable(end);
        }
        return !broken_;
    }
    bool is_there() const override {
        pollfd p{connection_.socket, POLLOUT | POLLRDHUP, 0};
        (void)poll(&p, 1, 0);
        return !broken_ && (p.revents & (POLLERR | POLLHUP | POLLRDHUP)) == 0;
    }

private:
    bool wait_until_writable(Clock::time_point end) const {
        const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
        pollfd p{connection_.socket, POLLOUT, 0};
        return left.count() > 0 && poll(&p, 1, static_cast<int>(left.count())) > 0 &&
               (p.revents & (POLLERR | POLLHUP)) == 0;
    }

    Connection& connection_;
    std::string request_;
    milliseconds patience_;
    bool broken_ = false;
};

class EpollDoorkeeper final : public Doorkeeper {
public:
    using Owner = std::unique_ptr<Connection>;

    EpollDoorkeeper(const DoorLimits& limits, std::unique_ptr<TlsContext> tls, Answer answer)
        : limits_(limits), tls_(std::move(tls)), answer_(std::move(answer)) {
        const std::size_t files = raise_file_limit();
        const std::size_t room = files > 2 * kSpareFiles ? files - kSpareFiles : files / 2;
        limits_.most_connections = std::min(limits_.most_connections, room);
        limits_.most_per_address = std::min(limits_.most_per_address, room);
        epoll_ = epoll_create1(EPOLL_CLOEXEC);
        wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);  // NOLINT(hicpp-signed-bitwise)
        watch(wake_, EPOLL_CTL_ADD, EPOLLIN);
        keeper_ = std::thread([this] { keep(); });
    }
    ~EpollDoorkeeper() override {
        EpollDoorkeeper::close();
        ::close(wake_);
        ::close(epoll_);
    }
    EpollDoorkeeper(const EpollDoorkeeper&) = delete;
    EpollDoorkeeper& operator=(const EpollDoorkeeper&) = delete;

    void let_in(int socket) override {
        set_non_blocking(socket);
        auto c = std::make_unique<Connection>(socket);
        if (tls_) c->tls = tls_->session(socket);
        if (tls_ && !c->tls) return;
        hand_in(std::move(c));
    }

    void close() override {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
        }
        work_.notify_all();
        wake();
        if (keeper_.joinable()) keeper_.join();
        for (std::thread& t : workers_) {
            if (t.joinable()) t.join();
        }
    }

private:
    // ---- Between the threads --------------------------------------------------------------------

    void wake() const {
        const std::uint64_t one = 1;
        (void)!::write(wake_, &one, sizeof one);
    }
    void hand_in(Owner c) {
        {
            const std::lock_guard lock(mutex_);
            inbox_.push_back(std::move(c));
        }
        wake();
    }
    /// To a worker; one more is made where all are busy.
    void hand_over(Owner c) {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(c));
        if (idle_ < jobs_.size() && workers_.size() < limits_.workers) {
            workers_.emplace_back([this] { work(); });
        } else {
            work_.notify_one();
        }
    }
    void forget(const std::string& address) {
        const std::lock_guard lock(mutex_);
        const auto found = by_address_.find(address);
        if (found != by_address_.end() && --found->second == 0) by_address_.erase(found);
        --connections_;
    }
    void drop(Owner c) {
        const std::string address = c->address;
        c.reset();
        forget(address);
    }

    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            ++idle_;
            work_.wait(lock, [&] { return closing_ || !jobs_.empty(); });
            --idle_;
            if (closing_) return;
            Owner c = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            std::string request = c->in.substr(0, c->needed);
            c->in.erase(0, c->needed);
            WholeRequest visitor(*c, std::move(request), limits_.write);
            const bool stays = answer_(visitor);
            c->used = true;
            c->needed = 0;
            c->since = Clock::now();
            if (stays) {
                hand_in(std::move(c));
            } else {
                drop(std::move(c));
            }
            lock.lock();
        }
    }

    // ---- The keeper's thread --------------------------------------------------------------------

    void watch(int socket, int how, std::uint32_t events) const {
        epoll_event event{};
        event.events = events;
        event.data.fd = socket;
        (void)epoll_ctl(epoll_, how, socket, &event);
    }

    void keep() {
        std::array<epoll_event, 256> events{};
        auto swept = Clock::now();
        for (;;) {
            const int n =
                epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), kSweepMs);
            {
                const std::lock_guard lock(mutex_);
                if (closing_) break;
            }
            take_inbox();
            for (int i = 0; i < n; ++i) {
                const int socket = events[static_cast<std::size_t>(i)].data.fd;
                if (socket != wake_) look(socket);
            }
            if (Clock::now() - swept >= milliseconds(kSweepMs)) {
                swept = Clock::now();
                sweep(swept);
            }
        }
        waiting_.clear();
        const std::lock_guard lock(mutex_);
        inbox_.clear();
        jobs_.clear();
    }

    void take_inbox() {
        std::uint64_t count = 0;
        (void)!::read(wake_, &count, sizeof count);
        std::vector<Owner> fresh;
        {
            const std::lock_guard lock(mutex_);
            fresh.swap(inbox_);
        }
        for (Owner& c : fresh) {
            if (!c->used && !make_room(c->address)) continue;
            const int socket = c->socket;
            watch(socket, EPOLL_CTL_ADD, EPOLLIN | EPOLLRDHUP);
            waiting_[socket] = std::move(c);
            look(socket);  // its next request may have come already
        }
    }

    /// Counts a new connection. Where there are too many, the one that has waited longest goes: who
    /// is slow makes room, and who comes now is served.
    bool make_room(const std::string& address) {
        bool crowded = false;
        bool full = false;
        {
            const std::lock_guard lock(mutex_);
            crowded = by_address_[address] >= limits_.most_per_address;
            full = connections_ >= limits_.most_connections;
        }
        if (crowded || full) {
            auto oldest = waiting_.end();
            for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
                if (!full && it->second->address != address) continue;
                if (oldest == waiting_.end() || it->second->since < oldest->second->since) {
                    oldest = it;
                }
            }
            if (oldest == waiting_.end()) {
                const std::lock_guard lock(mutex_);
                if (by_address_[address] == 0) by_address_.erase(address);
                return false;
            }
            remove(oldest->first);
        }
        const std::lock_guard lock(mutex_);
        ++by_address_[address];
        ++connections_;
        return true;
    }

    Owner take_out(int socket) {
        const auto found = waiting_.find(socket);
        if (found == waiting_.end()) return nullptr;
        Owner c = std::move(found->second);
        waiting_.erase(found);
        watch(socket, EPOLL_CTL_DEL, 0);
        return c;
    }
    void remove(int socket) {
        if (Owner c = take_out(socket)) drop(std::move(c));
    }

    /// Something has happened on this connection.
    void look(int socket) {
        const auto found = waiting_.find(socket);
        if (found == waiting_.end()) return;
        Connection& c = *found->second;
        if (c.leaving) return ignore(c);
        if (c.tls && !c.tls->is_ready()) {
            const int shaken = c.tls->shake_hands();
            if (shaken < 0) return remove(socket);
            if (shaken == 0) {
                const std::uint32_t more = c.tls->wants_write() ? EPOLLOUT : 0U;
                return watch(socket, EPOLL_CTL_MOD, EPOLLIN | EPOLLRDHUP | more);
            }
            watch(socket, EPOLL_CTL_MOD, EPOLLIN | EPOLLRDHUP);
        }
        std::array<char, kChunk> chunk{};
        for (;;) {
            if (const HeadState s = state_of(c); s.kind != HeadState::Kind::Partial) {
                return s.kind == HeadState::Kind::Whole ? hand_over(take_out(socket))
                                                        : refuse(c, s.status, s.what);
            }
            const ssize_t n = receive(c, chunk.data(), chunk.size());
            if (n == 0) return;
            if (n < 0) return remove(socket);
            if (c.in.empty()) c.begun = Clock::now();
            c.in.append(chunk.data(), static_cast<std::size_t>(n));
        }
    }

    HeadState state_of(Connection& c) const {
        if (c.in.empty() || (c.needed > 0 && c.in.size() < c.needed)) return {};
        const HeadState s = look_at_request(c.in, limits_);
        if (s.head_done) c.needed = s.bytes;
        return s;
    }

    /// Says why, and gives the client a moment to read it.
    void refuse(Connection& c, int status, const char* what) {
        const std::string text = refusal_text(status, what);
        (void)transmit(c, text.data(), text.size());
        (void)shutdown(c.socket, SHUT_WR);
        c.leaving = true;
        c.since = Clock::now();
        c.in.clear();
        c.in.shrink_to_fit();
    }
    void ignore(Connection& c) {
        std::array<char, kChunk> chunk{};
        for (;;) {
            const ssize_t n = recv(c.socket, chunk.data(), chunk.size(), 0);
            if (n > 0) c.ignored += static_cast<std::size_t>(n);
            if (n == 0 || c.ignored > kMostIgnored) return remove(c.socket);
            if (n < 0) {
                if (errno != EAGAIN && errno != EWOULDBLOCK) remove(c.socket);
                return;
            }
        }
    }

    /// Those that took too long.
    void sweep(Clock::time_point now) {
        std::vector<int> gone;
        for (const auto& [socket, owner] : waiting_) {
            Connection& c = *owner;
            const auto silent = now - c.since;
            if (c.leaving) {
                if (silent > kFarewell) gone.push_back(socket);
            } else if (c.in.empty()) {
                if (silent > (c.used ? limits_.idle : limits_.first_byte)) gone.push_back(socket);
            } else if (now - c.begun > (c.needed > 0 ? limits_.whole : limits_.head)) {
                refuse(c, 408, "the request took too long");
            }
        }
        for (const int socket : gone) remove(socket);
    }

    DoorLimits limits_;
    std::unique_ptr<TlsContext> tls_;
    Answer answer_;
    int epoll_ = -1;
    int wake_ = -1;
    std::unordered_map<int, Owner> waiting_;  ///< of the keeper's thread alone
    std::mutex mutex_;                        ///< guards what follows
    std::condition_variable work_;
    std::vector<Owner> inbox_;  ///< new ones, and those that were answered
    std::deque<Owner> jobs_;    ///< whole requests
    std::map<std::string, std::size_t> by_address_;
    std::size_t connections_ = 0;
    std::size_t idle_ = 0;
    bool closing_ = false;
    std::vector<std::thread> workers_;
    std::thread keeper_;
};

}  // namespace

Expected<std::unique_ptr<Doorkeeper>> Doorkeeper::make(const DoorLimits& limits,
                                                       const TlsFiles& tls, Answer answer) {
    std::unique_ptr<TlsContext> context;
    if (!tls.certificate.empty()) {
        auto made = TlsContext::make(tls);
        if (!made) return made.error();
        context = std::move(*made);
    }
    return std::unique_ptr<Doorkeeper>(
        std::make_unique<EpollDoorkeeper>(limits, std::move(context), std::move(answer)));
}

}  // namespace karikomi::server
