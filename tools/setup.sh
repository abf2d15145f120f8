# Shared by ./run and ./test: install what is missing, configure, build. Meant to be sourced.
# Everything said here goes to stderr, because the stdout of `./run ... --json` belongs to karikomi.
# SC2034: the lists of packages are used by the scripts that source this.
# shellcheck shell=bash disable=SC2034

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

# Debian 12 package names, by what needs them.
packages_run=(
    build-essential
    ccache
    clang-19
    cmake
    libcli11-dev
    libcpp-httplib-dev
    libeigen3-dev
    libfmt-dev
    libnats-dev
    libspdlog-dev
    libsqlitecpp-dev
    libsqlite3-dev
    libssl-dev
    libzstd-dev
    ninja-build
    nlohmann-json3-dev
    pkg-config
)
# For the engine in the browser only: ./run page, ./test --all.
packages_browser=(
    emscripten
)
packages_test=(
    chromium
    libgmock-dev
    libgtest-dev
    nats-server
)
packages_all=(
    clang-format
    clang-tidy-19
    libclang-rt-19-dev
)

# ./run release: packages for Debian, and for Windows.
packages_release=(
    dpkg-dev
    fakeroot
    python3
)
packages_windows=(
    g++-mingw-w64-x86-64-posix
    zip
)
# ./test --all: what has to be installed to see that a package installs.
packages_check=(
    fish
    man-db
    mmdebstrap
    qemu-user
    unzip
    wine64
    zsh
)

say() { printf 'karikomi: %s\n' "$*" >&2; }

# Exit code 3 is "something broke" for every karikomi command.
give_up() {
    say "$@"
    exit 3
}

# need_packages NAME...: installs what is missing. One dpkg-query and no apt when all is there.
need_packages() {
    if ! command -v dpkg-query >/dev/null; then
        [[ -e $root/build/build.ninja ]] ||
            say "this is not Debian, so nothing is installed here; needed, by Debian's names: $*"
        return 0
    fi

    local installed name missing=()
    installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null) || true
    for name in "$@"; do
        [[ $'\n'$installed$'\n' == *$'\n'"$name installed"$'\n'* ]] || missing+=("$name")
    done
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

install_packages() {
    local by_hand="apt-get update && apt-get install $*"
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get)
    if ((EUID != 0)); then
        # Without a terminal sudo cannot ask for a password, so it must work without one.
        if ! command -v sudo >/dev/null || ! { [[ -t 2 ]] || sudo -n true 2>/dev/null; }; then
            give_up "Debian packages are missing and this user cannot install them;" \
                "type as root: $by_hand"
        fi
        apt=(sudo "${apt[@]}")
    fi

    say "installing Debian packages: $*"
    # A fresh machine has no package lists. A failed update may still leave usable old ones, so only
    # the install decides. stdin stays closed: it may hold a protocol session meant for karikomi.
    "${apt[@]}" -qq update </dev/null >&2 || true
    # The lock: a machine just started often runs its own upgrades.
    "${apt[@]}" -qq -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 -y --no-install-recommends \
        install "$@" </dev/null >&2 || give_up "installing failed; type as root: $by_hand"
}

# The page needs npm; everything else does not, so that a machine without it still gets the engine.
want_page() {
    local folder=$root/$1/page
    # An attempt that failed (no network, say) is made again.
    [[ ! -e $folder/missing ]] || rm -f "$folder/stamp"
    if [[ -e $folder/dist/index.html ]] || command -v npm >/dev/null; then return 0; fi
    ! command -v dpkg-query >/dev/null ||
        (install_packages nodejs npm) || say "without npm the page will be missing"
}

