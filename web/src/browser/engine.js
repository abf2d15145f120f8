// The engine's WebAssembly module with JavaScript's types around it. Plain JavaScript, because the
// workers of the page, tools/static_page.mjs and the tests in node all use it.
import { decompress } from 'fzstd';

/**
 * @typedef {object} Engine
 * @property {(name: string, bytes: Uint8Array) => void} hand  a file of weights, before its game
 * @property {(question: string, body: object) => any} ask  the answer, or {error, remedy}
 * @property {(kind: string, body: object, tell: (event: string, data: any) => void) => any} work
 */

/**
 * @param {(options: object) => Promise<any>} make  the default export of emscripten's engine.mjs
 * @param {WebAssembly.Module} compiled
 * @returns {Promise<Engine>}
 */
export async function start(make, compiled) {
    /** @type {(event: string, data: any) => void} */
    let listener = () => {};
    const m = await make({
        instantiateWasm(/** @type {WebAssembly.Imports} */ imports, /** @type {Function} */ done) {
            void WebAssembly.instantiate(compiled, imports).then((i) => done(i, compiled));
            return {};
        },
        tell: (/** @type {string} */ event, /** @type {string} */ data) =>
            listener(event, JSON.parse(data)),
        unpack(/** @type {Uint8Array} */ packed, /** @type {number} */ room) {
            try {
                return decompress(packed, new Uint8Array(room));
            } catch {
                return null; // damaged: the engine says so
            }
        },
    });
    /** @param {string} s */
    const text = (s) => {
        const size = m.lengthBytesUTF8(s) + 1;
        const at = m._malloc(size);
        m.stringToUTF8(s, at, size);
        return at;
    };
    /**
     * @param {(word: number, body: number) => number} call
     * @param {string} word
     * @param {object} body
     */
    const say = (call, word, body) => {
        const a = text(word);
        const b = text(JSON.stringify(body));
        try {
            const said = JSON.parse(m.UTF8ToString(call(a, b)));
            return said.error === undefined ? said.answer : said;
        } finally {
            m._free(a);
            m._free(b);
        }
    };
    return {
        hand(name, bytes) {
            const at = m._malloc(bytes.length);
            m.HEAPU8.set(bytes, at);
            const word = text(name);
            m._karikomi_hand(word, at, bytes.length);
            m._free(word);
            m._free(at);
        },
        ask: (question, body) => say(m._karikomi_ask, question, body),
        work(kind, body, tell) {
            listener = tell;
            return say(m._karikomi_work, kind, body);
        },
    };
}
