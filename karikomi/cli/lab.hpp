/// The laboratory's commands: karikomi lab collect, fit, verify, ...
#pragma once

#include "karikomi/cli/common.hpp"
#include "karikomi/lab/match/match.hpp"
#include "karikomi/lab/samples.hpp"

namespace karikomi::cli {

void add_lab_collect(Program& program, Command& lab);
void add_lab_fit(Program& program, Command& lab);
void add_lab_verify(Program& program, Command& lab);
void add_lab_export(Program& program, Command& lab);
void add_lab_futility(Program& program, Command& lab);
void add_lab_calibrate(Program& program, Command& lab);
void add_lab_report(Program& program, Command& lab);
void add_lab_positions(Program& program, Command& lab);
void add_lab_agreement(Program& program, Command& lab);
void add_lab_worth(Program& program, Command& lab);
void add_lab_evidence(Program& program, Command& lab);

/// Records of every run of `lab verify` on a file, by number.
inline constexpr const char* kVerifyRuns = "verify runs";

/// What all of them take.
struct LabOptions {
    std::string game;
    std::string weights_file;
    std::string database;
    std::int64_t threads = 1;
    std::int64_t hash_mb = 16;
    std::int64_t seed = 1;

    void add_to(Command& command);
    /// An engine of the game, with the weights that were asked for.
    std::unique_ptr<Engine> engine() const;
    /// --db, or the game's file in the user's state folder.
    std::string file() const;
};

/// Says where figures come from: program, evaluation, machine.
Json lab_conditions(const Session& session, const GameInfo& info, const SearchParams& params);
/// The command line as it was typed.
std::string command_text(const Session& session);

/// Whose samples a command can work on: our evaluation's, or also those of other programs.
enum class Whose : std::uint8_t { Own, Any };
/// The samples of this game's evaluation, or an error that says what to do.
std::unique_ptr<lab::SampleStore> read_samples(const LabOptions& options, const Engine& engine,
                                               Whose whose = Whose::Own);
/// The game with the evaluation that the samples are of, ours or another program's.
GameInfo info_of(const lab::SampleStore& store, const Engine& engine);

/// Games of a search against itself without a technique; row 0 is the search with it. An empty
/// `params_file` means the shipped parameters.
std::unique_ptr<match::Match> play_with_and_without(const LabOptions& options, Technique technique,
                                                    const std::string& params_file,
                                                    std::int64_t games,
                                                    const match::TimeControl& time,
                                                    const StopToken& stop);

/// "2:6,4:10": shallow and deep depths.
std::vector<std::pair<Depth, Depth>> parse_pairs(const std::string& text);

}  // namespace karikomi::cli
