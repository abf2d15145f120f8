// The engine of the browser, in node: what the tests and measurements here begin with.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** BUILD is build-browser/ after ./run page --static. */
export async function startEngine(build, weights) {
    const parts = resolve(build, 'parts/browser');
    const glue = resolve(build, 'page/src/browser/engine.js');
    for (const file of [join(parts, 'engine.wasm'), glue]) {
        if (!existsSync(file)) throw new Error(`${file} is missing: ./run page --static OUT makes it`);
    }
    globalThis.self ??= { location: { href: '' } }; // emscripten's loader expects to be in a worker
    const { start } = await import(pathToFileURL(glue).href);
    const { default: make } = await import(pathToFileURL(join(parts, 'engine.mjs')).href);
    const engine = await start(make, await WebAssembly.compile(readFileSync(join(parts, 'engine.wasm'))));
    for (const name of readdirSync(weights).filter((n) => n.endsWith('.bin'))) {
        engine.hand(name, readFileSync(join(weights, name)));
    }
    return engine;
}

/** Positions of every game, those of gomoku for its standard rule too. */
export function samplesOf(engine) {
    const { games } = engine.ask('info', {});
    const all = Object.fromEntries(games.map((g) => [g.name, g.samples]));
    return { ...all, standard_gomoku: all.gomoku };
}
