// From samples with known statistics to a calibration, and whether its coverage is what it says.
#include "karikomi/lab/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/ablation.hpp"
#include "karikomi/lab/verify.hpp"

namespace karikomi::lab {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

constexpr int kStages = 3;
constexpr Depth kDepth = 4;

// Each depth adds an error of its own, so that sigma of a pair is known.
double sigma_of(int stage, Depth shallow, Depth deep) {
    return (30 + 10 * stage) * std::sqrt(deep - shallow);
}

// One in `won` positions ends in a win at the deepest search; each game has `per_game` positions,
// whose errors have this share in common.
struct Make {
    int won = 97;
    int per_game = 1;
    double common = 0;
};
void fill(SampleTable& table, int positions, unsigned seed, const Make& make = {}) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> value(0, 500), error(0, 1);
    std::array<double, kDepth + 1> of_game{};
    for (int i = 0; i < positions; ++i) {
        Sample s;
        s.stage = i % kStages;
        s.game = static_cast<std::uint64_t>(i / make.per_game) + 1;
        if (i % make.per_game == 0) {
            for (double& e : of_game) e = error(random);
        }
        double v = value(random);
        s.static_value = static_cast<Value>(std::lround(v));
        for (Depth d = 1; d <= kDepth; ++d) {
            v += (30 + 10 * s.stage) *
                 (std::sqrt(1 - make.common) * error(random) +
                  std::sqrt(make.common) * of_game[static_cast<std::size_t>(d)]);
            s.values.push_back(static_cast<Value>(std::lround(v)));
        }
        if (make.won > 0 && i % make.won == 0) s.values.back() = win_in(5);
        table.add(s);
    }
}

TEST(Fit, RecoversEveryCellAndLeavesDecisiveValuesOut) {
    SampleTable table(kStages, kDepth);
    fill(table, 6000, 1);
    FitOptions options;
    options.sigma = SigmaKind::Rms;
    options.threads = 2;
    const Fit fit = fit_samples(table, options, "test");
    EXPECT_EQ(fit.own_cells, static_cast<std::size_t>(kStages) * 10);
    for (int stage = 0; stage < kStages; ++stage) {
        for (Depth deep = 1; deep <= kDepth; ++deep) {
            for (Depth shallow = 0; shallow < deep; ++shallow) {
                const Regression* r = fit.calibration.cell(stage, shallow, deep);
                ASSERT_NE(r, nullptr);
                EXPECT_NEAR(r->a, 1, 0.03);
                EXPECT_NEAR(r->b, 0, 12);
                EXPECT_NEAR(r->sigma / sigma_of(stage, shallow, deep), 1, 0.08);
                const Regression* m = fit.calibration.model(stage, shallow, deep);
                ASSERT_NE(m, nullptr);
                EXPECT_NEAR(m->sigma / sigma_of(stage, shallow, deep), 1, 0.15);
            }
        }
    }
    ASSERT_TRUE(fit.choice.has_value());
    EXPECT_LE(fit.choice->best.error_ratio, 1.15);
    EXPECT_EQ(fit.calibration.smooth_model()->max_deep, kDepth);
}

TEST(Fit, ThinCellsGetTheModelsValueWhereTheyAreWanted) {
    SampleTable table(kStages, kDepth);
    fill(table, 6000, 1);
    FitOptions options;
    options.least = 1'000'000;
    options.wanted = {{1, 3}, {2, 4}};
    const Fit fit = fit_samples(table, options, "test");
    EXPECT_EQ(fit.own_cells, 0U);
    EXPECT_EQ(fit.model_cells, 6U);
    const Regression* r = fit.calibration.cell(1, 1, 3);
    ASSERT_NE(r, nullptr);
    EXPECT_NEAR(r->sigma, fit.calibration.model(1, 1, 3)->sigma, 1e-3);
    EXPECT_EQ(fit.calibration.cell(1, 0, 3), nullptr);
}

TEST(Fit, KnownCellsStayAndOnlyDeeperOnesAreAdded) {
    SampleTable table(kStages, kDepth);
    fill(table, 6000, 1);
    FitOptions options;
    options.known = {{0, 0, 1, {0.5, 3, 11}, 500}};
    options.known_up_to = 3;
    const Fit fit = fit_samples(table, options, "test");
    EXPECT_DOUBLE_EQ(fit.calibration.cell(0, 0, 1)->a, 0.5);
    EXPECT_EQ(fit.calibration.cell(0, 0, 2), nullptr);
    EXPECT_NE(fit.calibration.cell(0, 0, 4), nullptr);
}

