// A thread with an engine of its own. It does one thing after another, and cannot be interrupted:
// whoever wants a search to end ends the worker (pool.ts).
import make from '#engine';

import { start, type Engine } from './engine.js';

export type Task =
    | { id: number; do: 'start'; compiled: WebAssembly.Module }
    | { id: number; do: 'hand'; name: string; bytes: Uint8Array }
    | { id: number; do: 'ask'; word: string; body: object }
    | { id: number; do: 'work'; word: string; body: object };
export type Said =
    | { id: number; answer: unknown }
    | { id: number; event: string; data: unknown };

let engine: Engine;

async function carryOut(task: Task): Promise<unknown> {
    switch (task.do) {
        case 'start':
            engine = await start(make, task.compiled);
            return {};
        case 'hand':
            engine.hand(task.name, task.bytes);
            return {};
        case 'ask':
            return engine.ask(task.word, task.body);
        case 'work':
            return engine.work(task.word, task.body, (event, data) =>
                postMessage({ id: task.id, event, data } satisfies Said),
            );
    }
}

// One after the other: starting takes a while, and what follows needs it.
let before: Promise<unknown> = Promise.resolve();
onmessage = ({ data: task }: MessageEvent<Task>) => {
    before = before.then(async () => {
        let answer: unknown;
        try {
            answer = await carryOut(task);
        } catch (e) {
            // Out of memory, or the stack: the engine cannot go on.
            answer = { error: String(e), remedy: 'reload the page', broken: true };
        }
        postMessage({ id: task.id, answer } satisfies Said);
    });
};
