/// Who may talk to the server: pages of its own and people with the token, nobody else.
///
/// A browser lets any web site send requests to 127.0.0.1, and a site can even give its own name
/// our address (DNS rebinding). So a request must name us (Host), come from us (Origin,
/// Sec-Fetch-Site) and, where it changes something, be JSON, which other sites cannot send without
/// asking first.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace karikomi::server {

/// What the guard looks at. Absent headers are empty.
struct Visit {
    std::string method;
    std::string path;
    std::string host;
    std::string origin;
    std::string fetch_site;    ///< Sec-Fetch-Site
    std::string content_type;  ///< only looked at for POST
    std::string token;         ///< as the request carries it
};

struct GuardRules {
    int port = 0;
    bool loopback_only = true;
    bool secure = false;             ///< by TLS
    std::string token;               ///< empty: none needed
    std::vector<std::string> names;  ///< further names of this machine, without port
};

/// Why a visit is refused: an HTTP status and words.
struct Refusal {
    int status;
    std::string what;
    std::string remedy;
};

/// Whoever guesses tokens has ten tries, and then one a second for each address. Meanwhile its
/// requests are not looked at.
class Guesses {
public:
    bool may_ask(const std::string& address);
    void note_wrong(const std::string& address);

private:
    struct Tries {
        double left = 0;
        std::chrono::steady_clock::time_point at;
    };
    std::mutex mutex_;
    std::map<std::string, Tries> tries_;
};

std::optional<Refusal> check_visit(const Visit& visit, const GuardRules& rules);

/// Is this "name:port" one of ours?
bool is_own_host(std::string_view host, const GuardRules& rules);
bool is_loopback(std::string_view address);
/// The name of this machine.
std::string own_name();
/// Takes as long for a wrong token as for a right one.
bool same_secret(std::string_view a, std::string_view b);
/// 32 hex digits that nobody can guess.
std::string random_id();
/// The value of one cookie of a Cookie header; empty when it is not there.
std::string cookie_value(std::string_view header, std::string_view name);

/// The content policy of a laboratory's report, which brings its own scripts and styles.
std::string report_policy();
/// Sent with every answer.
std::vector<std::pair<std::string, std::string>> security_headers();

}  // namespace karikomi::server
