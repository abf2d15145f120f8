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
#include "karikomi/server/game_store.hpp"
#include "karikomi/server/searches.hpp"

namespace karikomi::server {

/// A game read from a record file.
struct ReadGame {
    std::string start;  ///< position; empty: the game's own start
    std::vector<std::string> moves;
    std::string title;
    std::string format;     ///< what it was read as
    std::size_t games = 1;  ///< in the file
};
/// A game as a file.
struct WrittenGame {
    std::string bytes;
    std::string ending;   ///< of the file's name: "sgf"
    bool is_text = true;  ///< in UTF-8
};

/// Record files of the games. The server knows no game's formats; whoever starts it does.
struct Records {
    /// `number`: which game of the file, from 0.
    using Reader = std::function<Expected<ReadGame>(const std::string& game,
                                                    const std::string& bytes, std::size_t number)>;
    using Writer =
        std::function<Expected<WrittenGame>(const KeptGame& game, const std::string& format)>;
    Reader read;
    Writer write;
    std::function<std::vector<std::string>(const std::string& game)> formats;  ///< that it writes
};

/// Proofs. Nor does it know their solvers.
struct Solving {
    std::function<std::vector<std::string>(const std::string& game)> kinds;
    std::function<Expected<Json>(const SolveOrder& order, const JobView& view)> solve;
};

/// Opening rules: who puts what where before play is free. Nor those.
struct Openings {
    std::function<std::vector<std::string>(const std::string& game)> rules;
    /// What is asked of whom after the steps.
    std::function<Expected<Json>(const OpeningOrder& order)> follow;
};

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
    std::string data_file = ":memory:";
    std::size_t most_streams = 64;
    OrderLimits orders;
    QueueLimits queue;
    Records records;
    Solving solving;
    Openings openings;
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
