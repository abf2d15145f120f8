/// Opening rules as the page asks for them: gomoku's swap2, renju's RIF rules.
#include <algorithm>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/games/renju/facets.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/games/renju/opening.hpp"

namespace karikomi::renju {
namespace {
using Words = std::vector<std::string>;

// In the order of Ask and Decision.
constexpr std::array<const char*, 7> kAsks = {
    "stone", "swap", "swap_or_add", "play_or_offer", "offer_stone", "choose_offer", "nothing"};
constexpr std::array<const char*, 5> kDecisions = {"stay", "swap", "add", "play", "offer"};
template <class Names> auto index_of(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
}

Status take_step(Opening& opening, const std::string& step, int size) {
    const auto d = index_of(kDecisions, step);
    if (d < static_cast<std::ptrdiff_t>(kDecisions.size())) {
        return opening.decide(static_cast<Decision>(d));
    }
    const Cell c = Notation::parse_cell(step, size);
    if (c == kNoCell) {
        return Error{fmt::format("'{}' is neither a cell of the board nor a decision", step),
                     "send one of the answers"};
    }
    return opening.place(c);
}

Words cell_names(const std::vector<Cell>& cells) {
    Words out;
    for (const Cell c : cells) out.push_back(Notation::format_cell(c));
    return out;
}

/// Every step that may come next: tried on a copy, so that the rule itself is the only judge.
Words answers(const Opening& opening, int size) {
    Words out;
    for (std::size_t d = 0; d < kDecisions.size(); ++d) {
        if (Opening(opening).decide(static_cast<Decision>(d))) out.emplace_back(kDecisions.at(d));
    }
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            const Cell c = cell_at(x, y);
            if (Opening(opening).place(c)) out.push_back(Notation::format_cell(c));
        }
    }
    return out;
}

Expected<Json> follow(const OpeningOrder& order) {
    const int size = order.size == 0 ? kUsualSize : order.size;
    if (size < kMinSize || size > kMaxSize) {
        return Error{fmt::format("a board of {} x {} is not played on", size, size),
                     fmt::format("choose a size from {} to {}", kMinSize, kMaxSize)};
    }
    Opening opening(static_cast<OpeningRule>(index_of(kOpeningNames, order.rule)), size);
    std::vector<int> players;
    for (const std::string& step : order.steps) {
        players.push_back(opening.player());
        if (const Status s = take_step(opening, step, size); !s) {
            return Error{fmt::format("step {}: {}", players.size(), s.error().what),
                         s.error().remedy};
        }
    }
    return Json{{"ask", kAsks.at(static_cast<std::size_t>(opening.ask()))},
                {"player", opening.player()},
                {"black", opening.player_of(kBlack)},
                {"side", opening.colour() == kBlack ? "first" : "second"},
                {"reach", opening.reach() < size ? Json(opening.reach()) : Json()},
                {"answers", answers(opening, size)},
                {"stones", cell_names(opening.stones())},
                {"offers", cell_names(opening.offers())},
                {"offers_wanted", opening.offers_wanted()},
                {"players", players}};
}

}  // namespace

std::optional<OpeningsFacet> openings_facet(Rule rule) {
    switch (rule) {
        case Rule::Freestyle:
            return OpeningsFacet{{"swap2"}, follow};
        case Rule::Renju:
            return OpeningsFacet{{"rif", "taraguchi10"}, follow};
        case Rule::Standard:
            break;
    }
    return std::nullopt;
}

}  // namespace karikomi::renju
