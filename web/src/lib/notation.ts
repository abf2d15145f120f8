// Moves as people read them: in the style that they chose, else in that of their language.
import { session } from './session.svelte';
import { settings } from './settings.svelte';
import { t } from './i18n';
import type { MoveName } from './api';

export const plain = 'plain';

/** The style in force for the game at the board; '' where there is but one way. */
export function styleInForce(): string {
    const styles = session.info?.move_styles ?? [];
    if (styles.length === 0 || settings.notation === plain) return '';
    const chosen = styles.find((s) => s.name === settings.notation);
    return (chosen ?? styles.find((s) => s.language === settings.language) ?? styles[0]).name;
}

/** A move for people: its name where there is one, with the mark of its side in front or not. */
export function moveText(move: string, name?: MoveName): string {
    if (session.view.isPass?.(move)) return t('pass');
    return name?.[styleInForce()] ?? session.view.moveText?.(move, settings.language) ?? move;
}

/** The names of one move of a line. */
export const nameAt = (names: Record<string, string[]> | undefined, i: number): MoveName | undefined =>
    names && Object.fromEntries(Object.entries(names).map(([style, all]) => [style, all[i]]));

/** "▲７六歩" is a mark and a move. */
export function splitMark(text: string): [mark: string, rest: string] {
    return /^[▲△]/.test(text) ? [text[0], text.slice(1)] : ['', text];
}
