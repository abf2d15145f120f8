#!/usr/bin/env bash
# A round of training on another machine, which needs nothing but Python with PyTorch.
#   round.sh pack PROGRAM FOLDER              here: the program, its libraries and this folder's files
#   FOLDER/round.sh play NET SEED SECONDS     there: games into $ROUND/SEED, on all cores
#   FOLDER/round.sh fit NAME ARGUMENTS...     train.py: $ROUND/NAME.bin and $ROUND/NAME.log
#   FOLDER/round.sh match A B NODES GAMES SEED
#   FOLDER/round.sh whole NET SEED SECONDS GAMES   all of it without a question: games, six fits from NET
#                                             side by side, the mean of their weights, a match
# NET, A and B are files or "shipped". PARAMS names the parameters that play; the default is what the
# program brings. NODES is for play (default 1000), CORES for all (default: every core), MORE for play:
# further options of `train shogi`. A machine that is lent for as long as commands follow each other
# closely wants one command: `whole` leaves mean.bin, held.pos and logs in $ROUND.
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
    cp "$here"/{round.sh,samples.py,session.py,train.py} "$folder/"
    # As the trainer writes it: the other machine need not have zstd.
    { printf KARINET1; head -c 24 "$here/../../weights/shogi.bin" | tail -c 16
      tail -c +25 "$here/../../weights/shogi.bin" | zstd -dc; } >"$folder/shogi.bin"
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
        "${params[@]}" ${MORE:-} --json | tee "$round/$2.json"
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

whole() {
    local net began=$SECONDS
    net=$(network "$1")
    play "$1" "$2" "$3"
    # Weak fits from one start, whose mean does best (docs/results/shogi.md).
    local each=(
        "a --epochs 1 --rate 5e-4 --average 0.99 --lambda 0.8"
        "b --epochs 2 --rate 3e-4 --average 0.995 --lambda 0.8"
        "c --epochs 1 --rate 5e-4 --average 0.99 --lambda 0.5"
        "d --epochs 2 --rate 5e-4 --average 0.99 --lambda 0.8"
        "e --epochs 1 --rate 1e-3 --average 0.998 --lambda 0.7"
        "f --epochs 1 --rate 5e-4 --average 0.99 --lambda 0.8"
    )
    local fits=() starts=() all=(--data "$round/$2" --slope 0 --share 0.95 --batch 16384) seed=0
    for one in "${each[@]}"; do
        local name=${one%% *}
        # shellcheck disable=SC2086
        fit "$name" "${all[@]}" --start "$net" --seed $((++seed)) ${one#* } >/dev/null &
        fits+=($!)
        starts+=(--start "$round/$name.bin")
    done
    for one in "${fits[@]}"; do wait "$one"; done
    fit mean "${all[@]}" --lambda 0.8 --epochs 0 "${starts[@]}"
    grep -h -E "^(before|epoch)" "$round"/[a-f].log
    python3 - "$here" "$round/$2" "$round/held.pos" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from samples import HELD_OUT, load
samples = load([sys.argv[2]])
samples[(samples["flags"] & HELD_OUT) != 0].tofile(sys.argv[3])
END
    echo "$((SECONDS - began)) s before the match"
    [[ $4 == 0 ]] || match "$round/mean.bin" "$net" 20000 "$4" "$((10#$2 + 1))"
}

case ${1:-} in
    pack | play | fit | match | whole) "$@" ;;
    *)
        sed -n '2,12s/^# \?//p' "${BASH_SOURCE[0]}"
        exit 2
        ;;
esac
