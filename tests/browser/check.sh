#!/usr/bin/env bash
# check.sh PROGRAM: builds the page without a server and holds it against PROGRAM. A part of
# ./test --all, because it needs emscripten, minutes, and a browser.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
program=$1
site=$(mktemp -d)/site
trap 'rm -rf -- "$(dirname -- "$site")"' EXIT

"$root/run" page --static "$site"
cd "$root"
node tests/browser/same_search.mjs "$program" build-browser weights

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    printf 'there is no Chromium (Debian: apt-get install chromium)\n' >&2
    exit 1
}
node tests/page/static_test.mjs "$site" build-browser/page "$browser"
node tests/page/page_test.mjs "$site" build-browser/page "$browser"
