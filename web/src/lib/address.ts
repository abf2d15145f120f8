// Addresses: #/GAME/TAB, with ?g=NUMBER for a kept game of this server, or with a game of its own
// (?start=POSITION&moves=M1.M2&at=PLY), which can be sent to others.

export const tabs = ['play', 'analyse', 'microscope', 'games', 'lab'] as const;
export type Tab = (typeof tabs)[number];

export interface Address {
    game: string;
    tab: Tab;
    kept?: number;
    start?: string;
    moves?: string[];
    /** How many of the moves are played. */
    at?: number;
}

export function readAddress(hash: string): Address | null {
    const match = /^#\/([a-z0-9_]+)(?:\/([a-z]+))?(?:\?(.*))?$/.exec(hash);
    if (!match) return null;
    const tab = tabs.find((name) => name === match[2]) ?? 'play';
    const words = new URLSearchParams(match[3] ?? '');
    const number = (name: string) => {
        const n = Number(words.get(name) ?? NaN);
        return Number.isInteger(n) && n >= 0 ? n : undefined;
    };
    const moves = words.get('moves');
    return {
        game: match[1],
        tab,
        kept: number('g') || undefined,
        start: words.get('start') ?? undefined,
        moves: moves ? moves.split('.').filter(Boolean) : undefined,
        at: number('at'),
    };
}

export function writeAddress(a: Address): string {
    const words = new URLSearchParams();
    if (a.kept) words.set('g', String(a.kept));
    if (a.start) words.set('start', a.start);
    if (a.moves?.length) words.set('moves', a.moves.join('.'));
    if (a.at !== undefined) words.set('at', String(a.at));
    const query = words.toString();
    return `#/${a.game}/${a.tab}${query ? `?${query}` : ''}`;
}
