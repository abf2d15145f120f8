// One game at the board: its tree, who plays what, the clock, and what is kept of it.
import { emptyView, viewOf } from '../games';
import type { Ending, GameView } from '../games/view';
import { other, sideName } from '../games/view';
import * as api from './api';
import type {
    GameInfo,
    Info,
    Limits,
    OpeningState,
    Heading,
    Imported,
    Outcome,
    RunningSearch,
    Side,
    State,
} from './api';
import { t, type Key } from './i18n';
import { moveText, nameAt } from './notation';
import { wishes } from './opening';
import { settings } from './settings.svelte';
import { knock } from './sound';
import * as trees from './tree';
import type { Score, Tree } from './tree';

export type You = Side | 'both' | 'neither';
export const clockKinds = ['none', '5_3', '10_30', '1_0', 'own'] as const;
export type ClockKind = (typeof clockKinds)[number];

/** All in ms. */
export interface ClockRule {
    main: number;
    increment: number;
    byoyomi: number;
}
const clockRules: Record<Exclude<ClockKind, 'own'>, ClockRule | null> = {
    none: null,
    '5_3': { main: 300_000, increment: 3_000, byoyomi: 0 },
    '10_30': { main: 600_000, increment: 0, byoyomi: 30_000 },
    '1_0': { main: 60_000, increment: 0, byoyomi: 0 },
};

/** Games without a scale of strength are played to a depth. */
const deepest = 14;
const firstLevel = 2; // before anybody has chosen
const patience = 15_000;
const pause = 150; // before the engine's answer appears, ms
const lastKey = 'karikomi-last';

/** The levels of a game: those of its engine, as `match` and the protocols count them. */
export const levelRange = (game: GameInfo | null): [least: number, most: number] =>
    game && game.max_level > 0 ? [0, game.max_level] : [1, deepest];

export function levelLimits(game: GameInfo, level: number): Limits {
    const [least, most] = levelRange(game);
    const n = Math.min(Math.max(level, least), most);
    return { ...(game.max_level > 0 ? { level: n } : { depth: n }), time_ms: patience };
}

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** An end that is not on the board. */
interface Agreed {
    winner: Outcome | null;
    /** 'resigned', 'time', or a record's own word. */
    reason: string;
    loser?: Side;
}

/** Ends that records know and this page has words for. */
const recordEnds: Record<string, Key> = {
    resignation: 'end_resigned',
    time: 'end_time',
    interruption: 'end_interrupted',
    repetition: 'end_repetition_plain',
    impasse: 'end_impasse',
    illegal_move: 'end_illegal',
    illegal_by_other: 'end_illegal',
    declared_win: 'end_declared_plain',
    draw: 'end_agreed_draw',
    max_moves: 'end_max_moves',
    mate: 'end_mate',
};
const noHeading = (): Heading => ({ names: ['', ''], event: '', date: '', facts: [], comment: '' });

/** An opening under way. The server keeps to its rule; here is only what was done so far. */
interface Opening {
    rule: string;
    /** Who of the two players, of whom 0 begins, sits here. */
    humans: (0 | 1)[];
    steps: string[];
    state: OpeningState;
}
const humansOf: Record<You, (0 | 1)[]> = { first: [0], second: [1], both: [0, 1], neither: [] };

class Session {
    info = $state.raw<GameInfo | null>(null);
    view = $state.raw<GameView>(emptyView);
    tree = $state.raw<Tree>([]);
    cursor = $state(0);
    start = $state('');
    title = $state('');
    keptId = $state(0);
    /** Names, event, ...: what a record says besides the moves. */
    record = $state.raw<Heading>(noHeading());
    /** Of the kept game as it was opened or written here: another page may have changed it since. */
    #keptVersion = '';

    you = $state<You>('first');
    level = $state(firstLevel);
    clockKind = $state<ClockKind>('none');
    ownClock = $state<ClockRule>({ main: 900_000, increment: 0, byoyomi: 10_000 });
    clockRule = $derived<ClockRule | null>(
        this.clockKind === 'own' ? this.ownClock : clockRules[this.clockKind],
    );
    openingRule = $state('free');
    /** While the opening rule holds. */
    opening = $state.raw<Opening | null>(null);
    clocks = $state<Record<Side, number>>({ first: 0, second: 0 });
    inByoyomi = $state<Record<Side, boolean>>({ first: false, second: false });
    agreed = $state.raw<Agreed | null>(null);
    flipped = $state(false);

