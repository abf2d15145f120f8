add_compile_definitions(KARIKOMI_BROWSER=1)
if(NOT EMSCRIPTEN)  # to compare with: karikomi/browser/pipe.cpp
    find_package(Threads REQUIRED)
    find_package(fmt REQUIRED)
    find_package(nlohmann_json REQUIRED)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
    return()
endif()

# The libraries of others for the browser's engine. Debian packages none of them for emscripten, but
# of those that are headers alone the headers do; its search path must not see the rest of
# /usr/include. zstd is the page's own decoder there: karikomi/browser/unpack.cpp.
set(foreign_dir ${PROJECT_BINARY_DIR}/foreign)
file(MAKE_DIRECTORY ${foreign_dir})
foreach(name fmt nlohmann zstd.h)
    if(NOT EXISTS /usr/include/${name})
        message(FATAL_ERROR "/usr/include/${name} is missing: libfmt-dev nlohmann-json3-dev libzstd-dev")
    endif()
    file(CREATE_LINK /usr/include/${name} ${foreign_dir}/${name} SYMBOLIC)
endforeach()
foreach(target Threads::Threads fmt::fmt nlohmann_json::nlohmann_json PkgConfig::zstd)
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} SYSTEM INTERFACE ${foreign_dir})
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)

add_compile_options(-fwasm-exceptions -msimd128)
add_link_options(-fwasm-exceptions)
