# The libraries of others for Windows. Debian packages none of them for mingw-w64, but of those that
# are headers alone the headers do; the search path must not see the rest of /usr/include. zstd is
# built from Debian's own source package (tools/windows_zstd.sh).
set(foreign_dir ${PROJECT_BINARY_DIR}/foreign)
file(MAKE_DIRECTORY ${foreign_dir}/include)
foreach(name CLI fmt nlohmann spdlog)
    if(NOT EXISTS /usr/include/${name})
        message(
            FATAL_ERROR
                "/usr/include/${name} is missing: libcli11-dev libfmt-dev libspdlog-dev nlohmann-json3-dev"
        )
    endif()
    file(CREATE_LINK /usr/include/${name} ${foreign_dir}/include/${name} SYMBOLIC)
endforeach()
if(NOT EXISTS ${foreign_dir}/libzstd.a)
    execute_process(
        COMMAND ${PROJECT_SOURCE_DIR}/tools/windows_zstd.sh ${CMAKE_C_COMPILER} ${foreign_dir}
                COMMAND_ERROR_IS_FATAL ANY
    )
endif()
# What has to be said of them beside the program.
set(licences "Karikomi is under the MIT licence (LICENSE.txt). Built into karikomi.exe are:\n")
foreach(package libcli11-dev libfmt-dev nlohmann-json3-dev libspdlog-dev libzstd-dev gcc-mingw-w64-base mingw-w64-common)
    if(EXISTS /usr/share/doc/${package}/copyright)
        file(READ /usr/share/doc/${package}/copyright text)
        string(APPEND licences "\n======== ${package}\n\n${text}")
    endif()
endforeach()
file(WRITE ${foreign_dir}/LICENSES.txt "${licences}")
foreach(target fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11 spdlog::spdlog PkgConfig::zstd)
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} SYSTEM INTERFACE ${foreign_dir}/include)
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)
target_compile_definitions(
    spdlog::spdlog INTERFACE SPDLOG_HEADER_ONLY=1 SPDLOG_FMT_EXTERNAL=1 FMT_HEADER_ONLY=1
)
target_link_libraries(PkgConfig::zstd INTERFACE ${foreign_dir}/libzstd.a)

# Names of functions as of Windows 10, and the compiler's printf instead of the system's. The
# program brings its libraries with it.
add_compile_definitions(_WIN32_WINNT=0x0A00 __USE_MINGW_ANSI_STDIO=1 NOMINMAX)
add_link_options(-static)
# g++ gives a stack of 16 bytes' alignment to vectors of 32 (GCC bug 54412), so that no move of a
# vector may ask for more.
add_compile_options(-Wa,-muse-unaligned-vector-move)
