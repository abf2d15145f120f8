/// The book on disk. A file is a header and then records, each with a checksum, only ever appended;
/// what stands later holds. Nothing that was written is touched again, so a program that is killed
/// at any moment can lose no more than the record that it was writing.
///
/// `compact` writes the whole book anew into a file beside it and renames that: the name always
/// leads to a whole book. Such a file is sealed: its head has the length and the checksum of all
/// that was written at once, so that one that was cut is never taken for a smaller book.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/games/othello/book.hpp"

namespace karikomi::othello {

/// What is in a file, and what is wrong with it.
struct BookScan {
    struct Problem {
        std::size_t offset = 0;
        std::string what;
    };
    Book book;                     ///< of all good records
    std::size_t records = 0;       ///< good ones
    std::size_t superseded = 0;    ///< entries that a later one replaced
    std::size_t loose = 0;         ///< entries that `compact` would pack
    std::size_t good_end = 0;      ///< bytes up to the end of the last good record
    std::size_t torn_bytes = 0;    ///< at the end: a record whose writer was killed
    std::vector<Problem> damage;   ///< bad bytes with good records after them
    std::vector<Problem> invalid;  ///< good records whose contents break the rules
};
/// Reads all that can be read. An error only where it is no book at all.
Expected<BookScan> scan_book(std::string_view bytes, const std::string& name);
Expected<BookScan> scan_book_file(const std::filesystem::path& file);

/// For reading. A torn end is the last writer's and no error; damage is.
Expected<Book> load_book(const std::filesystem::path& file);
/// The book built into the program: a broken one is a broken build, and throws.
Book trusted_book(std::string_view bytes);
/// Every entry once, sorted and compressed: the same book gives the same bytes.
std::string book_bytes(const Book& book);
/// A new file with this book, by way of a rename.
Status save_book(const Book& book, const std::filesystem::path& file);

/// A book file with its one writer.
class BookFile {
public:
    enum class Missing : bool { Refuse, Create };
    /// Locks the file for as long as this object lives; a second writer is refused. Cuts off a torn
    /// end, which is kept in FILE.torn; refuses a damaged file.
    static Expected<BookFile> open(const std::filesystem::path& file, Missing missing);
    BookFile(BookFile&& other) noexcept;
    BookFile& operator=(BookFile&&) = delete;
    ~BookFile();

    const Book& book() const { return book_; }
    /// All or none of them, also when the program is killed. What is wrong with the disk is an
    /// error, and the file stays as it was.
    Status put(std::span<const BookEntry> entries);
    Status put_note(const std::string& note);
    /// After this not even a power failure loses what was put.
    Status sync();
    /// All of the book at once: the old one or the new one, whatever happens.
    Status replace(Book book);
    /// Smaller, without what is superseded.
    Status compact();
    /// Appended entries that `compact` would pack.
    std::size_t loose() const { return loose_; }

private:
    explicit BookFile(std::filesystem::path path) : path_(std::move(path)) {}
    Status begin();
    Status append(const std::string& record);
    Status rewrite(const Book& book);

    std::filesystem::path path_;
    int file_ = -1;
    std::size_t size_ = 0;
    std::size_t loose_ = 0;
    Book book_;
};

}  // namespace karikomi::othello
