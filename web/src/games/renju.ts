import { type GameView, type Piece, findRow, wonBy } from './view';

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** The 26 openings: the third stone, after h8 and h9 (direct) or h8 and i9 (indirect). */
const openings: Record<string, [en: string, ja: string]> = {
    'h9 h10': ['Kansei', '寒星'],
    'h9 i10': ['Keigetsu', '渓月'],
    'h9 j10': ['Sosei', '疎星'],
    'h9 i9': ['Kagetsu', '花月'],
    'h9 j9': ['Zangetsu', '残月'],
    'h9 i8': ['Ugetsu', '雨月'],
    'h9 j8': ['Kinsei', '金星'],
    'h9 h7': ['Shogetsu', '松月'],
    'h9 i7': ['Kyugetsu', '丘月'],
    'h9 j7': ['Shingetsu', '新月'],
    'h9 h6': ['Zuisei', '瑞星'],
    'h9 i6': ['Sangetsu', '山月'],
    'h9 j6': ['Yusei', '遊星'],
    'i9 j10': ['Chosei', '長星'],
    'i9 j9': ['Kyogetsu', '峡月'],
    'i9 j8': ['Kosei', '恒星'],
    'i9 j7': ['Suigetsu', '水月'],
    'i9 j6': ['Ryusei', '流星'],
    'i9 i8': ['Ungetsu', '雲月'],
    'i9 i7': ['Hogetsu', '浦月'],
    'i9 i6': ['Rangetsu', '嵐月'],
    'i9 h7': ['Gingetsu', '銀月'],
    'i9 h6': ['Myojo', '明星'],
    'i9 g7': ['Shagetsu', '斜月'],
    'i9 g6': ['Meigetsu', '名月'],
    'i9 f6': ['Suisei', '彗星'],
};

function openingOf(moves: string[]): { en: string; ja: string } | null {
    if (moves.length < 3 || moves[0] !== 'h8') return null;
    const [second, third] = moves.slice(1, 3).map((m) => [letters.indexOf(m[0]) - 7, Number(m.slice(1)) - 8]);
    // Turned and mirrored in all eight ways until it is one that has a name.
    for (let k = 0; k < 8; k++) {
        const turned = ([x, y]: number[]) => {
            if (k & 4) [x, y] = [y, x];
            return letters[(k & 1 ? -x : x) + 7] + ((k & 2 ? -y : y) + 8);
        };
        const found = openings[`${turned(second)} ${turned(third)}`];
        if (found) return { en: found[0], ja: found[1] };
    }
    return null;
}

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
        opening: (moves) => (name === 'renju' && size === 15 ? openingOf(moves) : null),
        squareName: (s) => letters[s % size] + (size - Math.floor(s / size)),
        explain(state, board) {
            const winner = wonBy(state.result);
            if (!winner) return { key: 'end_full' };
            const squares = findRow(board.cells, size, size, winner, 5);
            return squares.length ? { key: 'end_five', squares } : { key: 'end_forbidden' };
        },
    };
}
