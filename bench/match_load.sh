#!/bin/sh
# Time losses under load: 500 games at 100 ms a move, two at once, our engine inside against our
# engine as a process by GTP. About 25 minutes of two cores. The answer is no (exit 1) when more
# than 0.1 % of the games were lost on time.
# usage: bench/match_load.sh [build/karikomi] [GAMES] [MARGIN_MS]
set -eu
karikomi=${1:-build/karikomi}
"$karikomi" match 'internal:othello?hash=16&name=inside' "gtp?name=process:$karikomi gtp --hash 16" \
    --move-time 100 --margin "${3:-50}" --games "${2:-500}" --concurrency 2 --db none --json |
    tail -n 1 | python3 -c '
import json, sys
r = json.load(sys.stdin)
lost = sum(f["time"] for f in r["faults"])
print(r["games"], "games, ends", r["ends"], "- lost on time:", lost)
print("slowest move (ms):", {f["engine"]: f["slowest_move_ms"] for f in r["faults"]})
print("%.0f s, margin %d ms" % (r["seconds"], r["margin_ms"]))
sys.exit(lost > 0.001 * r["games"])'
