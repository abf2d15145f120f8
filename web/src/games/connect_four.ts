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

export const connectFour: GameView = {
    name: 'connect_four',
    columns,
    rows,
    surface: 'rack',
    sides: { first: 'red', second: 'yellow' },
    columnLabels: [...'1234567'],
    rowLabels: Array(rows).fill(''),
    flips: false,
    parse(position) {
        const board: Board = { cells: Array(columns * rows).fill(null) };
        [...position].forEach((c, i) => {
            const to = landing(board, Number(c) - 1);
            if (to !== null) board.cells[to] = { side: i % 2 === 0 ? 'first' : 'second', kind: '' };
        });
        return board;
    },
    shape: (move, board) => ({ to: landing(board, Number(move) - 1) }),
    squareName: (s) => String((s % columns) + 1),
    explain(state, board) {
        const winner = wonBy(state.result);
        if (!winner) return { key: 'end_full' };
        return { key: 'end_four', squares: findRow(board.cells, columns, rows, winner, 4) };
    },
};
