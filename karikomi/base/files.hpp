/// Files as wholes: read at once, and written so that they are the old one or the new one, whatever
/// happens meanwhile.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace karikomi {

/// All bytes of a file; nothing where it cannot be read (a folder cannot).
std::optional<std::string> read_file(const std::filesystem::path& file);

/// Writes FILE.new, brings it to the disk and gives it the name; devices and pipes are written to.
/// False where the folder or the disk refuses, and then the old file is still there.
bool write_file(const std::filesystem::path& file, std::string_view bytes);
bool write_file(const std::filesystem::path& file, std::span<const std::byte> bytes);

/// The same, for who keeps the file open: `prepare(descriptor)` may lock it before it is written.
/// The open descriptor is the caller's afterwards; -1: refused, `errno` says why.
int write_file_and_keep(const std::filesystem::path& file, std::string_view bytes,
                        bool (*prepare)(int descriptor));

/// All bytes at this place of an open file; false where the disk refuses.
bool write_at(int descriptor, std::string_view bytes, std::size_t offset);
/// The name of a file is in its folder, which has to reach the disk too.
void sync_folder_of(const std::filesystem::path& file);

}  // namespace karikomi
