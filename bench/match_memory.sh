#!/bin/sh
# Peak memory of matches of 1000 and of 10 000 games: it must not grow with the games.
# usage: bench/match_memory.sh [build/karikomi]
set -eu
karikomi=${1:-build/karikomi}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for games in 1000 10000; do
    "$karikomi" match 'internal:connect_four?hash=1&name=a' 'internal:connect_four?hash=1&name=b' \
        --depth 1 --opening-depth 1 --opening-balance 100 --games "$games" --concurrency 2 \
        --db "$folder/$games.db" >"$folder/out" &
    pid=$!
    peak=0
    while now=$(awk '/VmHWM/ {print $2}' "/proc/$pid/status" 2>/dev/null) && [ -n "$now" ]; do
        peak=$now
        sleep 0.05
    done
    wait "$pid"
    echo "$games games: peak $peak kB, database $(du -k "$folder/$games.db" | cut -f1) kB"
done
