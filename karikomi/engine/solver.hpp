/// Proofs of positions: a game's own solvers, as `karikomi solve` and the page ask for them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "karikomi/base/stop.hpp"
#include "karikomi/engine/options.hpp"
#include "karikomi/engine/params.hpp"

namespace karikomi {

struct SolverSetup {
    OptionValues options;
    std::size_t hash_mb = 64;
    std::map<std::string, std::string> rules{};  ///< as set_rule() takes them
};

struct SolveTask {
    std::string position;      ///< as the facet's problems() gives it, or in the game's notation
    std::int64_t time_ms = 0;  ///< 0: until it is proved, or stopped
    StopToken stop{};
    /// Somebody waits and watches: what is known so far, as `answer` below. Hopeless positions are
    /// refused then.
    std::function<void(const Json& answer)> report{};
};

struct Proof;  ///< proof.hpp

class PositionSolver {
public:
    virtual ~PositionSolver() = default;
    virtual Expected<Proof> solve(const SolveTask& task) = 0;
    /// What its results depend on, for the record.
    virtual Json conditions() const;
};

struct SolverFacet {
    /// A way to solve: a name for the page, and the options that it stands for.
    struct Kind {
        std::string name;
        std::vector<std::pair<std::string, std::string>> options{};
    };
    std::vector<Kind> kinds;
    std::vector<OptionInfo> options;    ///< of `karikomi solve`, besides the common ones
    std::string proves;                 ///< for help: "mates", "the last ten moves"
    std::string problems_help;          ///< how a file of positions looks
    std::vector<std::string> examples;  ///< of `karikomi solve`
    std::string head;                   ///< heading of Proof::text; may be empty

    /// The positions in a text, checked, one after the other. `name`: where it comes from.
    std::function<Expected<std::vector<std::string>>(const std::string& text,
                                                     const std::string& name)>
        problems;
    std::function<Expected<std::unique_ptr<PositionSolver>>(const SolverSetup& setup)> make;
};

/// Problems one a line; what follows one of `remark` is a remark. `check` says what is wrong.
Expected<std::vector<std::string>> problem_lines(
    const std::string& text, const std::string& name, const std::string& remark,
    const std::function<Status(const std::string& line)>& check);

/// What every answer for the page has.
Json answer_json(const std::string& answer, const std::vector<std::string>& line,
                 std::uint64_t nodes, std::int64_t time_us);

}  // namespace karikomi
