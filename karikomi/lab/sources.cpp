/// Positions and games of files, as collecting wants them.
#include <fstream>

#include <fmt/format.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/collect.hpp"

namespace karikomi::lab {
Expected<std::vector<match::Opening>> read_games(const std::string& game,
                                                 const std::vector<std::string>& files) {
    const auto module = game_called(game);
    if (!module) return module.error();
    if (!(*module)->records) {
        return Error{fmt::format("records of {} are not known", game), "use --positions"};
    }
    std::vector<match::Opening> out;
    for (const std::string& file : files) {
        const auto records = (*module)->records->load(file, {});
        if (!records) return records.error();
        for (std::size_t i = 0; i < (*records)->size(); ++i) {
            const PlayedGame played = (*records)->game(i);
            if (!played.rules.empty()) continue;  // the engine's board is the usual one
            match::Opening& o = out.emplace_back();
            o.position = played.start;
            for (const PlayedMove& m : played.moves) o.moves.push_back(m.move);
        }
    }
    if (out.empty()) return Error{"there is no game in the records", "name other files"};
    return out;
}

Expected<std::vector<match::Opening>> read_positions(Engine& referee, const std::string& file) {
    std::ifstream in(file);
    if (!in) return Error{fmt::format("cannot read '{}'", file), "check the path"};
    std::vector<match::Opening> out;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.empty() || line[0] == '#' || line == "\r") continue;
        auto opening = match::parse_opening(referee, line);
        if (!opening) {
            return Error{fmt::format("{}:{}: {}", file, number, opening.error().what),
                         opening.error().remedy};
        }
        out.push_back(std::move(*opening));
    }
    if (out.empty()) return Error{fmt::format("'{}' has no positions", file), "fill it"};
    return out;
}

}  // namespace karikomi::lab
