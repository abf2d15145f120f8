#!/usr/bin/env bash
# report.sh BUILD_FOLDER PROGRAM [SHOTS]: makes a small report and opens it in headless Chromium.
# Exit code 77: what it needs is not there. With SHOTS, pictures in light and dark go there.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
page=$1/page

skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}
[[ -e $page/dist/report/report.js ]] || skip "the page was not built"
[[ -d $page/node_modules/playwright-core ]] || skip "playwright-core is not there"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    skip "there is no Chromium (Debian: apt-get install chromium)"
exec node "$here/report_test.mjs" "$2" "$page" "$browser" "${3:-}"
