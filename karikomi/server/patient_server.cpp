#include "karikomi/server/patient_server.hpp"

#include <algorithm>
#include <cstring>

namespace karikomi::server {
namespace {

/// What the library reads: the bytes of one request, and then the end.
class VisitorStream final : public httplib::Stream {
public:
    explicit VisitorStream(Visitor& visitor) : visitor_(visitor) {}

    bool is_readable() const override { return at_ < visitor_.request().size(); }
    bool is_writable() const override { return visitor_.is_there(); }
    ssize_t read(char* to, std::size_t size) override {
        const std::string& bytes = visitor_.request();
        const std::size_t n = std::min(size, bytes.size() - at_);
        std::memcpy(to, bytes.data() + at_, n);
        at_ += n;
        return static_cast<ssize_t>(n);
    }
    ssize_t write(const char* bytes, std::size_t size) override {
        return visitor_.write(bytes, size) ? static_cast<ssize_t>(size) : -1;
    }
    void get_remote_ip_and_port(std::string& ip, int& port) const override {
        ip = visitor_.address();
        port = visitor_.port();
    }
    void get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
    socket_t socket() const override { return visitor_.socket(); }

private:
    Visitor& visitor_;
    std::size_t at_ = 0;
};

}  // namespace

class PatientServer::Inline final : public httplib::TaskQueue {
public:
    explicit Inline(Doorkeeper& door) : door_(door) {}
    void enqueue(std::function<void()> task) override { task(); }
    void shutdown() override { door_.close(); }

private:
    Doorkeeper& door_;
};

Status PatientServer::set_door(const DoorLimits& limits, const TlsFiles& tls) {
    auto made = Doorkeeper::make(limits, tls, [this](Visitor& v) { return answer(v); });
    if (!made) return made.error();
    door_ = std::move(*made);
    new_task_queue = [this] { return new Inline(*door_); };
    return {};
}

bool PatientServer::process_and_close_socket(socket_t socket) {
    door_->let_in(socket);
    return true;
}

bool PatientServer::answer(Visitor& visitor) {
    VisitorStream stream(visitor);
    bool closed = false;
    return process_request(stream, false, closed, nullptr) && !closed;
}

}  // namespace karikomi::server
