import { t, type Key } from '../lib/i18n';
import { type Board, type Ending, type GameView, type Piece, other, sideName, wonBy } from './view';

const start = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';
const handOrder = ['R', 'B', 'G', 'S', 'N', 'L', 'P'];
const ranks = [...'abcdefghi'];
const kanjiRanks = [...'一二三四五六七八九'];

export const kanji: Record<string, string> = {
    P: '歩',
    L: '香',
    N: '桂',
    S: '銀',
    G: '金',
    B: '角',
    R: '飛',
    K: '玉',
    '+P': 'と',
    '+L': '杏',
    '+N': '圭',
    '+S': '全',
    '+B': '馬',
    '+R': '龍',
};

/** "7g" is file 7, rank g; the board is drawn with file 9 at the left. */
const squareOf = (text: string) => {
    const file = Number(text[0]);
    const rank = ranks.indexOf(text[1]);
    return rank < 0 || !(file >= 1 && file <= 9) ? null : rank * 9 + (9 - file);
};

function parseHands(text: string): Record<'first' | 'second', [string, number][]> {
    const counts = { first: new Map<string, number>(), second: new Map<string, number>() };
    for (const part of text.match(/\d*[A-Za-z]/g) ?? []) {
        const letter = part[part.length - 1];
        const side = letter === letter.toUpperCase() ? 'first' : 'second';
        counts[side].set(letter.toUpperCase(), Number(part.slice(0, -1) || 1));
    }
    const list = (side: 'first' | 'second') =>
        handOrder
            .filter((kind) => counts[side].has(kind))
            .map((kind): [string, number] => [kind, counts[side].get(kind) ?? 0]);
    return { first: list('first'), second: list('second') };
}

/** Games in which White gives pieces: those that KIF names. */
export const handicaps: { key: Key; position: string }[] = [
    { key: 'handicap_lance', position: 'lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1' },
    { key: 'handicap_bishop', position: 'lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1' },
    { key: 'handicap_rook', position: 'lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1' },
    { key: 'handicap_rook_lance', position: 'lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1' },
    { key: 'handicap_2', position: 'lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1' },
    { key: 'handicap_4', position: '1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1' },
    { key: 'handicap_6', position: '2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1' },
    { key: 'handicap_8', position: '3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1' },
    { key: 'handicap_10', position: '4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1' },
];

export const shogi: GameView = {
    handicaps,
    name: 'shogi',
    columns: 9,
    rows: 9,
    surface: 'wood',
    sides: { first: 'sente', second: 'gote' },
    columnLabels: [...'９８７６５４３２１'],
    rowLabels: kanjiRanks,
    flips: true,
    parse({ position }): Board {
        const [rows, , hands] = (position || start).split(' ');
        const cells: (Piece | null)[] = [];
        for (const token of rows.match(/\+?[A-Za-z]|\d/g) ?? []) {
            if (/\d/.test(token)) {
                for (let i = 0; i < Number(token); i++) cells.push(null);
            } else {
                const isFirst = token === token.toUpperCase();
                cells.push({ side: isFirst ? 'first' : 'second', kind: token.toUpperCase() });
            }
        }
        return { cells, hands: parseHands(hands ?? '-') };
    },
    kinds: ['P', 'L', 'N', 'S', 'G', 'B', 'R', 'K', '+P', '+L', '+N', '+S', '+B', '+R'],
    handKinds: handOrder,
    format(board, side) {
        const letter = (p: Piece) => (p.side === 'first' ? p.kind : p.kind.toLowerCase());
        const row = (y: number) =>
            board.cells
                .slice(y * 9, y * 9 + 9)
                .map((c) => (c ? letter(c) : '-'))
                .join('')
                .replace(/-+/g, (run) => String(run.length));
        const rows = Array.from({ length: 9 }, (_, y) => row(y)).join('/');
        const hand = (owner: 'first' | 'second') =>
            (board.hands?.[owner] ?? [])
                .filter(([, n]) => n > 0)
                .map(([kind, n]) => (n > 1 ? n : '') + letter({ side: owner, kind }))
                .join('');
        const hands = hand('first') + hand('second') || '-';
        return `${rows} ${side === 'first' ? 'b' : 'w'} ${hands} 1`;
    },
    shape(move) {
        if (move[1] === '*') return { to: squareOf(move.slice(2)), drop: move[0] };
        const from = squareOf(move);
        const to = squareOf(move.slice(2));
        return from === null ? { to: null } : { from, to, promote: move.endsWith('+') };
    },
    kindText: (kind) => kanji[kind],
    squareName: (s) => `${9 - (s % 9)}${ranks[Math.floor(s / 9)]}`,
    moveText: (move) => (move === 'win' ? t('declare') : move),
    explain(state): Ending {
        const numbers = state.situation?.numbers ?? {};
        const winner = wonBy(state.result);
        switch (state.situation?.ending) {
            case 'declaration': {
                // The points are the winner's; the turn has passed to the other side.
                const who = winner ?? 'first';
                const words = {
                    points: numbers[`points_${who}`] ?? 0,
                    pieces: numbers[`entered_pieces_${who}`] ?? 0,
                };
                return { key: 'end_declared', words };
            }
            case 'repetition':
                return { key: 'end_repetition', words: { n: numbers.repetitions ?? 4 } };
            case 'perpetual_check':
                return { key: 'end_perpetual', words: { side: sideName(shogi, other(winner ?? 'first')) } };
            case 'max_moves':
                return { key: 'end_max_moves' };
            case 'try':
                return { key: 'end_try' };
            case 'no_move':
                return { key: 'end_no_move' };
            default:
                return { key: 'end_mate' };
        }
    },
};
