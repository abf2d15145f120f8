/// FNV-1a, 64 bits: names and checksums that are the same on every machine and in every build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace karikomi {

class Fnv {
public:
    constexpr Fnv& add(std::string_view text) {
        for (const char c : text) add_byte(static_cast<unsigned char>(c));
        return *this;
    }
    constexpr Fnv& add(std::span<const std::byte> bytes) {
        for (const std::byte b : bytes) add_byte(static_cast<std::uint8_t>(b));
        return *this;
    }
    /// Low byte first.
    constexpr Fnv& add_number(std::uint64_t number) {
        for (int i = 0; i < 8; ++i) add_byte(static_cast<std::uint8_t>(number >> (8 * i)));
        return *this;
    }
    constexpr std::uint64_t value() const { return hash_; }
    /// Both halves folded into one.
    constexpr std::uint32_t folded() const {
        return static_cast<std::uint32_t>(hash_ ^ (hash_ >> 32));
    }
    /// 16 hex digits.
    std::string text() const {
        std::string out(16, '0');
        for (std::size_t i = 0; i < 16; ++i)
            out[15 - i] = "0123456789abcdef"[hash_ >> (4 * i) & 15];
        return out;
    }

private:
    constexpr void add_byte(std::uint8_t b) { hash_ = (hash_ ^ b) * 0x100000001B3ULL; }

    std::uint64_t hash_ = 0xCBF29CE484222325ULL;
};

/// The bytes of anything that is an array of plain numbers.
template <class T> Fnv fnv_of(std::span<const T> data) {
    Fnv hash;
    hash.add(std::as_bytes(data));
    return hash;
}
inline Fnv fnv_of(std::string_view text) {
    Fnv hash;
    hash.add(text);
    return hash;
}

}  // namespace karikomi
