// What the page asks and gets: types and calls. docs/page.md describes it. '#transport' is the
// server (lib/http.ts), or the engine in this browser (browser/transport.ts); nobody else knows.
import { follow, request } from '#transport';
import type { Events, Running } from './transport';

export type Side = 'first' | 'second';
export type Outcome = Side | 'draw';

export interface Param {
    path: string;
    type: 'flag' | 'integer' | 'real' | 'choice' | 'integers' | 'reals';
    value: boolean | number | string | number[];
    doc: string;
    unit?: string;
    choices?: string[];
    min?: number;
    max?: number;
}

/** A grid, for games that the page does not know by itself. */
export interface BoardInfo {
    columns: number;
    rows: number;
    column_labels: string[];
    /** From the top. */
    row_labels: string[];
    /** What the players are called. */
    sides: [string, string];
}
/** What stands on it, row by row from the top left, and which cells a legal move means. */
export interface BoardState {
    cells: ({ side: Side; kind: string } | null)[];
    moves: Record<string, { to: number | null; from?: number }>;
}

export interface GameInfo {
    name: string;
    title: string;
    board?: BoardInfo;
    rules: string;
    position_help: string;
    evaluation: string;
    fingerprint: string;
    max_level: number;
    /** How its players write moves, besides the notation of the engine. */
    move_styles?: { name: string; language: string; help: string }[];
    unit: number;
    techniques: string[];
    params: Param[];
    samples: { position: string; depth: number }[];
    formats: string[];
    /** Ways in which a position can be proved. */
    solvers: string[];
    /** Opening rules, besides free play. */
    openings: string[];
}

/** What an opening rule asks next. Players are 0, who began, and 1. */
export interface OpeningState {
    ask:
        | 'stone'
        | 'swap'
        | 'swap_or_add'
        | 'play_or_offer'
        | 'offer_stone'
        | 'choose_offer'
        | 'nothing';
    player: 0 | 1;
    /** Who has Black now. */
    black: 0 | 1;
    /** Of the next stone. */
    side: Side;
    /** How far from the centre it may stand, in cells. */
    reach: number | null;
    /** Everything that may be done now: cells or decisions. */
    answers: string[];
    stones: string[];
    /** Fifth stones to choose from. */
    offers: string[];
    offers_wanted: number;
    /** Who took each step. */
    players: (0 | 1)[];
}

export interface ServerInfo {
    version: string;
    commit: string;
    searches_at_once: number;
    /** False where there is no laboratory to look at: the engine runs in this browser. */
    laboratory?: boolean;
    max_threads?: number;
    max_hash_mb?: number;
    games: GameInfo[];
}

/** A text by style of notation. */
export type MoveName = Record<string, string>;

/** What the rules say of a position besides its legal moves. */
export interface Situation {
    /** The rule by which the game is over. */
    ending?: string;
    numbers?: Record<string, number>;
    marks?: { cell: string; kind: string; side: Side }[];
}

export interface State {
    /** Of the move that led here. */
    name?: MoveName;
    situation?: Situation;
    position: string;
    /** Of games that describe their board. */
    board?: BoardState | null;
    side: Side;
    legal: string[];
    result: Outcome | null;
}

export interface Limits {
    depth?: number;
    level?: number;
    nodes?: number;
    time_ms?: number;
    infinite?: boolean;
    multi_pv?: number;
    main_ms?: number;
    byoyomi_ms?: number;
    increment_ms?: number;
}

export interface Tuning {
    only?: string[];
    set?: Record<string, unknown>;
}

export interface Order extends Tuning {
    game: string;
    position: string;
    moves: string[];
    limits: Limits;
    threads?: number;
    hash_mb?: number;
}

export type Counters = Record<string, Record<string, number | number[]>>;

export interface Line {
    value: number | null;
    decisive: boolean;
    depth: number;
    pv: string[];
    /** Of the line's moves, by style. */
    names?: Record<string, string[]>;
    plies_to_end?: number;
    solved?: boolean;
    confidence?: number;
}

export interface Info extends Line {
    multipv: number;
    seldepth: number;
    nodes: number;
    total_nodes: number;
    time_ms: number;
    nps: number;
    hash_permille: number;
    first_move_cut_rate: number;
    techniques: Counters;
}

export interface Result extends Line {
    bestmove: string | null;
    nodes: number;
    time_ms: number;
    nps: number;
    first_move_cut_rate: number;
    techniques: Counters;
    lines?: Line[];
    stopped?: string;
}

