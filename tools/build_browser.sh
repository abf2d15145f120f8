#!/usr/bin/env bash
# ./run page --static OUT: the page with its engine in the browser, as files for any static host.
set -euo pipefail

# shellcheck source=tools/setup.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"

usage() {
    cat <<'TEXT'
Usage: ./run page --static OUT

Writes the page into the folder OUT with its engine as WebAssembly: every game, analysis, the
microscope and records, without a server and offline after the first visit. Any web server that
serves plain files will do; the address may be a folder of a site. Opening the files themselves
(file://) will not work, because browsers refuse that.

Installs Debian's emscripten first where it is missing. docs/page.md says what the browser's engine
does differently.

Options:
  --static OUT   the folder to write; what an earlier call wrote there is replaced
  --json         print the bytes of a first visit by game as JSON
  --help         this text

Example:
  ./run page --static site && python3 -m http.server --directory site 8000
TEXT
}

wrong() {
    say "$@"
    exit 2
}

out='' json=false
while (($# > 0)); do
    case $1 in
        --static)
            (($# > 1)) || wrong "--static: into which folder? ./run page --static site"
            out=$2
            shift
            ;;
        --json) json=true ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) wrong "page: unknown argument '$1'; see ./run page --help" ;;
    esac
    shift
done
if [[ -z $out ]]; then
    usage >&2
    exit 2
fi
if [[ -e $out && ! -e $out/engine/info.json ]] && [[ ! -d $out || -n $(ls -A "$out") ]]; then
    wrong "$out is there and was not written by ./run page; choose another folder"
fi

need_packages "${packages_run[@]}" "${packages_browser[@]}"
command -v em++ >/dev/null || give_up "em++ is missing; Debian's package is emscripten"
# Debian's emscripten looks for its JavaScript libraries where node of another origin does not.
export NODE_PATH=/usr/share/nodejs
prepare build-browser browser '' karikomi_browser
unset NODE_PATH

engine=$root/build-browser/parts/browser page=$root/build-browser/page
say "building the page"
KARIKOMI_ENGINE=$engine/engine.mjs "$root/tools/build_page.sh" "$page" build:static
[[ ! -e $page/missing ]] || give_up "the page could not be built: $(cat "$page/missing")"

visit=$(node "$root/tools/static_page.mjs" "$engine" "$page" "$root/weights" "$out") ||
    give_up "the page could not be put together; the reason stands above"
if $json; then
    printf '%s\n' "$visit"
    exit 0
fi
say "$out is ready; a first visit loads, in MB with gzip:"
node -e '
    const { first_visit } = JSON.parse(process.argv[1]);
    for (const [game, bytes] of Object.entries(first_visit))
        console.error(`  ${game.padEnd(16)} ${(bytes / 1e6).toFixed(2)}`);' "$visit"
