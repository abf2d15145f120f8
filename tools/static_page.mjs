// Puts the page with its engine in the browser together, as files for any static host:
//   node tools/static_page.mjs ENGINE PAGE WEIGHTS OUT
// ENGINE: folder with engine.mjs and engine.wasm. PAGE: folder in which web/ was built. OUT is made.
// Prints one JSON object: the bytes of a first visit, by game.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const [engine, page, weights, out] = process.argv.slice(2).map((path) => resolve(path));
// emscripten's loader expects to be in a worker.
globalThis.self ??= { location: { href: '' } };
const load = (path) => import(pathToFileURL(path).href);
const { start } = await load(join(page, 'src/browser/engine.js'));
const { default: make } = await load(join(engine, 'engine.mjs'));

const wasm = readFileSync(join(engine, 'engine.wasm'));
const compiled = await WebAssembly.compile(wasm);
const files = readdirSync(weights).filter((name) => name.endsWith('.bin'));
/** An engine that has all weights. */
async function fresh() {
    const program = await start(make, compiled);
    for (const name of files) program.hand(name, readFileSync(join(weights, name)));
    return program;
}
function said(answer) {
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
}
const info = said((await fresh()).ask('info', {}));

// Names that change with their bytes: nobody mixes two releases.
const hashed = (name, bytes) => {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
    const dot = name.lastIndexOf('.');
    return `engine/${name.slice(0, dot)}-${hash}${name.slice(dot)}`;
};
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'engine'), { recursive: true });
cpSync(join(page, 'dist-static'), out, { recursive: true });
cpSync(join(page, 'static/manifest.webmanifest'), join(out, 'manifest.webmanifest'));

const wasmName = hashed('engine.wasm', wasm);
writeFileSync(join(out, wasmName), wasm);
const kept = {};
for (const { name: game } of info.games) {
    const names = said((await fresh()).ask('files', { game }));
    kept[game] = names.map((name) => {
        const bytes = readFileSync(join(weights, name));
        const url = hashed(name, bytes);
        writeFileSync(join(out, url), bytes);
        return { name, url, bytes: bytes.length };
    });
}
writeFileSync(join(out, 'engine/info.json'), JSON.stringify({ wasm: wasmName, weights: kept, info }));

// The service worker's lists.
const all = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(out.length + 1))
    .sort();
const big = [...new Set([wasmName, ...Object.values(kept).flat().map((w) => w.url)])];
const first = all.filter((path) => !big.includes(path));
const version = createHash('sha256');
for (const path of first) version.update(path).update(readFileSync(join(out, path)));
const list = (paths) => `${JSON.stringify(paths, null, 4)};`;
const worker = readFileSync(join(page, 'static/sw.js'), 'utf8')
    .replace(/\[\]; \/\/ PAGE.*/, list(['./', ...first]))
    .replace(/\[\]; \/\/ BIG.*/, list(big))
    .replace(/''; \/\/ VERSION/, `'${version.digest('hex').slice(0, 16)}';`);
writeFileSync(join(out, 'sw.js'), worker);

const packed = (path) => gzipSync(readFileSync(join(out, path)), { level: 9 }).length;
const base = [...first, wasmName].reduce((sum, path) => sum + packed(path), 0);
const visit = Object.fromEntries(
    Object.entries(kept).map(([game, own]) => [game, base + own.reduce((sum, w) => sum + w.bytes, 0)]),
);
console.log(JSON.stringify({ page_and_engine: base, first_visit: visit }));
