#include "karikomi/games/othello/module.hpp"

#include "karikomi/games/othello/engine.hpp"
#include "karikomi/games/othello/facets.hpp"
#include "karikomi/games/othello/records.hpp"

namespace karikomi::othello {

GameModule module() {
    GameModule m;
    m.name = "othello";
    m.title = "Othello";
    m.make = make_engine;
    m.records = records_facet();
    m.solver = solver_facet();
#if !defined(KARIKOMI_BROWSER)  // which has no command line
    m.train = train_facet();
    m.protocols = protocol_facets();
    m.book = book_facet();
    m.examine = examine_book;
#endif
    m.margin = [](const std::string& position) -> std::optional<int> {
        const auto end = parse_obf(position);
        if (!end) return std::nullopt;
        GameRecord game;
        game.start = *end;
        return final_result(game);
    };
    m.examples = {
        {"lab verify",
         {"karikomi lab collect othello --games 3 --depth 7 && karikomi lab verify othello "
          "--only audit"}},
        {"lab futility",
         {"karikomi lab collect othello --games 2 --depth 2 && karikomi lab futility "
          "othello --depth 3"}}};
    return m;
}

}  // namespace karikomi::othello