constexpr Make kNobodyWins{.won = 0};

TEST(Coverage, IsNominalForATrueModelAndNotForAWrongOne) {
    // Enough that 2 % of a cell are counted to a tenth: chance alone must not miss a bar.
    constexpr int kMany = 24'000;
    SampleTable fitted(kStages, kDepth), held_out(kStages, kDepth);
    fill(fitted, kMany, 1, kNobodyWins);
    fill(held_out, kMany, 2, kNobodyWins);
    const Fit fit = fit_samples(fitted, {}, "test");
    const Coverage good = measure_coverage(held_out, fit.calibration);
    EXPECT_EQ(good.cells.size(), static_cast<std::size_t>(kStages) * 10);
    EXPECT_EQ(good.all.decided, 0);
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
        EXPECT_NEAR(excess_points(good.all, i), 0, 2) << kLevels[i].percent;
        const Share& above = good.all.shares[i].above;
        EXPECT_NEAR(above.value, 1 - kLevels[i].p, 0.025);
        EXPECT_LT(above.low, above.value);
        EXPECT_GT(above.high, above.value);
    }
    for (const Bar& bar : coverage_bars(good, {})) EXPECT_TRUE(bar.met) << bar.name << bar.value;

    std::vector<CalibrationCell> cells = fit.calibration.cells();
    for (CalibrationCell& c : cells) c.fit.sigma *= 0.7;
    const Coverage bad = measure_coverage(
        held_out, Calibration(kStages, cells, std::nullopt, fit.calibration.evaluation()));
    EXPECT_GT(excess_points(bad.all, 2), 5);
    EXPECT_THAT(coverage_bars(bad, {}), Contains(testing::Field(&Bar::met, false)));
}

TEST(Coverage, EachSideIsJudgedForItself) {
    SampleTable fitted(kStages, kDepth), held_out(kStages, kDepth);
    fill(fitted, 6000, 1, kNobodyWins);
    fill(held_out, 6000, 2, kNobodyWins);
    std::vector<CalibrationCell> cells = fit_samples(fitted, {}, "test").calibration.cells();
    // Half a sigma off: too many errors on one side, too few on the other, the mean near enough.
    for (CalibrationCell& c : cells) c.fit.b += 0.5 * c.fit.sigma;
    const Coverage shifted =
        measure_coverage(held_out, Calibration(kStages, cells, std::nullopt, "test"));
    EXPECT_LT(std::abs(excess_points(shifted.all, 0)), 2.5) << "the old bar saw nothing at 73 %";
    const auto bars = coverage_bars(shifted, {});
    const auto missed = [&](const std::string& name) {
        const auto bar = std::find_if(bars.begin(), bars.end(), [&](const Bar& b) {
            return b.name.find(name) != std::string::npos;
        });
        return bar != bars.end() && !bar->met;
    };
    EXPECT_TRUE(missed("at 95 %, high side"));
    EXPECT_TRUE(missed("at 95 %, low side"));
    EXPECT_TRUE(missed("at 95 %, share of cells"));
}

TEST(Coverage, DecisiveDeepValuesAreErrorsOfTheirSide) {
    SampleTable fitted(kStages, kDepth), held_out(kStages, kDepth);
    fill(fitted, 6000, 1, kNobodyWins);
    const Fit fit = fit_samples(fitted, {}, "test");
    fill(held_out, 3000, 2, Make{.won = 10});
    const Coverage c = measure_coverage(held_out, fit.calibration);
    // A tenth of the positions, of the 4 cells of depth 4, of 10 cells of each stage.
    EXPECT_EQ(c.all.decided, 300 * 4);
    const Share& above = c.all.shares[4].above;
    EXPECT_NEAR(above.value, 0.01 + 0.04, 0.01);
    EXPECT_NEAR(c.all.shares[4].below.value, 0.01, 0.006);
    for (const Bar& b : coverage_bars(c, {})) {
        if (b.name == "errors at 99 %, high side, times the promise") EXPECT_FALSE(b.met);
    }
}

