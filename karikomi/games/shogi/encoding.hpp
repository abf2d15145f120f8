/// Text files in Shift-JIS and UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "karikomi/base/expected.hpp"
#include "karikomi/engine/text.hpp"

namespace karikomi::shogi {

enum class Encoding : bool { Utf8, ShiftJis };

using karikomi::is_utf8;
/// UTF-8 without its mark, whatever the file was written in: what is no UTF-8 is taken for
/// Shift-JIS (with Microsoft's additions, as Japanese programs write it).
Expected<std::string> to_utf8(std::string_view bytes);
Expected<std::string> to_shift_jis(std::string_view utf8);

}  // namespace karikomi::shogi
