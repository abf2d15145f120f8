// Any game on a grid, drawn from what its module says of its board.
import type { BoardInfo, GameInfo } from '../lib/api';
import type { GameView, MoveShape } from './view';

export function grid(game: GameInfo, info: BoardInfo): GameView {
    const { columns, rows } = info;
    const squareName = (s: number) =>
        (info.column_labels[s % columns] ?? '') + (info.row_labels[Math.floor(s / columns)] ?? '');
    const names = new Map(
        Array.from({ length: columns * rows }, (_, s): [string, number] => [squareName(s), s]),
    );
    /** The squares that a move names ("b2", "b2b3"): for moves that were played before. */
    const shapeByName = (move: string): MoveShape => {
        const found: number[] = [];
        for (let at = 0; at < move.length; at++) {
            for (let length = Math.min(4, move.length - at); length > 0; length--) {
                const square = names.get(move.slice(at, at + length));
                if (square === undefined) continue;
                found.push(square);
                at += length - 1;
                break;
            }
        }
        if (found.length === 0) return { to: null };
        const to = found[found.length - 1];
        return found.length > 1 ? { from: found[0], to } : { to };
    };
    return {
        name: game.name,
        columns,
        rows,
        surface: 'felt',
        sides: { first: { name: info.sides[0] }, second: { name: info.sides[1] } },
        columnLabels: info.column_labels,
        rowLabels: info.row_labels,
        flips: true,
        parse: (state) => ({
            cells: state.board?.cells ?? Array(columns * rows).fill(null),
            moves: state.board?.moves,
        }),
        kinds: [''],
        kindText: (kind) => kind,
        shape: (move, board) => board.moves?.[move] ?? shapeByName(move),
        squareName,
        explain: () => ({ key: 'end_rules' }),
    };
}
