// The page as a person meets it: the real program, a real browser.
//   node page_test.mjs PROGRAM PAGE_FOLDER BROWSER [SHOTS]
// ONLY=text in the environment runs the tests whose names contain it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';

const [program, pageFolder, browserPath, shots] = process.argv.slice(2);
const { chromium } = createRequire(resolve(pageFolder, 'package.json'))('playwright-core');
const patience = 120_000; // a loaded machine is slow

const data = mkdtempSync(join(tmpdir(), 'karikomi-page-'));
const server = spawn(program, ['serve', '--port', '0', '--json', '--data', data, '--hash', '16']);
const hello = await new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (bytes) => {
        text += bytes;
        if (text.includes('\n')) resolve(JSON.parse(text));
    });
    server.on('exit', () => reject(new Error('the server ended')));
});
const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});

const complaints = [];
const hosts = new Set();
async function open(options = {}) {
    const context = await browser.newContext({
        viewport: { width: 1280, height: 860 },
        locale: 'en-GB',
        ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    page.on('console', (m) => {
        // Asking for an illegal position is answered with 400, which Chromium writes down.
        if (m.type() === 'error' && !/status of 400/.test(m.text())) complaints.push(m.text());
    });
    page.on('pageerror', (e) => complaints.push(String(e)));
    page.on('request', (r) => hosts.add(new URL(r.url()).host));
    await page.goto(hello.address);
    await page.waitForSelector('[role=gridcell]');
    return page;
}

const phase = (page) => page.getAttribute('[data-testid=status]', 'data-phase');
const headline = (page) => page.textContent('[data-testid=status] .headline');
const detail = (page) => page.textContent('[data-testid=detail]');
const moveCount = (page) => page.locator('[data-testid=moves] li').count();
const settled = (page) =>
    page.waitForFunction(
        () =>
            ['yours', 'over'].includes(
                document.querySelector('[data-testid=status]')?.dataset.phase,
            ),
        null,
        { timeout: patience, polling: 30 },
    );
const tab = (page, name) => page.click(`#tab-${name}`);
const square = (page, name) => page.locator(`[data-square="${name}"]`);
// Straight to the element: hundreds of clicks that wait for animations would take minutes.
const press = (page, selector) =>
    page.evaluate((s) => {
        const element = document.querySelector(s);
        element?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        return !!element;
    }, selector);

async function choose(page, game) {
    await page.click(`[data-game=${game}]`);
    await page.waitForFunction(
        (g) => document.querySelector(`[data-game=${g}]`)?.getAttribute('aria-current') === 'true',
        game,
    );
    await tab(page, 'play');
    await page.locator('[data-testid=level]').fill('1');
    await page.selectOption('[data-testid=you]', 'first');
    await page.click('[data-testid=new-game]');
    await settled(page);
}
async function picture(page, name) {
    if (!shots) return;
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.screenshot({ path: join(shots, `${name}.png`) });
}

// Plays the first legal move each time until the game is over.
async function playToTheEnd(page) {
    for (let i = 0; i < 80; i++) {
        await settled(page);
        if ((await phase(page)) === 'over') return;
        const before = await page.getAttribute('[data-testid=status]', 'data-cursor');
        assert(await press(page, '.cell.playable'), 'no square to play on');
        await page.waitForFunction(
            (was) => document.querySelector('[data-testid=status]')?.dataset.cursor !== was,
            before,
            { polling: 20 },
        );
    }
    throw new Error('the game does not end');
}

const tests = {
    async 'Othello to its end, explained'(page) {
        await choose(page, 'othello');
        await playToTheEnd(page);
        assert.match(await headline(page), /wins|Draw/);
        assert.match(await detail(page), /No moves are left: \d+ discs/);
        await picture(page, 'othello-over');
    },
    async 'Connect Four to its end, explained'(page) {
        await choose(page, 'connect_four');
        await playToTheEnd(page);
        assert.match(await detail(page), /Four in a row|board is full/);
        await picture(page, 'connect-four-over');
    },
    async 'shogi: select, move, promote or drop by hand, resign'(page) {
        await choose(page, 'shogi');
        await square(page, '7g').click();
        await square(page, '7f').click();
        await page.waitForFunction(() => document.querySelector('[data-square="7f"]').dataset.piece === 'first:P');
        await page.waitForFunction(() => document.querySelectorAll('[data-testid=moves] li').length >= 1);
        await settled(page);
        await page.waitForFunction(() => document.querySelectorAll("[data-testid=moves] li").length >= 2);
        await picture(page, 'shogi');
        await page.click('[data-testid=resign]');
        assert.match(await detail(page), /resigned/);
        // A position with a promotion to choose and a piece in hand.
        await tab(page, 'games');
        await page.fill('[data-testid=paste]', '4k4/9/9/4P4/9/9/9/9/4K4 b G 1');
        await page.click('[data-testid=read]');
        await page.waitForFunction(() => /0 moves/.test(document.querySelector('[data-testid=said]')?.textContent));
        await square(page, '5d').click();
        await square(page, '5c').click();
        await page.click('.promotion .primary');
        await page.waitForFunction(() => document.querySelector('[data-square="5c"]').dataset.piece === 'first:+P');
        await tab(page, 'play');
        await page.waitForFunction(() => document.querySelectorAll('[data-testid=moves] li').length === 1);
    },
    async 'renju to its end, explained'(page) {
        if ((await page.locator('[data-game=renju]').count()) === 0) return; // a build without it
        await choose(page, 'renju');
        await playToTheEnd(page);
        assert.match(await detail(page), /Five in a row|forbidden|board is full/);
        await picture(page, 'renju-over');
    },
    async 'an illegal move is refused'(page) {
        await choose(page, 'othello');
        await square(page, 'a1').click();
        assert.match(await detail(page), /not allowed/);
        assert.equal(await moveCount(page), 0);
    },
    async 'keyboard alone'(page) {
        await choose(page, 'othello');
        await square(page, 'e5').focus();
        await page.evaluate(() => document.querySelector('[data-square="e5"]').dispatchEvent(new MouseEvent('click', { bubbles: true })));
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
        await page.waitForFunction(() => document.querySelectorAll('[data-testid=moves] li').length >= 2);
        assert.equal(await square(page, 'f5').getAttribute('data-piece'), 'first');
    },
    async 'take back, forward, branches, reload'(page) {
        await choose(page, 'othello');
        for (const s of ['f5']) await square(page, s).click();
        await settled(page);
        await page.waitForFunction(() => document.querySelectorAll('[data-testid=moves] li').length === 2);
        await page.click('[data-testid=take-back]');
        assert.equal(await page.getAttribute('[data-testid=status]', 'data-cursor'), '0');
        await square(page, 'd3').click();
        await settled(page);
        await page.waitForSelector('.branches button');
        await page.waitForTimeout(500); // what is kept is written a moment later
        const moves = await page.textContent('[data-testid=moves]');
        await page.reload();
        await page.waitForSelector('[data-testid=moves]');
        assert.equal(await page.textContent('[data-testid=moves]'), moves);
    },
    async 'import, review, export'(page) {
        await choose(page, 'othello');
        await tab(page, 'games');
        const record = 'f5d6c3d3c4f4c5b4';
        await page.fill('[data-testid=paste]', record);
        await page.click('[data-testid=read]');
        await page.waitForFunction(() => /8 moves/.test(document.querySelector('[data-testid=said]')?.textContent));
        await page.selectOption('[data-testid=format]', 'transcript');
        await page.click('[data-testid=export]');
        await page.waitForSelector('[data-testid=taken]');
        assert.equal((await page.inputValue('[data-testid=taken]')).trim(), record);
        await page.fill('[data-testid=paste]', 'f5a1');
        await page.click('[data-testid=read]');
        await page.waitForSelector('.failed');
        await tab(page, 'analyse');
        await page.click('[data-testid=review]');
        await page.waitForSelector('[data-testid=worst]');
        assert((await page.locator('[data-testid=score-graph] circle').count()) >= 8);
        await picture(page, 'review');
        if (!shots) return;
        await page.click('[data-testid=analyse]');
        await page.waitForFunction(() => document.querySelectorAll('[data-testid=lines] li').length === 3);
        await page.waitForTimeout(3000);
        await picture(page, 'analyse-game');
    },
    async 'analysis shows lines that can be stepped through'(page) {
        await choose(page, 'othello');
        await tab(page, 'analyse');
        await page.click('[data-testid=analyse]');
        await page.waitForFunction(() => document.querySelectorAll('[data-testid=lines] li').length === 3);
        await page.waitForFunction(() => document.querySelectorAll('.notes g').length === 3);
        await picture(page, 'analyse');
        await page.click('[data-testid=analyse]');
        await page.locator('[data-testid=lines] .pv button').nth(1).click();
        await page.waitForSelector('.preview');
    },
    async 'microscope: two curves, a sentence, switches that count'(page) {
        await choose(page, 'connect_four');
        await tab(page, 'microscope');
        await page.locator('[data-testid=micro-depth]').fill('12');
        const compare = async () => {
            await page.click('[data-testid=compare]');
            await page.waitForFunction(
                () =>
                    /move/.test(document.querySelector('[data-testid=verdict]')?.textContent ?? '') &&
                    document.querySelector('[data-testid=compare]').textContent.includes('Compare'),
                null,
                { timeout: patience },
            );
            return page.textContent('[data-testid=nodes-B]');
        };
        const shipped = await compare();
        assert.equal(await page.locator('[data-testid=chart-nodes] path.curve').count(), 2);
        assert.equal(await page.locator('[data-testid=chart-depth] path.curve').count(), 2);
        assert.match(await page.textContent('[data-testid=verdict]'), /(fewer|more) nodes at depth 12/);
        if (shots) await page.setViewportSize({ width: 1280, height: 1560 });
        await picture(page, 'microscope');
        const box = page.locator('[data-switch="B:multi_probcut"]');
        await box.setChecked(!(await box.isChecked()));
        assert.notEqual(await compare(), shipped);
    },
    async 'Japanese, dark, phone'(page) {
        await page.selectOption('[data-testid=language]', 'ja');
        assert.equal(await page.textContent('#tab-play'), '対局');
        assert.equal(await page.getAttribute('html', 'lang'), 'ja');
        await page.selectOption('[data-testid=theme]', 'dark');
        await choose(page, 'shogi');
        await picture(page, 'shogi-ja-dark');
        await page.setViewportSize({ width: 360, height: 740 });
        for (const game of ['shogi', 'othello', 'connect_four']) {
            await choose(page, game);
            for (const name of ['play', 'analyse', 'microscope', 'games']) {
                await tab(page, name);
                const over = await page.evaluate(
                    () => document.documentElement.scrollWidth - window.innerWidth,
                );
                assert(over <= 0, `${game}, ${name}: ${over} pixels too wide`);
            }
            await tab(page, 'play');
            await picture(page, `phone-${game}`);
        }
    },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
    if (!name.includes(process.env.ONLY ?? '')) continue;
    const begin = Date.now();
    const page = await open();
    try {
        await test(page);
        console.log(`ok    ${name} (${Date.now() - begin} ms)`);
    } catch (e) {
        failed++;
        console.log(`FAIL  ${name}: ${e.stack}`);
        if (shots) await page.screenshot({ path: join(shots, `failed-${failed}.png`) });
    }
    await page.context().close();
}
if (complaints.length > 0) {
    failed++;
    console.log('FAIL  errors in the console:', complaints);
}
const own = new URL(hello.address).host;
if ([...hosts].some((h) => h !== own)) {
    failed++;
    console.log('FAIL  requests to other hosts:', [...hosts]);
}
await browser.close();
server.kill('SIGINT');
await new Promise((resolve) => server.on('exit', resolve));
rmSync(data, { recursive: true, force: true });
console.log(failed === 0 ? 'all passed' : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
