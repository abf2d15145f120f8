#!/usr/bin/env bash
# check.sh BUILD_TREE: what an outside author meets. Installs the tree, then
#   - writes a game with `karikomi new-game`, runs the printed commands as they stand, and every
#     command of the program on that game;
#   - builds the games of examples/ against the installation;
#   - builds the core alone, without the libraries that it must not need, and a program on top of it.
# Everything lies in BUILD_TREE/consumer, where other tests find the game's program.
set -euo pipefail

tree=$(cd -- "${1:?usage: check.sh BUILD_TREE}" && pwd -P)
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
source_dir=$here/../..
work=$tree/consumer
rm -rf -- "$work"
mkdir -p "$work"
unset DESTDIR # it would send the installation elsewhere

say() { printf '== %s\n' "$*"; }
fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}
cached() { sed -n "s/^$1:[A-Z]*=//p" "$tree/CMakeCache.txt"; }

# The tree's own compiler and flags (a library built with a sanitizer links only into a program built
# with it), but little optimisation: compiling is what takes the time here.
export CXX CXXFLAGS CMAKE_GENERATOR CMAKE_BUILD_TYPE=None
CXX=$(cached CMAKE_CXX_COMPILER)
CXXFLAGS="$(cached CMAKE_CXX_FLAGS) -O1"
CMAKE_GENERATOR=$(cached CMAKE_GENERATOR)
! command -v ccache >/dev/null || export CMAKE_CXX_COMPILER_LAUNCHER=ccache

say "install"
prefix=$work/prefix
cmake --install "$tree" --prefix "$prefix" >"$work/install.log"
karikomi=$prefix/bin/karikomi
[[ -x $karikomi ]] || fail "bin/karikomi was not installed"
for name in karikomi-othello karikomi-othello-gtp; do
    "$prefix/bin/$name" </dev/null || fail "bin/$name does not start"
done
[[ -d $prefix/share/karikomi/params ]] || fail "params/ was not installed"

say "a new game, by the printed commands"
cd "$work"
"$karikomi" new-game tictactoe5 >new-game.txt
lines=$(cat tictactoe5/* | wc -l)
((lines <= 250)) || fail "the project has $lines lines, more than 250"
# The commands stand between the first two empty lines; the last one serves until it is stopped.
awk 'NF == 0 { n++; next } n == 1' new-game.txt >commands.sh
tail -n 1 commands.sh | grep -qx 'build/tictactoe5 serve' || fail "the last command is not serve"
sed -i '$d' commands.sh
bash -euo pipefail commands.sh >new-game.log 2>&1 || {
    cat new-game.log
    fail "the printed commands do not work"
}
program=$work/tictactoe5/build/tictactoe5
"$work/tictactoe5/build/conformance" >conformance.txt
head -n 1 conformance.txt
grep -q '^warning' conformance.txt && fail "the template has warnings: $(grep '^warning' conformance.txt)"

say "every command on it"
export XDG_STATE_HOME=$work/state
run() {
    "$program" "$@" >run.txt 2>run.err || {
        cat run.txt run.err
        fail "$*"
    }
}
# A bar that so small a run misses is no failure: exit code 1.
run_or_missed() {
    local status=0
    "$program" "$@" >run.txt 2>run.err || status=$?
    ((status <= 1)) || {
        cat run.txt run.err
        fail "$* (exit code $status)"
    }
}
run games
run show tictactoe5 --position c3b2
run analyze tictactoe5 --position c3b2 --depth 5 --json
run perft tictactoe5 --depth 3
grep -q '13,800\|13800' run.txt || fail "perft 3 is not 25 * 24 * 23: $(cat run.txt)"
run bench --depth-limit 4
run demo --quick
run params tictactoe5 --file
run match internal:tictactoe5 'internal:tictactoe5?off=all' --depth 3 --games 8 --db match.db
run tune tictactoe5 --method spsa --param late_moves.base --depth 3 --games 8 --db tune.db
db=(--db lab.db)
run lab collect tictactoe5 "${db[@]}" --games 150 --depth 5 --per-game 6
run_or_missed lab fit tictactoe5 "${db[@]}" --write fitted.json
run analyze tictactoe5 --params fitted.json --depth 5
run_or_missed lab futility tictactoe5 "${db[@]}" --positions 10 --depth 4 --write margins.json
run_or_missed lab verify tictactoe5 "${db[@]}" --params fitted.json --positions 2 --depth 4 \
    --move-time 0 --cuts 20 --hash 1
# At this depth the pairs of Multi-ProbCut do not act yet, its model does.
sed -e 's/"mode": "pairs"/"mode": "model"/' -e '/"checksum"/d' fitted.json >model.json
run_or_missed lab calibrate tictactoe5 "${db[@]}" --params model.json --depth 5 --games 2 \
    --match-depth 2 --positions 2 --steps 2
run lab report "${db[@]}" --match match.db --tune tune.db --out report.html
[[ -s report.html ]] || fail "the report is empty"
"$program" analyze othello --depth 1 2>run.err && fail "the program knows a game that it was not given"
grep -q "unknown game 'othello'" run.err || fail "an unknown game is not told: $(cat run.err)"

say "the games of examples/"
for game in breakthrough connect_four; do
    cmake -S "$source_dir/examples/$game" -B "$game" -D CMAKE_PREFIX_PATH="$prefix" >"$game.log"
    cmake --build "$game" >>"$game.log" 2>&1 || {
        cat "$game.log"
        fail "examples/$game does not build against the installation"
    }
    "$game/$game" analyze "$game" --depth 6 >run.txt || fail "examples/$game does not play"
done
breakthrough/conformance >conformance.txt || fail "examples/breakthrough: $(cat conformance.txt)"
head -n 1 conformance.txt

say "the core alone"
without=()
for package in SQLiteCpp CLI11 spdlog Eigen3 PkgConfig; do
    without+=(-D "CMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
cmake -S "$source_dir" -B core -D KARIKOMI_CORE_ONLY=ON "${without[@]}" >core.log
cmake --build core >>core.log 2>&1 || {
    cat core.log
    fail "KARIKOMI_CORE_ONLY does not build"
}
cmake --install core --prefix "$work/core-prefix" >>core.log
cmake -S "$here" -B nim -D CMAKE_PREFIX_PATH="$work/core-prefix" "${without[@]}" >nim.log
cmake --build nim >>nim.log 2>&1 || {
    cat nim.log
    fail "a program on the core alone does not build"
}
nim/consumer
