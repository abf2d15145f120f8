#include "karikomi/server/guard.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <random>

#include <fmt/format.h>
#include <unistd.h>

namespace karikomi::server {
namespace {

struct HostPort {
    std::string_view name;  ///< an IPv6 address without its brackets
    std::string_view port;  ///< empty: none given
};

std::optional<HostPort> split_host(std::string_view host) {
    if (host.empty()) return std::nullopt;
    std::size_t end = 0;
    HostPort out;
    if (host.front() == '[') {
        end = host.find(']');
        if (end == std::string_view::npos) return std::nullopt;
        out.name = host.substr(1, end - 1);
        ++end;
    } else {
        end = std::min(host.find(':'), host.size());
        out.name = host.substr(0, end);
    }
    if (end < host.size()) {
        if (host[end] != ':') return std::nullopt;
        out.port = host.substr(end + 1);
    }
    return out;
}

bool same_name(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
        return std::tolower(x) == std::tolower(y);
    });
}

bool is_ip_literal(std::string_view name) {
    const bool v6 = name.find(':') != std::string_view::npos;
    const bool digits = !name.empty() && name.find_first_not_of("0123456789.") == name.npos;
    return v6 ? name.find_first_not_of("0123456789abcdefABCDEF:.") == name.npos : digits;
}

bool is_json(std::string_view content_type) {
    return same_name(content_type.substr(0, content_type.find(';')), "application/json");
}

bool is_own_origin(std::string_view origin, const GuardRules& rules) {
    const std::string_view scheme = rules.secure ? "https://" : "http://";
    return origin.starts_with(scheme) && is_own_host(origin.substr(scheme.size()), rules);
}

}  // namespace

bool is_loopback(std::string_view address) {
    const bool v4 = address.starts_with("127.") && is_ip_literal(address);
    return v4 || address == "::1" || same_name(address, "localhost");
}

bool is_own_host(std::string_view host, const GuardRules& rules) {
    const auto parts = split_host(host);
    if (!parts) return false;
    const std::string_view usual = rules.secure ? "443" : "80";
    const std::string_view port = parts->port.empty() ? usual : parts->port;
    if (port != std::to_string(rules.port)) return false;
    if (is_loopback(parts->name)) return true;
    if (rules.loopback_only) return false;
    // An address is no name, so no foreign name server can have pointed it here.
    if (is_ip_literal(parts->name)) return true;
    return std::any_of(rules.names.begin(), rules.names.end(),
                       [&](const std::string& name) { return same_name(name, parts->name); });
}

std::string own_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data())
                                                          : std::string("localhost");
}

bool same_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    }
    return difference == 0;
}

std::string random_id() {
    std::random_device device;  // the kernel's own generator on Linux
    std::string id;
    for (int i = 0; i < 4; ++i) id += fmt::format("{:08x}", device());
    return id;
}

std::string cookie_value(std::string_view header, std::string_view name) {
    while (!header.empty()) {
        std::string_view part = header.substr(0, header.find(';'));
        header.remove_prefix(std::min(part.size() + 1, header.size()));
        while (part.starts_with(' ')) part.remove_prefix(1);
        const std::size_t equals = part.find('=');
        if (equals != part.npos && part.substr(0, equals) == name) {
            return std::string(part.substr(equals + 1));
        }
    }
    return {};
}

namespace {

constexpr double kTries = 10;        // at once
constexpr double kTriesASecond = 1;  // that come back
constexpr std::size_t kMostAddresses = 10'000;

}  // namespace

bool Guesses::may_ask(const std::string& address) {
    const std::lock_guard lock(mutex_);
    const auto found = tries_.find(address);
    if (found == tries_.end()) return true;
    const auto now = std::chrono::steady_clock::now();
    Tries& t = found->second;
    t.left += kTriesASecond * std::chrono::duration<double>(now - t.at).count();
    t.at = now;
    const bool may = t.left >= 1;
    if (t.left >= kTries) tries_.erase(found);
    return may;
}

void Guesses::note_wrong(const std::string& address) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (tries_.size() >= kMostAddresses) {
        std::erase_if(tries_, [&](const auto& t) {
            return now - t.second.at > std::chrono::duration<double>(kTries / kTriesASecond);
        });
    }
    const auto [found, fresh] = tries_.try_emplace(address, Tries{kTries, now});
    found->second.left = std::max(found->second.left - 1, 0.0);
}

std::optional<Refusal> check_visit(const Visit& visit, const GuardRules& rules) {
    constexpr std::array<std::string_view, 3> kMethods = {"GET", "HEAD", "POST"};
    if (std::find(kMethods.begin(), kMethods.end(), visit.method) == kMethods.end()) {
        return Refusal{405, "this method is not served", "use GET or POST"};
    }
    if (!is_own_host(visit.host, rules)) {
        return Refusal{421, "this server does not go by that name",
                       "use the address that `karikomi serve` printed"};
    }
    if (!visit.origin.empty() && !is_own_origin(visit.origin, rules)) {
        return Refusal{403, "requests of other sites are not served", "open the page itself"};
    }
    const bool is_api = visit.path.starts_with("/api/");
    const bool foreign = visit.fetch_site == "cross-site" || visit.fetch_site == "same-site";
    if (foreign && (is_api || visit.method == "POST")) {
        return Refusal{403, "requests of other sites are not served", "open the page itself"};
    }
    if (visit.method == "POST" && !is_json(visit.content_type)) {
        return Refusal{415, "the request is not JSON", "send Content-Type: application/json"};
    }
    if (!rules.token.empty() && !same_secret(visit.token, rules.token)) {
        return Refusal{401, "the token is missing or wrong",
                       "open the whole address that `karikomi serve` printed"};
    }
    return std::nullopt;
}

std::string report_policy() {
    return "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
           "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; "
           "form-action 'none'; frame-ancestors 'none'";
}

std::vector<std::pair<std::string, std::string>> security_headers() {
    return {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
         "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
         "form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
    };
}

}  // namespace karikomi::server
