// The analysis of the position at the board, and the review of a whole game.
import * as api from './api';
import type { Info, Line, RunningSearch } from './api';
import { nameAt } from './notation';
import { session } from './session.svelte';
import { settings } from './settings.svelte';
import * as trees from './tree';

export type LimitKind = 'infinite' | '2' | '10' | '30';

export interface Blunder {
    node: number;
    number: number;
    move: string;
    name?: api.MoveName;
    better: string;
    betterName?: api.MoveName;
    loss: number;
}

/** What the reader has set for all searches of this panel. */
const strength = () => ({
    ...(settings.threads > 1 ? { threads: settings.threads } : {}),
    ...(settings.hash > 0 ? { hash_mb: settings.hash } : {}),
});

class Analysis {
    running = $state(false);
    at = $state(-1); // the node whose lines these are
    lines = $state.raw<Line[]>([]);
    info = $state.raw<Info | null>(null);
    ahead = $state<number | null>(null);
    stopped = $state('');
    multiPv = $state(3);
    limit = $state<LimitKind>('infinite');
    reviewing = $state.raw<{ done: number; all: number } | null>(null);
    blunders = $state.raw<Blunder[] | null>(null);

    #search: RunningSearch | null = null;
    #review = 0;

    async start() {
        this.stop();
        const node = session.node;
        if (!session.info || !node || node.state.result) return;
        const side = node.state.side;
        this.at = node.id;
        this.lines = [];
        this.info = null;
        this.stopped = '';
        this.running = true;
        const limits =
            this.limit === 'infinite' ? { infinite: true } : { time_ms: Number(this.limit) * 1000 };
        const search = api.search(
            {
                game: session.info.name,
                position: session.start,
                moves: session.moves,
                limits: { ...limits, multi_pv: this.multiPv },
                ...strength(),
            },
            {
                queued: (ahead) => (this.ahead = ahead),
                started: () => (this.ahead = null),
                info: (info) => {
                    if (this.#search !== search) return;
                    this.info = info;
                    const lines = this.lines.slice();
                    lines[info.multipv - 1] = info;
                    this.lines = lines;
                    if (info.multipv === 1 && info.value !== null) {
                        session.setScore(node.id, {
                            value: trees.forFirst(info.value, side),
                            decisive: info.decisive,
                            plies: info.plies_to_end,
                            depth: info.depth,
                            best: info.pv[0],
                            bestName: nameAt(info.names, 0),
                        });
                    }
                },
            },
        );
        this.#search = search;
        try {
            const result = await search.result;
            if (this.#search !== search) return;
            if (result.lines) this.lines = result.lines;
            this.stopped = result.stopped === 'you stopped it' ? '' : (result.stopped ?? '');
        } catch (e) {
            if (!(e instanceof api.Dropped)) session.complain(e);
        }
        if (this.#search === search) {
            this.running = false;
            this.#search = null;
        }
    }

    /** Ends what is under way; of a review stays what is done. */
    stop() {
        if (this.reviewing && session.info) this.blunders = worst(session.line, session.info.unit);
        this.#review++;
        this.reviewing = null;
        this.running = false;
        this.ahead = null;
        const search = this.#search;
        this.#search = null;
        search?.drop();
    }

    /** Every position of the line at the board, one after another, a moment each. */
    async review() {
        this.stop();
        const turn = ++this.#review;
        if (!session.info) return;
        const game = session.info;
        const line = session.line.slice();
        this.blunders = null;
        for (let i = 0; i < line.length; i++) {
            this.reviewing = { done: i, all: line.length - 1 };
            const node = session.tree[line[i]];
            if (node.state.result) break;
            const search = api.search({
                game: game.name,
                position: session.start,
                moves: trees.movesTo(session.tree, node.id),
                limits: { time_ms: 300 },
                ...strength(),
            });
            this.#search = search;
            try {
                const r = await search.result;
                if (turn !== this.#review) return;
                if (r.value !== null) {
                    session.setScore(node.id, {
                        value: trees.forFirst(r.value, node.state.side),
                        decisive: r.decisive,
                        plies: r.plies_to_end,
                        depth: r.depth,
                        best: r.bestmove ?? undefined,
                        bestName: nameAt(r.names, 0),
                    });
                }
            } catch (e) {
                if (!(e instanceof api.Dropped)) session.complain(e);
                this.reviewing = null;
                return;
            }
        }
        this.#search = null;
        this.reviewing = null;
        this.blunders = worst(line, game.unit);
    }
}

/** Moves after which the mover stood worse than before, by what the search says. */
function worst(line: number[], unit: number): Blunder[] {
    const found: Blunder[] = [];
    // A proven result counts as much as a large advantage, not as infinity.
    const most = 40 * unit;
    const flat = (v: number) => Math.max(-most, Math.min(most, v));
    for (let i = 1; i < line.length; i++) {
        const before = session.tree[line[i - 1]];
        const after = session.tree[line[i]];
        if (!before.score || !after.score || before.score.best === after.move) continue;
        const change = flat(after.score.value) - flat(before.score.value);
        const loss = before.state.side === 'first' ? -change : change;
        if (loss < unit / 2) continue;
        found.push({
            node: before.id,
            number: i,
            move: after.move,
            name: after.state.name,
            better: before.score.best ?? '',
            betterName: before.score.bestName,
            loss,
        });
    }
    return found.sort((a, b) => b.loss - a.loss).slice(0, 5);
}

export const analysis = new Analysis();