# prepare TREE PRESET "OPTION..." [TARGET...]: configures (only when needed) and builds one tree.
# OPTIONs are names of CMake options that must be ON. An option that an earlier call switched on
# stays on, so that ./run and ./test in turn do not rebuild everything each time.
prepare() {
    local tree=$1 preset=$2 options=$3 lock
    shift 3
    # Two ./run at once is normal (a GUI starts two engines); two builds at once in a tree is not.
    exec {lock}<"$root"
    if ! flock -n "$lock"; then
        say "waiting for another build to end"
        flock "$lock"
    fi
    tame_ccache
    want_page "$tree"
    configure "$tree" "$preset" "$options"
    build "$tree" "$@"
    exec {lock}<&-
}

tame_ccache() {
    # Relative paths inside the cache let a fresh clone in another folder profit from it.
    export CCACHE_BASEDIR=$root
    # ccache fails outright where it cannot write its cache (a CI user without a home).
    local cache=${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/ccache}
    { mkdir -p "$cache" && [[ -w $cache ]]; } 2>/dev/null || export CCACHE_DISABLE=1
}

configure() {
    local tree=$1 preset=$2 options=$3 option stamp log arguments=()
    local cache=$root/$tree/CMakeCache.txt stamp_file=$root/$tree/configured

    # A tree copied from elsewhere (another clone, another machine) points at sources not ours.
    if [[ -e $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        say "$tree/ was made for another source folder; starting it afresh"
        rm -rf -- "${root:?}/${tree:?}"
    fi

    # Ninja watches the CMakeLists.txt files, but neither the presets nor the processor, which
    # -march=native makes part of the result.
    stamp=$(cat "$root/CMakePresets.json" && grep -m1 '^flags' /proc/cpuinfo) || true
    stamp=$(cksum <<<"$stamp")
    for option in $options; do
        grep -qx "$option:BOOL=ON" "$cache" 2>/dev/null || arguments+=("-D$option=ON")
    done
    if ((${#arguments[@]} == 0)) && [[ -e $root/$tree/build.ninja ]] &&
        [[ $(cat "$stamp_file" 2>/dev/null) == "$stamp" ]]; then
        return 0
    fi

    say "configuring $tree/ (preset $preset)"
    if ! log=$(cd "$root" && cmake --preset "$preset" "${arguments[@]}" </dev/null 2>&1); then
        printf '%s\n' "$log" >&2
        give_up "configuring $tree/ failed; the reason stands above"
    fi
    # CMake's warnings are worth seeing, its usual chatter is not.
    grep -A4 'CMake.*Warning' <<<"$log" >&2 || true
    printf '%s\n' "$stamp" >"$stamp_file"
}

build() {
    local tree=$1
    shift
    # One job a core; Ninja's own default is more, and these templates are hungry for memory.
    export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
    # Ninja strips colours when it writes into our pipe, unless told that a person reads the end.
    [[ ! -t 2 ]] || export CLICOLOR_FORCE=1
    NINJA_STATUS='[%f/%t] ' cmake --build "$root/$tree" ${1:+--target "$@"} </dev/null 2>&1 |
        show_build "$tree" || give_up "building $tree/ failed; the reason stands above"
}

# show_build TREE: passes on what a person wants to see of Ninja's output: one moving line on a
# terminal, a line a step elsewhere, nothing at all when there was nothing to build.
show_build() {
    local line moving=false werror=false step='^\[[0-9]+/[0-9]+\] '
    while IFS= read -r line; do
        case $line in
            # This step runs in every build, to see whether the commit has changed.
            *'Checking the commit'*) continue ;;
            '-- '* | 'ninja: no work to do.') continue ;;
            *-Werror[=,]*) werror=true ;;
        esac
        if [[ -t 2 && $line =~ $step ]]; then
            printf '\r\033[K%.79s' "$line" >&2
            moving=true
        else
            ! $moving || printf '\r\033[K' >&2
            moving=false
            printf '%s\n' "$line" >&2
        fi
    done
    ! $moving || printf '\r\033[K' >&2
    ! $werror || say "./test made warnings errors here; cmake -DKARIKOMI_WERROR=OFF $1 undoes that"
}
