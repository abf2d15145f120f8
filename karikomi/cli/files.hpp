/// Files that commands write.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "karikomi/base/files.hpp"
#include "karikomi/engine/console.hpp"

namespace karikomi::cli {

/// The file that an option asks for, whole or not at all.
inline void write_output(const std::string& option, const std::string& file,
                         std::string_view bytes) {
    if (write_file(file, bytes)) return;
    const int why = errno;
#if defined(EDQUOT)
    const bool is_full = why == ENOSPC || why == EDQUOT;
#else
    const bool is_full = why == ENOSPC;
#endif
    const char* const what = is_full                         ? "the disk is full"
                             : why == EACCES || why == EROFS ? "the folder may not be written to"
                             : why == ENOENT                 ? "there is no such folder"
                                                             : std::strerror(why);
    throw Failure({option + ": '" + file + "' cannot be written: " + what,
                   "an older file of this name is as it was; make room or name another place"},
                  kBroken);
}

}  // namespace karikomi::cli
