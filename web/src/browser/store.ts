// Games that the page keeps, in this browser's IndexedDB: what karikomi/server/game_store.cpp does
// in SQLite.
import { ApiError } from '../lib/transport';

export interface Kept {
    id: number;
    game: string;
    title: string;
    start: string;
    moves: string;
    result: string;
    created: string;
    updated: string;
    version: string;
    document: unknown;
}

const mostListed = 200;
const table = 'games';

const promised = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () =>
            reject(new ApiError('this browser cannot keep games', String(request.error?.message ?? ''), 400));
    });

async function open(): Promise<IDBDatabase> {
    const request = indexedDB.open('karikomi', 1);
    request.onupgradeneeded = () =>
        request.result.createObjectStore(table, { keyPath: 'id', autoIncrement: true });
    return promised(request);
}

/** All that `act` does happens at once or not at all, whatever other tabs do. */
async function within<T>(
    mode: IDBTransactionMode,
    act: (games: IDBObjectStore) => Promise<T>,
): Promise<T> {
    const db = await open();
    try {
        return await act(db.transaction(table, mode).objectStore(table));
    } finally {
        db.close();
    }
}

const missing = (id: number) => new ApiError(`there is no game ${id}`, 'see the list of games', 404);
const now = () => new Date().toISOString().replace(/\.\d+/, '');
const someVersion = () =>
    Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(16)).join('');

export async function list(): Promise<Omit<Kept, 'document' | 'version'>[]> {
    const all = await within('readonly', (games) => promised(games.getAll() as IDBRequest<Kept[]>));
    all.sort((a, b) => b.updated.localeCompare(a.updated) || b.id - a.id);
    return all.slice(0, mostListed).map(({ document: _document, version: _version, ...rest }) => rest);
}

export const load = (id: number): Promise<Kept> =>
    within('readonly', async (games) => {
        const found = (await promised(games.get(id))) as Kept | undefined;
        if (!found) throw missing(id);
        return found;
    });

/** `game` is a new one where its id is 0, else it replaces the old one, which must be `version`. */
export const save = (
    game: Pick<Kept, 'id' | 'game' | 'title' | 'start' | 'moves' | 'result' | 'document'>,
    version: string,
): Promise<{ id: number; version: string }> =>
    within('readwrite', async (games) => {
        const { id, ...rest } = game;
        const at = now();
        const fresh = { ...rest, created: at, updated: at, version: someVersion() };
        if (id === 0) return { id: Number(await promised(games.add(fresh))), version: fresh.version };
        const old = (await promised(games.get(id))) as Kept | undefined;
        if (!old) throw missing(id);
        if (old.version !== version) {
            throw new ApiError(
                'the game was changed elsewhere since it was opened here',
                'open it again, or keep yours without its id',
                409,
            );
        }
        await promised(games.put({ ...fresh, id, created: old.created }));
        return { id, version: fresh.version };
    });

export const remove = (id: number): Promise<{ deleted: boolean }> =>
    within('readwrite', async (games) => {
        if (!(await promised(games.getKey(id)))) throw missing(id);
        await promised(games.delete(id));
        return { deleted: true };
    });
