// Two settings, one position: what the microscope runs and what it says of it.
import * as api from './api';
import type { Counters, GameInfo, Info, Param, Result, RunningSearch } from './api';
import { lineScore, short, whole } from './format';
import { named, t } from './i18n';
import { moveText, nameAt } from './notation';
import { session } from './session.svelte';

export type Value = Param['value'];

/** Which techniques are on, and numbers other than the shipped ones. */
export interface Setting {
    on: Record<string, boolean>;
    set: Record<string, Value>;
}

export interface Run {
    infos: Info[]; // the last of each depth
    result: Result | null;
    ahead: number | null;
    counters: Counters;
    /** Counters by depth: what each iteration did. */
    byDepth: Record<number, Counters>;
}

const emptyRun = (): Run => ({ infos: [], result: null, ahead: null, counters: {}, byDepth: {} });

export const shippedOn = (game: GameInfo, technique: string): boolean =>
    game.params.find((p) => p.path === `${technique}.enabled`)?.value === true;

export const paramsOf = (game: GameInfo, technique: string): Param[] =>
    game.params.filter((p) => p.path.startsWith(`${technique}.`) && !p.path.endsWith('.enabled'));

export function shipped(game: GameInfo): Setting {
    return {
        on: Object.fromEntries(game.techniques.map((name) => [name, shippedOn(game, name)])),
        set: {},
    };
}
export function allOff(game: GameInfo): Setting {
    return { on: Object.fromEntries(game.techniques.map((name) => [name, false])), set: {} };
}

function add(sum: Counters, more: Counters): Counters {
    const out: Counters = structuredClone(sum);
    for (const [technique, counters] of Object.entries(more)) {
        out[technique] ??= {};
        for (const [name, n] of Object.entries(counters)) {
            if (typeof n === 'number') {
                out[technique][name] = ((out[technique][name] as number) ?? 0) + n;
            }
        }
    }
    return out;
}

class Microscope {
    game = '';
    settings = $state<[Setting, Setting]>([
        { on: {}, set: {} },
        { on: {}, set: {} },
    ]);
    depth = $state(10);
    runs = $state.raw<[Run, Run]>([emptyRun(), emptyRun()]);
    running = $state(false);
    position = $state(''); // that the runs are of

    #searches: RunningSearch[] = [];
    #turn = 0;

    /** Settings belong to a game; another one starts with its own. */
    adopt(game: GameInfo) {
        if (this.game === game.name) return;
        this.stop();
        this.game = game.name;
        this.settings = [allOff(game), shipped(game)];
        this.depth = Math.max(4, (game.samples[1] ?? game.samples[0])?.depth ?? 8);
        this.runs = [emptyRun(), emptyRun()];
    }

