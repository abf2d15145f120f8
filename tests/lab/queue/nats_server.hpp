// A real NATS server on loopback, with a store of its own, for tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/cli/process.hpp"

namespace karikomi::tests {

class NatsServer {
public:
    // Starts it and waits until it answers. `more` are further words of its command line.
    explicit NatsServer(std::vector<std::string> more = {"--jetstream"});
    const std::string& url() const { return url_; }
    void kill();   // -9
    void start();  // again: same port, same store
    const TemporaryFolder& folder() const { return folder_; }

private:
    TemporaryFolder folder_;
    std::vector<std::string> more_;
    int port_ = 0;
    std::string url_;
    std::unique_ptr<Process> process_;
};

}  // namespace karikomi::tests
