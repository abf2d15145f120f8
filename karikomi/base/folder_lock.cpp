#include "karikomi/base/folder_lock.hpp"

#include <cerrno>
#include <cstring>

#include "karikomi/base/system.hpp"

namespace karikomi {

Expected<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    const std::string file = (folder / "in_use").string();
    const int opened = os::open_file(file, os::Open::UpdateOrCreate);
    if (opened < 0) {
        return Error{"'" + folder.string() + "' cannot be written: " + std::strerror(errno),
                     "choose another folder"};
    }
    FolderLock lock(opened);
    if (os::lock_file(opened) == os::Lock::Taken) return lock;
    return Error{"'" + folder.string() + "' is in use by another program",
                 "wait for it, end it, or choose another folder"};
}

FolderLock::~FolderLock() {
    if (file_ >= 0) os::close_file(file_);
}

}  // namespace karikomi
