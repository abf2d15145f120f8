// A worker, its files and its questions.
import { ApiError } from '../lib/transport';
import { compiled, weightsOf } from './files';
import type { Said, Task } from './worker';

type Without<T> = T extends unknown ? Omit<T, 'id'> : never;
type Tell = (event: string, data: unknown) => void;

export class Thread {
    #worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    #waiting = new Map<number, { settle: (answer: unknown) => void; tell?: Tell }>();
    #last = 0;
    #ready: Promise<unknown>;
    #games = new Map<string, Promise<unknown>>();
    #handed = new Set<string>();

    constructor() {
        this.#worker.onmessage = ({ data: said }: MessageEvent<Said>) => {
            const one = this.#waiting.get(said.id);
            if ('event' in said) {
                one?.tell?.(said.event, said.data);
            } else {
                this.#waiting.delete(said.id);
                one?.settle(said.answer);
            }
        };
        this.#worker.onerror = (e) => {
            for (const one of this.#waiting.values()) {
                one.settle({ error: e.message || 'the engine could not be started', remedy: 'reload the page' });
            }
        };
        this.#ready = compiled().then((module) => this.#send({ do: 'start', compiled: module }));
        this.#ready.catch(() => undefined); // whoever asks hears of it
    }

    #send(task: Without<Task>, tell?: Tell): Promise<unknown> {
        const id = ++this.#last;
        return new Promise((resolve, reject) => {
            const settle = (answer: unknown) => {
                const bad = answer as { error?: string; remedy?: string } | null;
                if (bad?.error === undefined) resolve(answer);
                else reject(new ApiError(bad.error, bad.remedy ?? '', 400));
            };
            this.#waiting.set(id, { settle, tell });
            this.#worker.postMessage({ id, ...task });
        });
    }

    /** Everything that the game needs is there. */
    prepare(game: string): Promise<unknown> {
        let prepared = this.#games.get(game);
        if (!prepared) {
            prepared = this.#fill(game).catch((e: unknown) => {
                this.#games.delete(game);
                throw e;
            });
            this.#games.set(game, prepared);
        }
        return prepared;
    }
    async #fill(game: string) {
        const [files] = await Promise.all([weightsOf(game), this.#ready]);
        for (const { name, bytes } of files) {
            if (this.#handed.has(name)) continue; // games may share a file, and take it once
            this.#handed.add(name);
            await this.#send({ do: 'hand', name, bytes });
        }
        // Unpacking takes a moment: better now than when somebody waits.
        if (game) await this.#send({ do: 'ask', word: 'position', body: { game } });
    }

    async ask<T>(word: string, body: { game?: string }): Promise<T> {
        await this.prepare(body.game ?? '');
        return (await this.#send({ do: 'ask', word, body })) as T;
    }
    async work<T>(word: string, body: { game?: string }, tell: Tell): Promise<T> {
        await this.prepare(body.game ?? '');
        return (await this.#send({ do: 'work', word, body }, tell)) as T;
    }
    end() {
        this.#worker.terminate();
        this.#waiting.clear();
    }
}
