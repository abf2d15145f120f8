import { type Board, type GameView, type Piece, other, wonBy } from './view';

const start = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';
const handOrder = ['R', 'B', 'G', 'S', 'N', 'L', 'P'];
const ranks = [...'abcdefghi'];
const kanjiRanks = [...'一二三四五六七八九'];
const wideDigits = [...'１２３４５６７８９'];

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
    '+R': '竜',
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

export const shogi: GameView = {
    name: 'shogi',
    columns: 9,
    rows: 9,
    surface: 'wood',
    sides: { first: 'sente', second: 'gote' },
    columnLabels: [...'987654321'],
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
    moveText(move, language) {
        if (language !== 'ja' || move.length < 4) return move;
        const drop = move[1] === '*';
        const to = move.slice(2);
        const place = wideDigits[Number(to[0]) - 1] + kanjiRanks[ranks.indexOf(to[1])];
        if (drop) return `${place}${kanji[move[0]]}打`;
        return `${place}(${move[0]}${ranks.indexOf(move[1]) + 1})${move.endsWith('+') ? '成' : ''}`;
    },
    explain(state, _board, moves) {
        const winner = wonBy(state.result);
        if (moves[moves.length - 1] === 'win') return { key: 'end_declared' };
        if (!winner) return { key: 'end_repetition' };
        // Whoever has to move has no move: the other side has mated.
        if (winner === other(state.side)) return { key: 'end_mate' };
        return { key: 'end_perpetual' };
    },
};
