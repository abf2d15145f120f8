// The way to the engine in this browser, with the addresses of the server's interface.
import { ApiError, type Events, type Running } from '../lib/transport';
import { compiled, engineInfo } from './files';
import { atOnce, start } from './pool';
import * as store from './store';
import { Thread } from './thread';

// Offline after the first visit. Without TLS browsers have none of it. The engine first: the service
// worker's own downloads can wait.
if ('serviceWorker' in navigator && window.isSecureContext) {
    void compiled()
        .then(() => navigator.serviceWorker.register('./sw.js'))
        .catch(() => undefined);
}

// Questions are answered while searches run.
let desk: Thread | null = null;
const ask = <T>(word: string, body: object): Promise<T> => (desk ??= new Thread()).ask<T>(word, body);

async function keep(body: Record<string, unknown>) {
    const { version, document, ...rest } = body;
    // Only games that the rules allow are kept.
    const game = await ask<Omit<store.Kept, 'document' | 'version'>>('keep', rest);
    return store.save({ ...game, document: document ?? {} }, typeof version === 'string' ? version : '');
}

async function answer(path: string, body?: Record<string, unknown>): Promise<unknown> {
    if (path === '/api/info') {
        const { info } = await engineInfo();
        return { ...info, searches_at_once: atOnce, laboratory: false };
    }
    if (path === '/api/games') return body ? keep(body) : { games: await store.list() };
    const kept = /^\/api\/games\/(\d+)(\/delete)?$/.exec(path);
    if (kept) return kept[2] ? store.remove(Number(kept[1])) : store.load(Number(kept[1]));
    const question = /^\/api\/(position|opening|import|export)$/.exec(path);
    if (question && body) return ask(question[1], body);
    throw new ApiError('there is nothing at this address', 'see docs/page.md', 404);
}

/** As it would go over the network: the page's own objects are proxies, which workers and
 *  IndexedDB refuse. */
const plain = <T>(body: unknown): T => JSON.parse(JSON.stringify(body)) as T;

export const request = async <T>(path: string, body?: unknown): Promise<T> =>
    (await answer(path, body === undefined ? undefined : plain(body))) as T;

export const follow = <I, R>(path: string, order: object, events: Events<I>): Running<R> =>
    start<I, R>(path === '/api/solve' ? 'solve' : 'search', plain(order), events);
