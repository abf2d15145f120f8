/// One HTML file around a document: opens offline, asks for nothing.
#pragma once

#include <string>
#include <string_view>

#include "karikomi/engine/json_fwd.hpp"

namespace karikomi::lab {

/// `script` draws it: the bundle of web/src/report.
std::string report_html(const Json& data, std::string_view script,
                        std::string_view title = "Karikomi laboratory");

}  // namespace karikomi::lab
