import type { GameInfo } from '../lib/api';
import { connectFour } from './connect_four';
import { grid } from './grid';
import { othello } from './othello';
import { stones } from './renju';
import { shogi } from './shogi';
import type { GameView } from './view';

const views: Record<string, GameView> = {
    othello,
    connect_four: connectFour,
    shogi,
    renju: stones('renju', 15),
    gomoku: stones('gomoku', 15),
};

/** Games that the page knows best, in the order in which it offers them. */
const order = ['othello', 'shogi', 'renju', 'gomoku', 'connect_four'];

/** Before there is a game, any board will do. */
export const emptyView = othello;

export const viewOf = (game: GameInfo): GameView =>
    views[game.name] ?? (game.board ? grid(game, game.board) : emptyView);

/** Games that the page can draw. */
export function drawable(games: GameInfo[]): GameInfo[] {
    const rank = (g: GameInfo) => (g.name in views ? order.indexOf(g.name) : order.length);
    return games.filter((g) => g.name in views || g.board).sort((a, b) => rank(a) - rank(b));
}
