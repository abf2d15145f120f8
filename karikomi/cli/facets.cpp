#include "karikomi/cli/facets.hpp"

#include <algorithm>
#include <cctype>

namespace karikomi::cli {

std::vector<std::pair<std::string, std::string>> grouped_titles(
    const std::function<std::string(const GameModule&)>& text_of) {
    std::vector<std::pair<std::string, std::string>> groups;
    for (const GameModule* m : games()) {
        const std::string text = m->listed ? text_of(*m) : std::string();
        if (text.empty()) continue;
        const auto same = std::find_if(groups.begin(), groups.end(),
                                       [&](const auto& g) { return g.first == text; });
        if (same == groups.end()) {
            groups.emplace_back(text, m->title);
        } else {
            same->second += ", " + m->title;
        }
    }
    return groups;
}

std::vector<std::string> examples_of(
    const std::function<std::vector<std::string>(const GameModule&)>& of) {
    std::vector<std::string> all;
    for (const GameModule* m : games()) {
        for (std::string& example : of(*m)) all.push_back(std::move(example));
    }
    return all;
}

std::vector<std::string> examples_for(const std::string& command, const std::string& usual) {
    const auto own = examples_of([&](const GameModule& m) {
        const auto it = m.examples.find(command);
        return it == m.examples.end() ? std::vector<std::string>() : it->second;
    });
    return own.empty() ? std::vector<std::string>{usual} : own;
}

void FacetOptions::add_to(Command& command, const OptionsOf& of) {
    std::size_t with_facet = 0;
    for (const GameModule* m : games()) {
        const auto options = of(*m);
        if (!m->listed || options.empty()) continue;
        ++with_facet;
        for (const OptionInfo& o : options) {
            const auto same = std::find_if(known_.begin(), known_.end(),
                                           [&](const Known& k) { return k.info.name == o.name; });
            if (same == known_.end()) {
                known_.push_back({o, {m}});
            } else {
                same->owners.push_back(m);
            }
        }
    }
    for (const Known& k : known_) {
        const std::string help = help_of(k, with_facet);
        const auto keep = [given = given_, info = k.info](const std::string& text) {
            OptionValues check({info});
            require(check.set(info.name, text));
            given->emplace_back(info.name, text);
        };
        const bool is_switch = k.info.kind == OptionInfo::Kind::Switch;
        Option option = is_switch ? add_seen(
                                        command, k.info.name, [keep] { keep("true"); }, help)
                                  : add_read(command, k.info.name, keep, help);
        if (!is_switch) {
            option.type_name(k.info.type);
            if (!k.info.value.empty()) option.default_text(k.info.value);
        }
        if (!k.info.group.empty()) option.group(k.info.group);
    }
}

std::string FacetOptions::help_of(const Known& known, std::size_t games) const {
    std::string help = known.info.help;
    if (known.owners.size() < games) {
        std::vector<std::string> titles;
        for (const GameModule* m : known.owners) titles.push_back(m->title);
        return fmt::format("{}: {}", fmt::join(titles, ", "), help);
    }
    if (!help.empty())
        help[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(help[0])));
    return help;
}

OptionValues FacetOptions::values_for(const GameModule& module, const OptionsOf& of) const {
    const auto own = of(module);
    OptionValues values(own);
    for (const auto& [name, text] : *given_) {
        const bool is_own = std::any_of(own.begin(), own.end(),
                                        [&n = name](const OptionInfo& o) { return o.name == n; });
        if (is_own) {
            require(values.set(name, text));
            continue;
        }
        std::vector<std::string> owners;
        for (const Known& k : known_) {
            if (k.info.name != name) continue;
            for (const GameModule* m : k.owners) owners.push_back(m->name);
        }
        throw Failure({fmt::format("{} is for {}", name, fmt::join(owners, " and ")),
                       fmt::format("drop it for {}", module.name)});
    }
    return values;
}

}  // namespace karikomi::cli
