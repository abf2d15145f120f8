#!/usr/bin/env bash
# check.sh BUILD_TREE: installs the tree under a temporary prefix, then configures, builds and runs
# the project of this folder against it, with the same compiler and flags.
set -euo pipefail

tree=${1:?usage: check.sh BUILD_TREE}
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
unset DESTDIR # it would send the installation elsewhere

# A library built with a sanitizer links only into a program built with it, hence the same flags.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$tree/CMakeCache.txt"; }

cmake --install "$tree" --prefix "$work/prefix" >"$work/install.log"
cmake -S "$here" -B "$work/build" -G "$(cached CMAKE_GENERATOR)" \
    -D CMAKE_BUILD_TYPE="$(cached CMAKE_BUILD_TYPE)" \
    -D CMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)" \
    -D CMAKE_CXX_FLAGS="$(cached CMAKE_CXX_FLAGS)" \
    -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF \
    -D CMAKE_PREFIX_PATH="$work/prefix"
cmake --build "$work/build"
"$work/build/consumer"

# The rest of what an installation promises.
[[ -x $work/prefix/bin/karikomi ]] || { echo "bin/karikomi was not installed"; exit 1; }
for name in karikomi-othello karikomi-othello-gtp; do
    "$work/prefix/bin/$name" </dev/null || { echo "bin/$name does not start"; exit 1; }
done
[[ -d $work/prefix/share/karikomi/params ]] || { echo "params/ was not installed"; exit 1; }
