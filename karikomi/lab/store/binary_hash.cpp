#include "karikomi/lab/store/binary_hash.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include <unistd.h>

#include "karikomi/base/hash.hpp"

namespace karikomi::lab {
std::string hash_of_text(const std::string& text) {
    return fnv_of(text).text();
}

std::string hash_of_file(const std::string& path) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed)) return {};
    std::ifstream in(path, std::ios::binary);
    if (!in) return {};
    std::vector<char> block(1 << 16);
    Fnv hash;
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0) {
        hash.add(std::string_view(block.data(), static_cast<std::size_t>(in.gcount())));
    }
    return hash.text();
}

std::string hash_of_this_program() {
    static const std::string kHash = hash_of_file("/proc/self/exe");
    return kHash;
}

std::string program_of(const std::string& command, const std::string& folder) {
    namespace fs = std::filesystem;
    std::istringstream words(command);
    std::string first;
    words >> first;
    std::error_code failed;
    if (first.find('/') != std::string::npos) {
        const fs::path path = fs::path(folder) / first;  // an absolute `first` wins
        return fs::is_regular_file(path, failed) ? path.string() : std::string();
    }
    const char* search = std::getenv("PATH");
    std::istringstream folders(search == nullptr ? "" : search);
    for (std::string f; std::getline(folders, f, ':');) {
        const fs::path path = fs::path(f) / first;
        if (fs::is_regular_file(path, failed) && access(path.c_str(), X_OK) == 0) return path;
    }
    return {};
}

}  // namespace karikomi::lab
