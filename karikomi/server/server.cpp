#include "karikomi/server/server.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <future>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/server/guard.hpp"
#include "karikomi/server/patient_server.hpp"
#include "karikomi/services/answers.hpp"

namespace karikomi::server {
namespace {

using httplib::Request;
using httplib::Response;

constexpr std::size_t kMostDocument = 512 << 10;
constexpr std::size_t kMostBody = 1 << 20;  ///< bytes of a request
constexpr std::size_t kSpareThreads = 64;   ///< for everything that is no event stream
constexpr const char* kCookie = "karikomi_token";
constexpr std::chrono::milliseconds kHeartbeat{1'000};

constexpr const char* kMissingPage =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Karikomi</title>"
    "<h1>The page is missing</h1><p>This program was built without its page, because npm could not "
    "be reached. Run <code>./run</code> again with a network, or use the command line: "
    "<code>./run --help</code>.</p></html>";

void answer(Response& res, const Json& json, int status = 200) {
    res.status = status;
    res.set_header("Cache-Control", "no-store");
    res.set_content(json.dump(-1, ' ', false, Json::error_handler_t::replace), "application/json");
}

void refuse(Response& res, const Error& error, int status = 400) {
    answer(res, error_json(error), status);
}

template <class T> void answer_or_refuse(Response& res, const Expected<T>& expected) {
    if (!expected) return refuse(res, expected.error());
    answer(res, *expected);
}

std::int64_t to_number(const std::string& text) {
    std::int64_t n = 0;
    (void)std::from_chars(text.data(), text.data() + text.size(), n);
    return n;
}

std::string token_of(const Request& req) {
    const std::string header = req.get_header_value("Authorization");
    constexpr std::string_view kBearer = "Bearer ";
    if (header.starts_with(kBearer)) return header.substr(kBearer.size());
    return cookie_value(req.get_header_value("Cookie"), kCookie);
}

std::string regex_of(std::string_view path) {
    std::string out;
    for (const char c : path) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '/') out += '\\';
        out += c;
    }
    return out;
}

/// The library's own options let two servers share a port, which would hide one of them.
void only_reuse_address(int socket) {
    const int yes = 1;
    (void)setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

}  // namespace

struct Server::Impl {
    explicit Impl(ServerOptions o)
        : options(std::move(o)), answers(options.orders), searches(options.queue) {}
    ~Impl() {
        closing.request_stop();
        searches.close();
        http.stop();
        if (listener.joinable()) listener.join();
    }

    Status open();
    void set_up_http();
    void let_many_wait();
    void add_routes();
    void add_game_routes();
    void add_lab_routes();
    void add_assets();
    httplib::Server::HandlerResponse check(const Request& req, Response& res) const;
    bool welcome(const Request& req, Response& res) const;
    void post(const std::string& pattern,
              std::function<void(const Request&, Response&, const Json&)> handler);

    void info(Response& res) const;
    void take_order(const Request& req, Response& res, const Json& body, Expected<Order> order);
    void stream(const Request& req, Response& res);
    void save_game(Response& res, const Json& body);

