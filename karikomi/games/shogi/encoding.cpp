#include "karikomi/games/shogi/encoding.hpp"

#include <array>
#include <cerrno>

#include <fmt/format.h>
#include <iconv.h>

namespace karikomi::shogi {
namespace {

class Converter {
public:
    Converter(const char* to, const char* from) : handle_(iconv_open(to, from)) {}
    Converter(const Converter&) = delete;
    Converter& operator=(const Converter&) = delete;
    ~Converter() {
        if (is_open()) iconv_close(handle_);
    }
    bool is_open() const { return handle_ != reinterpret_cast<iconv_t>(-1); }  // NOLINT: POSIX

    /// Nothing wrong: npos. Otherwise the byte that could not be converted.
    std::size_t convert(std::string_view text, std::string& out) {
        // iconv does not write through its input, but says otherwise.
        char* in = const_cast<char*>(text.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
        std::size_t left = text.size();
        while (left > 0) {
            std::array<char, 4096> buffer;
            char* to = buffer.data();
            std::size_t room = buffer.size();
            const std::size_t done = iconv(handle_, &in, &left, &to, &room);
            const bool failed = done == static_cast<std::size_t>(-1) && errno != E2BIG;
            out.append(buffer.data(), buffer.size() - room);
            if (failed) return text.size() - left;
        }
        return std::string::npos;
    }

private:
    iconv_t handle_;
};

Expected<std::string> convert(std::string_view text, const char* to, const char* from) {
    Converter converter(to, from);
    if (!converter.is_open()) {
        return Error{fmt::format("this system cannot convert {} to {}", from, to),
                     "install its character sets (glibc: gconv modules)"};
    }
    std::string out;
    if (const std::size_t at = converter.convert(text, out); at != std::string::npos) {
        return Error{fmt::format("byte {} cannot be converted from {} to {}", at + 1, from, to),
                     "save the file as UTF-8"};
    }
    return out;
}

constexpr std::string_view kMark = "\xef\xbb\xbf";

}  // namespace

Expected<std::string> to_utf8(std::string_view bytes) {
    if (is_utf8(bytes)) {
        if (bytes.starts_with(kMark)) bytes.remove_prefix(kMark.size());
        return std::string(bytes);
    }
    return convert(bytes, "UTF-8", "CP932");
}

Expected<std::string> to_shift_jis(std::string_view utf8) {
    return convert(utf8, "CP932", "UTF-8");
}

}  // namespace karikomi::shogi
