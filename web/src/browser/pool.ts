// Searches wait here for a thread. A search ends early with its thread, because a thread without
// shared memory hears nothing while it searches; what it has said so far is the result.
import { Dropped, type Events, type Running } from '../lib/transport';
import { Thread } from './thread';

interface Work {
    word: string;
    body: { game: string };
    tell: (event: string, data: unknown) => void;
    done: (result: unknown) => void;
    failed: (e: unknown) => void;
    over: boolean;
    /** Where it runs; null while it waits. */
    slot: Slot | null;
}
interface Slot {
    thread: Thread | null;
    work: Work | null;
}

// A board, a page and a search want a core each.
export const atOnce = (navigator.hardwareConcurrency || 2) > 3 ? 2 : 1;
const slots: Slot[] = Array.from({ length: atOnce }, () => ({ thread: null, work: null }));
const waiting: Work[] = [];

function next() {
    for (const slot of slots) {
        if (slot.work) continue;
        const work = waiting.shift();
        if (!work) break;
        void run(slot, work);
    }
    waiting.forEach((work, ahead) => work.tell('queued', { ahead }));
}

async function run(slot: Slot, work: Work) {
    slot.work = work;
    work.slot = slot;
    slot.thread ??= new Thread();
    const { thread } = slot;
    try {
        const result = await thread.work(work.word, work.body, (event, data) => {
            if (!work.over) work.tell(event, data);
        });
        if (!work.over) work.done(result);
    } catch (e) {
        if (!work.over) work.failed(e);
    }
    if (slot.thread !== thread) return; // it was ended, and the slot is another's by now
    slot.work = null;
    next();
}

function end(work: Work) {
    if (work.over) return;
    work.over = true;
    const { slot } = work;
    const place = waiting.indexOf(work);
    if (place >= 0) waiting.splice(place, 1);
    if (slot?.work === work) {
        slot.thread?.end();
        slot.thread = new Thread();
        void slot.thread.prepare(work.body.game).catch(() => undefined);
        slot.work = null;
    }
    next();
}

type Numbers = Record<string, Record<string, number | number[]>>;
interface Told {
    multipv?: number;
    pv?: string[];
    total_nodes?: number;
    techniques?: Numbers;
    [key: string]: unknown;
}

/** The counters of all iterations together. */
function sumOf(all: Numbers[]): Numbers {
    const sum: Numbers = {};
    for (const one of all) {
        for (const [technique, counters] of Object.entries(one)) {
            const to = (sum[technique] ??= {});
            for (const [name, n] of Object.entries(counters)) {
                const was = to[name];
                to[name] = Array.isArray(n)
                    ? n.map((x, i) => x + (Array.isArray(was) ? (was[i] ?? 0) : 0))
                    : n + (typeof was === 'number' ? was : 0);
            }
        }
    }
    return sum;
}

/** What a search that was ended would have said. */
export function resultOf(infos: Told[]): object {
    const stopped = 'you stopped it';
    const best = infos.findLast((i) => (i.multipv ?? 1) === 1);
    if (!best) return { bestmove: null, stopped };
    const firsts = infos.filter((i) => (i.multipv ?? 1) === 1);
    const lines: Told[] = [];
    for (let n = 1; ; n++) {
        const line = infos.findLast((i) => i.multipv === n);
        if (!line) break;
        lines.push(line);
    }
    const techniques = sumOf(firsts.map((i) => i.techniques ?? {}));
    return { ...best, bestmove: best.pv?.[0] ?? null, nodes: best.total_nodes, lines, techniques, stopped };
}

/** What a proof that was ended would have said. */
export function proofOf(kind: string, told: object[]): object {
    const nothing = { kind, answer: 'unknown', solved: false, line: [], nodes: 0, time_ms: 0 };
    return { ...nothing, ...told.at(-1), stopped: 'you stopped it' };
}

export function start<I, R>(
    word: 'search' | 'solve',
    body: { game: string; kind?: string },
    events: Events<I>,
): Running<R> {
    const told: Told[] = [];
    let stopping = false;
    let settle: { resolve: (r: R) => void; reject: (e: unknown) => void };
    const result = new Promise<R>((resolve, reject) => (settle = { resolve, reject }));
    const conclude = () => {
        end(work);
        const last = word === 'search' ? resultOf(told) : proofOf(body.kind ?? '', told);
        settle.resolve(last as R);
    };
    const work: Work = {
        word,
        body,
        over: false,
        slot: null,
        tell: (event, data) => {
            if (event === 'queued') events.queued?.((data as { ahead: number }).ahead);
            if (event === 'started') events.started?.();
            if (event !== 'info') return;
            told.push(data as Told);
            events.info?.(data as I);
            if (stopping) conclude();
        },
        done: (r) => settle.resolve(r as R),
        failed: (e) => settle.reject(e),
    };
    waiting.push(work);
    next();
    return {
        result,
        stop: () => {
            stopping = true;
            // A search says something within milliseconds; a proof may have nothing to say.
            const soon = word === 'search' && work.slot && told.length === 0;
            if (!work.over && !soon) conclude();
        },
        drop: () => {
            if (work.over) return;
            end(work);
            settle.reject(new Dropped('dropped'));
        },
    };
}
