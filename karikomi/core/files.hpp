/// Files that are whole or absent, whatever happens while they are written.
#pragma once

#include <filesystem>
#include <fstream>
#include <span>
#include <system_error>

namespace karikomi {

/// Writes beside the file and then takes its place; false where the folder or the disk refuses.
inline bool replace_file(const std::filesystem::path& file, std::span<const std::byte> bytes) {
    const std::filesystem::path fresh = file.string() + ".new";
    std::ofstream out(fresh, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    out.close();
    std::error_code trouble;
    if (out) std::filesystem::rename(fresh, file, trouble);
    return out && !trouble;
}

}  // namespace karikomi
