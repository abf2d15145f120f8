/// The module of a game that needs nothing special: its engine, its parameters, its board.
#pragma once

#include "karikomi/core/horizon.hpp"
#include "karikomi/engine/game_engine.hpp"
#include "karikomi/engine/grid.hpp"
#include "karikomi/engine/module.hpp"

namespace karikomi {

/// Tells what stands on each cell of a grid, as read_cells() takes it.
template <class N, class G>
concept ShowsCells = requires(const typename G::Position& pos) {
    { N::cells(pos) } -> std::same_as<std::string>;
};

/// `params` is the text of a parameter file; empty: the library's defaults.
template <Game G> GameModule make_module(GameInfo info, std::string params = {}) {
    GameModule m;
    m.name = G::kName;
    m.title = info.title;
    m.make = [info = std::move(info), params = std::move(params)](
                 const EngineOptions& options) -> Expected<std::unique_ptr<Engine>> {
        if (!options.weights.empty()) {
            return Error{std::string(G::kName) + ": there are no weights to choose",
                         "leave them out"};
        }
        std::unique_ptr<Engine> engine = std::make_unique<GameEngine<G>>(
            info, params.empty() ? empty_params(G::kName, typename G::Evaluator{}.id()) : params);
        return engine;
    };
    return m;
}

/// The same, with a board that a page can draw: size and labels come from `board`, the cells from
/// the notation, the squares of a move from its text.
template <Game G>
requires ShowsCells<typename G::Notation, G> GameModule make_module(GameInfo info, BoardFacet board,
                                                                    std::string params = {}) {
    GameModule m = make_module<G>(std::move(info), std::move(params));
    const BoardFacet labels = board;
    board.cells = [](const std::string& text) -> Expected<std::vector<BoardCell>> {
        const auto pos = G::Notation::parse(text);
        if (!pos) return pos.error();
        return read_cells(G::Notation::cells(*pos));
    };
    if (!board.shape) {
        board.shape = [labels](const std::string&, const std::string& move) {
            return shape_by_labels(labels, move);
        };
    }
    m.board = std::move(board);
    return m;
}

}  // namespace karikomi
