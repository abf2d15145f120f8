/// The evaluation's weights, the games that train them, and fits that learn.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/renju/evaluator.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/games/renju/training/fit.hpp"
#include "karikomi/games/renju/training/samples.hpp"
#include "karikomi/games/renju/training/self_play.hpp"
#include "tests/cli/process.hpp"
#include "tests/games/self_play_cases.hpp"

namespace karikomi::renju {
namespace {

namespace fs = std::filesystem;

class RenjuTraining : public testing::Test {
public:
    SelfPlayOptions options(const std::string& name) const {
        SelfPlayOptions o;
        o.folder = folder_ / name;
        o.chunks = 2;
        o.games_per_chunk = 8;
        o.nodes = 40;
        o.seed = 7;
        return o;
    }
    std::vector<TrainingGame> play(const SelfPlayOptions& o, Rule rule = Rule::Renju) const {
        EXPECT_TRUE(play_games(built_in_weights(rule), o));
        return *read_games(o.folder);
    }

    static bool same(const std::vector<TrainingGame>& a, const std::vector<TrainingGame>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const TrainingGame& x, const TrainingGame& y) {
                              return x.winner == y.winner && x.held_out == y.held_out &&
                                     std::equal(x.plies.begin(), x.plies.end(), y.plies.begin(),
                                                y.plies.end(), [](const Ply& p, const Ply& q) {
                                                    return p.played == q.played &&
                                                           p.best == q.best && p.value == q.value;
                                                });
                          });
    }
    static fs::path first_chunk(const SelfPlayOptions& o) { return games_path(o.folder, 0); }

    const tests::TemporaryFolder temporary_;
    const fs::path folder_ = temporary_.path();
};

Position after(const std::string& moves, Rule rule = Rule::Renju) {
    Position pos(Rules{rule, kUsualSize});
    for (const std::string& m : Notation::split_moves(moves)) {
        Undo undo;
        pos.make(Move::from_cell(Notation::parse_cell(m, kUsualSize)), undo);
    }
    return pos;
}

// ---- Weights ------------------------------------------------------------------------------------

TEST_F(RenjuTraining, ClassesIgnoreTheOrderOfDirections) {
    const CodeClasses& classes = code_classes();
    EXPECT_EQ(classes.of[0x1234], classes.of[0x4321]);
    EXPECT_EQ(classes.of[0x1234], classes.of[0x2143]);
    EXPECT_NE(classes.of[0x1234], classes.of[0x1233]);
    for (std::size_t c = 0; c < kCodeClasses; ++c) ASSERT_EQ(classes.of[classes.example[c]], c);
}

