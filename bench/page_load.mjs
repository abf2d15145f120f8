// How the page's server bears up under load; never run as a test.
//   node bench/page_load.mjs build/karikomi [JUNK_REQUESTS]
// 50 event streams and 20 searches queued, then junk, then Ctrl-C: what was answered, how quickly a
// normal request still was, the server's memory, and how long the end took.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [program, junkText] = process.argv.slice(2);
const junkCount = Number(junkText ?? 100_000);
const data = mkdtempSync(join(tmpdir(), 'karikomi-load-'));
const server = spawn(program, ['serve', '--port', '0', '--json', '--data', data]);
const { port } = await new Promise((resolve) => {
    let text = '';
    server.stdout.on('data', (b) => {
        text += b;
        if (text.includes('\n')) resolve(JSON.parse(text));
    });
});
const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;

function request(path, body) {
    return new Promise((resolve) => {
        const payload = body === undefined ? undefined : JSON.stringify(body);
        const headers = { 'Content-Type': 'application/json', Connection: 'close' };
        const method = body === undefined ? 'GET' : 'POST';
        const r = http.request({ host: '127.0.0.1', port, path, method, headers }, (res) => {
            let text = '';
            res.on('data', (b) => (text += b));
            res.on('end', () => resolve({ status: res.statusCode, text }));
        });
        r.on('error', (e) => resolve({ status: 0, text: String(e) }));
        r.end(payload);
    });
}
async function timed(path) {
    const begin = performance.now();
    await request(path);
    return performance.now() - begin;
}

console.log(`start: ${memory().toFixed(0)} MB`);
const searches = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
        request('/api/search', {
            game: i % 2 ? 'othello' : 'connect_four',
            limits: { depth: 10 },
            client: `c${i % 10}`,
        }),
    ),
);
const ids = searches.filter((s) => s.status === 202).map((s) => JSON.parse(s.text).id);
console.log(`searches: ${ids.length} taken, ${20 - ids.length} refused`);
const streams = Array.from({ length: 50 }, (_, i) => request(`/api/search/${ids[i % ids.length]}/events`));
const waits = [];
let over = false;
const watcher = (async () => {
    while (!over) {
        waits.push(await timed('/api/searches'));
        await new Promise((r) => setTimeout(r, 50));
    }
})();
const ended = await Promise.all(streams);
over = true;
await watcher;
const whole = ended.filter((e) => e.text.includes('event: result')).length;
const refused = ended.filter((e) => e.status === 503).length;
waits.sort((a, b) => a - b);
console.log(
    `50 streams: ${whole} with a result, ${refused} refused in words; meanwhile a request took ` +
        `${waits[waits.length >> 1].toFixed(1)} ms (median), ${waits[waits.length - 1].toFixed(1)} ms (worst); ` +
        `${memory().toFixed(0)} MB`,
);

const parts = [
    'GET ', 'POST ', '/', '/api/search', '/api/info', ' HTTP/1.1', '\r\n', '\r\n\r\n',
    `Host: 127.0.0.1:${port}`, 'Content-Length: 5', 'Content-Length: -1', '{"game":', '[[[[',
    'Transfer-Encoding: chunked', 'Content-Type: application/json', '%', '%zz', 'Range: bytes=0-',
    'Expect: 100-continue', ':', 'ffffffff\r\n', '\0',
];
let seed = 7;
const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
const junk = () => Array.from({ length: 1 + random(12) }, () => parts[random(parts.length)]).join('');
const sendJunk = () =>
    new Promise((resolve) => {
        const s = net.connect(port, '127.0.0.1', () => s.end(junk()));
        s.on('data', () => undefined);
        s.on('close', resolve);
        s.on('error', () => undefined);
    });
const begin = performance.now();
let sent = 0;
await Promise.all(
    Array.from({ length: 32 }, async () => {
        while (sent < junkCount) {
            sent++;
            await sendJunk();
        }
    }),
);
const answer = await request('/api/info');
console.log(
    `junk: ${sent} requests in ${((performance.now() - begin) / 1000).toFixed(1)} s; then /api/info ` +
        `answers ${answer.status}; ${memory().toFixed(0)} MB`,
);
const stop = performance.now();
server.kill('SIGINT');
const code = await new Promise((resolve) => server.on('exit', resolve));
console.log(`Ctrl-C: exit code ${code} after ${((performance.now() - stop) / 1000).toFixed(2)} s`);
rmSync(data, { recursive: true, force: true });
