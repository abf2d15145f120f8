// How fast the browser's engine is, as a share of the same program compiled for this machine.
//   node bench/browser_speed.mjs BUILD NATIVE [ROUNDS [EXTRA_DEPTH [GAME...]]]
// BUILD: build-browser/ after ./run page --static. NATIVE: karikomi_browser of a build of this machine:
//   cmake -B build-plain -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-19 \
//       -DKARIKOMI_BROWSER=ON && ninja -C build-plain karikomi_browser
// which has no AVX; with -DKARIKOMI_NATIVE=ON it has all that the processor has.
//
// The samples of each game, EXTRA_DEPTH deeper than `karikomi bench` searches them, are searched by
// both in turn, in an order drawn anew each round; game by game, because making an engine is no part
// of a search. The time is that of the searching thread alone (/proc/PID/task/TID/schedstat), so that other programs and the
// compiler threads of V8 do not count. Prints a JSON line a search, then the ratios: geometric means
// over positions of the rounds' medians, with a bootstrap interval of 95 % over positions.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { samplesOf, startEngine } from '../tests/browser/engine.mjs';

const [build, native, roundsText, extraText, ...only] = process.argv.slice(2);
const rounds = Number(roundsText ?? 3);
const extra = Number(extraText ?? 0);
const weights = fileURLToPath(new URL('../weights', import.meta.url));
const hash = 16;

const engine = await startEngine(build, weights);
const child = spawn(resolve(native), [], { stdio: ['pipe', 'pipe', 'inherit'] });
let text = '';
let settle = null;
child.stdout.on('data', (bytes) => {
    text += bytes;
    const end = text.indexOf('\n');
    if (end < 0) return;
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    settle(JSON.parse(line));
});
const say = (action, word, body) =>
    new Promise((done) => {
        settle = done;
        child.stdin.write(`${action}\n${word}\n${body}\n`);
    });
for (const name of readdirSync(weights).filter((n) => n.endsWith('.bin'))) {
    await say('hand', name, join(weights, name));
}

/** Milliseconds that a thread has had a processor. */
const cpuOf = (path) => Number(readFileSync(`/proc/${path}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
const bodyOf = ({ game, position, depth }) => ({ game, position, moves: [], limits: { depth }, hash_mb: hash });
async function here(sample) {
    const before = cpuOf('thread-self');
    const { nodes } = engine.work('search', bodyOf(sample), () => undefined);
    return { nodes, ms: cpuOf('thread-self') - before };
}
async function there(sample) {
    const before = cpuOf(child.pid);
    const { answer } = await say('work', 'search', JSON.stringify(bodyOf(sample)));
    return { nodes: answer.nodes, ms: cpuOf(child.pid) - before };
}

const samples = Object.entries(samplesOf(engine))
    .filter(([game]) => only.length === 0 || only.includes(game))
    .flatMap(([game, all]) =>
        all.map(({ position, depth }) => ({ game, position, depth: depth + extra, wasm: [], native: [] })),
    );
const names = [...new Set(samples.map((s) => s.game))];

async function measure(round, sample) {
    const tasks = [['wasm', here], ['native', there]];
    if (Math.random() < 0.5) tasks.reverse();
    for (const [side, run] of tasks) {
        const { nodes, ms } = await run(sample);
        // The first round unpacks weights, and V8 compiles what runs often a second time.
        if (round === 0) continue;
        sample[side].push(ms);
        const { game, position, depth } = sample;
        console.log(JSON.stringify({ round, side, game, position, depth, nodes, ms }));
    }
}
for (const game of names) {
    const own = samples.filter((s) => s.game === game);
    for (let round = 0; round <= rounds; round++) {
        const order = own.map((sample) => ({ sample, at: Math.random() })).sort((a, b) => a.at - b.at);
        for (const { sample } of order) await measure(round, sample);
    }
}
child.stdin.end();

const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];
const geometric = (all) => Math.exp(all.reduce((sum, x) => sum + Math.log(x), 0) / all.length);
for (const game of names) {
    const own = samples.filter((s) => s.game === game);
    const ratios = own.map((s) => median(s.native) / median(s.wasm));
    const again = Array.from({ length: 2_000 }, () =>
        geometric(ratios.map(() => ratios[Math.floor(Math.random() * ratios.length)])),
    ).sort((a, b) => a - b);
    const ms = own.reduce((sum, s) => sum + median(s.native), 0);
    console.log(
        JSON.stringify({
            game,
            positions: own.length,
            native_ms: Math.round(ms),
            speed: Number(geometric(ratios).toFixed(3)),
            low: Number(again[50].toFixed(3)),
            high: Number(again[1949].toFixed(3)),
        }),
    );
}
process.exit(0);
