#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <new>

#include "karikomi/base/system.hpp"

// clang-format off: the others need what windows.h declares
#define WIN32_LEAN_AND_MEAN
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>
// clang-format on

namespace karikomi::os {

namespace fs = std::filesystem;

// ---- Files --------------------------------------------------------------------------------------

namespace {

HANDLE handle_of(int file) {
    return reinterpret_cast<HANDLE>(_get_osfhandle(file));  // NOLINT: the system's
}

/// The C library's word for why the last call failed.
void set_errno() {
    switch (GetLastError()) {
        case ERROR_FILE_NOT_FOUND:
        case ERROR_PATH_NOT_FOUND:
            errno = ENOENT;
            break;
        case ERROR_DISK_FULL:
        case ERROR_HANDLE_DISK_FULL:
            errno = ENOSPC;
            break;
        case ERROR_LOCK_VIOLATION:
        case ERROR_SHARING_VIOLATION:
            errno = EBUSY;
            break;
        case ERROR_ACCESS_DENIED:
        case ERROR_WRITE_PROTECT:
            errno = EACCES;
            break;
        default:
            errno = EIO;
    }
}

DWORD at_most(std::size_t size) {
    return static_cast<DWORD>(std::min<std::size_t>(size, std::size_t{1} << 30U));
}

}  // namespace

int open_file(const fs::path& file, Open how) {
    const DWORD access = how == Open::Read    ? GENERIC_READ
                         : how == Open::Write ? GENERIC_WRITE
                                              : GENERIC_READ | GENERIC_WRITE;
    const DWORD creation = how == Open::Fresh            ? CREATE_ALWAYS
                           : how == Open::UpdateOrCreate ? OPEN_ALWAYS
                                                         : OPEN_EXISTING;
    // An open file can be renamed and replaced, as elsewhere.
    const HANDLE opened = CreateFileW(file.c_str(), access | (how == Open::Read ? 0 : DELETE),
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                      nullptr, creation, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (opened == INVALID_HANDLE_VALUE) {
        set_errno();
        return -1;
    }
    const int flags = _O_BINARY | _O_NOINHERIT | (how == Open::Read ? _O_RDONLY : _O_RDWR);
    const int out = _open_osfhandle(reinterpret_cast<std::intptr_t>(opened), flags);
    if (out < 0) CloseHandle(opened);
    return out;
}

void close_file(int file) {
    _close(file);
}

std::ptrdiff_t read_file(int file, char* to, std::size_t size) {
    DWORD done = 0;
    if (ReadFile(handle_of(file), to, at_most(size), &done, nullptr) != 0) return done;
    if (GetLastError() == ERROR_BROKEN_PIPE) return 0;  // the other end is closed
    set_errno();
    return -1;
}

std::ptrdiff_t write_file(int file, const char* from, std::size_t size) {
    DWORD done = 0;
    if (WriteFile(handle_of(file), from, at_most(size), &done, nullptr) != 0) return done;
    set_errno();
    return -1;
}

std::ptrdiff_t write_file_at(int file, const char* from, std::size_t size, std::uint64_t offset) {
    OVERLAPPED where{};
    where.Offset = static_cast<DWORD>(offset);
    where.OffsetHigh = static_cast<DWORD>(offset >> 32U);
    DWORD done = 0;
    if (WriteFile(handle_of(file), from, at_most(size), &done, &where) != 0) return done;
    set_errno();
    return -1;
}

bool sync_file(int file) {
    if (FlushFileBuffers(handle_of(file)) != 0) return true;
    set_errno();
    return false;
}

bool truncate_file(int file, std::uint64_t size) {
    return _chsize_s(file, static_cast<__int64>(size)) == 0;
}

bool replace_file(const fs::path& from, const fs::path& to) {
    if (MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) !=
        0) {
        return true;
    }
    // A file of that name which somebody holds open cannot be replaced, but it can be renamed.
    set_errno();
    const fs::path aside = to.wstring() + L".old";
    if (MoveFileExW(to.c_str(), aside.c_str(), MOVEFILE_REPLACE_EXISTING) == 0) return false;
    if (MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING) == 0) {
        set_errno();
        (void)MoveFileExW(aside.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING);
        return false;
    }
    (void)DeleteFileW(aside.c_str());
    return true;
}

bool remove_file(const fs::path& file) {
    if (DeleteFileW(file.c_str()) != 0) return true;
    set_errno();
    return false;
}

void sync_folder(const fs::path&) {}  // the system does that with the file

Lock lock_file(int file) {
    // A lock keeps readers from the bytes that it covers; these are beyond every end.
    OVERLAPPED where{};
    where.Offset = 0xFFFFFFFE;
    where.OffsetHigh = 0x7FFFFFFF;
    if (LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                   &where) != 0) {
        return Lock::Taken;
    }
    const bool busy = GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING;
    set_errno();
    return busy ? Lock::Busy : Lock::Failed;
}

