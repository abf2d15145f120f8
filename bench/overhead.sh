#!/usr/bin/env bash
# Instructions per node with every technique switched off against compiled out, by callgrind: counts, not
# seconds, so a noisy machine does not matter. Usage: bench/overhead.sh (after ./test or ./run built it).
set -euo pipefail
cd -- "$(dirname -- "$0")/.."
# callgrind does not know AVX-512, so this one is built for a plain x86-64-v3 in a tree of its own.
tree=build-callgrind
cmake -S . -B $tree -G Ninja -DCMAKE_BUILD_TYPE=Release -DKARIKOMI_TESTS=OFF -DCMAKE_CXX_COMPILER=clang++-19 \
    -DCMAKE_CXX_FLAGS=-march=x86-64-v3 >/dev/null
cmake --build $tree --target bench_overhead >/dev/null
program=$tree/bench/overhead
# Instructions of a search alone: the program's start and its table are those of a search of depth 1.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1 |
        awk '/Collected/ {print $4} /^[0-9]+$/ {nodes = $1} END {print nodes}' | paste -sd' '
}
read -r off off_nodes <<<"$(count off 13)"
read -r out out_nodes <<<"$(count out 13)"
read -r off_start _ <<<"$(count off 1)"
read -r out_start _ <<<"$(count out 1)"
awk -v a="$((off - off_start))" -v an="$off_nodes" -v b="$((out - out_start))" -v bn="$out_nodes" 'BEGIN {
    printf "{\"off_instructions_per_node\":%.1f,\"out_instructions_per_node\":%.1f,", a / an, b / bn
    printf "\"overhead_percent\":%.2f,\"nodes_off\":%d,\"nodes_out\":%d}\n", 100 * (a / an / (b / bn) - 1), an, bn
}'
