/// Which program exactly: a hash of its file, for the records.
#pragma once

#include <string>

namespace karikomi::lab {

/// 16 hex digits (FNV-1a over the bytes), or "" when the file cannot be read.
std::string hash_of_file(const std::string& path);
std::string hash_of_this_program();
/// The program that a shell command line starts, found as the shell does; "" when it is not clear.
std::string program_of(const std::string& command, const std::string& folder);
/// FNV-1a, 64 bits.
std::string hash_of_text(const std::string& text);

}  // namespace karikomi::lab