/** What a solver says. `line` is the proof's main line. */
export interface Proof {
    kind: string;
    answer: 'score' | 'win' | 'loss' | 'draw' | 'mate' | 'none' | 'unknown';
    solved: boolean;
    line: string[];
    names?: Record<string, string[]>;
    nodes: number;
    time_ms: number;
    value?: number;
    confidence?: number;
    by?: 'vcf' | 'vct' | 'quiet';
    shortest?: boolean;
    stopped?: string;
}

export interface Interval {
    value: number;
    low: number;
    high: number;
}
export interface Sprt {
    llr: number;
    lower: number;
    upper: number;
    verdict: string;
    elo0: number;
    elo1: number;
}
export interface Score {
    games: number;
    wins: number;
    draws: number;
    losses: number;
    score: number;
    elo: Interval;
    los: number;
}
export interface TunedParam {
    path: string;
    start: number;
    min: number;
    max: number;
    value?: number;
    low?: number;
    high?: number;
    last?: number;
}
/** A run of the laboratory. What is there depends on its kind: match, tune, or one unknown here. */
export interface LabRun {
    name: string;
    kind: string;
    changed: string;
    running: boolean;
    game?: string;
    error?: string;
    names?: string[];
    played?: number;
    wanted?: number;
    result?: Partial<Score> & {
        pairings?: (Score & { a: string; b: string })[];
        ratings?: Record<string, number>;
        sprt?: Sprt;
    };
    params?: TunedParam[];
    samples?: number;
    units?: number;
    stages?: [stage: number, samples: number][];
    course?: MatchPoint[] | { trials: number[]; values: number[][] };
}
export interface MatchPoint {
    games: number;
    elo: Interval;
    llr?: number;
}
export interface Lab {
    folder: string;
    runs: LabRun[];
    reports: { name: string; changed: string }[];
}

export interface KeptGame {
    id: number;
    game: string;
    title: string;
    start: string;
    moves: string;
    result: string;
    created: string;
    updated: string;
    version?: string;
    document?: Record<string, unknown>;
}

export { ApiError, Dropped, type Events, type Running } from './transport';

export const getInfo = () => request<ServerInfo>('/api/info');

export const getState = (game: string, position: string, moves: string[]) =>
    request<State>('/api/position', { game, position, moves });

export const getStates = (game: string, position: string, moves: string[]) =>
    request<{ states: State[] }>('/api/position', { game, position, moves, all: true });

export const getOpening = (game: string, rule: string, steps: string[]) =>
    request<OpeningState>('/api/opening', { game, rule, steps });

export const listGames = () => request<{ games: KeptGame[] }>('/api/games');
export const loadGame = (id: number) => request<KeptGame>(`/api/games/${id}`);
export const saveGame = (game: Record<string, unknown>) =>
    request<{ id: number; version: string }>('/api/games', game);
export const deleteGame = (id: number) => request<unknown>(`/api/games/${id}/delete`, {});

/** A move of a game's tree as it is kept: `p` is the number of the node before it, 0 the start. */
export interface KeptNode {
    m: string;
    p: number;
    /** Thought, in ms. */
    t?: number;
    /** Comment. */
    c?: string;
    /** How the game ended after it. */
    e?: { ending: string; comment?: string; time_ms?: number };
}
/** What a record says of a game besides its moves. */
export interface Heading {
    names: [string, string];
    event: string;
    date: string;
    facts: [string, string][];
    comment: string;
}
export interface Imported {
    nodes?: KeptNode[];
    record?: Heading;
    winner?: Outcome;
    start: string;
    moves: string[];
    title: string;
    format: string;
    games: number;
    states: State[];
}
/** `source` is what a file holds: text, or bytes that are no text. */
export const importRecord = (game: string, source: string | Uint8Array, number = 0) =>
    request<Imported>('/api/import', {
        game,
        number,
        ...(typeof source === 'string' ? { text: source } : { base64: toBase64(source) }),
    });
export const exportRecord = (record: Record<string, unknown>) =>
    request<{ file: string; text?: string; base64?: string }>('/api/export', record);

export const getLab = () => request<Lab>('/api/lab');
export const getLabRun = (name: string) => request<LabRun>(`/api/lab/${name}`);

function toBase64(bytes: Uint8Array): string {
    let text = '';
    for (const b of bytes) text += String.fromCharCode(b);
    return btoa(text);
}
export const fromBase64 = (text: string): Uint8Array =>
    Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

export type RunningSearch = Running<Result>;

export const search = (order: Order, events: Events<Info> = {}): RunningSearch =>
    follow<Info, Result>('/api/search', order, events);

export const solve = (
    order: { game: string; position: string; moves: string[]; kind: string; time_ms: number },
    events: Events<Proof> = {},
): Running<Proof> => follow<Proof, Proof>('/api/solve', order, events);
