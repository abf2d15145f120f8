#include "tests/lab/queue/nats_server.hpp"

#include <filesystem>
#include <stdexcept>
#include <thread>

#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

namespace karikomi::tests {
namespace {

using namespace std::chrono_literals;

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

int free_port() {
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    const bool bound = bind(s, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                       getsockname(s, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    close(s);
    if (!bound) throw std::runtime_error("no free port");
    return ntohs(address.sin_port);
}

bool answers(int port) {
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = loopback(port);
    const bool connected =
        connect(s, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    char greeting[5] = {};
    const bool greeted = connected && recv(s, greeting, 4, 0) > 0;  // "INFO"
    close(s);
    return greeted;
}

std::string program() {
    for (const char* path :
         {"/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"}) {
        if (std::filesystem::exists(path)) return path;
    }
    throw std::runtime_error("nats-server is missing: apt-get install nats-server");
}

}  // namespace

NatsServer::NatsServer(std::vector<std::string> more)
    : more_(std::move(more)),
      port_(free_port()),
      url_("nats://127.0.0.1:" + std::to_string(port_)) {
    start();
}

void NatsServer::kill() {
    process_->send(SIGKILL);
    (void)process_->wait(10s);
    process_.reset();
}

void NatsServer::start() {
    std::vector<std::string> command = {program(),
                                        "--addr",
                                        "127.0.0.1",
                                        "--port",
                                        std::to_string(port_),
                                        "--store_dir",
                                        folder_.file("store")};
    command.insert(command.end(), more_.begin(), more_.end());
    process_ = std::make_unique<Process>(command);
    for (int i = 0; i < 300; ++i) {
        if (answers(port_)) return;
        std::this_thread::sleep_for(50ms);
    }
    throw std::runtime_error("nats-server does not start");
}

}  // namespace karikomi::tests
