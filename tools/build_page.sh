#!/usr/bin/env bash
# tools/build_page.sh BUILD_FOLDER [SCRIPT]: builds web/ into BUILD_FOLDER/dist. Where that cannot be done
# (no node, no network) it leaves no dist, says so, and succeeds: the engine does not need the page.
# The build itself happens in BUILD_FOLDER, so that the source tree stays clean.
set -euo pipefail

web=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../web" && pwd -P)
folder=$1 script=${2:-build} # of web/package.json
mkdir -p "$folder"
log=$folder/log.txt

finish() {
    : >"$folder/stamp"
    exit 0
}
missing() {
    rm -rf "$folder/dist"
    printf '%s\n' "$*" >"$folder/missing"
    printf 'karikomi: the page is missing: %s; the engine is not affected\n' "$*" >&2
    finish
}

command -v node >/dev/null || missing "there is no node (Debian: apt-get install nodejs npm)"
command -v npm >/dev/null || missing "there is no npm (Debian: apt-get install npm)"
major=$(node -p 'process.versions.node.split(".")[0]')
((major >= 18)) || missing "node $major is too old; 18 is needed"

# Sources are copied, because npm wants node_modules beside them.
rm -rf "$folder/src" "$folder/public" "$folder/dist" "$folder/dist-static"
cp -R "$web/." "$folder/"
cd "$folder"
# The lock file decides, so node_modules is as good as its copy of the lock file.
if ! cmp -s package-lock.json node_modules/.installed-lock; then
    rm -rf node_modules
    npm ci --no-audit --no-fund --prefer-offline --fetch-retries=1 --fetch-timeout=30000 \
        </dev/null >"$log" 2>&1 || missing "npm could not fetch its packages (see $log)"
    cp package-lock.json node_modules/.installed-lock
fi
npm run --silent "$script" </dev/null >"$log" 2>&1 || {
    cat "$log" >&2
    missing "web/ could not be built (see above)"
}
rm -f "$folder/missing"
finish
