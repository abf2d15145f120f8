/// What `lab worth` and `lab evidence` share: options, and playing one cell of the plan.
#pragma once

#include "karikomi/cli/lab.hpp"
#include "karikomi/cli/play_options.hpp"
#include "karikomi/lab/evidence/worth.hpp"

namespace karikomi::cli {

struct WorthSettings {
    std::string game;
    std::string budgets = "20k,160k,100ms";
    std::string half_width;  ///< empty: kFirstWidth, then kWidth
    std::vector<std::string> only;
    std::int64_t most = 6000;
    std::int64_t positions = 40;
    std::string hours;
    PlayOptions play;

    WorthSettings();
    void add_to(Command& command);
    evidence::WorthOptions read() const;
    double time_limit() const;  ///< hours; 0: none
    /// --db, or one in the user's state folder for this program and these parameters: games of
    /// another could not be added to.
    std::string folder(const std::string& parameters) const;
};

/// A match by the laboratory, with progress on the terminal. False: it was stopped.
bool play_on(const WorthSettings& o, const std::string& name, match::Match& m,
             const StopToken& stop, Session& session);

/// Plays a cell until it is known well enough, or to the stop, and gives its record; nothing where
/// there are too few games to say anything.
struct CellRun {
    Json record;  ///< null: none
    bool complete = false;
};
CellRun run_cell(const WorthSettings& o, const evidence::WorthOptions& options,
                 const evidence::Cell& cell, const std::string& folder, const StopToken& stop,
                 Session& session);

}  // namespace karikomi::cli
