// A position put together by hand. The server says whether it is one, and in words if not.
import type { Board, Piece } from '../games/view';
import * as api from './api';
import type { Side, State } from './api';
import { t } from './i18n';
import { session } from './session.svelte';

const wait = 120; // ms after the last change before the server is asked

class Editor {
    on = $state(false);
    board = $state.raw<Board>({ cells: [] });
    side = $state<Side>('first');
    /** What a click puts down; null takes away. */
    tool = $state.raw<Piece | null>(null);
    /** The position's text, or null where there can be none. */
    text = $derived(this.on ? (session.view.format?.(this.board, this.side) ?? null) : null);
    found = $state.raw<State | null>(null);
    problem = $state('');

    #asking: ReturnType<typeof setTimeout> | undefined;
    #turn = 0;

    open() {
        if (!session.info || !session.state) return;
        session.halt();
        this.board = session.view.parse(session.state);
        this.side = session.state.side;
        session.preview = null;
        this.tool = { side: 'first', kind: session.view.kinds[0] };
        this.on = true;
        this.#changed();
    }
    close() {
        this.on = false;
        clearTimeout(this.#asking);
        this.#turn++;
    }

    press(square: number) {
        const { view } = session;
        const cells = this.board.cells.slice();
        let at = square;
        if (view.surface === 'rack') {
            // Discs fall, and only the topmost can be taken.
            const column = square % view.columns;
            const stack = Array.from({ length: view.rows }, (_, y) => y * view.columns + column);
            const free = stack.filter((s) => !cells[s]);
            const taken = stack.find((s) => cells[s]);
            const target = this.tool ? free[free.length - 1] : taken;
            if (target === undefined) return;
            at = target;
        }
        const old = cells[at];
        const same = old?.side === this.tool?.side && old?.kind === this.tool?.kind;
        cells[at] = same ? null : this.tool;
        this.board = { ...this.board, cells };
        this.#changed();
    }
    /** One more or one less in hand. */
    hold(owner: Side, kind: string, change: number) {
        const { hands } = this.board;
        if (!hands) return;
        const counts = new Map(hands[owner]);
        counts.set(kind, Math.max(0, (counts.get(kind) ?? 0) + change));
        const list = (session.view.handKinds ?? [])
            .map((k): [string, number] => [k, counts.get(k) ?? 0])
            .filter(([, n]) => n > 0);
        this.board = { ...this.board, hands: { ...hands, [owner]: list } };
        this.#changed();
    }
    held(owner: Side, kind: string): number {
        return this.board.hands?.[owner].find(([k]) => k === kind)?.[1] ?? 0;
    }
    setSide(side: Side) {
        this.side = side;
        this.#changed();
    }
    clear() {
        const { cells, hands } = this.board;
        this.board = {
            cells: Array(cells.length).fill(null),
            ...(hands ? { hands: { first: [], second: [] } } : {}),
        };
        this.#changed();
    }
    async toStart() {
        if (!session.info) return;
        const state = await api.getState(session.info.name, '', []).catch(() => null);
        if (!state) return;
        this.board = session.view.parse(state);
        this.side = state.side;
        this.#changed();
    }

    #changed() {
        const turn = ++this.#turn;
        clearTimeout(this.#asking);
        this.found = null;
        this.problem = '';
        this.#asking = setTimeout(() => void this.#ask(turn), wait);
    }
    async #ask(turn: number) {
        const text = this.text;
        if (!session.info) return;
        if (text === null) {
            this.problem = t('edit_impossible');
            return;
        }
        try {
            const state = await api.getState(session.info.name, text, []);
            if (turn !== this.#turn) return;
            this.found = state;
            // In games whose text is the moves, the side follows from them.
            this.side = state.side;
        } catch (e) {
            if (turn !== this.#turn) return;
            this.problem =
                e instanceof api.ApiError
                    ? [e.message, e.remedy].filter(Boolean).join('; ')
                    : t('error_gone');
        }
    }

    /** The position becomes the start of a game. */
    async use() {
        if (!session.info || !this.found || this.text === null) return;
        session.you = 'both';
        await session.begin(session.info, this.text);
        this.close();
    }
}

export const editor = new Editor();
