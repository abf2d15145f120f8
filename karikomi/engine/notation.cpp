#include "karikomi/engine/notation.hpp"

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/module.hpp"
#include "karikomi/engine/registry.hpp"

namespace karikomi {

Json names_of_line(const GameModule& module, const std::string& start,
                   const std::vector<std::string>& before, const std::vector<std::string>& line) {
    Json out = Json::object();
    if (!module.notation || line.empty()) return out;
    std::vector<std::string> all = before;
    all.insert(all.end(), line.begin(), line.end());
    for (const MoveStyle& style : module.notation->styles) {
        const auto names = module.notation->names(start, all, style.name);
        if (!names) return Json::object();
        out[style.name] = std::vector<std::string>(
            names->begin() + static_cast<std::ptrdiff_t>(before.size()), names->end());
    }
    return out;
}

void add_names(Json& found, const std::string& game, const std::string& start,
               const std::vector<std::string>& before) {
    const GameModule* const module = find_game(game);
    if (module == nullptr || !module->notation || !found.is_object()) return;
    for (const char* const member : {"pv", "line"}) {
        const auto line = found.find(member);
        if (line == found.end() || !line->is_array() || line->empty()) continue;
        Json names = names_of_line(*module, start, before, line->get<std::vector<std::string>>());
        if (!names.empty()) found["names"] = std::move(names);
    }
    if (const auto lines = found.find("lines"); lines != found.end()) {
        for (Json& line : *lines) add_names(line, game, start, before);
    }
}

}  // namespace karikomi
