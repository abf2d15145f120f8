#!/usr/bin/env bash
# browser.sh TEST BUILD_FOLDER PROGRAM [ARGUMENTS]: runs TEST_test.mjs of this folder (page, outside,
# report) in headless Chromium. Exit code 77: what it needs is not there.
#   browser.sh page BUILD_FOLDER PROGRAM [SHOTS]       every view; SHOTS: a folder for pictures
#   browser.sh report BUILD_FOLDER PROGRAM [SHOTS]     the report of the laboratory
#   browser.sh outside BUILD_FOLDER PROGRAM GAME       a program with a game from outside
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
test=$here/$1_test.mjs page=$2/page program=$3
shift 3

skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}
[[ -e $page/dist/index.html ]] || skip "the page was not built"
[[ -d $page/node_modules/playwright-core ]] || skip "playwright-core is not there"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    skip "there is no Chromium (Debian: apt-get install chromium)"
exec node "$test" "$program" "$page" "$browser" "$@"
