/// The book that is built into the program, where weights/shogi_book.db exists.
#include <sstream>
#include <stdexcept>

#include "karikomi/games/shogi/book.hpp"

#if defined(KARIKOMI_SHOGI_BOOK)
__asm__(
    ".section .rodata\n"
    ".global karikomi_shogi_book_begin\n"
    "karikomi_shogi_book_begin:\n"
    ".incbin \"" KARIKOMI_SHOGI_BOOK
    "\"\n"
    ".global karikomi_shogi_book_end\n"
    "karikomi_shogi_book_end:\n"
    ".text\n");
extern "C" const char karikomi_shogi_book_begin[];  // NOLINT: names of the assembler
extern "C" const char karikomi_shogi_book_end[];    // NOLINT
#endif

namespace karikomi::shogi {
namespace {

std::shared_ptr<const Book> shipped() {
#if defined(KARIKOMI_SHOGI_BOOK)
    const auto size = static_cast<std::size_t>(karikomi_shogi_book_end - karikomi_shogi_book_begin);
    std::istringstream in(std::string(karikomi_shogi_book_begin, size));
    auto book = Book::read(in, "the built-in book");
    if (!book) throw std::logic_error(book.error().what);
    return std::make_shared<const Book>(std::move(*book));
#else
    return std::make_shared<const Book>();
#endif
}

}  // namespace

const std::shared_ptr<const Book>& built_in_book() {
    static const std::shared_ptr<const Book> kBook = shipped();
    return kBook;
}

}  // namespace karikomi::shogi
