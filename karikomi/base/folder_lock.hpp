/// One program at a time in a folder. The kernel lets the lock go when the program ends, however it
/// ends, so none is ever left behind.
#pragma once

#include <filesystem>
#include <utility>

#include "karikomi/base/expected.hpp"

namespace karikomi {

class FolderLock {
public:
    /// Makes the folder where it is not there. An error where another program holds it.
    static Expected<FolderLock> take(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    FolderLock& operator=(FolderLock&& other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }

private:
    explicit FolderLock(int file) : file_(file) {}
    int file_;
};

}  // namespace karikomi
