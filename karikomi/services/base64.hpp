/// Bytes that are no text, inside JSON (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace karikomi::services {

std::string to_base64(std::string_view bytes);
/// Nothing where the text is not base64: strict, with its padding and without blanks.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace karikomi::services
