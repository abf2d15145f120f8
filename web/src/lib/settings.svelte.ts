// What the page remembers of its reader: language, colours, last choices.

export type Language = 'en' | 'ja';
export type Theme = 'auto' | 'light' | 'dark';

interface Settings {
    language: Language;
    theme: Theme;
    game: string;
    hints: boolean;
    level: number;
}

const storageKey = 'karikomi';

function initial(): Settings {
    const fresh: Settings = {
        language: navigator.language.startsWith('ja') ? 'ja' : 'en',
        theme: 'auto',
        game: 'othello',
        hints: true,
        level: 3,
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
