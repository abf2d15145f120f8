#include "karikomi/base/folder_lock.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace karikomi {

Expected<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    const std::string file = (folder / "in_use").string();
    const int opened = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (opened < 0) {
        return Error{"'" + folder.string() + "' cannot be written: " + std::strerror(errno),
                     "choose another folder"};
    }
    FolderLock lock(opened);
    if (::flock(opened, LOCK_EX | LOCK_NB) == 0) return lock;
    return Error{"'" + folder.string() + "' is in use by another program",
                 "wait for it, end it, or choose another folder"};
}

FolderLock::~FolderLock() {
    if (file_ >= 0) ::close(file_);
}

}  // namespace karikomi