    ServerOptions options;
    GuardRules rules;
    mutable Guesses guesses;
    Answers answers;
    std::unique_ptr<GameStore> store;
    StopSource closing;  ///< of those who listen
    std::atomic<std::size_t> streams{0};
    PatientServer http;
    socket_t listening = INVALID_SOCKET;
    std::thread listener;
    std::promise<void> ended;
    std::future<void> end = ended.get_future();
    Searches searches;  ///< last: its threads end first
};

Status Server::Impl::open() {
    auto opened = GameStore::open(options.data_file);
    if (!opened) return opened.error();
    store = std::move(*opened);

    rules.loopback_only = is_loopback(options.host);
    rules.token = options.token;
    rules.secure = !options.tls.certificate.empty();
    if (!rules.loopback_only) {
        rules.names = {own_name(), own_name() + ".local"};
        if (rules.token.empty()) rules.token = random_id();
    }
    options.door.workers = options.most_streams + kSpareThreads;
    options.door.most_body = kMostBody;
    if (const Status s = http.set_door(options.door, options.tls); !s) return s;
    set_up_http();
    if (options.port == 0) {
        rules.port = http.bind_to_any_port(options.host);
        if (rules.port <= 0) return Error{"no free port on " + options.host, "check --host"};
        let_many_wait();
        return {};
    }
    for (int port = options.port; port < options.port + options.ports_to_try; ++port) {
        if (port > 65'535 || !http.bind_to_port(options.host, port)) continue;
        rules.port = port;
        let_many_wait();
        return {};
    }
    return Error{fmt::format("ports {} to {} of {} are taken or not allowed", options.port,
                             options.port + options.ports_to_try - 1, options.host),
                 "choose another with --port or --host"};
}

/// The library lets five connections wait to be taken; the next one is tried again after a second.
void Server::Impl::let_many_wait() {
    (void)::listen(listening, SOMAXCONN);
}

void Server::Impl::set_up_http() {
    http.set_socket_options([this](socket_t socket) {
        only_reuse_address(socket);
        listening = socket;
    });
    http.set_tcp_nodelay(true);
    http.set_keep_alive_max_count(1'000);
    http.set_keep_alive_timeout(
        std::chrono::duration_cast<std::chrono::seconds>(options.door.idle).count());
    http.set_payload_max_length(kMostBody);
    httplib::Headers headers;
    for (const auto& [name, value] : security_headers()) headers.emplace(name, value);
    http.set_default_headers(headers);
    http.set_pre_routing_handler(
        [this](const Request& req, Response& res) { return check(req, res); });
    http.set_exception_handler([](const Request&, Response& res, const std::exception_ptr&) {
        refuse(res, {"something broke in the server", "please report it"}, 500);
    });
    http.set_error_handler([](const Request&, Response& res) {
        if (!res.body.empty()) return;
        const std::string what = res.status == 404   ? "there is nothing at this address"
                                 : res.status == 413 ? "the request is too large"
                                 : res.status == 414 ? "the address is too long"
                                                     : "the request could not be understood";
        refuse(res, {what, "see docs/page.md"}, res.status);
    });
    add_routes();
    add_game_routes();
    add_lab_routes();
    add_assets();
}

/// The address with the token was opened: the browser keeps it as a cookie and drops it from sight.
bool Server::Impl::welcome(const Request& req, Response& res) const {
    const bool asks = req.method == "GET" && req.path == "/" && req.has_param("token");
    if (!asks || rules.token.empty() || !is_own_host(req.get_header_value("Host"), rules)) {
        return false;
    }
    if (!same_secret(req.get_param_value("token"), rules.token)) {
        guesses.note_wrong(req.remote_addr);
        return false;
    }
    res.set_header("Set-Cookie", fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/{}", kCookie,
                                             rules.token, rules.secure ? "; Secure" : ""));
    res.set_redirect("/", 303);
    return true;
}

httplib::Server::HandlerResponse Server::Impl::check(const Request& req, Response& res) const {
    using Outcome = httplib::Server::HandlerResponse;
    for (const char* name : {"Host", "Origin", "Content-Length"}) {
        if (req.get_header_value_count(name) < 2) continue;
        refuse(res, {fmt::format("more than one header '{}'", name), "send one"});
        return Outcome::Handled;
    }
    if (!guesses.may_ask(req.remote_addr)) {
        res.set_header("Connection", "close");
        res.set_header("Retry-After", "5");
        refuse(res, {"too many wrong tokens came from this address", "wait a little"}, 429);
        return Outcome::Handled;
    }
    if (welcome(req, res)) return Outcome::Handled;
    Visit visit;
    visit.method = req.method;
    visit.path = req.path;
    visit.host = req.get_header_value("Host");
    visit.origin = req.get_header_value("Origin");
    visit.fetch_site = req.get_header_value("Sec-Fetch-Site");
    visit.content_type = req.get_header_value("Content-Type");
    visit.token = token_of(req);
    const auto refusal = check_visit(visit, rules);
    if (!refusal) return Outcome::Unhandled;
    if (refusal->status == 401 && !visit.token.empty()) guesses.note_wrong(req.remote_addr);
    res.set_header("Connection", "close");  // its body has not been read
    refuse(res, {refusal->what, refusal->remedy}, refusal->status);
    return Outcome::Handled;
}

void Server::Impl::post(const std::string& pattern,
                        std::function<void(const Request&, Response&, const Json&)> handler) {
    http.Post(pattern, [handler = std::move(handler)](const Request& req, Response& res) {
        const auto body = parse_body(req.body);
        if (!body) return refuse(res, body.error());
        handler(req, res, *body);
    });
}

void Server::Impl::add_routes() {
    http.Get("/api/info", [this](const Request&, Response& res) { info(res); });
    http.Get("/api/searches",
             [this](const Request&, Response& res) { answer(res, searches.state()); });
    http.Get("/api/search/([0-9a-f]{32})/events",
             [this](const Request& req, Response& res) { stream(req, res); });
    post("/api/position", [this](const Request&, Response& res, const Json& body) {
        answer_or_refuse(res, answers.position(body));
    });
    post("/api/search", [this](const Request& req, Response& res, const Json& body) {
        take_order(req, res, body, answers.search(body));
    });
    post("/api/solve", [this](const Request& req, Response& res, const Json& body) {
        take_order(req, res, body, answers.solve(body));
    });
    post("/api/opening", [this](const Request&, Response& res, const Json& body) {
        answer_or_refuse(res, answers.opening(body));
    });
    post("/api/search/([0-9a-f]{32})/stop", [this](const Request& req, Response& res, const Json&) {
        const auto search = searches.find(req.matches[1]);
        if (!search) return refuse(res, {"there is no such search", "it may be long over"}, 404);
        search->stop("you stopped it");
        answer(res, {{"stopping", true}});
    });
}

void Server::Impl::add_game_routes() {
    http.Get("/api/games", [this](const Request& req, Response& res) {
        const std::string game = req.get_param_value("game").substr(0, 40);
        answer(res, {{"games", store->list(game, 200)}});
    });
    http.Get("/api/games/([0-9]{1,15})", [this](const Request& req, Response& res) {
        const auto game = store->load(to_number(req.matches[1]));
        if (!game) return refuse(res, game.error(), 404);
        answer(res, to_json(*game, true));
    });
    post("/api/games",
         [this](const Request&, Response& res, const Json& body) { save_game(res, body); });
    post("/api/games/([0-9]{1,15})/delete", [this](const Request& req, Response& res, const Json&) {
        const Status s = store->remove(to_number(req.matches[1]));
        if (!s) return refuse(res, s.error(), 404);
        answer(res, {{"deleted", true}});
    });
    post("/api/import", [this](const Request&, Response& res, const Json& body) {
        answer_or_refuse(res, answers.read_record(body));
    });
    post("/api/export", [this](const Request&, Response& res, const Json& body) {
        answer_or_refuse(res, answers.write_record(body));
    });
}

/// File names without a folder, a leading dot or anything to decode: no path leads out.
void Server::Impl::add_lab_routes() {
    http.Get("/api/lab", [this](const Request&, Response& res) {
        answer(res, options.lab.list ? options.lab.list() : Json::object());
    });
    http.Get(R"(/api/lab/([A-Za-z0-9][A-Za-z0-9._-]{0,119}\.db))",
             [this](const Request& req, Response& res) {
                 if (!options.lab.run) return refuse(res, {"there is no laboratory here", ""}, 404);
                 const auto run = options.lab.run(req.matches[1]);
                 if (!run) return refuse(res, run.error(), 404);
                 answer(res, *run);
             });
    http.Get(R"(/report/([A-Za-z0-9][A-Za-z0-9._-]{0,119}\.html))",
             [this](const Request& req, Response& res) {
                 if (!options.lab.report)
                     return refuse(res, {"there are no reports here", ""}, 404);
                 const auto report = options.lab.report(req.matches[1]);
                 if (!report) return refuse(res, report.error(), 404);
                 // Its scripts run, but as nobody: no origin, no requests, no way back to the page.
                 res.headers.erase("Content-Security-Policy");
                 res.set_header("Content-Security-Policy", report_policy());
                 res.set_header("Cache-Control", "no-store");
                 res.set_content(*report, "text/html; charset=utf-8");
             });
}

void Server::Impl::add_assets() {
    const auto serve = [this](const std::string& path, const Asset& asset) {
        http.Get(regex_of(path), [asset](const Request&, Response& res) {
            res.set_header("Cache-Control", "no-cache");
            res.set_content(asset.bytes.data(), asset.bytes.size(), std::string(asset.type));
        });
    };
    for (const Asset& asset : options.assets) {
        if (asset.path == "/index.html") serve("/", asset);
        serve(std::string(asset.path), asset);
    }
    if (!options.assets.empty()) return;
    http.Get("/", [](const Request&, Response& res) {
        res.status = 503;
        res.set_content(kMissingPage, "text/html; charset=utf-8");
    });
}

void Server::Impl::info(Response& res) const {
    Json out = answers.info();
    out["version"] = options.version;
    out["commit"] = options.commit;
    out["searches_at_once"] = options.queue.at_once;
    answer(res, out);
}

void Server::Impl::take_order(const Request& req, Response& res, const Json& body,
                              Expected<Order> order) {
    if (!order) return refuse(res, order.error());
    std::string client = text_member(body, "client").substr(0, 64);
    if (client.empty()) client = req.remote_addr;
    const std::string print = order->fingerprint;
    const auto search = searches.add(client, std::move(*order));
    if (!search) {
        res.set_header("Retry-After", "5");
        return refuse(res, search.error(), 503);
    }
    answer(res, {{"id", (*search)->id()}, {"fingerprint", print}}, 202);
}

void Server::Impl::stream(const Request& req, Response& res) {
    const std::shared_ptr<Search> search = searches.find(req.matches[1]);
    if (!search) return refuse(res, {"there is no such search", "it may be long over"}, 404);
    const std::string last = req.get_header_value("Last-Event-ID").substr(0, 12);
    const auto from = static_cast<std::size_t>(last.empty() ? 0 : to_number(last) + 1);
    bool over = false;
    if (search->events_from(from, std::chrono::milliseconds(0), over).empty() && over) {
        res.status = 204;  // tells an EventSource not to come back
        return;
    }
    if (streams.fetch_add(1) >= options.most_streams) {
        --streams;
        res.set_header("Retry-After", "5");
        return refuse(res, {"too many pages listen already", "close one of them"}, 503);
    }
    search->listen(1);
    res.set_header("Cache-Control", "no-store");
    res.set_header("X-Accel-Buffering", "no");
    const auto next = std::make_shared<std::size_t>(from);
    res.set_chunked_content_provider(
        "text/event-stream",
        [this, search, next](std::size_t, httplib::DataSink& sink) {
            bool finished = false;
            const auto events = search->events_from(*next, kHeartbeat, finished);
            std::string text;
            for (const Event& e : events) {
                text += fmt::format("id: {}\nevent: {}\ndata: {}\n\n", (*next)++, e.name, e.data);
            }
            // Writing is the only way to learn that the other side has gone.
            if (text.empty()) text = ": still here\n\n";
            if (!sink.write(text.data(), text.size())) return false;
            if (finished || closing.stop_requested()) sink.done();
            return true;
        },
        [this, search](bool) {
            search->listen(-1);
            --streams;
        });
}

void Server::Impl::save_game(Response& res, const Json& body) {
    const auto game = answers.read_game(body);
    if (!game) return refuse(res, game.error());
    if (game->document.size() > kMostDocument) {
        return refuse(res, {"the game's document is too large", "remove branches"}, 413);
    }
    const auto kept = store->save(*game, text_member(body, "version"));
    if (!kept) return refuse(res, kept.error());
    if (kept->conflict) {
        Json conflict = error_json({"the game was changed elsewhere since it was opened here",
                                    "open it again, or keep yours without its id"});
        conflict["version"] = kept->version;
        return answer(res, conflict, 409);
    }
    answer(res, {{"id", kept->id}, {"version", kept->version}});
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

Expected<std::unique_ptr<Server>> Server::start(ServerOptions options) {
    auto impl = std::make_unique<Impl>(std::move(options));
    if (const Status s = impl->open(); !s) return s.error();
    Impl* const raw = impl.get();
    impl->listener = std::thread([raw] {
        (void)raw->http.listen_after_bind();
        raw->ended.set_value();
    });
    using namespace std::chrono_literals;
    while (!impl->http.is_running()) {
        if (impl->end.wait_for(1ms) == std::future_status::ready) {
            return Error{"the server could not listen", "choose another --port"};
        }
    }
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

int Server::port() const {
    return impl_->rules.port;
}

std::string Server::address() const {
    const GuardRules& rules = impl_->rules;
    const std::string& host = impl_->options.host;
    const bool every = host == "0.0.0.0" || host == "::";
    std::string name = every ? own_name() : host;
    if (name.find(':') != std::string::npos) name = "[" + name + "]";
    const std::string token = rules.token.empty() ? "" : "?token=" + rules.token;
    return fmt::format("{}://{}:{}/{}", rules.secure ? "https" : "http", name, rules.port, token);
}

bool Server::stop(std::chrono::milliseconds patience) {
    impl_->closing.request_stop();
    impl_->searches.close();
    impl_->http.stop();
    return impl_->end.wait_for(patience) == std::future_status::ready;
}

}  // namespace karikomi::server
