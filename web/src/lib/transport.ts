// What both ways to the engine have in common: '#transport' exports `request` and `follow`.

export class ApiError extends Error {
    constructor(
        message: string,
        readonly remedy: string,
        readonly status: number,
    ) {
        super(message);
    }
}

/** The result of work that nobody wants any more. */
export class Dropped extends Error {}

export interface Events<I> {
    queued?: (ahead: number) => void;
    started?: () => void;
    info?: (info: I) => void;
}

/** Work under way. `stop` asks for its result at once; `drop` forgets it. */
export interface Running<R> {
    result: Promise<R>;
    stop: () => void;
    drop: () => void;
}
