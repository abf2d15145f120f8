#include "tests/lab/queue/mutations.hpp"

#include <limits>
#include <vector>

namespace karikomi::tests {
namespace {

std::size_t place_in(const std::string& text, Random& random) {
    return text.empty() ? 0 : static_cast<std::size_t>(random.below(text.size()));
}

void all_members(Json& json, std::vector<Json*>& out) {
    out.push_back(&json);
    if (!json.is_structured()) return;
    for (Json& member : json) all_members(member, out);
}

Json nested(std::size_t depth) {
    Json out = Json::array();
    for (std::size_t i = 0; i < depth; ++i) out = Json::array({std::move(out)});
    return out;
}

Json strange(Random& random) {
    switch (random.below(14)) {
        case 0:
            return nullptr;
        case 1:
            return -1;
        case 2:
            return 0;
        case 3:
            return std::numeric_limits<std::int64_t>::min();
        case 4:
            return std::numeric_limits<std::uint64_t>::max();
        case 5:
            return 1e308;
        case 6:
            return 0.5;
        case 7:
            return "";
        case 8:
            return std::string(10'000, 'x');
        case 9:
            return "../../etc/passwd";
        case 10:
            return Json::array();
        case 11:
            return Json::object();
        case 12:
            return nested(100);
        default:
            return true;
    }
}

}  // namespace

std::string mutated_bytes(std::string text, Random& random) {
    for (std::uint64_t left = 1 + random.below(3); left > 0; --left) {
        const std::size_t at = place_in(text, random);
        switch (random.below(6)) {
            case 0:
                if (!text.empty()) text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text.erase(at, 1 + random.below(8));
                break;
            case 2:
                text.insert(at, text.substr(place_in(text, random), 1 + random.below(40)));
                break;
            case 3:
                text.resize(at);
                break;
            case 4:
                if (!text.empty()) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
                break;
            default:
                text.insert(at, 1, "-0{}[]\",:\n\0\x9b"[random.below(12)]);
                break;
        }
    }
    return text;
}

Json mutated_json(Json json, Random& random) {
    std::vector<Json*> members;
    all_members(json, members);
    Json& member = *members[random.below(members.size())];
    if (member.is_object() && !member.empty() && random.below(2) == 0) {
        auto it = member.begin();
        for (std::uint64_t n = random.below(member.size()); n > 0; --n) ++it;
        member.erase(it);
    } else if (member.is_number_integer() && random.below(2) == 0) {
        member = -member.get<std::int64_t>();
    } else {
        member = strange(random);
    }
    return json;
}

std::string mutated_message(const std::string& message, Random& random) {
    const std::size_t line = message.find('\n');
    if (line == std::string::npos || random.below(3) == 0) return mutated_bytes(message, random);
    const Json json = Json::parse(message.substr(line + 1), nullptr, false);
    if (json.is_discarded()) return mutated_bytes(message, random);
    return message.substr(0, line + 1) + mutated_json(json, random).dump();
}

}  // namespace karikomi::tests
