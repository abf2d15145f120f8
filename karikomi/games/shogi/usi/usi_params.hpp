/// The search's parameters as options of USI, by the names of the parameter file. Nothing here
/// names one: the lists come from the parameters' own descriptions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "karikomi/engine/params.hpp"

namespace karikomi::protocols {

class UsiParams {
public:
    /// Shown to a GUI: for each technique of the game its switch, its least depth and its first
    /// margin; with `all`, every parameter. All of them can be set, shown or not.
    UsiParams(const SearchParams& start, const GameInfo& game, bool all);

    std::vector<std::string> lines() const;
    /// False: no parameter has this name. An impossible value is an error, and nothing changes.
    Expected<bool> set(std::string_view name, std::string_view value);
    /// As they were at the start, with all changes; time management is the other options' business
    /// unless it was set here.
    SearchParams value() const { return now_; }

private:
    SearchParams now_;
    std::vector<std::string> shown_;
};

}  // namespace karikomi::protocols