    thinking = $state.raw<{ info: Info | null; ahead: number | null } | null>(null);
    notice = $state('');
    trouble = $state('');
    /** A line looked at but not played. */
    preview = $state.raw<{ moves: string[]; line: string[]; state: State } | null>(null);
    /** What the engine would play for you. */
    hint = $state.raw<{ at: number; move: string } | null>(null);

    #search: RunningSearch | null = null;
    #turn = 0; // raised by everything that makes an engine's answer worthless
    #saving: ReturnType<typeof setTimeout> | undefined;
    #ticker: ReturnType<typeof setInterval> | undefined;
    #lastTick = 0;
    #busy = false;
    #begun = 0;
    #arrived = 0; // when the position at the board came up
    opened = $state(0); // counts the games opened, to tell one from the next

    node = $derived(this.tree[this.cursor]);
    state = $derived<State | null>(this.preview?.state ?? this.node?.state ?? null);
    board = $derived(this.state ? this.view.parse(this.state) : null);
    moves = $derived(this.tree.length ? trees.movesTo(this.tree, this.cursor) : []);
    line = $derived(this.tree.length ? trees.lineThrough(this.tree, this.cursor) : []);
    atEnd = $derived(this.node ? this.node.children.length === 0 : true);
    result = $derived<Outcome | null>(
        this.node?.state.result ?? (this.atEnd ? (this.agreed?.winner ?? null) : null),
    );
    ending = $derived<Ending | null>(this.#explain());
    yourTurn = $derived(
        !!this.node &&
            !this.result &&
            (this.opening
                ? this.opening.humans.includes(this.opening.state.player)
                : this.you === 'both' || this.you === this.node.state.side),
    );
    /** What may be played on the board now. */
    legal = $derived<string[]>(
        this.opening && !this.preview
            ? this.opening.state.answers.filter((a) => this.state?.legal.includes(a))
            : (this.state?.legal ?? []),
    );
    lastMove = $derived(
        this.preview
            ? (this.preview.moves[this.preview.moves.length - 1] ?? '')
            : (this.node?.move ?? ''),
    );

    sideName(side: Side): string {
        return sideName(this.view, side);
    }

    #explain(): Ending | null {
        const node = this.node;
        if (!node || (!this.result && !(this.agreed && this.atEnd))) return null;
        if (!node.state.result && this.agreed) {
            const key =
                recordEnds[this.agreed.reason] ??
                (this.agreed.reason === 'time' ? 'end_time' : 'end_resigned');
            return {
                key,
                words: this.agreed.loser ? { side: this.sideName(this.agreed.loser) } : {},
            };
        }
        return this.view.explain(node.state, this.view.parse(node.state), this.moves);
    }

    // ---- Beginning ------------------------------------------------------------------------------

