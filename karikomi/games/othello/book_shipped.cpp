/// The book that is built into the program: weights/othello.book as it is.
#include <cstddef>
#include <string_view>

#include "karikomi/games/othello/book_file.hpp"

__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    ".global karikomi_othello_book_begin\n"
    "karikomi_othello_book_begin:\n"
    ".incbin \"" KARIKOMI_OTHELLO_BOOK
    "\"\n"
    ".global karikomi_othello_book_end\n"
    "karikomi_othello_book_end:\n"
    ".text\n");
extern "C" const char karikomi_othello_book_begin[];  // NOLINT: names of the assembler
extern "C" const char karikomi_othello_book_end[];    // NOLINT

namespace karikomi::othello {

std::shared_ptr<const Book> shipped_book() {
    static const std::shared_ptr<const Book> kBook = [] {
        const auto size =
            static_cast<std::size_t>(karikomi_othello_book_end - karikomi_othello_book_begin);
        return std::make_shared<const Book>(trusted_book({karikomi_othello_book_begin, size}));
    }();
    return kBook;
}

}  // namespace karikomi::othello
