#!/usr/bin/env bash
# check.sh FOLDER KARIKOMI: installs the Debian packages of FOLDER (./run release) in a clean Debian,
# uses them as a person does, and removes them. KARIKOMI is a program of the same commit, whose
# bench signature must come out of the package too, by every code path. A part of ./test --all.
# Exit code 77: skipped, because only root may make a root folder.
set -euo pipefail

folder=$(cd -- "${1:?usage: check.sh FOLDER KARIKOMI}" && pwd -P)
native=${2:?usage: check.sh FOLDER KARIKOMI}
# The archive that this machine itself installs from.
own_archive() {
    # shellcheck disable=SC2016 # the placeholders are apt's
    apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
        awk -v suite="$1" '$1 == suite { print $2; exit }'
}
mirror=${KARIKOMI_DEBIAN_MIRROR:-$(own_archive bookworm)}

say() { printf '== %s\n' "$*"; }
fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}
((EUID == 0)) || {
    say "skipped: only root can make and enter a root folder"
    exit 77
}

work=$(mktemp -d)
root=$work/root
clean_up() {
    ! mountpoint -q "$root/proc" || umount "$root/proc"
    rm -rf --one-file-system -- "$work"
}
trap clean_up EXIT

say "a clean Debian 12"
mmdebstrap --quiet --variant=minbase \
    --include=man-db,bash-completion,zsh,fish,ca-certificates,curl bookworm "$root" "$mirror"
mount -t proc proc "$root/proc"
in_root() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
files_of() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./var/cache -o -path ./var/lib -o -path ./var/log -o -path ./root \) -prune -o -print | sort); }

say "what the packages say of themselves"
cp "$folder"/*.deb "$root/tmp/"
(cd "$folder" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS does not fit"
for package in "$folder"/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -t >"$work/files"
    ! grep -E '^\./usr/local|/build/|/home/' "$work/files" || fail "strange files in $package"
done

say "install the program"
in_root sh -c 'apt-get -qq update && apt-get install -qq -y --no-install-recommends \
    $(dpkg-deb -f /tmp/karikomi_*.deb Depends | sed "s/([^)]*)//g; s/,//g")' >"$work/depends.log" 2>&1 ||
    { cat "$work/depends.log"; fail "the packages that it needs are not in Debian 12"; }
files_of >"$work/before"
in_root sh -c 'dpkg -i /tmp/karikomi_*.deb' >"$work/install.log" || fail "dpkg -i"

say "engines"
[[ $(printf 'usi\nisready\nposition startpos\ngo depth 5\nquit\n' | in_root karikomi usi) == *bestmove* ]] ||
    fail "usi"
[[ $(printf 'usi\nquit\n' | in_root karikomi-shogi) == *usiok* ]] || fail "karikomi-shogi"
[[ $(printf 'ABOUT\nEND\n' | in_root pbrain-karikomi) == *name=* ]] || fail "pbrain-karikomi"
in_root karikomi demo --quick >"$work/demo" || fail "demo"

say "every code path: the same bench"
signature() { sed -n 's/.*"signature":"\([0-9a-f]*\)".*/\1/p'; }
wanted=$("$native" bench --json | signature)
[[ -n $wanted ]] || fail "no signature of $native"
for path in '' plain avx2 avx512vnni; do
    got=$(KARIKOMI_CPU=$path chroot "$root" karikomi bench --json | signature)
    [[ $got == "$wanted" ]] || fail "bench by '$path': $got, but $wanted in the native build"
done
if command -v qemu-x86_64 >/dev/null; then
    say "a processor without SSE3 and all that came later"
    printf 'usi\nisready\nposition startpos\ngo depth 4\nquit\n' >"$work/usi"
    here=$(in_root karikomi usi <"$work/usi" | grep bestmove)
    # The interpreter sees the clean root's libraries, not those of this machine.
    there=$(qemu-x86_64 -cpu core2duo,-ssse3,-sse4.1 -L "$root" "$root/usr/bin/karikomi" usi <"$work/usi" |
        grep bestmove) || fail "it does not run there"
    [[ $here == "$there" ]] || fail "another move there: $there, but $here"
fi

say "manual pages"
for page in karikomi karikomi-analyze karikomi-lab-fit karikomi-shogi; do
    in_root man -w "$page" >/dev/null || fail "no manual page of $page"
done
text=$(in_root env MANWIDTH=100 man --no-hyphenation --warnings karikomi-match 2>"$work/man.log")
[[ $text == *--sprt* ]] || fail "man karikomi-match does not know --sprt"
[[ ! -s $work/man.log ]] || fail "man: $(cat "$work/man.log")"

say "completion"
[[ $(in_root fish -c 'complete -C "karikomi anal"') == analyze* ]] || fail "fish: a command"
[[ $(in_root fish -c 'complete -C "karikomi lab fit --sig"') == --sigma* ]] || fail "fish: an option"
in_root bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader karikomi
    COMP_WORDS=(karikomi lab fu); COMP_CWORD=2; _karikomi; [[ ${COMPREPLY[*]} == futility ]]' ||
    fail "bash: a command of a command"
# zsh completes in a terminal only; here it is seen to find the script and to read it.
in_root zsh -fc 'autoload -U compinit; compinit -u -d /tmp/zcompdump
    [[ ${_comps[karikomi]} == _karikomi ]] && autoload +X _karikomi' || fail "zsh does not know it"

say "the page"
in_root sh -c 'karikomi serve --port 0 --json --data /tmp/page & echo $! >/tmp/pid; wait' >"$work/serve" &
for _ in $(seq 100); do
    address=$(sed -n 's/.*"address":"\([^"]*\)".*/\1/p' "$work/serve")
    [[ -z $address ]] || break
    sleep 0.1
done
[[ -n $address ]] || fail "serve prints no address"
in_root curl -fsS "$address" | grep -q '<div id="app">' || fail "no page at $address"
in_root sh -c 'kill $(cat /tmp/pid)'
wait || true
grep -q '^Exec=karikomi serve --open$' "$root/usr/share/applications/karikomi.desktop" || fail "desktop entry"
if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate "$root/usr/share/applications/karikomi.desktop" || fail "desktop entry"
fi

say "remove it"
in_root apt-get purge -qq -y karikomi >"$work/purge.log" 2>&1 || fail "purge"
files_of >"$work/after"
diff "$work/before" "$work/after" || fail "it left something behind, or took something along"

say "the library"
in_root sh -c 'apt-get install -qq -y --no-install-recommends g++ cmake make /tmp/*.deb' >"$work/dev.log" 2>&1 ||
    { cat "$work/dev.log"; fail "libkarikomi-dev cannot be installed"; }
in_root sh -euc 'cd /tmp; karikomi new-game tictactoe5 >/dev/null; cd tictactoe5
    CXXFLAGS=-O1 cmake -B build >/dev/null; cmake --build build >/tmp/build.log 2>&1 || { cat /tmp/build.log; exit 1; }
    build/tictactoe5 analyze tictactoe5 --depth 4 >/dev/null' || fail "a game on top of it"
say "packages: all is well"