TEST_F(RenjuTraining, WeightsComeBackFromAFileAsTheyWere) {
    Weights::Tables tables = Weights::by_hand(Rule::Standard).tables();
    tables[1].cells[77] = {-321, 32'000};
    tables[0].moves[5].order_take = -400'000;
    const Weights weights(Rule::Standard, tables);
    ASSERT_TRUE(weights.save(folder_ / "w.bin"));
    const auto back = Weights::load(folder_ / "w.bin");
    ASSERT_TRUE(back) << back.error().what;
    EXPECT_EQ(back->id(), weights.id());
    EXPECT_EQ(back->rule(), Rule::Standard);
    EXPECT_EQ(back->of(1).cells[77].moving, -321);
    EXPECT_EQ(back->of(0).moves[5].order_take, -400'000);
    tables[1].cells[77].moving = -320;
    EXPECT_NE(Weights(Rule::Standard, tables).id(), weights.id()) << "other numbers, other name";
}

TEST_F(RenjuTraining, DamagedWeightsAreRefused) {
    auto bytes = Weights::by_hand(Rule::Renju).to_bytes();
    ASSERT_TRUE(Weights::from_bytes(bytes, "x"));
    EXPECT_FALSE(Weights::from_bytes(std::span(bytes).first(10), "x"));
    EXPECT_FALSE(Weights::from_bytes(std::span(bytes).first(bytes.size() - 3), "x"));
    bytes[8] = std::byte{9};
    EXPECT_FALSE(Weights::from_bytes(bytes, "x")) << "no such rule";
    EXPECT_FALSE(Weights::load(folder_ / "none.bin"));
}

/// What the evaluator adds up move by move is what the fit adds up from the board.
TEST_F(RenjuTraining, TheFitSeesThePositionAsTheEvaluatorDoes) {
    for (const Rule rule : {Rule::Freestyle, Rule::Standard, Rule::Renju}) {
        const Position pos = after("h8 i9 g9 i7 i8 g8 j10 f7 h6 k8", rule);
        ASSERT_TRUE(is_quiet(pos));
        std::vector<Term> terms;
        value_terms(pos, terms);
        const Weights& weights = *built_in_weights(rule);
        double cells = 0;
        double threats = 0;
        for (const Term& t : terms) {
            if (t.entry >= kCellEntries) {
                const std::size_t i = t.entry - kCellEntries;
                threats += weights.of(static_cast<int>(i / kThreatMasks)).threats[i % kThreatMasks];
                continue;
            }
            const std::size_t table = t.entry / kCodeClasses;
            const CellValue& v =
                weights.of(static_cast<int>(table / 2)).cells[t.entry % kCodeClasses];
            cells += t.times * (table % 2 == 0 ? v.moving : v.waiting);
        }
        EXPECT_EQ(Evaluator::evaluate(pos), static_cast<Value>(cells) / kFine + threats);
    }
}

TEST_F(RenjuTraining, OtherWeightsGiveOtherValues) {
    const Position before = after("h8 i9 g9");
    Weights::Tables tables = built_in_weights(Rule::Renju)->tables();
    for (auto& t : tables[kWhite].threats) t = static_cast<std::int16_t>(t + 123);
    Position pos = before;
    Evaluator(std::make_shared<const Weights>(Rule::Renju, tables)).adopt(pos);
    EXPECT_EQ(Evaluator::evaluate(pos), Evaluator::evaluate(before) + 123);
    Evaluator().adopt(pos);
    EXPECT_EQ(Evaluator::evaluate(pos), Evaluator::evaluate(before));
}

/// The sums that a position keeps are those of its weights, however it came by them.
TEST_F(RenjuTraining, APositionTakesOverItsWeightsAtAnyTime) {
    for (const Rule rule : {Rule::Freestyle, Rule::Standard, Rule::Renju}) {
        const auto hand = std::make_shared<const Weights>(Weights::by_hand(rule));
        Position early(Rules{rule, kUsualSize});
        early.set_weights(hand);
        Position late(Rules{rule, kUsualSize});
        Undo undo;
        for (const char* cell : {"h8", "i9", "g9", "i7", "i8", "g8"}) {
            const Move m = Move::from_cell(Notation::parse_cell(cell, kUsualSize));
            early.make(m, undo);
            late.make(m, undo);
        }
        EXPECT_NE(Evaluator::evaluate(late), Evaluator::evaluate(early));
        late.set_weights(hand);
        EXPECT_EQ(Evaluator::evaluate(late), Evaluator::evaluate(early));
        Rules other{rule == Rule::Renju ? Rule::Freestyle : Rule::Renju, kUsualSize};
        late.set_rules(other);  // the weights are for another rule now
        Position built_in(Rules{rule, kUsualSize});
        built_in.set_rules(other);
        EXPECT_EQ(late.tables(kBlack).cells.data(), built_in.tables(kBlack).cells.data());
        late.set_rules({rule, kUsualSize});
        EXPECT_EQ(Evaluator::evaluate(late), Evaluator::evaluate(early));
    }
}

TEST_F(RenjuTraining, ShippedParametersBelongToTheShippedWeights) {
    for (const char* game : {"renju", "gomoku", "standard_gomoku"}) {
        std::ifstream in(fs::path(KARIKOMI_SOURCE_DIR) / "params" / (std::string(game) + ".json"));
        const auto engine = std::move(*make_engine(game));
        EXPECT_EQ(nlohmann::json::parse(in)["evaluation"], engine->info().evaluation);
    }
}

// ---- Games --------------------------------------------------------------------------------------

TEST_F(RenjuTraining, GamesDependOnTheSeedAndNotOnTheThreads) {
    tests::expect_games_of_the_seed(*this);
    EXPECT_EQ(read_games(options("one").folder)->size(), 16U);
}

TEST_F(RenjuTraining, AnInterruptedRunGoesOnWithWhatIsMissing) {
    tests::expect_resumed_games(*this);
    const SelfPlayOptions part = options("part");
    std::ofstream(games_path(part.folder, 1), std::ios::app) << "x";
    EXPECT_FALSE(read_games(part.folder)) << "a damaged chunk must be named";
}

TEST_F(RenjuTraining, GamesAreLegalAndEndWithTheirWinner) {
    for (const Rule rule : {Rule::Freestyle, Rule::Standard, Rule::Renju}) {
        SelfPlayOptions o = options(std::string(kRuleNames[static_cast<std::size_t>(rule)]));
        o.chunks = 1;
        for (const TrainingGame& g : play(o, rule)) {
            Position pos(Rules{rule, kUsualSize});
            for (const Ply& p : g.plies) {
                const Move m = Move::from_cell(cell_of_number(p.played));
                ASSERT_TRUE(pos.is_legal(m));
                Undo undo;
                pos.make(m, undo);
            }
            const Ply& last = g.plies.back();
            const int mover = g.plies.size() % 2 == 1 ? 1 : -1;
            if (is_decisive(last.value)) {
                EXPECT_EQ(g.winner, last.value > 0 ? mover : -mover);
            }
        }
    }
}

TEST_F(RenjuTraining, LabelsAreChainsThatARandomMoveBreaks) {
    TrainingGame g;
    g.winner = 1;
    // Black, White, Black (a random move), White, Black wins.
    g.plies = {{1}, {2, 2, 0}, {3, 3, 100}, {4, 5, -100}, {6, 6, win_in(3)}};
    g.plies[0].best = Ply::kNoNumber;
    const auto labels = labels_of(g, 100, 0.5);
    const double e = 1 / (1 + std::exp(-1.0));
    EXPECT_LT(labels[0], 0) << "the opening has none";
    EXPECT_NEAR(labels[4], 1, 1e-6);
    EXPECT_NEAR(labels[3], 1 - e, 1e-6) << "a random move: the search alone";
    EXPECT_NEAR(labels[2], 0.5 * e + 0.5 * e, 1e-6);
    EXPECT_NEAR(labels[1], 0.5 * 0.5 + 0.5 * (1 - labels[2]), 1e-6);
}

TEST_F(RenjuTraining, TheScaleIsThatOfTheResults) {
    std::mt19937_64 random(3);
    std::vector<TrainingGame> games(20'000);
    std::uniform_int_distribution<int> values(-1500, 1500);
    std::uniform_real_distribution<double> dice(0, 1);
    for (TrainingGame& g : games) {
        const auto v = static_cast<std::int16_t>(values(random));
        g.plies = {{1, 1, v}};
        g.winner = dice(random) < 1 / (1 + std::exp(-v / 700.0)) ? 1 : -1;
    }
    EXPECT_NEAR(fit_scale(games), 700, 40);
}

// ---- Fits ---------------------------------------------------------------------------------------

TEST_F(RenjuTraining, TablesLearnAndTheSeldomSeenFollowTheirLike) {
    // Entries 0..3 share part 0 and are worth 1; entry 3 is never seen. Entry 4 is worth -2.
    TiedTables tables(std::vector<double>(5), {{0}, {0}, {0}, {0}, {1}}, 2, 50'000);
    std::mt19937_64 random(4);
    for (int step = 0; step < 3000; ++step) {
        for (int i = 0; i < 32; ++i) {
            const std::array<Term, 2> terms = {Term{static_cast<std::uint16_t>(random() % 3), 2},
                                               Term{4, static_cast<std::int16_t>(random() % 3)}};
            const double truth = 2.0 - 2.0 * terms[1].times;
            tables.add_gradient(terms, tables.sum(terms) - truth);
        }
        tables.step(0.01 * (1 - step / 3000.0), 32, 32 * 3000);
    }
    for (const std::uint32_t i : {0U, 1U, 2U}) EXPECT_NEAR(tables.value(i), 1, 0.02);
    EXPECT_NEAR(tables.value(3), 1, 0.1);
    EXPECT_NEAR(tables.value(4), -2, 0.02);
}

TEST_F(RenjuTraining, AFitImprovesOnWhatItBeganWith) {
    SelfPlayOptions o = options("fit");
    o.games_per_chunk = 60;
    o.random_share = 0.1;
    const auto games = play(o);
    FitOptions f;
    f.epochs = 10;
    const Weights hand = Weights::by_hand(Rule::Renju);
    const Fit fit = fit_weights(hand, {games}, f);
    EXPECT_EQ(fit.games, 120U);
    EXPECT_GT(fit.positions, 500U);
    EXPECT_GT(fit.held_out, 20U);
    EXPECT_LT(fit.after.label_loss, fit.before.label_loss);
    EXPECT_LT(fit.after.gain_rms, fit.before.gain_rms);
    EXPECT_GT(fit.after.first_share, 0.1);
    EXPECT_NE(fit.weights.id(), hand.id());
    EXPECT_EQ(fit_weights(hand, {games}, f).weights.id(), fit.weights.id()) << "not repeatable";
}

}  // namespace
}  // namespace karikomi::renju
