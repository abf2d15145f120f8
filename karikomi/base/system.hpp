/// What operating systems do differently, in one place: system_posix.cpp and system_windows.cpp.
/// Descriptors are those of the C library, on Windows too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace karikomi::os {

// ---- Files. What fails says why in `errno` ------------------------------------------------------
enum class Open {
    Read,
    Write,           ///< what is there, from its beginning; also devices
    Update,          ///< for reading and writing
    UpdateOrCreate,  ///< the same
    Fresh,           ///< the same, empty
};
/// -1: refused. Never inherited by programs that are started.
int open_file(const std::filesystem::path& file, Open how);
void close_file(int file);
/// As many bytes as there are at once; 0: the end; below 0: it failed.
std::ptrdiff_t read_file(int file, char* to, std::size_t size);
std::ptrdiff_t write_file(int file, const char* from, std::size_t size);
std::ptrdiff_t write_file_at(int file, const char* from, std::size_t size, std::uint64_t offset);
bool sync_file(int file);  ///< not even a power failure loses it
bool truncate_file(int file, std::uint64_t size);
/// `from` gets the name `to`, also where there is such a file and where either is open.
bool replace_file(const std::filesystem::path& from, const std::filesystem::path& to);
bool remove_file(const std::filesystem::path& file);
/// The name of a file is in its folder, which has to reach the disk too, where that can be asked.
void sync_folder(const std::filesystem::path& folder);

enum class Lock { Taken, Busy, Failed };
/// For this descriptor alone, without waiting; it goes with the descriptor, however that ends.
/// Readers are not kept out.
Lock lock_file(int file);
/// Whether the name leads to the open file.
bool is_file_at(int file, const std::filesystem::path& name);

// ---- The terminal -------------------------------------------------------------------------------
enum class Stream { Output, Errors };
bool is_terminal(Stream stream);
std::size_t terminal_columns(Stream stream);  ///< 0: no terminal
/// While it lives, stdin, stdout and stderr carry bytes as they are, and a terminal shows UTF-8.
class Standard {
public:
    Standard();
    ~Standard();
    Standard(const Standard&) = delete;
    Standard& operator=(const Standard&) = delete;

private:
    [[maybe_unused]] unsigned code_page_ = 0;
};
inline constexpr int kStandardInput = 0;

// ---- The machine --------------------------------------------------------------------------------
std::int64_t memory_mb();              ///< that this machine has
std::filesystem::path program_file();  ///< the running program; empty: nobody knows
/// The name by which a program was started, from its first argument: "karikomi-shogi".
std::string program_name(std::string_view path);

/// Memory of zeros that costs nothing until it is touched, on large pages where there are some.
/// Null: there is not so much.
void* take_zeros(std::size_t bytes);
void give_back_zeros(void* memory, std::size_t bytes);

// ---- Text ---------------------------------------------------------------------------------------
enum class Charset { Utf8, ShiftJis };  ///< the latter with the additions of code page 932
struct Recoded {
    std::string text;
    std::optional<std::size_t> failed_at;  ///< a byte of the input
    bool known = true;                     ///< false: this system has no such character set
};
Recoded recode(std::string_view text, Charset from, Charset to);

}  // namespace karikomi::os
