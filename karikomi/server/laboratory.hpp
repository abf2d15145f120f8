/// The laboratory for the page: runs in the data folder as they stand, and their reports.
#pragma once

#include "karikomi/server/server.hpp"

namespace karikomi::server {

/// Databases (*.db) of `karikomi match`, `tune` and `lab collect`, and reports (*.html) that lie in
/// this folder itself. Links and subfolders are passed over.
Laboratory page_lab(const std::string& folder);

}  // namespace karikomi::server
