/// The local web server: the page's files, a small JSON interface and live search output.
/// docs/page.md lists what it serves.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "karikomi/server/assets.hpp"
#include "karikomi/server/doorkeeper.hpp"
#include "karikomi/server/game_store.hpp"
#include "karikomi/server/searches.hpp"

namespace karikomi::server {

/// Runs of the laboratory and their reports. Names are plain file names: the server lets nothing
/// else through.
struct Laboratory {
    std::function<Json()> list;  ///< {"runs": [...], "reports": [...]}
    std::function<Expected<Json>(const std::string& name)> run;
    std::function<Expected<std::string>(const std::string& name)> report;  ///< HTML
};

struct ServerOptions {
    std::string host = "127.0.0.1";
    int port = 8080;        ///< the first to try; 0: any free one
    int ports_to_try = 20;  ///< this and the next ones
    std::string token;      ///< needed beyond loopback; empty there: a new one is made
    TlsFiles tls;           ///< empty: not encrypted
    DoorLimits door;
    std::string data_file = ":memory:";
    std::size_t most_streams = 64;
    OrderLimits orders;
    QueueLimits queue;
    Laboratory lab;
    std::span<const Asset> assets;
    std::string version;
    std::string commit;
};

class Server {
public:
    /// Binds and serves on threads of its own.
    static Expected<std::unique_ptr<Server>> start(ServerOptions options);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    int port() const;
    /// What to type into a browser, the token included.
    std::string address() const;
    /// Ends all searches and streams. False when connections linger beyond `patience`.
    bool stop(std::chrono::milliseconds patience);

private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace karikomi::server
