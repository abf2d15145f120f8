// What stands on a piece of wood.
import { kanji } from './shogi';
import type { Piece } from './view';

export const textOnWood = (piece: Piece): string =>
    piece.kind === 'K' && piece.side === 'second' ? '王' : kanji[piece.kind];
