/// A whole game looked at by the engine: what each move lost, and where the game turned.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "karikomi/engine/module.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi::lab {

struct ReviewPlan {
    Limits limits;             ///< of each position's search
    std::string style;         ///< of the moves' names; empty: the game's own notation
    std::size_t most = 5;      ///< turning points
    double turning_loss = 1.;  ///< in the game's unit: a move that lost less turns nothing
    StopToken stop{};
    std::function<void(std::size_t done, std::size_t all)> progress{};
};

/// What a search says of a position. Values are the first player's, in the game's unit.
struct Judgement {
    double value = 0;
    int plies_to_win = 0;   ///< not 0: somebody wins so soon, the first player where value > 0
    bool is_final = false;  ///< the game is over there
    int depth = 0;
    std::vector<std::string> line{};   ///< the best moves; empty where the game is over
    std::vector<std::string> names{};  ///< the same, for people
};

struct ReviewedMove {
    int number = 0;  ///< from 1
    int side = 0;
    std::string move;
    std::string name;  ///< for people
    Judgement before;
    std::optional<Judgement> after;  ///< nothing: the review was stopped
    double loss = 0;                 ///< for the mover, never below 0; 0 for the best move
    std::string diagram;             ///< of the position before it; of turning points
    bool turning = false;
};

struct Review {
    std::string game;
    std::string title;
    PlayedGame played;
    std::vector<ReviewedMove> moves;  ///< as far as it came
    bool complete = false;
    /// Mean loss of a move, of each player; nothing where he has made none.
    std::array<std::optional<double>, 2> mean_loss{};

    /// Moves that lost most, in the order of the game.
    std::vector<const ReviewedMove*> turning_points() const;
};

Expected<Review> review_game(Engine& engine, const GameModule& module, const PlayedGame& game,
                             const ReviewPlan& plan);

enum class Tongue : bool { English, Japanese };

/// "+1.2", "win in 5" (for the first player), as `tongue` has it.
std::string value_text(const Judgement& judgement, Tongue tongue);
/// "23. P-7f lost 3.2; better S-4h (S-4h P-3d)".
std::string sentence_of(const ReviewedMove& move, Tongue tongue);
Json to_json(const Review& review);
/// The game with what the review says as comments, and the better lines as branches.
PlayedGame annotated(const Review& review, Tongue tongue);

}  // namespace karikomi::lab
