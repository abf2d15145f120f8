# Turns a text file into a header with one string_view:
#   cmake -D input=FILE -D output=FILE -D name=kConnectFour -P embed.cmake
file(READ ${input} text)
file(WRITE ${output}
"#pragma once\n\n#include <string_view>\n\nnamespace karikomi::params {\n
inline constexpr std::string_view ${name} = R\"json(${text})json\";\n
}  // namespace karikomi::params\n")
