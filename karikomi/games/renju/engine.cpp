/// The only place that instantiates the search for renju and gomoku: one game, three names, because
/// each rule has its own parameters.
#include "karikomi/games/renju/engine.hpp"

#include "karikomi/engine/game_engine.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/weights.hpp"
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

/// What the three names differ in.
struct Variant {
    Rule rule;
    const char* name;
    const char* title;
    const char* rules;
    std::string_view params;
    const char* variable;  ///< of the environment, for weights
};
const std::array<Variant, 3>& variants() {
    static const std::array<Variant, 3> kVariants = {{
        {Rule::Freestyle, "gomoku", "Gomoku",
         "15x15; five or more in a row win; --rule standard: exactly five", params::kGomoku,
         "KARIKOMI_GOMOKU_WEIGHTS"},
        {Rule::Standard, "standard_gomoku", "Gomoku, standard rule",
         "15x15; exactly five in a row win", params::kStandardGomoku,
         "KARIKOMI_STANDARD_GOMOKU_WEIGHTS"},
        {Rule::Renju, "renju", "Renju",
         "15x15; Black wins with exactly five in a row, White with five or more; double threes, "
         "double fours and overlines are forbidden to Black",
         params::kRenju, "KARIKOMI_RENJU_WEIGHTS"},
    }};
    return kVariants;
}
const Variant& variant_of(Rule rule) {
    return variants()[static_cast<std::size_t>(rule)];
}

std::unique_ptr<Engine> make_with(std::shared_ptr<const Weights> weights) {
    const Variant& v = variant_of(weights->rule());
    GameInfo info = info_of(v.name, v.rule);
    info.title = v.title;
    info.rules = v.rules;
    const std::string text = parameters_for(v.params, weights->id());
    auto engine =
        std::make_unique<GameEngine<Game>>(std::move(info), text, Evaluator(std::move(weights)));
    (void)engine->set_rule("rule", kRuleNames[static_cast<std::size_t>(v.rule)]);
    return engine;
}

Expected<std::shared_ptr<const Weights>> read_weights(const std::string& file, Rule rule) {
    if (file == "hand") return std::make_shared<const Weights>(Weights::by_hand(rule));
    auto weights = Weights::load(file);
    if (!weights) return weights.error();
    if (weights->rule() != rule) {
        return Error{fmt::format("{} is for the rule {}", file,
                                 kRuleNames[static_cast<std::size_t>(weights->rule())]),
                     "name a file of weights for this rule"};
    }
    return std::make_shared<const Weights>(std::move(*weights));
}

Expected<std::unique_ptr<Engine>> make(Rule rule, const EngineOptions& options) {
    const auto weights = choose_weights(
        options, variant_of(rule).variable, [rule] { return built_in_weights(rule); },
        [rule](const std::string& file) { return read_weights(file, rule); });
    if (!weights) return weights.error();
    return make_with(*weights);
}

}  // namespace

Expected<std::unique_ptr<Engine>> make_renju_engine(const EngineOptions& options) {
    return make(Rule::Renju, options);
}

Expected<std::unique_ptr<Engine>> make_gomoku_engine(const EngineOptions& options) {
    return make(Rule::Freestyle, options);
}

Expected<std::unique_ptr<Engine>> make_standard_gomoku_engine(const EngineOptions& options) {
    return make(Rule::Standard, options);
}

std::unique_ptr<Engine> make_training_engine(std::shared_ptr<const Weights> weights) {
    return make_with(std::move(weights));
}

}  // namespace karikomi::renju
