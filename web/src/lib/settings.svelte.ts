// What the page remembers of its reader: language, colours, last choices.

export type Language = 'en' | 'ja';
export type Theme = 'auto' | 'light' | 'dark';

interface Settings {
    language: Language;
    theme: Theme;
    game: string;
    hints: boolean;
    /** By game, on the scale of its engine. */
    levels: Record<string, number>;
    /** A style of notation, 'plain' for the engine's, or 'auto': that of the language. */
    notation: string;
    sound: boolean;
    arrows: boolean;
    /** For analysis and review; 0: as the server likes. */
    threads: number;
    hash: number;
}

const storageKey = 'karikomi';

function initial(): Settings {
    const fresh: Settings = {
        language: navigator.language.startsWith('ja') ? 'ja' : 'en',
        theme: 'auto',
        game: '', // the first of the list
        hints: true,
        levels: {},
        notation: 'auto',
        sound: true,
        arrows: true,
        threads: 1,
        hash: 0,
    };
    try {
        return { ...fresh, ...JSON.parse(localStorage.getItem(storageKey) ?? '{}') };
    } catch {
        return fresh;
    }
}

export const settings: Settings = $state(initial());

export function keepSettings() {
    try {
        localStorage.setItem(storageKey, JSON.stringify(settings));
    } catch {
        // A browser that keeps nothing still plays.
    }
}