    async begin(game: GameInfo, start = '') {
        this.halt();
        const begun = ++this.#begun;
        const rule = start ? 'free' : this.openingRule;
        const humans = humansOf[this.you];
        const state = await this.#guard(api.getState(game.name, start, []));
        if (!state) return;
        const opening = game.openings.includes(rule)
            ? await this.#readOpening(game, rule, humans, [])
            : null;
        if (begun !== this.#begun) return; // another game was begun meanwhile
        this.#open(game, start, trees.rootOf(state));
        this.keptId = 0;
        this.title = '';
        this.record = noHeading();
        this.opening = opening;
        this.#resetClocks();
        void this.goOn();
    }

    #open(game: GameInfo, start: string, tree: Tree) {
        this.halt();
        this.opened++;
        clearTimeout(this.#saving);
        this.info = game;
        this.view = viewOf(game);
        this.start = start;
        this.tree = tree;
        this.cursor = 0;
        this.agreed = null;
        this.notice = '';
        this.trouble = '';
        this.preview = null;
        this.hint = null;
        this.opening = null;
        this.#arrived = performance.now();
        const [least, most] = levelRange(game);
        this.level = Math.min(Math.max(settings.levels[game.name] ?? firstLevel, least), most);
        this.flipped = this.view.flips && this.you === 'second';
        settings.game = game.name;
    }

    /** A game as it was read from a record, with its branches. */
    async openRecord(game: GameInfo, read: Imported) {
        let tree = trees.rootOf(read.states[0]);
        const nodes = read.nodes ?? [];
        if (nodes.length > read.moves.length) {
            const whole = await this.#guard(rebuild(game.name, read.start, nodes));
            if (!whole) return;
            tree = whole;
        } else {
            read.moves.forEach((move, i) => {
                [tree] = trees.withChild(tree, i, move, read.states[i + 1]);
                if (nodes[i]) tree = trees.withNode(tree, i + 1, around(nodes[i]));
            });
        }
        this.you = 'both';
        this.#open(game, read.start, tree);
        this.title = read.title;
        this.record = read.record ?? noHeading();
        this.keptId = 0;
        const main = trees.mainLine(tree);
        this.cursor = main[main.length - 1];
        this.#takeEnd(read.winner ?? null);
        this.#save();
        void this.goOn(false);
    }
    /** A line of moves, of which so many are played: somebody's address. */
    async openMoves(game: GameInfo, start: string, moves: string[], at: number): Promise<boolean> {
        const answer = await this.#guard(api.getStates(game.name, start, moves));
        if (!answer) return false;
        await this.openRecord(game, {
            start,
            moves,
            title: '',
            format: '',
            games: 1,
            states: answer.states,
        });
        if (at < moves.length) this.cursor = at;
        return true;
    }
    /** The end that a record tells of. */
    #takeEnd(winner: Outcome | null) {
        const last = this.tree[this.cursor];
        if (last.state.result || !last.end?.ending) return;
        const loser = winner === 'first' || winner === 'second' ? other(winner) : undefined;
        this.agreed = { winner, reason: last.end.ending, loser };
    }

    /** A kept game, with its branches. */
    async openKept(id: number, games: GameInfo[]): Promise<boolean> {
        const kept = await this.#guard(api.loadGame(id));
        const game = games.find((g) => g.name === kept?.game);
        if (!kept || !game) return false;
        const d = (kept.document ?? {}) as Record<string, unknown>;
        const words = kept.moves ? kept.moves.split(' ') : [];
        const nodes = (d.tree as trees.KeptNode[]) ?? words.map((m, i) => ({ m, p: i }));
        const tree = await this.#guard(rebuild(game.name, kept.start, nodes));
        if (!tree) return false;
        const begun = d.opening as Opening | undefined;
        const opening = begun
            ? await this.#readOpening(game, begun.rule, begun.humans, begun.steps)
            : null;
        this.you = (d.you as You) ?? 'both';
        this.clockKind = (d.clock as ClockKind) ?? 'none';
        this.ownClock = (d.own_clock as ClockRule) ?? this.ownClock;
        this.#open(game, kept.start, tree);
        this.keptId = kept.id;
        this.#keptVersion = kept.version ?? '';
        this.title = kept.title;
        this.record = (d.record as Heading) ?? noHeading();
        const [least, most] = levelRange(game);
        const level = (d.level as number) ?? this.level;
        this.level = Math.min(Math.max(level, least), most);
        this.agreed = (d.agreed as Agreed) ?? null;
        const cursor = d.cursor as number;
        this.cursor = tree[cursor] ? cursor : tree.length - 1;
        this.opening = opening;
        this.#resetClocks();
        if (d.clocks) this.clocks = d.clocks as Record<Side, number>;
        this.#remember();
        return true;
    }

    static lastGame(): number {
        try {
            return Number(localStorage.getItem(lastKey) ?? 0);
        } catch {
            return 0;
        }
    }

