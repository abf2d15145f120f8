#include "karikomi/games/shogi/encoding.hpp"

#include <fmt/format.h>

#include "karikomi/base/system.hpp"

namespace karikomi::shogi {
namespace {

const char* name_of(os::Charset c) {
    return c == os::Charset::Utf8 ? "UTF-8" : "CP932";
}

Expected<std::string> convert(std::string_view text, os::Charset to, os::Charset from) {
    os::Recoded done = os::recode(text, from, to);
    if (!done.known) {
        return Error{fmt::format("this system cannot convert {} to {}", name_of(from), name_of(to)),
                     "install its character sets (glibc: gconv modules)"};
    }
    if (done.failed_at) {
        return Error{fmt::format("byte {} cannot be converted from {} to {}", *done.failed_at + 1,
                                 name_of(from), name_of(to)),
                     "save the file as UTF-8"};
    }
    return std::move(done.text);
}

constexpr std::string_view kMark = "\xef\xbb\xbf";

}  // namespace

Expected<std::string> to_utf8(std::string_view bytes) {
    if (is_utf8(bytes)) {
        if (bytes.starts_with(kMark)) bytes.remove_prefix(kMark.size());
        return std::string(bytes);
    }
    return convert(bytes, os::Charset::Utf8, os::Charset::ShiftJis);
}

Expected<std::string> to_shift_jis(std::string_view utf8) {
    return convert(utf8, os::Charset::ShiftJis, os::Charset::Utf8);
}

}  // namespace karikomi::shogi
