#!/usr/bin/env bash
# tools/fuzz.sh PROGRAM MINUTES [TARGET...]: each target for so long, one after the other. New inputs go
# to build-fuzz/corpus, crashes to build-fuzz/crashes; both survive, so that the next run goes on.
# Exit code 1 when something was found.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
program=$1
minutes=$2
shift 2
targets=("$@")
((${#targets[@]} > 0)) || mapfile -t targets < <("$program" | sort)
found=0
for target in "${targets[@]}"; do
    fresh=$root/build-fuzz/corpus/$target
    crashes=$root/build-fuzz/crashes/$target
    mkdir -p "$fresh" "$crashes"
    log=$crashes/log
    status=ok
    KARIKOMI_FUZZ_TARGET=$target nice -n 10 "$program" -max_total_time=$((minutes * 60)) -timeout=60 \
        -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1 -artifact_prefix="$crashes/" "$fresh" \
        "$root/tests/fuzz/corpus/$target" >"$log" 2>&1 </dev/null || status=FOUND
    [[ $status == ok ]] || found=1
    printf '%-12s %s, %s inputs, %s\n' "$target" "$status" \
        "$(grep -oP 'number_of_executed_units: \K.*' "$log" || echo ?)" \
        "$(grep -oP 'slowest_unit_time_sec: +\K.*' "$log" || echo ?) s the slowest"
done
exit "$found"
