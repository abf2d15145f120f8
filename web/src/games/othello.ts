import { type Ending, type GameView, wonBy } from './view';

const letters = [...'abcdefgh'];

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
    moveText: (move) => (move === 'pa' ? '—' : move),
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
