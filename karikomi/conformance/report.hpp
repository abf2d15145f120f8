/// What the conformance kit found out about a game.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace karikomi::conformance {

/// Something that the search can use where a game offers it.
struct Ability {
    std::string name;    ///< of its concept: "HasTactics"
    std::string effect;  ///< what the search does with it
    bool found = false;
    /// Members that are there but have the wrong shape, so that the ability is lost.
    std::vector<std::string> near_misses;
};

/// One property, looked at in many cases.
struct Check {
    std::string name;
    std::uint64_t cases = 0;
    std::uint64_t failed = 0;
    std::vector<std::string> examples;  ///< of failures; the first few
};

class Report {
public:
    explicit Report(std::string_view game) : game_(game) {}

    /// Counts a case. `what` is asked for a sentence only where the case fails.
    template <class What> bool expect(std::string_view check, bool good, What&& what) {
        Check& c = find(check);
        ++c.cases;
        if (good) return true;
        ++c.failed;
        if (c.examples.size() < kExamples) c.examples.push_back(what());
        return false;
    }
    /// Something that deserves a look, but breaks no rule. Said once.
    void warn(const std::string& text);
    /// Something worth knowing.
    void note(const std::string& text) { notes_.push_back(text); }
    void set_abilities(std::vector<Ability> abilities);

    bool passed() const;
    /// Has this check failed?
    bool failed(std::string_view check) const;
    const std::string& game() const { return game_; }
    const std::vector<Check>& checks() const { return checks_; }
    const std::vector<Ability>& abilities() const { return abilities_; }
    const std::vector<std::string>& warnings() const { return warnings_; }
    /// The whole report for people.
    std::string text() const;

private:
    static constexpr std::size_t kExamples = 3;
    Check& find(std::string_view check);

    std::string game_;
    std::vector<Check> checks_;
    std::vector<Ability> abilities_;
    std::vector<std::string> warnings_;
    std::vector<std::string> notes_;
};

}  // namespace karikomi::conformance
