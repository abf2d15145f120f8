# Turns a text file into a header with one string_view, karikomi::NAMESPACE::NAME:
#   cmake -D input=FILE -D output=FILE -D namespace=params -D name=kConnectFour -P embed.cmake
file(READ ${input} text)
file(WRITE ${output}
"#pragma once\n\n#include <string_view>\n\nnamespace karikomi::${namespace} {\n
inline constexpr std::string_view ${name} = R\"embedded(${text})embedded\";\n
}  // namespace karikomi::${namespace}\n")
