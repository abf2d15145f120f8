/// Files that a program cannot carry inside: the page of the browser's engine fetches weights when
/// a game is chosen, and hands them over before that game's first engine is made.
#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace karikomi {

inline std::map<std::string, std::vector<std::byte>>& handed_files() {
    static std::map<std::string, std::vector<std::byte>> files;
    return files;
}

/// The file's bytes, which are forgotten here: what is made of them stays.
inline std::vector<std::byte> take_handed_file(const std::string& name) {
    auto file = handed_files().extract(name);
    if (file.empty()) throw std::logic_error("the file " + name + " was not handed over");
    return std::move(file.mapped());
}

}  // namespace karikomi