// The bootstrap is of games: what a game's positions have in common makes the interval wider.
TEST(Coverage, IntervalsAreThoseOfGames) {
    SampleTable fitted(kStages, kDepth), alone(kStages, kDepth), together(kStages, kDepth);
    fill(fitted, 6000, 1, kNobodyWins);
    const Fit fit = fit_samples(fitted, {}, "test");
    fill(alone, 3000, 2, kNobodyWins);
    fill(together, 3000, 2, Make{.won = 0, .per_game = 30, .common = 0.8});
    const auto width = [&](const SampleTable& table) {
        const Coverage c = measure_coverage(table, fit.calibration);
        return c.all.shares[1].above.high - c.all.shares[1].above.low;
    };
    EXPECT_GT(width(together), 2 * width(alone));

    // Does the 95 % interval hold the truth in 95 % of the sets? (Wilson's holds it in 60 %.)
    int held = 0, by_wilson = 0;
    constexpr int kSets = 60;
    const double truth = 1 - kLevels[1].p;
    for (int set = 0; set < kSets; ++set) {
        SampleTable table(kStages, kDepth);
        fill(table, 1500, 100 + static_cast<unsigned>(set),
             Make{.won = 0, .per_game = 30, .common = 0.8});
        std::vector<CalibrationCell> cells;
        for (int stage = 0; stage < kStages; ++stage) {
            cells.push_back({stage, 0, 4, {1, 0, sigma_of(stage, 0, 4)}, 1});
        }
        CoverageOptions options;
        options.rounds = 400;
        const Coverage c =
            measure_coverage(table, Calibration(kStages, cells, std::nullopt, "t"), options);
        const Share& s = c.all.shares[1].above;
        held += s.low <= truth && truth <= s.high ? 1 : 0;
        const Share w = share_of(c.all.tails[1].above, c.all.samples);
        by_wilson += w.low <= truth && truth <= w.high ? 1 : 0;
    }
    EXPECT_GE(held, kSets * 85 / 100);
    EXPECT_LE(by_wilson, kSets * 80 / 100) << "samples of a game are not independent";
}

TEST(Coverage, NothingFoundInFewGamesProvesLittle) {
    SampleTable table(kStages, kDepth);
    fill(table, 90, 1, Make{.won = 0, .per_game = 30});
    const Calibration wide(kStages, {{0, 0, 4, {1, 0, 5000}, 1}}, std::nullopt, "t");
    const Share s = measure_coverage(table, wide).all.shares[4].above;
    EXPECT_EQ(s.value, 0);
    EXPECT_GT(s.high, 0.3) << "no error in 30 samples of 3 games";
}

TEST(Ratios, AreGeometricMeansWithIntervals) {
    const Ratio r = ratio_of({std::log(0.5), std::log(0.5), std::log(2.0), std::log(2.0)}, 1);
    EXPECT_NEAR(r.mean, 1, 1e-12);
    EXPECT_LT(r.low, 0.8);
    EXPECT_GT(r.high, 1.25);
    const Ratio same = ratio_of(std::vector<double>(20, std::log(0.7)), 1);
    EXPECT_NEAR(same.low, 0.7, 1e-12);
    EXPECT_NEAR(same.high, 0.7, 1e-12);
}

TEST(Coverage, WilsonsIntervalIsTheKnownOne) {
    const Share s = share_of(5, 100);  // R: prop.test(5, 100, correct = FALSE)
    EXPECT_NEAR(s.low, 0.02154, 1e-4);
    EXPECT_NEAR(s.high, 0.11175, 1e-4);
    EXPECT_EQ(share_of(0, 0).value, 0);
}

// ---- What techniques do -------------------------------------------------------------------------

AblationOptions small_search() {
    AblationOptions o;
    o.game = "connect_four";
    o.positions = {"444", "4355", "1234567"};
    o.depth = 6;
    o.threads = 2;
    o.hash_mb = 1;
    return o;
}
const StopToken kNeverStop;

