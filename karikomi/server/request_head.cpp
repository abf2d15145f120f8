#include "karikomi/server/request_head.hpp"

#include <algorithm>

#include "karikomi/base/text.hpp"

namespace karikomi::server {
namespace {

HeadState refused(int status, const char* what) {
    return {HeadState::Kind::Refused, 0, false, status, what};
}

bool is_name(std::string_view text, std::string_view wanted) {
    return text.size() == wanted.size() &&
           std::equal(text.begin(), text.end(), wanted.begin(),
                      [](char a, char b) { return lower_case(a) == lower_case(b); });
}

}  // namespace

HeadState look_at_request(std::string_view bytes, const DoorLimits& limits) {
    std::size_t at = 0;
    std::size_t lines = 0;
    std::size_t body = 0;
    bool has_length = false;
    for (;;) {
        const std::size_t end = bytes.find('\n', at);
        const std::size_t length = std::min(end, bytes.size()) - at;
        if (length > limits.most_line) {
            return lines == 0 ? refused(414, "the address is too long")
                              : refused(431, "a header is too long");
        }
        if (at + length > limits.most_head) return refused(431, "the headers are too long");
        if (end == std::string_view::npos) return {};
        std::string_view line = bytes.substr(at, length);
        if (line.ends_with('\r')) line.remove_suffix(1);
        at = end + 1;
        if (line.empty()) {
            if (lines == 0) return refused(400, "the request could not be understood");
            break;
        }
        if (++lines > limits.most_headers + 1) return refused(431, "there are too many headers");
        if (lines == 1) continue;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;  // whoever parses it says so
        const std::string_view name = line.substr(0, colon);
        if (is_name(trimmed(name), "transfer-encoding")) {
            return refused(411, "a body without a length is not taken");
        }
        if (!is_name(trimmed(name), "content-length")) continue;
        const auto length_said = parse_whole<std::size_t>(trimmed(line.substr(colon + 1)));
        if (!length_said || (has_length && *length_said != body)) {
            return refused(400, "the length of the request could not be understood");
        }
        has_length = true;
        body = *length_said;
        if (body > limits.most_body) return refused(413, "the request is too large");
    }
    if (bytes.size() - at < body) return {HeadState::Kind::Partial, at + body, true, 0, ""};
    return {HeadState::Kind::Whole, at + body, true, 0, ""};
}

}  // namespace karikomi::server
