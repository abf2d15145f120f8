#!/bin/sh
# Whole games by USI with byoyomi, Fischer clocks and pondering, ordinary and stochastic: is any lost
# on time, and how is the time used (FOLDER/*.svg, by `karikomi match moves`)? For a quiet machine
# with two free cores; 3 x 200 games take about four hours. The answer is no (exit 1) when a game was
# lost on time or ended by a fault.
# usage: bench/usi_time.sh [build/karikomi] [GAMES OF EACH KIND] [FOLDER] [MARGIN_MS]
set -eu
karikomi=$(realpath "${1:-build/karikomi}")
games=${2:-200}
folder=${3:-$(mktemp -d)}
margin=${4:-50}
mkdir -p "$folder"
play() { # NAME ONE OTHER CONTROL...
    name=$1 one=$2 other=$3
    shift 3
    "$karikomi" match "$one" "$other" --game shogi "$@" --margin "$margin" --games "$games" \
        --openings random:6 --max-plies 256 --hash 32 --db "$folder/$name.db" --json | tail -n 1
    "$karikomi" match moves "$folder/$name.db" --chart "$folder/$name.svg" >"$folder/$name.txt"
}
{
    play byoyomi "usi?name=plain:$karikomi usi" \
        "usi?name=careful&option.NetworkDelay2=60:$karikomi usi" --byoyomi 200
    play fischer "usi?name=plain:$karikomi usi" \
        "usi?name=slow&option.MinimumThinkingTime=100:$karikomi usi" --clock 4+0.1
    play ponder "usi?name=ponder&ponder=true:$karikomi usi" \
        "usi?name=stochastic&ponder=true&option.Stochastic_Ponder=true:$karikomi usi" --byoyomi 200
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
sys.exit(late > 0 or faults > 0)'
printf 'time by move number: %s\n' "$folder"
