#!/usr/bin/env bash
# windows_zstd.sh COMPILER FOLDER: zstd for Windows, from the source package of Debian whose library
# the Linux program is linked with. apt checks its signature. The source is kept in the cache of the
# user; where it lies there, nothing is fetched.
set -euo pipefail

compiler=$1
folder=$(mkdir -p -- "$2" && cd -- "$2" && pwd -P)
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/karikomi/zstd
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

fetch() {
    mkdir -p "$cache/lists/partial"
    # shellcheck source=/dev/null
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    # The archive that this machine itself installs from.
    # shellcheck disable=SC2016 # the placeholders are apt's
    origin=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
        awk -v suite="$suite" '$1 == suite { print $2; exit }')
    echo "deb-src [signed-by=$keyring] $origin $suite main" >"$cache/sources.list"
    local apt=(apt-get -qq -o "Dir::Etc::SourceList=$cache/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$cache/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
        -o APT::Sandbox::User=)
    "${apt[@]}" update
    (cd "$cache" && "${apt[@]}" source --download-only libzstd)
}

archive() { find "$cache" -maxdepth 1 -name 'libzstd_*.orig.tar.xz' 2>/dev/null | sort | tail -n 1; }

[[ -n $(archive) ]] || fetch >&2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
tar -xf "$(archive)" -C "$work" --strip-components=1
mkdir -p "$folder/include"
cp "$work"/lib/*.h "$folder/include/"
objects=()
for source in "$work"/lib/{common,compress,decompress}/*.c; do
    object=$work/$(basename "${source%.c}").o
    "$compiler" -O2 -DNDEBUG -DZSTD_DISABLE_ASM -DXXH_NAMESPACE=ZSTD_ \
        "-ffile-prefix-map=$work=zstd" -c "$source" -o "$object"
    objects+=("$object")
done
rm -f "$folder/libzstd.a"
"${compiler%-gcc*}-ar" rcsD "$folder/libzstd.a" "${objects[@]}"
