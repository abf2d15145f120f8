#!/bin/sh
# 200 games against a mock engine by each protocol, and between two internal settings, two at once:
# no game may be lost by a fault.
# usage: bench/match_protocols.sh [build/karikomi] [build/parts/tests/mock_engine]
set -eu
karikomi=${1:-build/karikomi}
mock=${2:-build/parts/tests/mock_engine}
play() {
    "$karikomi" match "$@" --depth 1 --opening-depth 1 --openings random:6 --games 200 \
        --concurrency 2 --db none --json |
        tail -n 1 | python3 -c '
import json, sys
r = json.load(sys.stdin)
print(r["games"], "games,", r["ends"], "%.1f s" % r["seconds"])
sys.exit(r["games"] != 200 or any(k not in ("rules",) for k in r["ends"]))'
}
printf 'internal: '
play 'internal:othello?hash=1' 'internal:othello?hash=1&off=all'
for protocol in nboard gtp gomocup; do
    printf '%s: ' "$protocol"
    play 'internal:othello?hash=1' "$protocol:$mock $protocol othello"
done
printf 'usi: '
play 'internal:connect_four?hash=1' "usi:$mock usi connect_four"
