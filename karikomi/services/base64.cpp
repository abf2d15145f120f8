#include "karikomi/services/base64.hpp"

#include <cstdint>

namespace karikomi::services {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::uint32_t byte_at(std::string_view bytes, std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::uint32_t three =
            byte_at(bytes, i) << 16U | byte_at(bytes, i + 1) << 8U | byte_at(bytes, i + 2);
        for (unsigned k = 0; k < 4; ++k) {
            const bool padding = i + k > bytes.size();
            out += padding ? '=' : kDigits[three >> (18U - 6U * k) & 63U];
        }
    }
    return out;
}

std::optional<std::string> from_base64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    std::string out;
    out.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        std::uint32_t three = 0;
        std::size_t padding = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const char c = text[i + k];
            const std::size_t digit = kDigits.find(c);
            const bool may_pad = c == '=' && k >= 2 && i + 4 == text.size();
            if (digit == kDigits.npos && !may_pad) return std::nullopt;
            if (digit != kDigits.npos && padding > 0) return std::nullopt;
            padding += may_pad ? 1 : 0;
            three = three << 6U | static_cast<std::uint32_t>(may_pad ? 0 : digit);
        }
        for (std::size_t k = 0; k + padding < 3; ++k) {
            out += static_cast<char>(three >> (16U - 8U * static_cast<std::uint32_t>(k)) & 255U);
        }
    }
    return out;
}

}  // namespace karikomi::services
