// The files of the engine, fetched once for a page, and only those that are needed.
import { ApiError } from '../lib/transport';

/** engine/info.json, written by tools/static_page.mjs. */
export interface EngineInfo {
    wasm: string;
    /** Of each game: what its engine wants before the first question. */
    weights: Record<string, { name: string; url: string; bytes: number }[]>;
    /** The answer to /api/info. */
    info: Record<string, unknown>;
}

const at = (path: string) => new URL(path, document.baseURI).href;

async function get(path: string, what: string): Promise<Response> {
    const response = await fetch(at(path)).catch(() => null);
    if (response?.ok) return response;
    throw new ApiError(`${what} could not be fetched`, 'connect to the network and try again', 0);
}

/** The same, kept for later visits. The service worker (static/sw.js) knows this cache by its name,
 *  but on a first visit it comes too late to fill it. */
async function getOnce(path: string, what: string): Promise<ArrayBuffer> {
    const cache = await globalThis.caches?.open('karikomi-weights').catch(() => undefined);
    const held = await cache?.match(at(path));
    if (held) return held.arrayBuffer();
    const response = await get(path, what);
    await cache?.put(at(path), response.clone()).catch(() => undefined); // no room: fetched again
    return response.arrayBuffer();
}

/** A promise that is kept while it is good. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
    let kept: Promise<T> | null = null;
    return () => {
        kept ??= make().catch((e: unknown) => {
            kept = null;
            throw e;
        });
        return kept;
    };
}

export const engineInfo = once(
    async () => (await (await get('engine/info.json', 'the engine')).json()) as EngineInfo,
);

export const compiled = once(async () => {
    const { wasm } = await engineInfo();
    // Not compileStreaming: it refuses what a plain file server sends without its type.
    return WebAssembly.compile(await getOnce(wasm, 'the engine'));
});

const fetched = new Map<string, () => Promise<Uint8Array>>();
/** The files of weights for a game. */
export async function weightsOf(game: string): Promise<{ name: string; bytes: Uint8Array }[]> {
    const { weights } = await engineInfo();
    return Promise.all(
        (weights[game] ?? []).map(async ({ name, url }) => {
            let file = fetched.get(url);
            if (!file) {
                file = once(
                    async () => new Uint8Array(await getOnce(url, `what this game needs (${name})`)),
                );
                fetched.set(url, file);
            }
            return { name, bytes: await file() };
        }),
    );
}
