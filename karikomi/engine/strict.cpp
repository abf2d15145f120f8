#include "karikomi/engine/strict.hpp"

#include <cmath>

#include <fmt/format.h>

namespace karikomi::strict {
namespace {

[[noreturn]] void fail(const char* name, const std::string& what) {
    throw StrictError(fmt::format("'{}' {}", name, what));
}

}  // namespace

Expected<Json> parse(std::string_view text) {
    const auto look = [](int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
        if (static_cast<std::size_t>(depth) > kDeepest) throw StrictError("too deep");
        return true;
    };
    try {
        return Json::parse(text, look);
    } catch (const StrictError&) {
        return Error{fmt::format("lists and objects nested more than {} deep", kDeepest),
                     "write a flatter document"};
    } catch (const Json::exception& e) {
        return Error{fmt::format("not JSON: {}", printable(e.what(), 120)), "check what wrote it"};
    }
}

const Json& member(const Json& object, const char* name) {
    if (!object.is_object()) fail(name, "is asked of something that is no object");
    const auto found = object.find(name);
    if (found == object.end()) fail(name, "is missing");
    return *found;
}

const Json& object(const Json& of, const char* name) {
    const Json& j = member(of, name);
    if (!j.is_object()) fail(name, "is no object");
    return j;
}

const Json& list(const Json& of, const char* name, std::size_t most) {
    const Json& j = member(of, name);
    if (!j.is_array()) fail(name, "is no list");
    if (j.size() > most) fail(name, fmt::format("has more than {} members", most));
    return j;
}

std::int64_t whole(const Json& of, const char* name, std::int64_t min, std::int64_t max) {
    const Json& j = member(of, name);
    const bool fits =
        j.is_number_unsigned()
            ? max >= 0 && j.get<std::uint64_t>() <= static_cast<std::uint64_t>(max) &&
                  (min <= 0 || j.get<std::uint64_t>() >= static_cast<std::uint64_t>(min))
            : j.is_number_integer() && j.get<std::int64_t>() >= min && j.get<std::int64_t>() <= max;
    if (!fits) fail(name, fmt::format("is no whole number in {}..{}", min, max));
    return j.get<std::int64_t>();
}

std::uint64_t natural(const Json& of, const char* name, std::uint64_t max) {
    const Json& j = member(of, name);
    const bool whole =
        j.is_number_unsigned() || (j.is_number_integer() && j.get<std::int64_t>() >= 0);
    if (!whole || j.get<std::uint64_t>() > max) {
        fail(name, fmt::format("is no whole number in 0..{}", max));
    }
    return j.get<std::uint64_t>();
}

double real(const Json& of, const char* name, double min, double max) {
    const Json& j = member(of, name);
    const double value = j.is_number() ? j.get<double>() : std::nan("");
    if (!(value >= min && value <= max)) {
        fail(name, fmt::format("is no number in {}..{}", min, max));
    }
    return value;
}

bool flag(const Json& of, const char* name) {
    const Json& j = member(of, name);
    if (!j.is_boolean()) fail(name, "is neither true nor false");
    return j.get<bool>();
}

std::string text(const Json& of, const char* name, std::size_t most) {
    const Json& j = member(of, name);
    if (!j.is_string()) fail(name, "is no text");
    const auto& value = j.get_ref<const std::string&>();
    if (value.size() > most) fail(name, fmt::format("has more than {} bytes", most));
    if (value.find('\0') != std::string::npos) fail(name, "has a zero byte");
    return value;
}

std::int64_t whole_or(const Json& of, const char* name, std::int64_t other, std::int64_t min,
                      std::int64_t max) {
    if (!of.is_object()) fail(name, "is asked of something that is no object");
    return of.contains(name) ? whole(of, name, min, max) : other;
}

std::string text_or(const Json& of, const char* name, const std::string& other, std::size_t most) {
    if (!of.is_object()) fail(name, "is asked of something that is no object");
    return of.contains(name) ? text(of, name, most) : other;
}

std::vector<std::string> texts(const Json& of, const char* name, std::size_t most,
                               std::size_t most_bytes) {
    std::vector<std::string> out;
    for (const Json& j : list(of, name, most)) {
        if (!j.is_string() || j.get_ref<const std::string&>().size() > most_bytes) {
            fail(name, fmt::format("has a member that is no text of up to {} bytes", most_bytes));
        }
        out.push_back(j.get<std::string>());
    }
    return out;
}

std::vector<double> reals(const Json& of, const char* name, std::size_t most, double min,
                          double max) {
    std::vector<double> out;
    for (const Json& j : list(of, name, most)) {
        const double value = j.is_number() ? j.get<double>() : std::nan("");
        if (!(value >= min && value <= max)) {
            fail(name, fmt::format("has a member that is no number in {}..{}", min, max));
        }
        out.push_back(value);
    }
    return out;
}

std::string printable(std::string_view text, std::size_t most) {
    std::string out;
    for (const char c : text.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F) {
            out += fmt::format("\\x{:02x}", byte);
        } else {
            out += c;
        }
    }
    // Terminals also obey the control characters U+0080 to U+009F.
    for (std::size_t at = 0; (at = out.find('\xC2', at)) != std::string::npos; ++at) {
        if (at + 1 < out.size() && static_cast<unsigned char>(out[at + 1]) < 0xA0) out[at] = '?';
    }
    if (text.size() > most) out += "...";
    return out;
}

}  // namespace karikomi::strict
