/// Files that commands write.
#pragma once

#include <string>

namespace karikomi::cli {

/// Whole or not at all.
void write_whole_file(const std::string& file, const std::string& bytes);

}  // namespace karikomi::cli
