// The server's interface: types and calls. docs/page.md describes it.

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

export interface GameInfo {
    name: string;
    title: string;
    rules: string;
    position_help: string;
    evaluation: string;
    fingerprint: string;
    max_level: number;
    unit: number;
    techniques: string[];
    params: Param[];
    samples: { position: string; depth: number }[];
    formats: string[];
}

export interface ServerInfo {
    version: string;
    commit: string;
    searches_at_once: number;
    games: GameInfo[];
}

export interface State {
    position: string;
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
}

export type Counters = Record<string, Record<string, number | number[]>>;

export interface Line {
    value: number | null;
    decisive: boolean;
    depth: number;
    pv: string[];
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

export interface KeptGame {
    id: number;
    game: string;
    title: string;
    start: string;
    moves: string;
    result: string;
    created: string;
    updated: string;
    document?: Record<string, unknown>;
}

export class ApiError extends Error {
    constructor(
        message: string,
        readonly remedy: string,
        readonly status: number,
    ) {
        super(message);
    }
}

// One tab is one client of the fair queue.
const client = Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) =>
    b.toString(16).padStart(2, '0'),
).join('');

async function request<T>(path: string, body?: unknown): Promise<T> {
    const response = await fetch(path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
    });
    const json = await response.json().catch(() => ({}));
    if (!response.ok) {
        throw new ApiError(json.error ?? response.statusText, json.remedy ?? '', response.status);
    }
    return json as T;
}

export const getInfo = () => request<ServerInfo>('/api/info');

export const getState = (game: string, position: string, moves: string[]) =>
    request<State>('/api/position', { game, position, moves });

export const getStates = (game: string, position: string, moves: string[]) =>
    request<{ states: State[] }>('/api/position', { game, position, moves, all: true });

export const listGames = () => request<{ games: KeptGame[] }>('/api/games');
export const loadGame = (id: number) => request<KeptGame>(`/api/games/${id}`);
export const saveGame = (game: Record<string, unknown>) =>
    request<{ id: number }>('/api/games', game);
export const deleteGame = (id: number) => request<unknown>(`/api/games/${id}/delete`, {});

export const importRecord = (game: string, text: string) =>
    request<{ start: string; moves: string[]; title: string; format: string; states: State[] }>(
        '/api/import',
        { game, text },
    );
export const exportRecord = (record: Record<string, unknown>) =>
    request<{ text: string }>('/api/export', record);

export interface SearchEvents {
    queued?: (ahead: number) => void;
    started?: () => void;
    info?: (info: Info) => void;
}

/** A search under way. `stop` asks for its result at once; `drop` forgets it. */
export interface RunningSearch {
    result: Promise<Result>;
    stop: () => void;
    drop: () => void;
}

export class Dropped extends Error {}

export function search(order: Order, events: SearchEvents = {}): RunningSearch {
    let source: EventSource | null = null;
    let id = '';
    let over = false;
    let stopping = false;
    let settle: { resolve: (r: Result) => void; reject: (e: Error) => void };
    const result = new Promise<Result>((resolve, reject) => (settle = { resolve, reject }));

    const sendStop = () => {
        if (id && !over) void request(`/api/search/${id}/stop`, {}).catch(() => undefined);
    };
    const end = (act: () => void) => {
        if (over) return;
        over = true;
        source?.close();
        act();
    };
    const listen = () => {
        source = new EventSource(`/api/search/${id}/events`);
        const on = (name: string, act: (data: never) => void) =>
            source?.addEventListener(name, (e) => {
                if (!over) act(JSON.parse((e as MessageEvent).data) as never);
            });
        on('queued', (d: { ahead: number }) => events.queued?.(d.ahead));
        on('started', () => events.started?.());
        on('info', (d: Info) => events.info?.(d));
        on('result', (d: Result) => end(() => settle.resolve(d)));
        // The name is also that of a lost connection, which carries no data.
        source.addEventListener('error', (e) => {
            const data = (e as MessageEvent).data;
            if (typeof data === 'string') {
                const error = JSON.parse(data);
                end(() => settle.reject(new ApiError(error.error, error.remedy, 500)));
            } else if (source?.readyState === EventSource.CLOSED) {
                end(() => settle.reject(new ApiError('the server has gone', '', 0)));
            }
        });
    };
    request<{ id: string }>('/api/search', { ...order, client }).then(
        (taken) => {
            id = taken.id;
            if (over) {
                void request(`/api/search/${id}/stop`, {}).catch(() => undefined);
                return;
            }
            listen();
            if (stopping) sendStop();
        },
        (error: Error) => end(() => settle.reject(error)),
    );
    return {
        result,
        stop: () => {
            stopping = true;
            sendStop();
        },
        drop: () => {
            sendStop();
            end(() => settle.reject(new Dropped('dropped')));
        },
    };
}
