import { type GameView, type Piece, findRow, wonBy } from './view';

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** A board of this size; positions are rows from the top, digits for runs of empty cells. */
export function stones(name: string, size: number): GameView {
    const middle = (size - 1) / 2;
    const star = (x: number, y: number) => y * size + x;
    const edge = 3;
    return {
        name,
        columns: size,
        rows: size,
        surface: 'lines',
        sides: { first: 'black', second: 'white' },
        columnLabels: letters.slice(0, size),
        rowLabels: Array.from({ length: size }, (_, i) => String(size - i)),
        flips: false,
        marksForbidden: name === 'renju',
        stars: Number.isInteger(middle)
            ? [
                  star(middle, middle),
                  star(edge, edge),
                  star(size - 1 - edge, edge),
                  star(edge, size - 1 - edge),
                  star(size - 1 - edge, size - 1 - edge),
              ]
            : [],
        parse({ position }) {
            const cells: (Piece | null)[] = [];
            for (const row of position.split(' ')[0].split('/')) {
                for (const part of row.match(/\d+|[XO]/g) ?? []) {
                    if (part === 'X' || part === 'O') {
                        cells.push({ side: part === 'X' ? 'first' : 'second', kind: '' });
                    } else {
                        for (let i = 0; i < Number(part); i++) cells.push(null);
                    }
                }
            }
            while (cells.length < size * size) cells.push(null);
            return { cells };
        },
        kinds: [''],
        format(board, side) {
            const row = (y: number) =>
                board.cells
                    .slice(y * size, (y + 1) * size)
                    .map((c) => (c ? (c.side === 'first' ? 'X' : 'O') : '-'))
                    .join('')
                    .replace(/-+/g, (run) => String(run.length));
            const rows = Array.from({ length: size }, (_, y) => row(y));
            return `${rows.join('/')} ${side === 'first' ? 'b' : 'w'}`;
        },
        shape(move) {
            const x = letters.indexOf(move[0]);
            const y = size - Number(move.slice(1));
            return { to: x < 0 || Number.isNaN(y) ? null : y * size + x };
        },
        squareName: (s) => letters[s % size] + (size - Math.floor(s / size)),
        explain(state, board) {
            const winner = wonBy(state.result);
            if (!winner) return { key: 'end_full' };
            const squares = findRow(board.cells, size, size, winner, 5);
            return squares.length ? { key: 'end_five', squares } : { key: 'end_forbidden' };
        },
    };
}
