#include "karikomi/engine/options.hpp"

#include <cctype>
#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

#include "karikomi/base/text.hpp"

namespace karikomi {

OptionInfo switch_option(std::string name, std::string help) {
    OptionInfo o;
    o.name = std::move(name), o.help = std::move(help);
    o.kind = OptionInfo::Kind::Switch;
    return o;
}

OptionInfo number_option(std::string name, std::int64_t value, std::int64_t least,
                         std::int64_t most, std::string help) {
    OptionInfo o;
    o.name = std::move(name), o.help = std::move(help), o.type = "N";
    o.kind = OptionInfo::Kind::Number;
    o.least = static_cast<double>(least), o.most = static_cast<double>(most);
    if (value >= least) o.value = std::to_string(value);
    return o;
}

OptionInfo real_option(std::string name, double value, double least, double most, std::string type,
                       std::string help) {
    OptionInfo o;
    o.name = std::move(name), o.help = std::move(help), o.type = std::move(type);
    o.kind = OptionInfo::Kind::Real;
    o.least = least, o.most = most;
    o.value = fmt::format("{}", value);
    return o;
}

OptionInfo text_option(std::string name, std::string type, std::string help, std::string value) {
    OptionInfo o;
    o.name = std::move(name), o.help = std::move(help), o.type = std::move(type);
    o.value = std::move(value);
    return o;
}

Expected<std::int64_t> read_whole(const std::string& name, const std::string& text,
                                  std::int64_t least, std::int64_t most) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    const bool is_number = stop == end && !text.empty() && code != std::errc::invalid_argument;
    if (!is_number) {
        return Error{fmt::format("{}: '{}' is not a whole number", name, text),
                     fmt::format("give one in {}..{}", least, most)};
    }
    if (code == std::errc::result_out_of_range || value < least || value > most) {
        return Error{fmt::format("{}: {} outside {}..{}", name, text, least, most),
                     "choose a value inside"};
    }
    return value;
}

OptionValues::OptionValues(const std::vector<OptionInfo>& declared) {
    for (const OptionInfo& o : declared) values_[o.name] = {o, false};
}

Status OptionValues::set(const std::string& name, const std::string& value) {
    const auto it = values_.find(name);
    if (it == values_.end()) return Error{fmt::format("there is no option '{}'", name)};
    OptionInfo& info = it->second.info;
    if (info.kind == OptionInfo::Kind::Number) {
        const auto n = read_whole(name, value, static_cast<std::int64_t>(info.least),
                                  static_cast<std::int64_t>(info.most));
        if (!n) return n.error();
    }
    if (info.kind == OptionInfo::Kind::Real) {
        double x = 0;
        const char* const end = value.data() + value.size();
        const auto [stop, code] = read_real(value.data(), end, x);
        if (code != std::errc() || stop != end || !(x >= info.least && x <= info.most)) {
            std::string thing = info.type;
            for (char& c : thing)
                c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            return Error{fmt::format("{}: '{}' is not a number of {}", name, value, thing),
                         fmt::format("give one in {}..{}, such as 2.5", info.least, info.most)};
        }
    }
    if (info.kind == OptionInfo::Kind::Text && value.empty()) {
        return Error{name + ": the name is empty", "give a " + info.type};
    }
    info.value = value;
    it->second.given = true;
    return {};
}

bool OptionValues::is_given(std::string_view name) const {
    return held(name).given;
}

const OptionValues::Held& OptionValues::held(std::string_view name) const {
    const auto it = values_.find(name);
    if (it == values_.end()) throw std::logic_error(fmt::format("option {} is not declared", name));
    return it->second;
}

const std::string& OptionValues::text(std::string_view name) const {
    return held(name).info.value;
}

bool OptionValues::flag(std::string_view name) const {
    return held(name).info.value == "true";
}

std::int64_t OptionValues::number(std::string_view name) const {
    const OptionInfo& info = held(name).info;
    if (info.value.empty()) return static_cast<std::int64_t>(info.least) - 1;
    return std::stoll(info.value);
}

double OptionValues::real(std::string_view name) const {
    const OptionInfo& info = held(name).info;
    return info.value.empty() ? info.least : std::stod(info.value);
}

}  // namespace karikomi
