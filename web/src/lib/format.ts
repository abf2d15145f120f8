// Numbers for people.
import type { Line } from './api';
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
export function score(value: number, unit: number): string {
    const shown = (Math.abs(value) / unit).toFixed(1);
    if (Number(shown) === 0) return shown;
    return value > 0 ? `+${shown}` : `−${shown}`;
}

export function lineScore(line: Pick<Line, 'value' | 'decisive' | 'plies_to_end'>, unit: number) {
    if (line.value === null) return '…';
    if (!line.decisive) return score(line.value, unit);
    return t(line.value > 0 ? 'win_in' : 'loss_in', { n: line.plies_to_end ?? 0 });
}
