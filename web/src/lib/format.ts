// Numbers for people.
import type { Line, Side } from './api';
import { t } from './i18n';
import { settings } from './settings.svelte';

export const whole = (n: number): string =>
    Math.round(n).toLocaleString(settings.language === 'ja' ? 'ja-JP' : 'en-GB');

/** 1 234 567 as 1.23 M: for small places. */
export function short(n: number): string {
    if (n < 1000) return String(Math.round(n));
    const units = ['', 'k', 'M', 'G', 'T'];
    let unit = 0;
    while (n >= 999.5 && unit < units.length - 1) {
        n /= 1000;
        unit++;
    }
    return `${Number(n.toPrecision(3))}${units[unit]}`;
}

export function time(ms: number): string {
    if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
    return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

export function clock(ms: number): string {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** In the game's own unit: discs, pawns. */
export function score(value: number, unit: number, decimals = 1): string {
    const shown = (Math.abs(value) / unit).toFixed(decimals);
    if (Number(shown) === 0) return shown;
    return value > 0 ? `+${shown}` : `−${shown}`;
}

/** As the first player sees it, whoever is to move: `side` is whose value it is. */
export function lineScore(
    line: Pick<Line, 'value' | 'decisive' | 'plies_to_end'>,
    unit: number,
    side: Side = 'first',
    decimals = 1,
) {
    if (line.value === null) return '…';
    const value = side === 'first' ? line.value : -line.value;
    if (!line.decisive) return score(value, unit, decimals);
    return t(value > 0 ? 'win_in' : 'loss_in', { n: line.plies_to_end ?? 0 });
}

/** Two where one would make different values look alike. */
export function decimalsFor(lines: Pick<Line, 'value' | 'decisive'>[], unit: number): number {
    const values = lines.filter((l) => l.value !== null && !l.decisive).map((l) => l.value ?? 0);
    const shown = new Set(values.map((v) => (v / unit).toFixed(1)));
    return shown.size < new Set(values.map((v) => (v / unit).toFixed(2))).size ? 2 : 1;
}
