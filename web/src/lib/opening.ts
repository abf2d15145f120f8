// The engine's part in an opening: which answers it would like to give, the dearest first. What is
// allowed, the server says.
import type { Limits, Line, OpeningState, Result } from './api';

export type Search = (moves: string[], limits: Limits) => Promise<Result | null>;

const deep: Limits = { depth: 6, time_ms: 4_000 };
const wide: Limits = { depth: 4, multi_pv: 20, time_ms: 4_000 };
const offered: Limits = { depth: 5, time_ms: 1_500 };

type Valued = Line & { value: number };

const shuffled = <T>(list: T[]): T[] =>
    list
        .map((item) => ({ item, key: Math.random() }))
        .sort((a, b) => a.key - b.key)
        .map((x) => x.item);

const columnOf = (cell: string) => cell.charCodeAt(0);
const rowOf = (cell: string) => Number(cell.slice(1));
const areNeighbours = (a: string, b: string) =>
    Math.abs(columnOf(a) - columnOf(b)) <= 1 && Math.abs(rowOf(a) - rowOf(b)) <= 1;

/** Moves with their values for the side to move, the best first. */
async function movesHere(stones: string[], search: Search): Promise<Valued[] | null> {
    const found = await search(stones, wide);
    if (!found) return null;
    const lines: Line[] = found.lines ?? [found];
    return lines.filter((l): l is Valued => l.value !== null && l.pv.length > 0);
}

/** Null: the search was dropped. */
export async function wishes(
    rule: string,
    state: OpeningState,
    search: Search,
): Promise<string[] | null> {
    const { ask, stones, answers } = state;
    if (ask === 'stone' && stones.length === 0) {
        const stars = ['d4', 'd12', 'l4', 'l12']; // where a rule allows them
        return [...shuffled(stars), ...answers];
    }
    if (ask === 'stone' && stones.length === 1) {
        return shuffled(answers.filter((c) => areNeighbours(c, stones[0])));
    }
    if (ask === 'swap' || ask === 'swap_or_add') {
        const found = await search(stones, deep);
        if (!found) return null;
        const value = found.value ?? 0; // for whose turn it is
        const own = (state.black === state.player) === (state.side === 'first') ? value : -value;
        return [own < 0 ? 'swap' : 'stay'];
    }
    if (ask === 'choose_offer') return worstForBlack(state, search);
    const moves = await movesHere(stones, search);
    if (!moves) return null;
    // After one fifth comes a swap, so it is worth nothing; of ten White takes the worst.
    if (ask === 'play_or_offer') return [(moves[9]?.value ?? -1) > 0 ? 'offer' : 'play'];
    // Only the RIF's fourth stone is followed by no swap.
    const wantsBest = ask === 'offer_stone' || (rule === 'rif' && stones.length === 3);
    const allowed = moves.filter((m) => answers.includes(m.pv[0]));
    if (!wantsBest) {
        allowed.sort((a, b) => Math.abs(a.value) - Math.abs(b.value));
        allowed.unshift(...shuffled(allowed.splice(0, 3))); // not always the same opening
    }
    return [...allowed.map((m) => m.pv[0]), ...shuffled(answers)];
}

async function worstForBlack(state: OpeningState, search: Search): Promise<string[] | null> {
    const judged: { cell: string; value: number }[] = [];
    for (const cell of state.offers) {
        const found = await search([...state.stones, cell], offered);
        if (!found) return null;
        judged.push({ cell, value: found.value ?? 0 }); // White is to move
    }
    return judged.sort((a, b) => b.value - a.value).map((j) => j.cell);
}
