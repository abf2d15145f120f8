import { type Board, type GameView, findRow, wonBy } from './view';

const columns = 7;
const rows = 6;

/** The lowest free cell of a column; null when it is full. */
function landing(board: Board, column: number): number | null {
    for (let y = rows - 1; y >= 0; y--) {
        if (!board.cells[y * columns + column]) return y * columns + column;
    }
    return null;
}

/**
 * Columns in an order in which the discs can have been dropped, red and yellow by turns and nobody
 * having won before the last; null when there is none. Found by taking discs off again.
 */
function orderOf(cells: Board['cells']): string | null {
    const heights = Array.from({ length: columns }, (_, x) => {
        let n = 0;
        while (n < rows && cells[(rows - 1 - n) * columns + x]) n++;
        return n;
    });
    const total = heights.reduce((a, b) => a + b, 0);
    if (total !== cells.filter((c) => c).length) return null; // a disc in the air
    const left = cells.slice();
    const isWon = () =>
        (['first', 'second'] as const).some((s) => findRow(left, columns, rows, s, 4).length > 0);
    const failed = new Set<string>();
    const takeOff = (n: number): string | null => {
        if (n === 0) return '';
        const key = heights.join();
        if (failed.has(key)) return null;
        const mover = n % 2 === 1 ? 'first' : 'second';
        for (let x = 0; x < columns; x++) {
            if (heights[x] === 0) continue;
            const at = (rows - heights[x]) * columns + x;
            const disc = left[at];
            if (disc?.side !== mover) continue;
            left[at] = null;
            heights[x]--;
            // Fewer discs hold no more rows: it is enough to look once.
            const before = n === total && isWon() ? null : takeOff(n - 1);
            left[at] = disc;
            heights[x]++;
            if (before !== null) return before + String(x + 1);
        }
        failed.add(key);
        return null;
    };
    return takeOff(total);
}

export const connectFour: GameView = {
    name: 'connect_four',
    columns,
    rows,
    surface: 'rack',
    sides: { first: 'red', second: 'yellow' },
    columnLabels: [...'1234567'],
    rowLabels: Array(rows).fill(''),
    flips: false,
    parse({ position }) {
        const board: Board = { cells: Array(columns * rows).fill(null) };
        [...position].forEach((c, i) => {
            const to = landing(board, Number(c) - 1);
            if (to !== null) board.cells[to] = { side: i % 2 === 0 ? 'first' : 'second', kind: '' };
        });
        return board;
    },
    kinds: [''],
    format: (board) => orderOf(board.cells),
    shape: (move, board) => ({ to: landing(board, Number(move) - 1) }),
    squareName: (s) => String((s % columns) + 1),
    explain(state, board) {
        const winner = wonBy(state.result);
        if (!winner) return { key: 'end_full' };
        return { key: 'end_four', squares: findRow(board.cells, columns, rows, winner, 4) };
    },
};