    #remember() {
        try {
            localStorage.setItem(lastKey, String(this.keptId));
        } catch {
            // Then a reload starts afresh.
        }
    }

    // ---- Playing --------------------------------------------------------------------------------

    /** A move by hand or by the engine, at the cursor. */
    async play(move: string): Promise<boolean> {
        const node = this.node;
        if (!node || !this.info) return false;
        if (this.preview) {
            this.preview = null;
            return false;
        }
        const mover = node.state.side;
        this.notice = '';
        const known = trees.childBy(this.tree, node.id, move);
        if (known !== undefined) {
            this.cursor = known;
        } else {
            if (!node.state.legal.includes(move)) {
                this.notice = t('illegal');
                return false;
            }
            const line = [...this.moves, move];
            const state = await this.#guard(api.getState(this.info.name, this.start, line));
            if (!state || this.node?.id !== node.id) return false;
            const [tree, id] = trees.withChild(this.tree, node.id, move, state);
            const time = Math.round(performance.now() - this.#arrived);
            this.tree = this.clockRule ? trees.withNode(tree, id, { time }) : tree;
            this.cursor = id;
            this.agreed = null;
            if (!this.opening) this.#addIncrement(mover);
        }
        this.#arrived = performance.now();
        this.hint = null;
        knock();
        this.#startTicking();
        this.#save();
        return true;
    }

    /** `answered`: the engine may answer. While analysing it does not. */
    async playByHand(move: string, answered: boolean) {
        if (this.thinking) return;
        if (this.opening && !this.preview) return this.answerOpening(move);
        this.halt();
        if (await this.play(move)) void this.goOn(answered);
    }

    /** Whatever must happen next without a human: forced passes and the engine's moves. */
    async goOn(engine = true) {
        const turn = ++this.#turn;
        if (this.agreed && this.atEnd) return;
        for (;;) {
            const node = this.node;
            if (!node || this.result || this.preview) return;
            if (this.opening) {
                if (this.yourTurn || !(await this.#openingOn(turn))) return;
                continue;
            }
            if (this.view.isForced?.(node.state.legal)) {
                const side = this.sideName(node.state.side);
                await sleep(pause);
                if (turn !== this.#turn || !(await this.play(node.state.legal[0]))) return;
                this.notice = t('passed', { side });
                continue;
            }
            if (this.yourTurn || !engine) return;
            const notice = this.notice;
            const move = await this.#think();
            if (turn !== this.#turn || !move) return;
            if (!(await this.play(move))) return;
            if (notice) this.notice = notice;
        }
    }

    // ---- The opening rule -----------------------------------------------------------------------

    async #readOpening(
        game: GameInfo,
        rule: string,
        humans: (0 | 1)[],
        steps: string[],
    ): Promise<Opening | null> {
        const state = await this.#guard(api.getOpening(game.name, rule, steps));
        return state ? { rule, humans, steps, state } : null;
    }
    /** Your answer to what the rule asks: a cell or a decision. */
    async answerOpening(step: string) {
        if (!this.yourTurn || this.thinking) return;
        this.halt();
        if (await this.#step(step)) void this.goOn();
    }
    async #step(step: string): Promise<boolean> {
        const before = this.opening;
        if (!before || !this.info) return false;
        const byHand = before.humans.includes(before.state.player);
        const told = byHand ? '' : this.notice;
        this.notice = '';
        const steps = [...before.steps, step];
        const next = await this.#readOpening(this.info, before.rule, before.humans, steps);
        if (!next || this.opening !== before) return false;
        const { stones } = next.state;
        if (stones.length > before.state.stones.length) {
            const isDown = await this.play(stones[stones.length - 1]);
            if (!isDown || this.opening !== before) return false;
        }
        this.opening = next;
        if (!byHand) this.notice = `${told} ${this.#tell(step, next)}`.trim();
        if (next.state.ask === 'nothing') this.#endOpening();
        this.#save();
        return true;
    }
    /** The engine's answer. False: it was interrupted. */
    async #openingOn(turn: number): Promise<boolean> {
        const begun = this.opening;
        if (!begun) return true;
        const wanted = await wishes(begun.rule, begun.state, (moves, limits) =>
            this.#searchOnce(moves, limits),
        );
        if (turn !== this.#turn || !wanted) return false;
        // One search is enough for all the offers.
        do {
            const step = wanted.find((w) => this.opening?.state.answers.includes(w));
            await sleep(pause);
            if (turn !== this.#turn || !step || !(await this.#step(step))) return false;
        } while (begun.state.ask === 'offer_stone' && this.opening?.state.ask === 'offer_stone');
        return turn === this.#turn;
    }
    /** What the engine has decided, in words. Stones speak for themselves. */
    #tell(step: string, { state, humans }: Opening): string {
        const by = state.players[state.players.length - 1];
        const side = this.sideName(by === state.black ? 'first' : 'second');
        if (step === 'swap') {
            const yours = this.sideName(by === state.black ? 'second' : 'first');
            return humans.length > 0
                ? t('opening_engine_swapped', { yours })
                : t('opening_engine_took', { side });
        }
        if (step === 'stay') return t('opening_engine_stayed', { side });
        return step === 'offer' ? t('opening_engine_offers') : '';
    }
    /** The colour of the player at this seat, or of whom the rule asks. */
    #openingSide({ state, humans }: Opening): Side {
        const player = humans.length === 1 ? humans[0] : state.player;
        return player === state.black ? 'first' : 'second';
    }
    #endOpening() {
        if (this.opening?.humans.length === 1) this.you = this.#openingSide(this.opening);
        this.opening = null;
    }
    /** Back to your last answer, whatever the engine has done since. */
    async #takeBackOpening(opening: Opening) {
        const { players } = opening.state;
        const at = players.map((p) => opening.humans.includes(p)).lastIndexOf(true);
        if (at < 0 || !this.info) return;
        this.halt();
        const steps = opening.steps.slice(0, at);
        const back = await this.#readOpening(this.info, opening.rule, opening.humans, steps);
        if (!back || this.opening !== opening) return;
        this.opening = back;
        this.notice = '';
        this.preview = null;
        this.cursor = trees.pathTo(this.tree, this.cursor)[back.state.stones.length];
        this.#save();
    }
    /** What the engine would play here, after a moment's thought. */
    async askHint() {
        const at = this.cursor;
        if (!this.yourTurn || this.thinking || this.opening) return;
        const found = await this.#searchOnce(this.moves, { time_ms: 1_000 });
        if (!found?.bestmove || this.cursor !== at) return;
        this.hint = { at, move: found.bestmove };
        this.notice = t('hint_is', { move: moveText(found.bestmove, nameAt(found.names, 0)) });
    }
    async #searchOnce(moves: string[], limits: Limits): Promise<api.Result | null> {
        if (!this.info) return null;
        this.thinking = { info: null, ahead: null };
        const search = api.search(
            { game: this.info.name, position: this.start, moves, limits },
            { queued: (ahead) => (this.thinking = { info: null, ahead }) },
        );
        this.#search = search;
        try {
            return await search.result;
        } catch (e) {
            if (!(e instanceof api.Dropped)) this.complain(e);
            return null;
        } finally {
            this.thinking = null;
        }
    }

    // ---- The engine's move ----------------------------------------------------------------------

    async #think(): Promise<string | null> {
        const node = this.node;
        if (!this.info || !node) return null;
        this.thinking = { info: null, ahead: null };
        const begun = performance.now();
        const side = node.state.side;
        const search = api.search(
            {
                game: this.info.name,
                position: this.start,
                moves: this.moves,
                limits: this.#limits(side),
            },
            {
                queued: (ahead) => (this.thinking = { info: null, ahead }),
                started: () => (this.thinking = { info: null, ahead: null }),
                info: (info) => (this.thinking = { info, ahead: null }),
            },
        );
        this.#search = search;
        try {
            const result = await search.result;
            this.thinking = null;
            await sleep(Math.max(0, pause - (performance.now() - begun)));
            if (result.value !== null && this.tree[node.id]) {
                this.setScore(node.id, {
                    value: trees.forFirst(result.value, side),
                    decisive: result.decisive,
                    plies: result.plies_to_end,
                    depth: result.depth,
                    best: result.bestmove ?? undefined,
                    bestName: nameAt(result.names, 0),
                });
            }
            return result.bestmove;
        } catch (e) {
            this.thinking = null;
            if (!(e instanceof api.Dropped)) this.complain(e);
            return null;
        }
    }

    #limits(side: Side): Limits {
        if (!this.info) return {};
        const limits = levelLimits(this.info, this.level);
        const rule = this.clockRule;
        if (!rule) return limits;
        return {
            ...limits,
            time_ms: 0,
            main_ms: this.inByoyomi[side] ? 0 : Math.max(0, Math.round(this.clocks[side])),
            byoyomi_ms: rule.byoyomi,
            increment_ms: rule.increment,
        };
    }

    /** Stops thinking and ticking; nothing that was asked for will still happen. */
    halt() {
        this.#turn++;
        this.#search?.drop();
        this.#search = null;
        this.thinking = null;
    }

    resign() {
        const side = this.node?.state.side;
        if (!side || this.result) return;
        let loser: Side = this.you === 'both' || this.you === 'neither' ? side : this.you;
        if (this.opening) loser = this.#openingSide(this.opening);
        this.#endOpening();
        this.#agree({ winner: other(loser), reason: 'resigned', loser });
    }

    #agree(agreed: Agreed) {
        this.halt();
        this.agreed = agreed;
        this.#save();
    }

    // ---- Moving through the game ----------------------------------------------------------------

    go(id: number) {
        if (!this.tree[id] || this.opening) return;
        this.halt();
        this.preview = null;
        this.notice = '';
        this.hint = null;
        this.cursor = id;
        this.#arrived = performance.now();
        this.#save();
    }
    /** What a reader writes about the position at the board. */
    setComment(text: string) {
        const node = this.node;
        if (!node) return;
        if (node.id === 0) this.record = { ...this.record, comment: text };
        else this.tree = trees.withNode(this.tree, node.id, { comment: text });
        this.#save();
    }
    setNames(names: [string, string]) {
        this.record = { ...this.record, names };
        this.title = names.some(Boolean) ? names.join(' – ') : '';
        this.#save();
    }
    /** A game's document, as it is kept and as records are made of it. */
    document(): Record<string, unknown> {
        return { tree: trees.toKept(this.tree), record: this.record };
    }
    back() {
        if (this.preview) {
            void this.stepPreview(-1);
        } else if (this.node && this.node.parent >= 0) {
            this.go(this.node.parent);
        }
    }
    forward() {
        if (this.preview) {
            void this.stepPreview(1);
            return;
        }
        const next = this.node?.children[0];
        if (next !== undefined) this.go(next);
    }
    /** To your own last decision, so that another can be tried. */
    takeBack() {
        if (!this.node) return;
        if (this.opening) return void this.#takeBackOpening(this.opening);
        let at = this.node.parent;
        if (this.you === 'first' || this.you === 'second') {
            while (at > 0 && this.tree[at].state.side !== this.you) at = this.tree[at].parent;
        }
        if (at >= 0) this.go(at);
    }

    /** The position after these moves of a line; nothing of it is played. */
    async look(moves: string[], line: string[] = moves) {
        if (!this.info || !this.node) return;
        const here = this.cursor;
        const all = [...trees.movesTo(this.tree, here), ...moves];
        const state = await this.#guard(api.getState(this.info.name, this.start, all));
        if (state && this.cursor === here) this.preview = { moves, line, state };
    }
    async stepPreview(by: number) {
        if (!this.preview) return;
        const { moves, line } = this.preview;
        const n = moves.length + by;
        if (n < 1) this.preview = null;
        else if (n <= line.length) await this.look(line.slice(0, n), line);
    }
    /** The line looked at becomes a branch. */
    async keepPreview() {
        const moves = this.preview?.moves ?? [];
        this.preview = null;
        if (this.opening) return; // a rule has no branches
        const here = this.cursor;
        for (const move of moves) {
            if (!(await this.play(move))) break;
        }
        this.go(here);
    }

    setScore(id: number, score: Score) {
        this.tree = trees.withScore(this.tree, id, score);
        this.#save();
    }

    // ---- The clock ------------------------------------------------------------------------------

    #resetClocks() {
        const rule = this.clockRule;
        this.clocks = { first: rule?.main ?? 0, second: rule?.main ?? 0 };
        this.inByoyomi = { first: false, second: false };
        clearInterval(this.#ticker);
        this.#ticker = undefined;
    }
    #addIncrement(side: Side) {
        const rule = this.clockRule;
        if (!rule) return;
        if (this.inByoyomi[side]) this.clocks[side] = rule.byoyomi;
        else this.clocks[side] += rule.increment;
    }
    #startTicking() {
        if (!this.clockRule || this.#ticker) return;
        this.#lastTick = performance.now();
        this.#ticker = setInterval(() => this.#tick(), 100);
    }
    #tick() {
        const now = performance.now();
        const passed = now - this.#lastTick;
        this.#lastTick = now;
        const side = this.node?.state.side;
        const rule = this.clockRule;
        // Looking back through the game costs no time, nor does the opening.
        if (!side || !rule || this.result || !this.atEnd || this.preview || this.opening) return;
        this.clocks[side] -= passed;
        if (this.clocks[side] > 0) return;
        if (rule.byoyomi > 0 && !this.inByoyomi[side]) {
            this.inByoyomi[side] = true;
            this.clocks[side] += rule.byoyomi;
        } else {
            this.clocks[side] = 0;
            this.#agree({ winner: other(side), reason: 'time', loser: side });
        }
    }

    // ---- Keeping --------------------------------------------------------------------------------

    #save() {
        clearTimeout(this.#saving);
        this.#saving = setTimeout(() => void this.#saveNow(), 150);
    }
    async #saveNow() {
        if (!this.info || this.tree.length < 2) return;
        // One at a time, or a new game would be kept twice.
        if (this.#busy) {
            this.#save();
            return;
        }
        this.#busy = true;
        const { tree, opened } = this;
        const main = trees.mainLine(tree);
        const last = tree[main[main.length - 1]];
        try {
            const saved = await api.saveGame({
                ...(this.keptId ? { id: this.keptId, version: this.#keptVersion } : {}),
                game: this.info.name,
                start: this.start,
                moves: main.slice(1).map((id) => tree[id].move),
                title: this.title,
                result: last.state.result ?? this.agreed?.winner ?? '',
                document: {
                    ...this.document(),
                    cursor: this.cursor,
                    you: this.you,
                    level: this.level,
                    clock: this.clockKind,
                    clocks: this.clocks,
                    own_clock: this.ownClock,
                    opening: this.opening && {
                        rule: this.opening.rule,
                        humans: this.opening.humans,
                        steps: this.opening.steps,
                    },
                    agreed: this.agreed,
                },
            });
            if (opened === this.opened) {
                this.keptId = saved.id;
                this.#keptVersion = saved.version;
                this.#remember();
            }
        } catch (e) {
            // Changed in another page: what was played here is kept as a game of its own.
            if (e instanceof api.ApiError && e.status === 409 && opened === this.opened) {
                this.keptId = 0;
                this.#save();
                this.trouble = `${e.message}; yours is kept as a new game`;
                return;
            }
            this.complain(e);
        } finally {
            this.#busy = false;
        }
    }

    complain(e: unknown) {
        if (e instanceof api.ApiError) {
            this.trouble = e.remedy ? `${e.message}; ${e.remedy}` : e.message;
        } else {
            this.trouble = t('error_gone');
        }
    }
    async #guard<T>(promise: Promise<T>): Promise<T | null> {
        try {
            const value = await promise;
            this.trouble = '';
            return value;
        } catch (e) {
            this.complain(e);
            return null;
        }
    }
}

