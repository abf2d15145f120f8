// What only the page with its engine in the browser can do, from a plain static file server:
//   node static_test.mjs FOLDER PAGE_FOLDER BROWSER
// page_test.mjs FOLDER runs all the tests of the served page on it as well.
import assert from 'node:assert/strict';

import { launch, patience, settled } from './browser.mjs';
import { serveFolder } from './static_server.mjs';

const [folder, pageFolder, browserPath] = process.argv.slice(2);
const { server, asked, network, address } = await serveFolder(folder);
const browser = await launch(pageFolder, browserPath);
const hosts = new Set();
const complaints = [];
const first = { othello: 'd3', shogi: null, renju: 'h8', gomoku: 'h8', connect_four: '4-1' };

async function open(locale, view = '') {
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    page.on('pageerror', (e) => complaints.push(String(e)));
    page.on('console', (m) => {
        if (m.type() === 'error') complaints.push(m.text());
    });
    context.on('request', (r) => hosts.add(new URL(r.url()).host));
    await page.goto(address + view);
    await page.waitForSelector('[role=gridcell]');
    return { context, page };
}
const moves = (page) => page.locator('[data-testid=moves] li').count();

/** A move in this game, and the engine's answer to it. */
async function playOne(page, game) {
    await page.click(`[data-game=${game}]`);
    await page.waitForFunction(
        (g) => document.querySelector(`[data-game=${g}]`)?.getAttribute('aria-current') === 'true',
        game,
    );
    await page.click('#tab-play');
    await page.locator('[data-testid=level]').fill('1');
    await page.selectOption('[data-testid=you]', 'first');
    await page.click('[data-testid=new-game]');
    await settled(page);
    if (first[game]) {
        await page.locator(`[data-square="${first[game]}"]`).click();
    } else {
        await page.locator('[data-square="7g"]').click();
        await page.locator('[data-square="7f"]').click();
    }
    await page.waitForFunction(() => document.querySelectorAll('[data-testid=moves] li').length === 2);
    await settled(page);
}
async function analyse(page) {
    await page.click('#tab-analyse');
    await page.click('[data-testid=analyse]');
    await page.waitForFunction(() => document.querySelectorAll('[data-testid=lines] li').length > 0);
    await page.click('[data-testid=analyse]'); // ends the thread that searches
    await page.click('#tab-play');
}
/** Waits until the service worker has everything. */
const installed = (page) =>
    page.evaluate(async () => {
        await navigator.serviceWorker.ready;
        while (!(await caches.keys()).some((name) => name.startsWith('karikomi-page-'))) {
            await new Promise((done) => setTimeout(done, 50));
        }
    });

for (const locale of ['en-GB', 'ja-JP']) {
    const { context, page } = await open(locale);
    const language = locale.slice(0, 2);
    assert.equal(await page.evaluate(() => document.documentElement.lang), language);
    assert.equal(await page.locator('#tab-lab').count(), 0, 'there is no laboratory here');
    assert.match(await page.textContent('[data-testid=here]'), language === 'ja' ? /ブラウザ/ : /this browser/);
    for (const game of Object.keys(first)) {
        await playOne(page, game);
        await analyse(page);
        console.log(`ok    ${locale}: ${game}, a move and its answer, an analysis`);
    }
    // Kept, and there again after a reload.
    await page.waitForFunction(() => /[?]g=\d+/.test(location.hash));
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll('[data-testid=moves] li').length >= 2);
    await page.click('#tab-games');
    await page.waitForFunction(() => document.querySelectorAll('[data-testid=kept] li').length === 5);
    console.log(`ok    ${locale}: games are kept`);

    // No network: everything that was used is still there.
    await installed(page);
    network.on = false;
    await page.reload();
    await page.waitForSelector('[role=gridcell]');
    for (const game of Object.keys(first)) await playOne(page, game);
    await analyse(page);
    assert.equal(await moves(page), 2);
    network.on = true;
    console.log(`ok    ${locale}: offline`);
    await context.close();
}

// Each game alone: it fetches what it needs and no more.
for (const game of Object.keys(first)) {
    const from = asked.length;
    const { context, page } = await open('en-GB', `#/${game}/play`);
    await playOne(page, game);
    const fetched = new Set(asked.slice(from).filter((path) => path.endsWith('.bin')));
    assert(fetched.size <= 2, `one game was opened, and ${[...fetched]} were fetched`);
    assert(![...fetched].some((path) => /shogi|othello/.test(path) && !path.includes(game)), [...fetched].join());
    console.log(`ok    ${game} alone fetches ${[...fetched].join(' ') || 'no weights'}`);
    await context.close();
}

// Two tabs do not overwrite each other.
{
    const { context, page } = await open('en-GB');
    await playOne(page, 'connect_four');
    await page.waitForFunction(() => /[?]g=\d+/.test(location.hash));
    const other = await context.newPage();
    await other.goto(page.url());
    await other.waitForFunction(() => document.querySelectorAll('[data-testid=moves] li').length >= 2);
    for (const [tab, square] of [[page, '1-1'], [other, '7-1']]) {
        const was = await moves(tab);
        await tab.click('#tab-play');
        await tab.locator(`[data-square="${square}"]`).click();
        await tab.waitForFunction((n) => document.querySelectorAll('[data-testid=moves] li').length >= n + 2, was);
        await tab.waitForTimeout(1_000);
    }
    await other.click('#tab-games');
    await other.waitForFunction(() => document.querySelectorAll('[data-testid=kept] li').length === 2);
    console.log('ok    two tabs, two games');
    await context.close();
}

assert.deepEqual([...hosts], [new URL(address).host], 'requests to other hosts');
assert.deepEqual(complaints, []);
await browser.close();
server.close();
console.log('all passed');
process.exit(0);
