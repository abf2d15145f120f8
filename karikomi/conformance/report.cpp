#include "karikomi/conformance/report.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace karikomi::conformance {

Check& Report::find(std::string_view check) {
    const auto is_it = [&](const Check& c) { return c.name == check; };
    const auto it = std::find_if(checks_.begin(), checks_.end(), is_it);
    if (it != checks_.end()) return *it;
    return checks_.emplace_back(Check{std::string(check), 0, 0, {}});
}

void Report::warn(const std::string& text) {
    if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) {
        warnings_.push_back(text);
    }
}

void Report::set_abilities(std::vector<Ability> abilities) {
    abilities_ = std::move(abilities);
    for (const Ability& a : abilities_) {
        for (const std::string& miss : a.near_misses) warn(fmt::format("{}: {}", a.name, miss));
    }
}

bool Report::passed() const {
    return !checks_.empty() && std::none_of(checks_.begin(), checks_.end(),
                                            [](const Check& c) { return c.failed > 0; });
}

bool Report::failed(std::string_view check) const {
    return std::any_of(checks_.begin(), checks_.end(),
                       [&](const Check& c) { return c.name == check && c.failed > 0; });
}

std::string Report::text() const {
    std::string out = fmt::format("{}: {}\n", game_, passed() ? "conforms" : "DOES NOT CONFORM");
    for (const Check& c : checks_) {
        if (c.failed == 0) {
            out += fmt::format("  ok      {:<22} {:>8} cases\n", c.name, c.cases);
            continue;
        }
        out += fmt::format("  FAILED  {:<22} {:>8} of {} cases\n", c.name, c.failed, c.cases);
        for (const std::string& e : c.examples) out += fmt::format("            {}\n", e);
    }
    out += "abilities that the search found:\n";
    std::vector<std::string> missing;
    for (const Ability& a : abilities_) {
        if (a.found) out += fmt::format("  {:<24} {}\n", a.name, a.effect);
        if (!a.found) missing.push_back(a.name);
    }
    if (!missing.empty()) out += fmt::format("not offered: {}\n", fmt::join(missing, ", "));
    for (const std::string& w : warnings_) out += fmt::format("warning: {}\n", w);
    for (const std::string& n : notes_) out += fmt::format("note: {}\n", n);
    return out;
}

}  // namespace karikomi::conformance
