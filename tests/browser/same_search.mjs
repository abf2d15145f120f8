// The browser's engine and the program search alike: same move, value and nodes.
//   node same_search.mjs PROGRAM BUILD WEIGHTS
// PROGRAM: karikomi. BUILD: build-browser/. WEIGHTS: the folder weights/.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import assert from 'node:assert/strict';

import { samplesOf, startEngine } from './engine.mjs';

const [program, build, weights] = process.argv.slice(2);
const run = promisify(execFile);
const hash = 16;
const engine = await startEngine(build, weights);

const native = async (game, words) =>
    JSON.parse((await run(program, ['analyze', game, '--hash', String(hash), '--json', ...words])).stdout);
function here(game, position, limits) {
    const body = { game, position, moves: [], limits, hash_mb: hash };
    const result = engine.work('search', body, () => undefined);
    assert.equal(result.error, undefined, `${game} '${position}': ${result.error}`);
    return result;
}
const said = ({ bestmove, value, nodes, depth, pv, techniques }) => ({ bestmove, value, nodes, depth, pv, techniques });

let failed = 0;
for (const [game, samples] of Object.entries(samplesOf(engine))) {
    let nodes = 0;
    for (const { position, depth } of samples) {
        const mine = said(here(game, position, { depth }));
        const words = ['--depth', String(depth), ...(position ? ['--position', position] : [])];
        const theirs = said(await native(game, words));
        nodes += mine.nodes;
        try {
            assert.deepEqual(mine, theirs);
        } catch (e) {
            failed++;
            console.log(`FAIL  ${game} '${position}' to depth ${depth}: ${e.message}`);
        }
    }
    console.log(`      ${game}: ${samples.length} positions, ${nodes} nodes`);
}

// Games' own solvers, and what is refused.
const proofs = [
    ['othello', 'exact', 'XXXXXXXOXXXXXXOOXXXXXOOOXXXXOOOOXXXOOOOOXXOOOOOOXOOOOOO-OOOOOO-- X', { answer: 'score', solved: true }],
    ['shogi', 'shortest', '4k4/9/4P4/9/9/9/9/9/4K4 b G 1', { answer: 'mate', solved: true }],
    ['gomoku', 'fours', '15/15/15/15/15/15/15/4XXX8/15/4O10/5O9/6O8/15/15/15 b', { answer: 'win', solved: true }],
];
for (const [game, kind, position, wanted] of proofs) {
    const proof = engine.work('solve', { game, kind, position, moves: [], time_ms: 10_000 }, () => undefined);
    for (const [name, value] of Object.entries(wanted)) assert.equal(proof[name], value, `${game}: ${JSON.stringify(proof)}`);
}
// An endgame that takes longer than it may: the clock is looked at without a thread for it.
const begun = Date.now();
const hard = '--------------------------OXX-----OXXX-----OOO------------------ X';
here('othello', hard, { time_ms: 300 });
engine.work('solve', { game: 'othello', kind: 'exact', position: hard, moves: ['f6'], time_ms: 300 }, () => undefined);
assert(Date.now() - begun < 10_000, `limits of 0.3 s took ${Date.now() - begun} ms`);

const kif = '手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n';
assert.deepEqual(engine.ask('import', { game: 'shogi', text: kif }).moves, ['7g7f', '3c3d']);
assert.match(engine.ask('export', { game: 'shogi', moves: ['7g7f'], format: 'kif' }).text, /７六歩/);
assert.match(engine.ask('position', { game: 'othello', moves: ['a1'] }).error, /move 1/);
assert.match(engine.ask('position', { game: 'chess' }).error, /unknown game/);
assert.match(engine.ask('nothing', {}).error, /knows no/);

console.log(failed === 0 ? 'all the same' : `${failed} differ`);
process.exit(failed === 0 ? 0 : 1);