/** States of a kept tree: one request a line. */
async function rebuild(game: string, start: string, nodes: trees.KeptNode[]): Promise<Tree> {
    const states: (State | undefined)[] = [];
    const moveOf = (id: number) => nodes[id - 1];
    const hasChild = new Set(nodes.map((n) => n.p));
    const leaves = [0, ...nodes.map((_, i) => i + 1)].filter((id) => !hasChild.has(id));
    for (const leaf of leaves) {
        const path: number[] = [];
        for (let at = leaf; at > 0; at = moveOf(at).p) path.unshift(at);
        const answer = await api.getStates(
            game,
            start,
            path.map((id) => moveOf(id).m),
        );
        [0, ...path].forEach((id, i) => (states[id] = answer.states[i]));
    }
    let tree = trees.rootOf(states[0] as State);
    nodes.forEach((n, i) => {
        [tree] = trees.withChild(tree, n.p, n.m, states[i + 1] as State);
        if (n.s) tree = trees.withScore(tree, i + 1, n.s);
        tree = trees.withNode(tree, i + 1, around(n));
    });
    return tree;
}

/** What a kept node has around its move. */
const around = (n: api.KeptNode): Partial<trees.Node> => ({
    ...(n.t !== undefined ? { time: n.t } : {}),
    ...(n.c ? { comment: n.c } : {}),
    ...(n.e ? { end: n.e } : {}),
});

export const session = new Session();
export const lastGame = () => Session.lastGame();
