#include "karikomi/games/shogi/module.hpp"

#include "karikomi/games/shogi/engine.hpp"
#include "karikomi/games/shogi/facets.hpp"

namespace karikomi::shogi {

GameModule module() {
    GameModule m;
    m.name = "shogi";
    m.title = "Shogi";
    m.make = make_engine;
    m.records = records_facet();
    m.notation = notation_facet();
    m.solver = solver_facet();
#if !defined(KARIKOMI_BROWSER)  // which has no command line
    m.train = train_facet();
    m.book = book_facet();
    m.protocols = protocol_facets();
#endif
    return m;
}

}  // namespace karikomi::shogi