    async compare() {
        this.stop();
        const game = session.info;
        const node = session.node;
        if (!game || !node) return;
        const turn = ++this.#turn;
        this.running = true;
        this.position = node.state.position;
        this.runs = [emptyRun(), emptyRun()];
        const both = ([0, 1] as const).map((i) => this.#run(i, turn));
        await Promise.allSettled(both);
        if (turn === this.#turn) this.running = false;
    }

    async #run(i: 0 | 1, turn: number) {
        const { on, set } = $state.snapshot(this.settings[i]) as Setting;
        const change = (act: (run: Run) => Partial<Run>) => {
            if (turn !== this.#turn) return;
            const runs: [Run, Run] = [...this.runs];
            runs[i] = { ...runs[i], ...act(runs[i]) };
            this.runs = runs;
        };
        const search = api.search(
            {
                game: session.info?.name ?? '',
                position: session.start,
                moves: session.moves,
                limits: { depth: this.depth },
                only: Object.keys(on).filter((name) => on[name]),
                set,
            },
            {
                queued: (ahead) => change(() => ({ ahead })),
                started: () => change(() => ({ ahead: null })),
                info: (info) =>
                    change((run) => ({
                        infos: [...run.infos.filter((x) => x.depth !== info.depth), info],
                        counters: add(run.counters, info.techniques),
                        byDepth: {
                            ...run.byDepth,
                            [info.depth]: add(run.byDepth[info.depth] ?? {}, info.techniques),
                        },
                    })),
            },
        );
        this.#searches.push(search);
        try {
            const result = await search.result;
            change((run) => ({
                result,
                counters: add({}, Object.keys(result.techniques ?? {}).length ? result.techniques : run.counters),
            }));
        } catch (e) {
            if (!(e instanceof api.Dropped)) session.complain(e);
        }
    }

    stop() {
        this.#turn++;
        this.running = false;
        for (const s of this.#searches) s.drop();
        this.#searches = [];
    }
}

export const microscope = new Microscope();

export const lastInfo = (run: Run): Info | undefined => run.infos[run.infos.length - 1];

/** Nodes grow by this factor a ply, over the last four depths. */
export function branching(run: Run): number | null {
    const last = run.infos[run.infos.length - 1];
    const first = run.infos[Math.max(0, run.infos.length - 5)];
    if (!last || !first || last.depth <= first.depth || first.total_nodes <= 0) return null;
    return (last.total_nodes / first.total_nodes) ** (1 / (last.depth - first.depth));
}

type Points = [number, number][];

/** Nodes of each iteration alone. */
export const iterationNodes = (run: Run): Points => run.infos.map((x) => [x.depth, x.nodes]);

/** The growth a ply at each depth, over two plies because odd and even depths differ. */
export const branchingCourse = (run: Run): Points =>
    run.infos.flatMap((x): Points => {
        const before = run.infos.find((y) => y.depth === x.depth - 2);
        if (!before || before.total_nodes <= 0) return [];
        return [[x.depth, Math.sqrt(x.total_nodes / before.total_nodes)]];
    });

export const cutRateCourse = (run: Run): Points =>
    run.infos
        .filter((x) => x.first_move_cut_rate > 0) // at depth 1 nothing is cut yet
        .map((x) => [x.depth, 100 * x.first_move_cut_rate]);

/** One counter of a technique, iteration by iteration. */
export function counterCourse(run: Run, technique: string, counter: string): Points {
    return run.infos.flatMap((x): Points => {
        const n = run.byDepth[x.depth]?.[technique]?.[counter];
        return typeof n === 'number' ? [[x.depth, n]] : [];
    });
}
/** How many in a hundred tries succeeded. */
export function successCourse(run: Run, technique: string): Points {
    return counterCourse(run, technique, 'tried').flatMap(([depth, tried]): Points => {
        const won = run.byDepth[depth]?.[technique]?.succeeded;
        return tried > 0 && typeof won === 'number' ? [[depth, (100 * won) / tried]] : [];
    });
}

/** What B does otherwise than A, as the subject of a sentence. */
function subject(a: Setting, b: Setting): string {
    const names = (list: string[]) => list.map((n) => named('technique_', n)).join(', ');
    const keys = Object.keys(b.on);
    const more = keys.filter((k) => b.on[k] && !a.on[k]);
    const less = keys.filter((k) => !b.on[k] && a.on[k]);
    if (more.length && !less.length) return t('only_b_has', { names: names(more) });
    if (less.length && !more.length) return t('b_without', { names: names(less) });
    return t('b_setting');
}

/** The difference in words, at the deepest depth that both have reached. */
export function verdict(settingA: Setting, settingB: Setting, runA: Run, runB: Run): string[] {
    const depths = runA.infos.map((x) => x.depth).filter((d) => runB.infos.some((y) => y.depth === d));
    const depth = Math.max(...depths);
    const a = runA.infos.find((x) => x.depth === depth);
    const b = runB.infos.find((x) => x.depth === depth);
    if (!a || !b) return [];
    const best = (found: { pv: string[]; names?: Record<string, string[]> }) =>
        moveText(found.pv[0], nameAt(found.names, 0));
    const out: string[] = [];
    if (a.total_nodes === b.total_nodes) {
        out.push(t('verdict_equal', { a: whole(a.total_nodes), depth }));
    } else {
        const fewer = b.total_nodes < a.total_nodes;
        const percent = Math.abs(1 - b.total_nodes / a.total_nodes) * 100;
        const share = a.time_ms > 0 ? (b.time_ms / a.time_ms - 1) * 100 : 0;
        const time =
            Math.abs(share) < 5 || Math.max(a.time_ms, b.time_ms) < 3
                ? t('verdict_time_same')
                : t(share < 0 ? 'verdict_time_less' : 'verdict_time_more', {
                      n: short(Math.abs(share)),
                  });
        out.push(
            t(fewer ? 'verdict_fewer' : 'verdict_more', {
                name: subject(settingA, settingB),
                percent: percent < 1 ? percent.toFixed(1) : short(percent),
                depth,
                a: whole(a.total_nodes),
                b: whole(b.total_nodes),
                time,
            }),
        );
    }
    if (a.pv[0] && b.pv[0]) {
        out.push(
            a.pv[0] === b.pv[0]
                ? t('verdict_same_move', { move: best(a) })
                : t('verdict_other_move', { a: best(a), b: best(b) }),
        );
    }
    if (a.value !== null && b.value !== null && session.info) {
        const { unit } = session.info;
        out.push(
            a.value === b.value
                ? t('verdict_same_score', { score: lineScore(a, unit) })
                : t('verdict_other_score', { a: lineScore(a, unit), b: lineScore(b, unit) }),
        );
    }
    return out;
}
