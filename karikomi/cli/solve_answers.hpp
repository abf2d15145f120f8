/// The answers of `karikomi solve --out FILE`: a line of JSON each, written as they come, so that a
/// long run can be stopped and goes on where it was.
#pragma once

#include <fstream>
#include <map>
#include <string>

#include "karikomi/engine/json.hpp"

namespace karikomi::cli {

class SolveAnswers {
public:
    /// `conditions`: what the answers depend on. A file of answers under other conditions, and one
    /// that is something else, is refused and stays as it is. A line that a killed run was writing
    /// is dropped.
    SolveAnswers(std::string file, const Json& conditions);

    /// The row of a problem that an earlier run has solved, or null.
    const Json* find(const std::string& problem) const;
    /// On the disk's way before this returns.
    void add(const std::string& problem, const Json& row);

private:
    void read(const std::string& bytes, const Json& head);

    std::string file_;
    std::map<std::string, Json> rows_;
    std::ofstream out_;
};

}  // namespace karikomi::cli
