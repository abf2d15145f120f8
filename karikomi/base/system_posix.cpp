#include <array>
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <iconv.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "karikomi/base/system.hpp"

namespace karikomi::os {

namespace fs = std::filesystem;

// ---- Files --------------------------------------------------------------------------------------

int open_file(const fs::path& file, Open how) {
    switch (how) {
        case Open::Read:
            return ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
        case Open::Write:
            return ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
        case Open::Update:
            return ::open(file.c_str(), O_RDWR | O_CLOEXEC);
        case Open::UpdateOrCreate:
            return ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        case Open::Fresh:
            break;
    }
    return ::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

void close_file(int file) {
    ::close(file);
}

std::ptrdiff_t read_file(int file, char* to, std::size_t size) {
    for (;;) {
        const ssize_t n = ::read(file, to, size);
        if (n >= 0 || errno != EINTR) return n;
    }
}

std::ptrdiff_t write_file(int file, const char* from, std::size_t size) {
    for (;;) {
        const ssize_t n = ::write(file, from, size);
        if (n >= 0 || errno != EINTR) return n;
    }
}

std::ptrdiff_t write_file_at(int file, const char* from, std::size_t size, std::uint64_t offset) {
    for (;;) {
        const ssize_t n = ::pwrite(file, from, size, static_cast<off_t>(offset));
        if (n >= 0 || errno != EINTR) return n;
    }
}

bool sync_file(int file) {
    return ::fsync(file) == 0;
}

bool truncate_file(int file, std::uint64_t size) {
    return ::ftruncate(file, static_cast<off_t>(size)) == 0;
}

bool replace_file(const fs::path& from, const fs::path& to) {
    return std::rename(from.c_str(), to.c_str()) == 0;
}

bool remove_file(const fs::path& file) {
    return ::unlink(file.c_str()) == 0;
}

void sync_folder(const fs::path& folder) {
    const int f = open_file(folder, Open::Read);
    if (f < 0) return;
    ::fsync(f);
    ::close(f);
}

Lock lock_file(int file) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return Lock::Taken;
    return errno == EWOULDBLOCK ? Lock::Busy : Lock::Failed;
}

bool is_file_at(int file, const fs::path& name) {
    struct stat open_one {};
    struct stat named {};
    return ::fstat(file, &open_one) == 0 && ::stat(name.c_str(), &named) == 0 &&
           open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

// ---- The terminal -------------------------------------------------------------------------------

namespace {

int descriptor_of(Stream stream) {
    return stream == Stream::Output ? STDOUT_FILENO : STDERR_FILENO;
}

}  // namespace

bool is_terminal(Stream stream) {
    return ::isatty(descriptor_of(stream)) == 1;
}

std::size_t terminal_columns(Stream stream) {
    winsize size{};
    const int f = descriptor_of(stream);
    return ::isatty(f) == 1 && ::ioctl(f, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

Standard::Standard() = default;
Standard::~Standard() = default;

// ---- The machine --------------------------------------------------------------------------------

std::int64_t memory_mb() {
    const auto pages = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES));
    return pages * (static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE)) >> 10) >> 10;
}

fs::path program_file() {
    std::error_code failed;
    return fs::read_symlink("/proc/self/exe", failed);
}

std::string program_name(std::string_view path) {
    return std::string(path.substr(path.find_last_of('/') + 1));
}

void* take_zeros(std::size_t bytes) {
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
#if defined(__linux__)
    (void)::madvise(memory, bytes, MADV_HUGEPAGE);  // a refusal costs nothing but speed
#endif
    return memory;
}

void give_back_zeros(void* memory, std::size_t bytes) {
    ::munmap(memory, bytes);
}

// ---- Text ---------------------------------------------------------------------------------------

Recoded recode(std::string_view text, Charset from, Charset to) {
    const auto name = [](Charset c) { return c == Charset::Utf8 ? "UTF-8" : "CP932"; };
    Recoded out;
    const iconv_t handle = ::iconv_open(name(to), name(from));
    out.known = handle != reinterpret_cast<iconv_t>(-1);  // NOLINT: POSIX
    if (!out.known) return out;
    // iconv does not write through its input, but says otherwise.
    char* in = const_cast<char*>(text.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    std::size_t left = text.size();
    while (left > 0 && !out.failed_at) {
        std::array<char, 4096> buffer;
        char* at = buffer.data();
        std::size_t room = buffer.size();
        const std::size_t done = ::iconv(handle, &in, &left, &at, &room);
        const bool failed = done == static_cast<std::size_t>(-1) && errno != E2BIG;
        out.text.append(buffer.data(), buffer.size() - room);
        if (failed) out.failed_at = text.size() - left;
    }
    ::iconv_close(handle);
    return out;
}

}  // namespace karikomi::os
