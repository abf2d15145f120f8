import { type Ending, type GameView, wonBy } from './view';

const letters = [...'abcdefgh'];

/** The longest first. From Black's f5 on; other beginnings are turned or mirrored onto it. */
const openings = [
    { moves: 'f5d6c3d3c4', en: 'Tiger', ja: '虎定石' },
    { moves: 'f5d6', en: 'Perpendicular', ja: '縦取り' },
    { moves: 'f5f6', en: 'Diagonal', ja: '斜め取り' },
    { moves: 'f5f4', en: 'Parallel', ja: '並び取り' },
];

function fromF5(moves: string[]): string[] {
    const turn: Record<string, (x: number, y: number) => [number, number]> = {
        f5: (x, y) => [x, y],
        e6: (x, y) => [y, x],
        c4: (x, y) => [7 - x, 7 - y],
        d3: (x, y) => [7 - y, 7 - x],
    };
    const map = turn[moves[0]];
    if (!map) return [];
    return moves.map((m) => {
        const [x, y] = map(letters.indexOf(m[0]), Number(m[1]) - 1);
        return `${letters[x] ?? '?'}${y + 1}`;
    });
}

export const othello: GameView = {
    name: 'othello',
    columns: 8,
    rows: 8,
    surface: 'felt',
    sides: { first: 'black', second: 'white' },
    columnLabels: letters,
    rowLabels: [...'12345678'],
    flips: false,
    stars: [],
    parse({ position }) {
        const text = position || '---------------------------OX------XO--------------------------- X';
        return {
            cells: [...text.slice(0, 64)].map((c) =>
                c === 'X' || c === 'O' ? { side: c === 'X' ? 'first' : 'second', kind: '' } : null,
            ),
        };
    },
    kinds: [''],
    format(board, side) {
        const letter = (s?: string) => (s === 'first' ? 'X' : s === 'second' ? 'O' : '-');
        return `${board.cells.map((c) => letter(c?.side)).join('')} ${letter(side)}`;
    },
    shape(move) {
        const x = letters.indexOf(move[0]);
        const y = Number(move[1]) - 1;
        return { to: x < 0 || Number.isNaN(y) ? null : y * 8 + x };
    },
    squareName: (s) => letters[s % 8] + (Math.floor(s / 8) + 1),
    isForced: (legal) => legal.length === 1 && legal[0] === 'pa',
    isPass: (move) => move === 'pa',
    tally: (board) => ({
        first: board.cells.filter((c) => c?.side === 'first').length,
        second: board.cells.filter((c) => c?.side === 'second').length,
    }),
    opening(moves) {
        const line = fromF5(moves.slice(0, 6)).join('');
        return openings.find((o) => line.startsWith(o.moves)) ?? null;
    },
    explain(state, board): Ending {
        const count = (side: string) => board.cells.filter((c) => c?.side === side).length;
        const black = count('first');
        const white = count('second');
        const winner = wonBy(state.result);
        if (!winner) return { key: 'end_discs_draw', words: { n: black } };
        const [more, less] = winner === 'first' ? [black, white] : [white, black];
        return { key: 'end_discs', words: { more, less } };
    },
};
