/// The only place that instantiates the search for renju and gomoku: one game, three names, because
/// each rule has its own parameters.
#include "karikomi/games/renju/engine.hpp"

#include <cstdlib>
#include <stdexcept>

#include "karikomi/engine/game_engine.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/params/gomoku.hpp"
#include "karikomi/params/renju.hpp"
#include "karikomi/params/standard_gomoku.hpp"

namespace karikomi::renju {

static_assert(HasRules<Game> && HasForbidden<Game>);

namespace {

GameInfo info_of(std::string name, Rule rule) {
    GameInfo info;
    info.name = std::move(name);
    info.position_help =
        "rows from the top separated by '/', X black, O white, numbers for empty runs, then the "
        "side b or w; empty for the start position";
    info.protocols = {"gomocup"};
    info.rule_options = {{"rule",
                          std::string(kRuleNames[static_cast<std::size_t>(rule)]),
                          {kRuleNames.begin(), kRuleNames.end()},
                          0,
                          "who wins by how many stones in a row, and what Black may not do"},
                         {"size",
                          std::to_string(kUsualSize),
                          {},
                          kMaxSize,
                          "of a new board: 5 to 22; 15 and 20 are usual"}};
    info.max_level = Game::kMaxLevel;
    // From games of our own with random openings.
    info.samples = {
        {"15/15/15/15/15/6X8/15/6OX7/9O5/15/15/15/15/15/15 b", 6},
        {"15/15/15/15/15/8OOX4/7OOXXX3/8O1X4/6XX2O4/7O7/15/15/15/15/15 b", 8},
        {"15/15/15/15/15/6X8/7O7/15/15/6XO7/15/15/15/15/15 b", 6},
        {"15/15/15/15/15/6X8/15/15/5O2XO5/15/15/15/15/15/15 b", 6},
        {"15/15/15/15/15/5X9/15/5O9/6X1XX5/5OXO7/6O8/15/15/15/15 w", 7},
        {"15/15/15/7XX6/5OXOO6/5O1XOO5/6XXOX5/7X7/7OX6/9O5/10X4/15/15/15/15 w", 6},
        {"15/15/15/15/4O10/5X1O1O5/5XXOX6/4OO1X7/2XOXXXO7/3O1OXO7/4X1O8/5X9/15/15/15 b", 6},
    };
    return info;
}

/// Other weights than the built-in ones, for whoever trains: a file named in the environment, or
/// "hand" for the numbers set by hand.
void choose_weights(Rule rule, const char* variable) {
    const char* const file = std::getenv(variable);
    if (file == nullptr) return;
    if (std::string_view(file) == "hand") return use_weights(Weights::by_hand(rule));
    const auto weights = Weights::load(file);
    if (!weights) {
        throw std::runtime_error(fmt::format("{}: {}", variable, weights.error().what));
    }
    if (weights->rule() != rule) {
        throw std::runtime_error(
            fmt::format("{}: {} is for the rule {}", variable, file,
                        kRuleNames[static_cast<std::size_t>(weights->rule())]));
    }
    use_weights(*weights);
}

/// Fitted parameters belong to one evaluation: with another, the calibration is left out.
std::string parameters_for(std::string_view shipped, const std::string& evaluation) {
    Json json = Json::parse(shipped);
    if (json["evaluation"] != evaluation) {
        json["evaluation"] = evaluation;
        json["multi_probcut"]["enabled"] = false;
        json["probcut"]["enabled"] = false;
        json.erase("calibration");
    }
    return json.dump();
}

std::unique_ptr<Engine> make(GameInfo info, Rule rule, std::string_view params) {
    // Read once: engines of other threads hold on to the weights.
    static const bool kChosen = [] {
        choose_weights(Rule::Renju, "KARIKOMI_RENJU_WEIGHTS");
        choose_weights(Rule::Freestyle, "KARIKOMI_GOMOKU_WEIGHTS");
        choose_weights(Rule::Standard, "KARIKOMI_STANDARD_GOMOKU_WEIGHTS");
        return true;
    }();
    (void)kChosen;
    info.evaluation = active_weights(rule).id();
    const std::string text = parameters_for(params, info.evaluation);
    auto engine = std::make_unique<GameEngine<Game>>(std::move(info), text);
    (void)engine->set_rule("rule", kRuleNames[static_cast<std::size_t>(rule)]);
    return engine;
}

}  // namespace

std::unique_ptr<Engine> make_renju_engine() {
    GameInfo info = info_of("renju", Rule::Renju);
    info.title = "Renju";
    info.rules =
        "15x15; Black wins with exactly five in a row, White with five or more; double threes, "
        "double fours and overlines are forbidden to Black";
    return make(std::move(info), Rule::Renju, params::kRenju);
}

std::unique_ptr<Engine> make_gomoku_engine() {
    GameInfo info = info_of("gomoku", Rule::Freestyle);
    info.title = "Gomoku";
    info.rules = "15x15; five or more in a row win; --rule standard: exactly five";
    return make(std::move(info), Rule::Freestyle, params::kGomoku);
}

std::unique_ptr<Engine> make_standard_gomoku_engine() {
    GameInfo info = info_of("standard_gomoku", Rule::Standard);
    info.title = "Gomoku, standard rule";
    info.rules = "15x15; exactly five in a row win";
    return make(std::move(info), Rule::Standard, params::kStandardGomoku);
}

}  // namespace karikomi::renju
