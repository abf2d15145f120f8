#!/usr/bin/env bash
# A round of training on another machine, which needs nothing but Python with PyTorch.
#   round.sh pack PROGRAM FOLDER              here: the program, its libraries and this folder's files
#   FOLDER/round.sh play NET SEED SECONDS     there: games into $ROUND/SEED, on all cores
#   FOLDER/round.sh fit NAME ARGUMENTS...     train.py: $ROUND/NAME.bin and $ROUND/NAME.log
#   FOLDER/round.sh match A B NODES GAMES SEED
# NET, A and B are files or "shipped". PARAMS names the parameters that play; the default is what the
# program brings. NODES is for play (default 1000), CORES for all (default: every core).
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
round=${ROUND:-/root/round}
cores=${CORES:-$(env -u OMP_NUM_THREADS nproc)}  # nproc obeys that variable

program() { "$here/lib/ld-linux-x86-64.so.2" --library-path "$here/lib" "$here/karikomi" "$@"; }

pack() {
    local program=$1 folder=$2
    mkdir -p "$folder/lib"
    cp "$program" "$folder/karikomi"
    ldd "$program" | grep -o '/[^ ]*' | xargs -I{} cp -L {} "$folder/lib/"
    cp "$here"/{round.sh,samples.py,train.py} "$here/../../weights/shogi.bin" "$folder/"
    du -sh "$folder"
}

network() { if [[ $1 == shipped ]]; then echo "$here/shogi.bin"; else echo "$1"; fi; }

# params_for NET FILE: the parameters with the evaluation's id of NET, which the engine insists on.
params_for() {
    KARIKOMI_SHOGI_WEIGHTS=$1 program games --json | python3 -c '
import json, sys
params = json.load(open(sys.argv[1]))
games = json.load(sys.stdin)
params["evaluation"] = next(g["evaluation"] for g in games if g["game"] == "shogi")
json.dump(params, open(sys.argv[2], "w"))' "$PARAMS" "$2"
}

play() {
    local net params=()
    net=$(network "$1")
    mkdir -p "$round"
    if [[ -n ${PARAMS:-} ]]; then
        params_for "$net" "$round/$2.params.json"
        params=(--params "$round/$2.params.json")
    fi
    program train shogi --folder "$round/$2" --games 100000000 --nodes "${NODES:-1000}" \
        --play-seconds "$3" --threads "$cores" --seed "$2" --weights "$net" \
        "${params[@]}" --json | tee "$round/$2.json"
}

fit() {
    local name=$1
    shift
    PYTHONUNBUFFERED=1 python3 "$here/train.py" --out "$round/$name.bin" "$@" 2>&1 |
        tee "$round/$name.log"
}

match() {
    program match "internal:shogi?name=a&weights=$(network "$1")" \
        "internal:shogi?name=b&weights=$(network "$2")" --nodes "$3" --games "$4" --seed "$5" \
        --openings random:8 --concurrency "$cores" 2>&1 | tee -a "$round/matches.log"
}

case ${1:-} in
    pack | play | fit | match) "$@" ;;
    *)
        sed -n '2,8s/^# \?//p' "${BASH_SOURCE[0]}"
        exit 2
        ;;
esac
