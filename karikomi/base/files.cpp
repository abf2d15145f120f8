#include "karikomi/base/files.hpp"

#include <cerrno>
#include <utility>

#include "karikomi/base/system.hpp"

namespace karikomi {
namespace {

namespace fs = std::filesystem;

/// An open file that closes itself and keeps `errno` as it was.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        const int before = errno;
        if (number_ >= 0) os::close_file(number_);
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
    const Descriptor f(os::open_file(file, os::Open::Write));
    while (f.is_open() && !bytes.empty()) {
        const std::ptrdiff_t n = os::write_file(f.number(), bytes.data(), bytes.size());
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return f.is_open();
}

}  // namespace

std::optional<std::string> read_file(const fs::path& file) {
    const Descriptor f(os::open_file(file, os::Open::Read));
    if (!f.is_open()) return std::nullopt;
    std::string bytes;
    char block[1 << 16];
    for (;;) {
        const std::ptrdiff_t n = os::read_file(f.number(), block, sizeof block);
        if (n == 0) return bytes;
        if (n < 0) return std::nullopt;
        bytes.append(block, static_cast<std::size_t>(n));
    }
}

bool write_at(int descriptor, std::string_view bytes, std::size_t offset) {
    while (!bytes.empty()) {
        const std::ptrdiff_t n = os::write_file_at(descriptor, bytes.data(), bytes.size(), offset);
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
        offset += static_cast<std::size_t>(n);
    }
    return true;
}

void sync_folder_of(const fs::path& file) {
    os::sync_folder(file.has_parent_path() ? file.parent_path() : fs::path("."));
}

int write_file_and_keep(const fs::path& file, std::string_view bytes,
                        bool (*prepare)(int descriptor)) {
    fs::path fresh = file;
    fresh += ".new";
    Descriptor f(os::open_file(fresh, os::Open::Fresh));
    if (!f.is_open()) return -1;
    const bool written = (prepare == nullptr || prepare(f.number())) &&
                         write_at(f.number(), bytes, 0) && os::sync_file(f.number()) &&
                         os::replace_file(fresh, file);
    if (!written) {
        const int why = errno;
        os::remove_file(fresh);
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
