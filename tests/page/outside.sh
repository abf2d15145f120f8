#!/usr/bin/env bash
# outside.sh BUILD_FOLDER PROGRAM GAME: plays a game from outside in headless Chromium. Exit code 77:
# what it needs is not there.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
page=$1/page

skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}
[[ -e $page/dist/index.html ]] || skip "the page was not built"
[[ -d $page/node_modules/playwright-core ]] || skip "playwright-core is not there"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    skip "there is no Chromium (Debian: apt-get install chromium)"
exec node "$here/outside_test.mjs" "$2" "$page" "$browser" "$3"
