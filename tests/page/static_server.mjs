// A plain static file server, as any host has: no headers of its own, no routes, no API.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
    '.json': 'application/json',
    '.webmanifest': 'application/manifest+json',
};

/** Serves `folder` below /sub/, so that no address of the page may begin with a slash. While
 *  `network.on` is false nobody is answered. */
export function serveFolder(folder) {
    const asked = [];
    const network = { on: true };
    const server = createServer((request, response) => {
        if (!network.on) {
            request.socket.destroy();
            return;
        }
        const path = new URL(request.url, 'http://x').pathname;
        asked.push(path);
        let file = join(folder, normalize(path.replace(/^\/sub\//, '/')));
        if (path.endsWith('/')) file = join(file, 'index.html');
        if (!path.startsWith('/sub/') || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
            response.writeHead(404).end();
            return;
        }
        // Unknown types are sent without one, as simple servers do with .wasm.
        const type = types[extname(file)];
        response.writeHead(200, type ? { 'Content-Type': type } : {});
        createReadStream(file).pipe(response);
    });
    return new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () =>
            resolve({ server, asked, network, address: `http://127.0.0.1:${server.address().port}/sub/` }),
        );
    });
}
