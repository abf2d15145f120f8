// What the page must know of a game to draw it and to take moves by hand. The rules themselves
// (legal moves, the end) come from the server.
import type { Outcome, Side, State } from '../lib/api';
import { t, type Key } from '../lib/i18n';

/** A piece on a square: whose it is, and what (games with one kind leave it empty). */
export interface Piece {
    side: Side;
    kind: string;
}

export interface Board {
    /** Row by row from the top left, as the first player sees it. */
    cells: (Piece | null)[];
    /** Cells of the legal moves, where the server tells them. */
    moves?: Record<string, MoveShape>;
    /** Pieces in hand by kind, in the order in which they are shown. */
    hands?: Record<Side, [string, number][]>;
}

/** A move as squares. `drop` is a piece from the hand. */
export interface MoveShape {
    to: number | null;
    from?: number;
    drop?: string;
    promote?: boolean;
}

/** Why a game is over, for the page to say in words. */
export interface Ending {
    key: Key;
    words?: Record<string, string | number>;
    /** Squares that decided it. */
    squares?: number[];
}

export type Surface = 'felt' | 'rack' | 'wood' | 'lines';

export interface GameView {
    name: string;
    columns: number;
    rows: number;
    surface: Surface;
    /** Names of the players' colours, or what a game of others calls them. */
    sides: Record<Side, Key | { name: string }>;
    columnLabels: string[];
    rowLabels: string[];
    /** Can it be looked at from the other side? */
    flips: boolean;
    parse(state: State): Board;
    /**
     * The other way round; null where no game can lead there. The server judges the rest. Without
     * it positions cannot be put together by hand.
     */
    format?(board: Board, side: Side): string | null;
    /** What can be put on a square; games with one kind of piece have ''. */
    kinds: string[];
    /** What can be held in hand. */
    handKinds?: string[];
    shape(move: string, board: Board): MoveShape;
    /** What stands on a piece of this kind. */
    kindText?(kind: string): string;
    squareName(square: number): string;
    /** "Resting" marks on the grid, such as the star points of a renju board. */
    stars?: number[];
    /** Empty points that the first player may not take are marked. */
    marksForbidden?: boolean;
    explain(state: State, board: Board, moves: string[]): Ending;
    /** Moves that nobody needs to choose: Othello's pass. */
    isForced?(legal: string[]): boolean;
    /** Starts in which one side gives something. */
    handicaps?: { key: Key; position: string }[];
    /** Passing, where a player may have to. */
    isPass?(move: string): boolean;
    /** What each side has on the board, where that is what counts. */
    tally?(board: Board): Record<Side, number>;
    /** The opening that these moves from the start of the game are called. */
    opening?(moves: string[]): { en: string; ja: string } | null;
    /** A line of play for people. */
    moveText?(move: string, language: string): string;
}

export function sideName(view: GameView, side: Side): string {
    const name = view.sides[side];
    return typeof name === 'string' ? t(name) : name.name;
}

export const other = (side: Side): Side => (side === 'first' ? 'second' : 'first');

export const wonBy = (result: Outcome | null): Side | null =>
    result === 'first' || result === 'second' ? result : null;

/** Five, four, ... in a row through any cell of this side: the first such line. */
export function findRow(
    cells: (Piece | null)[],
    columns: number,
    rows: number,
    side: Side,
    length: number,
): number[] {
    const directions = [
        [1, 0],
        [0, 1],
        [1, 1],
        [1, -1],
    ];
    for (let y = 0; y < rows; y++) {
        for (let x = 0; x < columns; x++) {
            for (const [dx, dy] of directions) {
                const line: number[] = [];
                for (let k = 0; k < length; k++) {
                    const cx = x + dx * k;
                    const cy = y + dy * k;
                    if (cx < 0 || cy < 0 || cx >= columns || cy >= rows) break;
                    if (cells[cy * columns + cx]?.side !== side) break;
                    line.push(cy * columns + cx);
                }
                if (line.length === length) return line;
            }
        }
    }
    return [];
}