TEST(Ablation, OffAgainstOffIsEqualAndTechniquesAreSeen) {
    const auto engine = make_engine("connect_four");
    const auto settings = settings_for(**engine, (*engine)->params());
    EXPECT_THAT(settings, Not(Contains(testing::Field(&Setting::name, "probcut, captures"))))
        << "there are no captures";
    const auto rows = run_ablation(small_search(), settings, kNeverStop, {});
    ASSERT_TRUE(rows) << rows.error().what;
    const auto& off = rows->front();
    EXPECT_EQ(off.name, "all off");
    EXPECT_DOUBLE_EQ(off.node_ratio, 1);
    EXPECT_DOUBLE_EQ(off.same_move, 1);
    EXPECT_DOUBLE_EQ(off.value_difference, 0);
    bool changed = false, without = false;
    for (const AblationRow& r : *rows) {
        changed = changed || r.node_ratio < 0.9;
        without = without || r.against == lab::Baseline::Shipped;
    }
    EXPECT_TRUE(changed);
    EXPECT_TRUE(without);
    // A setting has the same nodes on one thread.
    AblationOptions alone = small_search();
    alone.threads = 1;
    const auto again = run_ablation(alone, settings, kNeverStop, {});
    for (std::size_t i = 0; i < rows->size(); ++i) {
        EXPECT_DOUBLE_EQ((*again)[i].node_ratio, (*rows)[i].node_ratio) << (*rows)[i].name;
    }
}

TEST(Ablation, FormsStandInsideTheShippedSearchOnRequest) {
    const auto engine = make_engine("connect_four");
    const SearchParams shipped = (*engine)->params();
    const auto settings = settings_for(**engine, shipped, Around::Shipped);
    ASSERT_FALSE(settings.empty());
    EXPECT_EQ(settings.front().name, "as shipped");
    for (const Setting& s : settings) {
        EXPECT_EQ(s.against, lab::Baseline::Shipped) << s.name;
        for (const Technique t : (*engine)->info().techniques) {
            if (name_of(t) == s.technique) continue;
            EXPECT_EQ(s.params.selective.enabled(t), shipped.selective.enabled(t)) << s.name;
        }
    }
    const auto rows = run_ablation(small_search(), settings, kNeverStop, {});
    ASSERT_TRUE(rows) << rows.error().what;
    EXPECT_DOUBLE_EQ(rows->front().node_ratio, 1);
    EXPECT_THAT(*rows, Contains(testing::Field(&AblationRow::node_ratio, testing::Ne(1))));
}