bool is_file_at(int file, const fs::path& name) {
    const int named = open_file(name, Open::Read);
    if (named < 0) return false;
    BY_HANDLE_FILE_INFORMATION a{};
    BY_HANDLE_FILE_INFORMATION b{};
    const bool known = GetFileInformationByHandle(handle_of(file), &a) != 0 &&
                       GetFileInformationByHandle(handle_of(named), &b) != 0;
    close_file(named);
    return known && a.dwVolumeSerialNumber == b.dwVolumeSerialNumber &&
           a.nFileIndexLow == b.nFileIndexLow && a.nFileIndexHigh == b.nFileIndexHigh;
}

// ---- The terminal -------------------------------------------------------------------------------

namespace {

HANDLE handle_of(Stream stream) {
    return GetStdHandle(stream == Stream::Output ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
}

}  // namespace

bool is_terminal(Stream stream) {
    DWORD mode = 0;
    return GetConsoleMode(handle_of(stream), &mode) != 0;
}

std::size_t terminal_columns(Stream stream) {
    CONSOLE_SCREEN_BUFFER_INFO info{};
    if (GetConsoleScreenBufferInfo(handle_of(stream), &info) == 0) return 0;
    return static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

Standard::Standard() {
    for (std::FILE* file : {stdin, stdout, stderr}) _setmode(_fileno(file), _O_BINARY);
    code_page_ = GetConsoleOutputCP();
    if (code_page_ != 0) SetConsoleOutputCP(CP_UTF8);
    for (const Stream s : {Stream::Output, Stream::Errors}) {
        DWORD mode = 0;
        if (GetConsoleMode(handle_of(s), &mode) == 0) continue;
        SetConsoleMode(handle_of(s), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
}

Standard::~Standard() {
    std::fflush(stdout);
    if (code_page_ != 0) SetConsoleOutputCP(code_page_);
}

// ---- The machine --------------------------------------------------------------------------------

std::int64_t memory_mb() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    if (GlobalMemoryStatusEx(&status) == 0) return 1;
    return static_cast<std::int64_t>(status.ullTotalPhys >> 20U);
}

fs::path program_file() {
    std::array<wchar_t, 1U << 15U> name{};
    const DWORD size = GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
    if (size == 0 || size >= name.size()) return {};
    return fs::path(std::wstring(name.data(), size));
}

std::string program_name(std::string_view path) {
    std::string name(path.substr(path.find_last_of("/\\") + 1));
    const auto small = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    std::transform(name.begin(), name.end(), name.begin(), small);
    if (name.ends_with(".exe")) name.resize(name.size() - 4);
    return name;
}

void* take_zeros(std::size_t bytes) {
    return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void give_back_zeros(void* memory, std::size_t) {
    VirtualFree(memory, 0, MEM_RELEASE);
}

// ---- Text ---------------------------------------------------------------------------------------

namespace {

constexpr UINT kShiftJis = 932;

std::optional<std::wstring> wide(std::string_view text, Charset from) {
    if (text.empty()) return std::wstring();
    const UINT page = from == Charset::Utf8 ? CP_UTF8 : kShiftJis;
    const int size = static_cast<int>(text.size());
    const int length =
        MultiByteToWideChar(page, MB_ERR_INVALID_CHARS, text.data(), size, nullptr, 0);
    if (length <= 0) return std::nullopt;
    std::wstring out(static_cast<std::size_t>(length), L'\0');
    MultiByteToWideChar(page, MB_ERR_INVALID_CHARS, text.data(), size, out.data(), length);
    return out;
}

std::optional<std::string> narrow(const std::wstring& text, Charset to) {
    if (text.empty()) return std::string();
    const UINT page = to == Charset::Utf8 ? CP_UTF8 : kShiftJis;
    // UTF-8 leaves nothing out, and may not be asked whether it did.
    BOOL lost = FALSE;
    BOOL* const ask = to == Charset::Utf8 ? nullptr : &lost;
    const DWORD flags = to == Charset::Utf8 ? 0 : WC_NO_BEST_FIT_CHARS;
    const int size = static_cast<int>(text.size());
    const int length =
        WideCharToMultiByte(page, flags, text.data(), size, nullptr, 0, nullptr, ask);
    if (length <= 0 || lost != FALSE) return std::nullopt;
    std::string out(static_cast<std::size_t>(length), '\0');
    WideCharToMultiByte(page, flags, text.data(), size, out.data(), length, nullptr, ask);
    return out;
}

}  // namespace

Recoded recode(std::string_view text, Charset from, Charset to) {
    Recoded out;
    if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        out.failed_at = 0;
        return out;
    }
    const auto both = wide(text, from);
    auto converted = both ? narrow(*both, to) : std::nullopt;
    if (converted) {
        out.text = std::move(*converted);
        return out;
    }
    // The system does not say where; lines are short, and the first that fails is near enough.
    std::size_t line = 0;
    for (;;) {
        const std::size_t end = std::min(text.find('\n', line), text.size());
        const auto part = wide(text.substr(line, end - line), from);
        if (!part || !narrow(*part, to) || end == text.size()) break;
        line = end + 1;
    }
    out.failed_at = line;
    return out;
}

}  // namespace karikomi::os
