#!/usr/bin/env bash
# ./run release: everything that a release consists of. See ./run release --help.
set -euo pipefail

# shellcheck source=tools/setup.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"

usage() {
    cat <<'TEXT'
Usage: ./run release [--only PART]... [--twice] FOLDER

Builds the artefacts of a release into FOLDER, from what is committed here:

  deb       karikomi_VERSION_amd64.deb: the program, manual pages, completion, desktop entry
            libkarikomi-dev_VERSION_amd64.deb: library, headers, CMake package
  windows   karikomi-VERSION-windows-x86_64.zip: karikomi.exe and how to add it to GUIs
  source    karikomi-VERSION.tar.gz
  sbom      karikomi-VERSION-sbom.json: CycloneDX
  (always)  SHA256SUMS

The programs run on every x86-64 processor and use AVX2 and AVX-512 where these are.
The same commit gives the same bytes, wherever it is built.

  --only PART  only this part; may be repeated
  --twice      build again in another folder, without the compiler's cache, and compare
  --help       this text

Example:
  ./run release --only deb --only sbom /tmp/karikomi
TEXT
}

parts=()
twice=false
out=
while (($# > 0)); do
    case $1 in
        --only)
            [[ ${2:-} =~ ^(deb|windows|source|sbom)$ ]] || give_up "--only: deb, windows, source or sbom"
            parts+=("$2")
            shift
            ;;
        --twice) twice=true ;;
        -h | --help)
            usage
            exit 0
            ;;
        -*) give_up "release: unknown option '$1'; see ./run release --help" ;;
        *) out=$1 ;;
    esac
    shift
done
[[ -n $out ]] || give_up "release: into which folder? see ./run release --help"
((${#parts[@]} > 0)) || parts=(deb windows source sbom)
mkdir -p -- "$out"
out=$(cd -- "$out" && pwd -P)
wants() { [[ " ${parts[*]} " == *" $1 "* ]]; }

number=$(sed -n 's/^    VERSION \([0-9.]*\)$/\1/p' "$root/CMakeLists.txt")
commit=$(git -C "$root" rev-parse --short=10 HEAD) || give_up "release: this is no git repository"
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8
umask 022
# Before the tag a package must be older than after it: ~ sorts before everything.
version=$number
if [[ $(git -C "$root" describe --tags --exact-match 2>/dev/null) != "v$number" ]]; then
    version=$number~git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M).$commit
fi
[[ -z $(git -C "$root" status --porcelain) ]] ||
    say "release: what is not committed is built too, and the version says 'dirty'"

# set_version TREE: what the packages of this tree are called.
set_version() {
    local tree=$1
    grep -qxF "KARIKOMI_PACKAGE_VERSION:STRING=$version" "$root/$tree/CMakeCache.txt" ||
        cmake -S "$root" -B "$root/$tree" -D "KARIKOMI_PACKAGE_VERSION=$version" >/dev/null
}

make_deb() {
    need_packages "${packages_run[@]}" "${packages_release[@]}"
    tame_ccache
    want_page build-package
    configure build-package package ''
    set_version build-package
    build build-package
    rm -rf "$root/build-package/packages"
    (cd "$root/build-package" && cpack -G DEB -B packages >packages.log) || {
        cat "$root/build-package/packages.log" >&2
        give_up "release: cpack failed"
    }
    cp "$root"/build-package/packages/*.deb "$out/"
}

make_windows() {
    need_packages "${packages_run[@]}" "${packages_windows[@]}"
    tame_ccache
    want_page build-windows
    configure build-windows windows ''
    build build-windows
    local name=karikomi-$version-windows-x86_64 work
    work=$(mktemp -d)
    mkdir "$work/$name"
    cp "$root"/build-windows/{karikomi,karikomi-shogi,karikomi-othello,karikomi-othello-gtp,pbrain-karikomi}.exe \
        "$work/$name/"
    x86_64-w64-mingw32-strip "$work/$name"/*.exe
    cp "$root/LICENSE" "$work/$name/LICENSE.txt"
    cp "$root/docs/gui/windows.md" "$work/$name/README.md"
    cp "$root/build-windows/foreign/LICENSES.txt" "$work/$name/"
    find "$work" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    rm -f "$out/$name.zip"
    (cd "$work" && find "$name" -type f | sort | zip -q -X -9 "$out/$name.zip" -@)
    rm -rf -- "$work"
}

make_source() {
    local name=karikomi-$version
    git -C "$root" archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$out/$name.tar.gz"
}

make_sbom() { python3 "$root/tools/sbom.py" >"$out/karikomi-$version-sbom.json"; }

make_all() {
    local part
    for part in deb windows source sbom; do
        ! wants "$part" || {
            say "release: $part"
            "make_$part"
        }
    done
    (cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort |
        xargs -r sha256sum >SHA256SUMS)
}

# The same commit once more in a folder of another name, compiled afresh.
compare_with_second() {
    local copy
    copy=$(mktemp -d "${TMPDIR:-/tmp}/karikomi-again.XXXXXX")
    trap 'rm -rf -- "$copy"' EXIT
    git clone -q --no-hardlinks "$root" "$copy/elsewhere"
    local only=() part
    for part in "${parts[@]}"; do only+=(--only "$part"); done
    CCACHE_DISABLE=1 "$copy/elsewhere/run" release "${only[@]}" "$copy/out"
    if ! diff "$out/SHA256SUMS" "$copy/out/SHA256SUMS" >&2; then
        give_up "release: the second build is another one; the differences stand above"
    fi
    say "release: the second build is the same, byte for byte"
}

make_all
! $twice || compare_with_second
cat "$out/SHA256SUMS"
