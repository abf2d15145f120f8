// The rules of the source tree as functions of a text, so that tests can show that each can fail.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace karikomi::tests {

inline constexpr std::string_view kNodePath = "karikomi/core/node.hpp";

struct Source {
    std::string path;  // from the root of the repository, with '/'
    std::string text;
};
using Complaints = std::vector<std::string>;

Complaints check_line_width(const Source& source);
Complaints check_technique_size(const Source& source);
Complaints check_layering(const Source& source);
Complaints check_game_names(const Source& source);
Complaints check_function_length(const Source& source);

/// Variables of the process that can change: weights, parameters and states belong to an engine.
Complaints check_globals(const Source& source);

/// Does the table "The tree" of the architecture page name these folders, and no path that
/// `exists` denies?
Complaints check_architecture_page(const std::string& page, const std::vector<std::string>& folders,
                                   const std::function<bool(const std::string&)>& exists);

/// Names of the functions in a text. Throws where brackets do not match.
std::vector<std::string> functions_in(const std::string& text);

}  // namespace karikomi::tests
