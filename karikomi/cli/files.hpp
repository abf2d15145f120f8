/// Files that commands write.
#pragma once

#include <string>
#include <string_view>

#include "karikomi/base/files.hpp"
#include "karikomi/engine/console.hpp"

namespace karikomi::cli {

/// The file that an option asks for, whole or not at all.
inline void write_output(const std::string& option, const std::string& file,
                         std::string_view bytes) {
    if (write_file(file, bytes)) return;
    throw Failure({option + ": '" + file + "' cannot be written", "check the folder and the disk"},
                  kBroken);
}

}  // namespace karikomi::cli
