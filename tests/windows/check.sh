#!/usr/bin/env bash
# check.sh ZIP TREE: what a Windows user gets, under wine: the names by which GUIs start it, the
# recorded conversations of all protocols, the bench signature of the Linux program in TREE, files
# with Japanese names, and a match against that program. A part of ./test --all.
set -euo pipefail

zip=$(realpath -- "${1:?usage: check.sh ZIP TREE}")
tree=$(cd -- "${2:?usage: check.sh ZIP TREE}" && pwd -P)
games=${KARIKOMI_WINDOWS_GAMES:-20}

say() { printf '== %s\n' "$*"; }
fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
[[ -x $wine ]] || fail "wine64 is missing"
work=$(mktemp -d)
export WINEPREFIX=$work/wine WINEDEBUG=-all LANG=C.UTF-8
clean_up() {
    /usr/lib/wine/wineserver64 -k 2>/dev/null || true
    rm -rf -- "$work"
}
trap clean_up EXIT

cd "$work"
unzip -q "$zip"
cd karikomi-*-windows-x86_64
say "$("$wine" karikomi.exe --version 2>"$work/wine.log" | tr -d '\r')"

say "only libraries that every Windows has"
x86_64-w64-mingw32-objdump -p karikomi.exe | sed -n 's/^\s*DLL Name: //p' | sort -u >"$work/dlls"
! grep -viE '^(kernel32|msvcrt|advapi32|user32|bcrypt|shell32|ws2_32)\.dll$' "$work/dlls" || fail "foreign DLLs"

say "the names by which GUIs start it"
[[ $(printf 'usi\nquit\n' | "$wine" karikomi-shogi.exe 2>/dev/null) == *usiok* ]] || fail "karikomi-shogi"
[[ $(printf 'ABOUT\nEND\n' | "$wine" pbrain-karikomi.exe 2>/dev/null) == *name=* ]] || fail "pbrain-karikomi"
[[ $(printf 'nboard 2\nping 7\nquit\n' | "$wine" karikomi-othello.exe 2>/dev/null) == *'pong 7'* ]] ||
    fail "karikomi-othello"
[[ $(printf 'name\nquit\n' | "$wine" karikomi-othello-gtp.exe 2>/dev/null) == *'= '* ]] ||
    fail "karikomi-othello-gtp"
cp karikomi.exe pbrain-alone.exe
mkdir alone && cp karikomi.exe alone/PBRAIN-KARIKOMI.EXE
[[ $(printf 'ABOUT\nEND\n' | "$wine" alone/PBRAIN-KARIKOMI.EXE 2>/dev/null) == *name=* ]] ||
    fail "a copy under a brain's name"

say "the same bench as on Linux, by every code path"
signature() { sed -n 's/.*"signature":"\([0-9a-f]*\)".*/\1/p'; }
wanted=$("$tree/karikomi" bench --json | signature)
for path in '' plain avx2 avx512vnni; do
    got=$(KARIKOMI_CPU=$path "$wine" karikomi.exe bench --json 2>/dev/null | signature)
    [[ $got == "$wanted" ]] || fail "bench by '$path': '$got', but $wanted on Linux"
done

say "files with Japanese names, as UTF-8 and as Shift-JIS"
printf '手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n' >"$work/棋譜.kif"
iconv -f UTF-8 -t CP932 "$work/棋譜.kif" >"$work/sjis.kif"
for file in "$work/棋譜.kif" "$work/sjis.kif"; do
    "$wine" karikomi.exe records shogi "$file" --to json >"$work/out.json" 2>/dev/null || fail "records $file"
    grep -q 7g7f "$work/out.json" || fail "records $file: no move"
done
"$wine" karikomi.exe records shogi "$work/棋譜.kif" --to kif --out "$work/写し.kif" >/dev/null 2>&1 ||
    fail "a file with a Japanese name cannot be written"
[[ -s $work/写し.kif ]] || fail "the file with a Japanese name is not there"

say "recorded conversations of all protocols"
KARIKOMI_PROGRAM="$wine $PWD/karikomi.exe" "$(find "$tree" -name karikomi_tests -type f)" \
    --gtest_filter='*ProgramConversation*' --gtest_brief=1 || fail "conversations"

say "$games games of shogi against the program for Linux"
"$tree/karikomi" match "usi?name=linux:$tree/karikomi usi" "usi?name=windows:$wine $PWD/karikomi-shogi.exe" \
    --game shogi --nodes 500 --games "$games" --margin 2000 --db none --json >"$work/match.json"
python3 - "$work/match.json" "$games" <<'PYTHON' || fail "the match"
import json
import sys

result = json.loads(open(sys.argv[1], encoding="utf-8").read().strip().splitlines()[-1])
faults = sum(f[kind] for f in result["faults"] for kind in ("crash", "hang", "illegal_move", "time"))
print(f"games {result['games']}, score of the Linux program {result['score']}, faults {faults}")
sys.exit(0 if result["games"] >= int(sys.argv[2]) and faults == 0 else 1)
PYTHON
say "windows: all is well"
