#!/usr/bin/env bash
# check.sh BUILD_FOLDER PROGRAM [SHOTS]: drives the page in headless Chromium. Exit code 77: what it
# needs is not there. With SHOTS, pictures of every view go into that folder.
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
exec node "$here/page_test.mjs" "$2" "$page" "$browser" "${3:-}"
