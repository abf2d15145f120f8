// A game from outside, drawn from its board description: played to the end in a real browser.
//   node outside_test.mjs PROGRAM PAGE_FOLDER BROWSER GAME
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';

import { launch, patience, phase, press, serve, settled } from './browser.mjs';

const [program, pageFolder, browserPath, game] = process.argv.slice(2);
const data = mkdtempSync(join(tmpdir(), 'karikomi-outside-'));
const { server, hello } = await serve(program, data, 8);
const browser = await launch(pageFolder, browserPath);

/** A move by hand: one square, or a piece and then where it goes. */
async function playOne(page) {
    const before = await page.getAttribute('[data-testid=status]', 'data-cursor');
    assert(await press(page, '.cell.playable'), 'there is a square to play on');
    for (let i = 0; i < 50; i++) {
        const now = await page.getAttribute('[data-testid=status]', 'data-cursor');
        if (now !== before) return;
        if (i === 5) await press(page, '.cell.playable:not(:has(.chosen)):has(.hint, .capture)');
        await page.waitForTimeout(40);
    }
    throw new Error('the move was not made');
}

try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB' });
    const page = await context.newPage();
    const complaints = [];
    page.setDefaultTimeout(patience);
    page.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
    page.on('pageerror', (e) => complaints.push(String(e)));
    await page.goto(hello.address);
    await page.waitForSelector('[role=gridcell]');

    const games = await page.locator('[data-game]').evaluateAll((all) => all.map((e) => e.dataset.game));
    assert.deepEqual(games, [game], 'the page offers this game and no other');
    const info = await page.evaluate(() => fetch('/api/info').then((r) => r.json()));
    const { board } = info.games[0];
    assert.equal(await page.locator('[role=gridcell]').count(), board.columns * board.rows);
    assert.equal(await page.locator('[data-testid=edit]').count(), 0, 'there is nothing to edit with');

    await page.locator('[data-testid=level]').fill('1');
    await page.selectOption('[data-testid=you]', 'first');
    await page.click('[data-testid=new-game]');
    await settled(page);
    const pieces = () => page.locator('.cell:not([data-piece=""])').count();
    const atStart = await pieces();
    await playOne(page);
    await settled(page);
    assert.notEqual(await page.locator('[data-testid=moves] li').count(), 0, 'the move is listed');
    for (let i = 0; i < 200 && (await phase(page)) !== 'over'; i++) {
        await playOne(page);
        await settled(page);
    }
    assert.equal(await phase(page), 'over', 'the game comes to its end');
    assert.notEqual(await pieces(), atStart, 'the board has changed');
    const headline = await page.textContent('[data-testid=status] .headline');
    assert.match(headline, new RegExp(`${board.sides.join('|')}|[Dd]raw`), 'the result is told by the game\'s own names');

    // It can be analysed, too.
    await page.click('[data-testid=back]');
    await page.click('#tab-analyse');
    assert.deepEqual(complaints, [], 'the console is silent');
    console.log(`${game}: played to the end: ${headline.trim()}`);
} finally {
    await browser.close();
    server.kill('SIGINT');
    rmSync(data, { recursive: true, force: true });
}
