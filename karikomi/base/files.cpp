#include "karikomi/base/files.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace karikomi {
namespace {

namespace fs = std::filesystem;

/// An open file that closes itself and keeps `errno` as it was.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        const int before = errno;
        if (number_ >= 0) ::close(number_);
        errno = before;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }
    int release() { return std::exchange(number_, -1); }

private:
    int number_;
};

/// A terminal, a pipe, /dev/null: what must not be replaced by a file.
bool write_into(const fs::path& file, std::string_view bytes) {
    const Descriptor f(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    while (f.is_open() && !bytes.empty()) {
        const ssize_t n = ::write(f.number(), bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return f.is_open();
}

}  // namespace

std::optional<std::string> read_file(const fs::path& file) {
    const Descriptor f(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!f.is_open()) return std::nullopt;
    std::string bytes;
    char block[1 << 16];
    for (;;) {
        const ssize_t n = ::read(f.number(), block, sizeof block);
        if (n == 0) return bytes;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return std::nullopt;
        bytes.append(block, static_cast<std::size_t>(n));
    }
}

bool write_at(int descriptor, std::string_view bytes, std::size_t offset) {
    while (!bytes.empty()) {
        const ssize_t n =
            ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
        offset += static_cast<std::size_t>(n);
    }
    return true;
}

void sync_folder_of(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const Descriptor f(::open(folder.c_str(), O_RDONLY | O_CLOEXEC));
    if (f.is_open()) ::fsync(f.number());
}

int write_file_and_keep(const fs::path& file, std::string_view bytes,
                        bool (*prepare)(int descriptor)) {
    const fs::path fresh = file.string() + ".new";
    Descriptor f(::open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!f.is_open()) return -1;
    const bool written = (prepare == nullptr || prepare(f.number())) &&
                         write_at(f.number(), bytes, 0) && ::fsync(f.number()) == 0 &&
                         ::rename(fresh.c_str(), file.c_str()) == 0;
    if (!written) {
        const int why = errno;
        ::unlink(fresh.c_str());
        errno = why;
        return -1;
    }
    sync_folder_of(file);
    return f.release();
}

bool write_file(const fs::path& file, std::string_view bytes) {
    std::error_code ignored;
    const fs::file_status there = fs::status(file, ignored);
    if (fs::is_character_file(there) || fs::is_fifo(there)) return write_into(file, bytes);
    const Descriptor f(write_file_and_keep(file, bytes, nullptr));
    return f.is_open();
}

bool write_file(const fs::path& file, std::span<const std::byte> bytes) {
    return write_file(file,
                      std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace karikomi
