// Offline after the first visit. tools/static_page.mjs writes the two lists at the top; one of them
// changes with every release, so browsers notice it.
const files = []; // PAGE: what every visit needs
const big = []; // BIG: what the page fetches and keeps itself (browser/files.ts), once for a name
const version = ''; // VERSION

const pageCache = `karikomi-page-${version}`;
const bigCache = 'karikomi-weights';
const address = (path) => new URL(path, self.registration.scope).href;

self.addEventListener('install', (event) => {
    const fill = async () => {
        const cache = await caches.open(pageCache);
        // Past the browser's own cache, or pages of two releases could mix.
        await cache.addAll(files.map((path) => new Request(address(path), { cache: 'reload' })));
        await self.skipWaiting();
    };
    event.waitUntil(fill());
});

self.addEventListener('activate', (event) => {
    const tidy = async () => {
        for (const name of await caches.keys()) {
            const isOld = name.startsWith('karikomi-page-') && name !== pageCache;
            if (isOld) await caches.delete(name);
        }
        const cache = await caches.open(bigCache);
        const wanted = big.map(address);
        for (const request of await cache.keys()) {
            if (!wanted.includes(request.url)) await cache.delete(request);
        }
        await self.clients.claim();
    };
    event.waitUntil(tidy());
});

async function answer(request) {
    const url = new URL(request.url);
    url.hash = '';
    const held = await caches.match(url.href, { ignoreSearch: true });
    if (held) return held;
    return fetch(request);
}

self.addEventListener('fetch', (event) => {
    const { request } = event;
    if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
    event.respondWith(answer(request));
});