TEST(Ablation, AStopReachesASearchThatWouldTakeHours) {
    const auto engine = make_engine("connect_four");
    AblationOptions endless = small_search();
    endless.positions = {"", "4"};
    endless.depth = 42;
    StopSource stop;
    const std::jthread soon([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    const auto rows =
        run_ablation(endless, settings_for(**engine, (*engine)->params()), stop.get_token(), {});
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().what, "stopped");
}

/// Runs `work(options, stop, watch)`, stopped after each result, until it gets to its end.
template <class Work> auto in_small_steps(const AblationOptions& o, std::size_t* steps, Work work) {
    Notebook notebook;
    std::map<std::uint64_t, Json> written;
    notebook.write = [&](std::uint64_t number, const Json& result) {
        EXPECT_TRUE(written.emplace(number, result).second) << number << " was done twice";
    };
    AblationOptions options = o;
    options.notebook = &notebook;
    options.threads = 1;
    for (*steps = 1;; ++*steps) {
        notebook.known = written;
        StopSource stop;
        const auto rows = work(options, stop.get_token(), [&](const AblationView&) {
            if (written.size() > notebook.known.size()) stop.request_stop();
        });
        if (rows) return rows;
        EXPECT_EQ(rows.error().what, "stopped");
        if (*steps > 1000) return rows;
    }
}

TEST(Ablation, AStoppedRunGoesOnToTheSameEnd) {
    const auto engine = make_engine("connect_four");
    const auto settings = settings_for(**engine, (*engine)->params());
    const auto whole = run_ablation(small_search(), settings, kNeverStop, {});
    std::size_t steps = 0;
    const auto pieces = in_small_steps(
        small_search(), &steps, [&](const auto& options, const auto& stop, const auto& watch) {
            return run_ablation(options, settings, stop, watch);
        });
    ASSERT_TRUE(pieces) << pieces.error().what;
    EXPECT_EQ(steps, small_search().positions.size() + 1);
    ASSERT_EQ(pieces->size(), whole->size());
    for (std::size_t i = 0; i < whole->size(); ++i) {
        EXPECT_DOUBLE_EQ((*pieces)[i].node_ratio, (*whole)[i].node_ratio) << (*whole)[i].name;
        EXPECT_DOUBLE_EQ((*pieces)[i].same_move, (*whole)[i].same_move);
        EXPECT_DOUBLE_EQ((*pieces)[i].value_difference, (*whole)[i].value_difference);
        EXPECT_DOUBLE_EQ((*pieces)[i].first_move_cut_rate, (*whole)[i].first_move_cut_rate);
    }
}

TEST(Audit, AStoppedRunGoesOnToTheSameEnd) {
    const auto engine = make_engine("connect_four");
    const SearchParams params = (*engine)->params();
    AuditOptions options{small_search(), 10, 1};
    const auto whole = run_audit(options, params, kNeverStop, {});
    std::size_t steps = 0;
    const auto pieces = in_small_steps(
        small_search(), &steps, [&](const auto& search, const auto& stop, const auto& watch) {
            options.search = search;
            return run_audit(options, params, stop, watch);
        });
    ASSERT_TRUE(pieces) << pieces.error().what;
    EXPECT_GT(steps, small_search().positions.size());
    ASSERT_EQ(pieces->size(), whole->size());
    for (std::size_t i = 0; i < whole->size(); ++i) {
        EXPECT_EQ(to_json((*pieces)[i]), to_json((*whole)[i]));
    }
}

TEST(Audit, CountsTheSameWrongCutsEachTimeAndDoesNotChangeTheTree) {
    const auto engine = make_engine("connect_four");
    const SearchParams params = (*engine)->params();
    AuditOptions options{small_search(), 40, 1};
    options.search.depth = 8;
    const auto rows = run_audit(options, params, kNeverStop, {});
    ASSERT_TRUE(rows) << rows.error().what;
    ASSERT_THAT(*rows, Not(IsEmpty()));
    std::int64_t wrong = 0, right = 0;
    for (const AuditRow& row : *rows) {
        EXPECT_LE(row.all.cuts, 3 * 40);
        EXPECT_GE(row.made, static_cast<std::uint64_t>(row.all.cuts));
        std::int64_t in_cells = 0;
        for (const AuditCell& c : row.cells) in_cells += c.cuts;
        EXPECT_EQ(in_cells, row.all.cuts);
        wrong += row.all.wrong, right += row.all.cuts - row.all.wrong;
    }
    EXPECT_GT(wrong, 0) << "some cuts at 73 % must be wrong";
    EXPECT_GT(right, wrong);
    options.search.threads = 1;
    const auto again = run_audit(options, params, kNeverStop, {});
    for (std::size_t i = 0; i < rows->size(); ++i) {
        EXPECT_EQ((*again)[i].all.wrong, (*rows)[i].all.wrong) << (*rows)[i].name;
        EXPECT_EQ((*again)[i].made, (*rows)[i].made);
    }

    // The same search, watched and not watched.
    SearchRequest request;
    request.limits.depth = 8;
    ASSERT_TRUE((*engine)->set_position("4355"));
    (*engine)->new_game();
    const auto plain = (*engine)->search(request);
    CutAudit audit;
    audit.full = params;
    audit.full.selective.disable_all();
    request.audit = &audit;
    (*engine)->new_game();
    const auto watched = (*engine)->search(request);
    EXPECT_EQ(plain->nodes, watched->nodes);
    EXPECT_EQ(plain->lines.front().value, watched->lines.front().value);
    EXPECT_GE(audit.seen, audit.checked.size());
    EXPECT_THAT(audit.checked, Not(IsEmpty()));
}

TEST(Audit, FindsOutAModelThatIsTooSureOfItself) {
    const auto engine = make_engine("connect_four");
    const auto row_with = [&](double scale) {
        SearchParams params = (*engine)->params();
        std::vector<CalibrationCell> cells = params.calibration.cells();
        for (CalibrationCell& c : cells) c.fit.sigma *= scale;
        params.calibration = Calibration((*engine)->info().stages, cells, {}, "");
        AuditOptions options{small_search(), 200, 1};
        options.search.depth = 9;
        const auto rows = run_audit(options, params, kNeverStop, {});
        const auto is_it = [](const AuditRow& r) { return r.name == "multi_probcut 95 %, pairs"; };
        const auto at = std::find_if(rows->begin(), rows->end(), is_it);
        return at == rows->end() ? AuditRow{} : *at;
    };
    const AuditRow careful = row_with(2);
    const AuditRow sure = row_with(0.02);
    ASSERT_GT(careful.all.cuts, 10);
    ASSERT_GT(sure.all.cuts, 100);
    EXPECT_TRUE(audit_bars({careful}).front().met) << careful.all.wrong << "/" << careful.all.cuts;
    EXPECT_FALSE(audit_bars({sure}).front().met) << sure.all.wrong << "/" << sure.all.cuts;
}

}  // namespace
}  // namespace karikomi::lab
