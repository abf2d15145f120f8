# Debian packages by cpack (preset package, tools/release.sh): karikomi is the program, the library
# for authors of games is libkarikomi-dev.
option(KARIKOMI_PACKAGES "Make what the Debian packages hold: manual, completion, documents" OFF)
set(KARIKOMI_PACKAGE_VERSION
    ${PROJECT_VERSION}
    CACHE STRING "Version of the packages; tools/release.sh says which commit it was"
)
if(NOT KARIKOMI_PACKAGES)
    return()
endif()

# Manual pages and completion come from the program itself, so that they are never behind it.
set(documents ${PROJECT_BINARY_DIR}/documents)
set(shells bash zsh fish)
set(completions)
foreach(shell IN LISTS shells)
    list(APPEND completions COMMAND karikomi completion ${shell} > ${documents}/karikomi.${shell})
endforeach()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_custom_command(
    OUTPUT ${documents}/stamp
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${documents}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${documents}/man1
    COMMAND karikomi man --out ${documents}/man1 > ${documents}/pages.txt
    COMMAND gzip -9n -r ${documents}/man1
    ${completions}
    COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md > ${documents}/CHANGELOG.md.gz
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/sbom.py --text > ${documents}/licences.txt
    COMMAND ${CMAKE_COMMAND} -E touch ${documents}/stamp
    DEPENDS karikomi ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/tools/sbom.py
    COMMENT "Writing manual pages and completion"
    VERBATIM
)
add_custom_target(karikomi_documents ALL DEPENDS ${documents}/stamp)

file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
string(REGEX MATCH "Copyright[^\n]*" copyright "${licence}")
string(REGEX REPLACE "^Copyright (\\(c\\) )?" "" COPYRIGHT "${copyright}")
string(REGEX REPLACE "^[^\n]*\n+" "" licence "${licence}")
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n$" "" licence "${licence}")
string(REGEX REPLACE "\n" "\n " LICENSE " ${licence}")
configure_file(${PROJECT_SOURCE_DIR}/packaging/copyright ${PROJECT_BINARY_DIR}/copyright @ONLY)

set(share ${CMAKE_INSTALL_DATAROOTDIR})
install(
    DIRECTORY ${documents}/man1
    DESTINATION ${CMAKE_INSTALL_MANDIR}
    COMPONENT runtime
)
install(
    FILES ${documents}/karikomi.bash
    DESTINATION ${share}/bash-completion/completions
    RENAME karikomi
    COMPONENT runtime
)
install(
    FILES ${documents}/karikomi.zsh
    DESTINATION ${share}/zsh/vendor-completions
    RENAME _karikomi
    COMPONENT runtime
)
install(
    FILES ${documents}/karikomi.fish
    DESTINATION ${share}/fish/vendor_completions.d
    COMPONENT runtime
)
install(
    FILES ${PROJECT_SOURCE_DIR}/packaging/karikomi.desktop
    DESTINATION ${share}/applications
    COMPONENT runtime
)
install(
    FILES ${PROJECT_SOURCE_DIR}/web/public/icon.svg
    DESTINATION ${share}/icons/hicolor/scalable/apps
    RENAME karikomi.svg
    COMPONENT runtime
)
install(
    FILES ${PROJECT_BINARY_DIR}/copyright ${documents}/CHANGELOG.md.gz ${documents}/licences.txt
    DESTINATION ${share}/doc/karikomi
    COMPONENT runtime
)
install(
    FILES ${PROJECT_BINARY_DIR}/copyright ${documents}/CHANGELOG.md.gz
    DESTINATION ${share}/doc/libkarikomi-dev
    COMPONENT dev
)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME karikomi)
set(CPACK_PACKAGE_VENDOR Karikomi)
set(CPACK_PACKAGE_CONTACT "Karikomi <karikomi@localhost>")
set(CPACK_PACKAGE_VERSION ${KARIKOMI_PACKAGE_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE
)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME karikomi)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION games)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS xdg-utils)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION
    "One program with engines for shogi (USI), Othello (NBoard, GTP), renju and
gomoku (Gomocup), a page for the browser to play and analyse on, a laboratory
that measures search techniques, and matches between engines."
)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libkarikomi-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "karikomi (= ${KARIKOMI_PACKAGE_VERSION}), libcli11-dev, libcpp-httplib-dev, libeigen3-dev, libfmt-dev, libnats-dev, libspdlog-dev, libsqlite3-dev, libsqlitecpp-dev, libssl-dev, libzstd-dev, nlohmann-json3-dev, pkg-config"
)
set(CPACK_DEBIAN_DEV_DESCRIPTION
    "Headers, static libraries and the CMake package karikomi: principal-variation
search with ProbCut, Multi-ProbCut, futility, null move, late-move reductions
and singular extension for any game that satisfies a few concepts, and the
whole program of the package karikomi for games of one's own."
)
include(CPack)
