// The way to `karikomi serve`: JSON over HTTP, and events of searches.
import { ApiError, Dropped, type Events, type Running } from './transport';

// One tab is one client of the fair queue.
const client = Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) =>
    b.toString(16).padStart(2, '0'),
).join('');

export async function request<T>(path: string, body?: unknown): Promise<T> {
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

/** Puts work into the queue and listens to it. */
export function follow<I, R>(path: string, order: object, events: Events<I>): Running<R> {
    let source: EventSource | null = null;
    let id = '';
    let over = false;
    let stopping = false;
    let settle: { resolve: (r: R) => void; reject: (e: Error) => void };
    const result = new Promise<R>((resolve, reject) => (settle = { resolve, reject }));

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
        on('info', (d: I) => events.info?.(d));
        on('result', (d: R) => end(() => settle.resolve(d)));
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
    request<{ id: string }>(path, { ...order, client }).then(
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
