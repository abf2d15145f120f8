/// karikomi serve: the page, for a browser on this machine.
#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include "karikomi/cli/commands.hpp"
#include "karikomi/cli/output.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/server/guard.hpp"
#include "karikomi/server/laboratory.hpp"
#include "karikomi/version.hpp"

namespace karikomi::cli {
namespace {

using namespace std::chrono_literals;

struct ServeOptions {
    std::string host = "127.0.0.1";
    std::string data;
    std::string certificate;
    std::string key;
    bool plain = false;
    bool open = false;
    std::int64_t port = 8080;
    std::int64_t searches = 0;
    std::int64_t threads = 1;
    std::int64_t hash_mb = 64;
};

/// Where `karikomi match` keeps its records too.
std::string data_folder() {
    namespace fs = std::filesystem;
    if (const char* const state = std::getenv("XDG_STATE_HOME");
        state != nullptr && *state != '\0') {
        return (fs::path(state) / "karikomi").string();
    }
    if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0') {
        return (fs::path(home) / ".local/state/karikomi").string();
    }
    return "karikomi-data";
}

/// Beyond loopback all is encrypted: by the user's certificate, or by one of our own making.
server::TlsFiles tls_files(const ServeOptions& o, const std::string& folder) {
    if (o.certificate.empty() != o.key.empty()) {
        throw Failure({"--tls-cert and --tls-key belong together", "give both"});
    }
    if (o.plain && !o.certificate.empty()) {
        throw Failure({"--plain and --tls-cert contradict each other", "give one of them"});
    }
    if (!o.certificate.empty()) return {o.certificate, o.key};
    if (o.plain || server::is_loopback(o.host)) return {};
    const server::TlsFiles own = {(std::filesystem::path(folder) / "page.crt").string(),
                                  (std::filesystem::path(folder) / "page.key").string()};
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    require(server::make_certificate(own, server::own_name()));
    return own;
}

server::ServerOptions server_options(const ServeOptions& o) {
    server::ServerOptions s;
    s.host = o.host;
    s.port = static_cast<int>(o.port);
    const std::string folder = o.data.empty() ? data_folder() : o.data;
    s.data_file = (std::filesystem::path(folder) / "page.sqlite").string();
    s.tls = tls_files(o, folder);
    const auto cores = static_cast<std::int64_t>(std::thread::hardware_concurrency());
    s.queue.at_once =
        static_cast<int>(o.searches > 0 ? o.searches : std::clamp<std::int64_t>(cores, 1, 8));
    s.orders.threads = static_cast<int>(o.threads);
    s.orders.hash_mb = static_cast<std::size_t>(o.hash_mb);
    s.lab = server::page_lab(folder);
    s.assets = server::page_assets();
    s.version = std::string(kVersion);
    s.commit = std::string(kCommit);
    return s;
}

/// By whatever the desktop opens addresses with; without it the printed address has to do.
void open_in_browser(std::string address) {
    std::string program = "xdg-open";
    char* const arguments[] = {program.data(), address.data(), nullptr};
    pid_t child = 0;
    if (posix_spawnp(&child, "xdg-open", nullptr, nullptr, arguments, environ) != 0) {
        fmt::print("xdg-open is missing, so open the address yourself.\n");
        std::fflush(stdout);
    }
}

void wait_for(const StopToken& stop) {
    std::mutex mutex;
    std::condition_variable_any nothing_else;
    std::unique_lock lock(mutex);
    nothing_else.wait(lock, stop, [] { return false; });
}

int run(const ServeOptions& o, Session& session) {
    session.begin(nullptr);
    const StopToken stop = session.stop();  // before the server's threads, which inherit its mask
    server::ServerOptions options = server_options(o);
    const bool has_page = !options.assets.empty();
    const std::string data = options.data_file;
    const std::string certificate = options.tls.certificate;
    const std::string print = certificate.empty() ? "" : take(server::fingerprint_of(certificate));
    const std::unique_ptr<server::Server> server = take(server::Server::start(std::move(options)));
    session.stream({{"address", server->address()},
                    {"port", server->port()},
                    {"page", has_page},
                    {"certificate", print.empty() ? Json(nullptr) : Json(print)},
                    {"data", data}});
    if (!session.json()) {
        if (server->port() != o.port && o.port != 0) {
            fmt::print("Port {} is taken, so this is port {}.\n", o.port, server->port());
        }
        if (!has_page) {
            fmt::print(
                "The page itself is missing: npm could not be reached when this was built. "
                "The interface answers.\n");
        }
        if (!print.empty() && o.certificate.empty()) {
            fmt::print(
                "The certificate is of our own making; the browser asks about it once. Its "
                "SHA-256 is\n  {}\n",
                print);
        }
        fmt::print("Karikomi is at {}\nGames are kept in {}. Ctrl-C ends it.\n",
                   bold(server->address()), data);
    }
    std::fflush(stdout);
    if (o.open) open_in_browser(server->address());
    wait_for(stop);
    if (!server->stop(600ms)) {
        // A connection that sends nothing holds its thread for seconds. Everything that matters is
        // on the disk already.
        std::fflush(stdout);
        std::_Exit(kDone);
    }
    return kDone;
}

}  // namespace

void add_serve(Program& program) {
    Command command =
        program.add("serve", "The page: play, analyse and watch the search think, in a browser",
                    {"karikomi serve", "karikomi serve --port 9000 --searches 1"});
    const auto o = std::make_shared<ServeOptions>();
    add_name(command, "--host", o->host, "ADDRESS",
             "listen here; others than 127.0.0.1 need the printed token");
    add_name(command, "--tls-cert", o->certificate, "FILE",
             "Encrypt by this certificate (PEM); beyond loopback one is made where none is given");
    add_name(command, "--tls-key", o->key, "FILE", "The key of --tls-cert");
    add_switch(command, "--plain", o->plain,
               "Beyond loopback: do not encrypt (behind a proxy that does)");
    add_switch(command, "--open", o->open, "Also open the page in the browser");
    add_number(command, "--port", o->port, {0, 65'535},
               "the next free port is taken from here on; 0: any");
    add_number(command, "--searches", o->searches, {1, 64},
               "searches at once (default: the cores)");
    add_number(command, "--threads", o->threads, {1, 256}, "most threads of one search");
    add_number(command, "--hash", o->hash_mb, {1, 65'536}, "most MB of table of one search");
    add_name(command, "--data", o->data, "FOLDER",
             "where games are kept and runs of match and tune are looked for (default: "
             "~/.local/state/karikomi)");
    command.does([o](Session& session) { return run(*o, session); });
}

}  // namespace karikomi::cli
