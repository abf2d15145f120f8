import type { GameInfo } from '../lib/api';
import { connectFour } from './connect_four';
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

/** Games that the page can draw, in the order in which it offers them. */
const order = ['othello', 'shogi', 'renju', 'gomoku', 'connect_four'];

export const viewOf = (name: string): GameView => views[name] ?? othello;

export function drawable(games: GameInfo[]): GameInfo[] {
    const rank = (g: GameInfo) => order.indexOf(g.name);
    return games.filter((g) => g.name in views).sort((a, b) => rank(a) - rank(b));
}
