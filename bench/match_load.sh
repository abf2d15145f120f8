#!/bin/sh
# Time losses under load: shogi at 100 ms a move, two games at once, our engine inside against our
# engine as a process by USI, then processes that also think on each other's time (four programs on
# two cores). About 40 minutes for 2 x 250 games. The answer is no (exit 1) when more than 0.1 % of
# the games were lost on time or one ended by a fault.
# usage: bench/match_load.sh [build/karikomi] [GAMES OF EACH KIND] [MARGIN_MS]
set -eu
karikomi=${1:-build/karikomi}
games=${2:-250}
margin=${3:-50}
play() {
    "$karikomi" match "$1" "$2" --game shogi --move-time 100 --margin "$margin" --games "$games" \
        --concurrency 2 --hash 32 --db none --json | tail -n 1
}
{
    play 'internal:shogi?name=inside' "usi?name=process:$karikomi usi"
    play "usi?name=one&ponder=true:$karikomi usi" "usi?name=other&ponder=true:$karikomi usi"
} | python3 -c '
import json, sys
games = late = faults = 0
for line in sys.stdin:
    r = json.loads(line)
    games += r["games"]
    late += sum(f["time"] for f in r["faults"])
    faults += sum(f[k] for f in r["faults"] for k in ("crash", "hang", "illegal_move"))
    slowest = {f["engine"]: f["slowest_move_ms"] for f in r["faults"]}
    print("%d games in %.0f s, margin %d ms, ends %s, slowest move (ms) %s"
          % (r["games"], r["seconds"], r["margin_ms"], r["ends"], slowest))
print("%d games: %d lost on time, %d other faults" % (games, late, faults))
sys.exit(late > 0.001 * games or faults > 0)'
