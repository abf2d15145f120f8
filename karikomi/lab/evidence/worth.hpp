/// What techniques are worth, by budget: for every technique and combination a match of the shipped
/// search with against without it, at several budgets, each until Elo is known well enough.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "karikomi/lab/curve/budget.hpp"
#include "karikomi/lab/evidence/record.hpp"
#include "karikomi/lab/match/match.hpp"

namespace karikomi::evidence {

enum class SubjectKind : std::uint8_t { Technique, Combination, Interaction };
std::string_view name_of(SubjectKind kind);

/// What is measured: an engine with it against one without it.
struct Subject {
    std::string name;  ///< "futility", "all", "futility x iid"
    SubjectKind kind = SubjectKind::Technique;
    std::vector<Technique> techniques;  ///< that make the difference
    /// Interaction: it is as it does not ship, so the figure beside is the other one.
    std::optional<Technique> flipped;
    bool other_ships = true;  ///< interaction: that one is on in what ships
    std::string with;         ///< settings of the engine, in match's words
    std::string without;
    bool shipped = true;      ///< what ships has it
    bool documented = false;  ///< a source document is about it
};
/// Techniques that the game can use, first those of source documents, then those that are on; then
/// combinations; then pairs that overlap.
std::vector<Subject> subjects_of(const Engine& engine);

struct WorthBudget {
    curve::Budget budget;
    double half_width = 20;  ///< Elo
};
struct WorthOptions {
    std::vector<WorthBudget> budgets;
    std::vector<std::string> subjects;  ///< only these, by name; empty: all
    std::uint64_t most_games = 6000;    ///< of a cell, whatever is known by then
    match::MatchConfig match;           ///< without engines, limits and number of games
};

struct Cell {
    std::string id;  ///< "worth.GAME.futility.20k"
    Subject subject;
    WorthBudget at;
    int rank = 0;    ///< the smaller, the sooner
    int number = 0;  ///< of equal ranks
};
/// In the order in which they are worth measuring. An error names a subject that is none.
Expected<std::vector<Cell>> plan_of(const Engine& engine, const WorthOptions& options);
Expected<match::MatchConfig> match_of(const WorthOptions& options, const Cell& cell);
std::string database_of(const std::string& folder, const Cell& cell);

/// What `lab evidence` has to do: a figure of the plan that is missing, not complete or older, or a
/// match that is older.
struct Todo {
    std::string id;
    std::string why;
    std::string file;          ///< where its record goes
    int rank = 0;              ///< the smaller, the sooner
    std::optional<Cell> cell;  ///< of the plan; none: a match
    Json record;               ///< as it stands; null: none
    bool can = true;           ///< all that is needed to repeat it is on record
};
/// Of one game, the most valuable first. `file`: of new figures.
std::vector<Todo> todo_of(const std::vector<Cell>& plan, const std::string& game,
                          const Records& records, const Shipped& now, const std::string& file);

/// Positions on which both sides of a cell are searched with its budget.
struct ActsOptions {
    std::size_t positions = 40;
    StopToken stop{};
};
/// Does it change the search of the game's own positions within this budget? Otherwise games would
/// measure luck.
Expected<bool> changes_search(const match::MatchConfig& config);
/// How often the techniques acted on positions of the match's own games, and what that changed:
/// counters, depth of both sides, how often another move was chosen.
Expected<Json> acts_of(const match::MatchConfig& config, const Cell& cell,
                       const match::Store& store, const ActsOptions& options);

/// The record of a cell; `acts` is null where it changes nothing, and then nothing was played.
Expected<Json> record_of_cell(const Cell& cell, const match::Store& store, const Json& acts,
                              const std::string& command);
Expected<Json> record_of_nothing(const Cell& cell, const match::MatchConfig& config,
                                 const std::string& command);

/// Measured worth by subject and budget, as it stands in records.
struct WorthRow {
    std::string subject;
    std::string kind;
    bool shipped = true;
    std::map<std::string, Json> by_budget;  ///< records
};
struct WorthTable {
    std::vector<std::string> budgets;
    std::vector<WorthRow> rows;
};
WorthTable worth_table(const std::string& game, const Records& records);
/// Elo of one technique with another in two states, and the difference of the two.
struct Interaction {
    std::string subject;
    std::string budget;
    match::Interval as_shipped;
    match::Interval flipped;
    match::Interval difference;  ///< the first with the other on, less with it off
};
std::vector<Interaction> interactions_of(const std::string& game, const Records& records);
/// Curves of Elo against the budget, nodes and time apart.
std::string worth_svg(const WorthTable& table);

}  // namespace karikomi::evidence
