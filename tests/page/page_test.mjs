// The page as a person meets it: the real program, a real browser.
//   node page_test.mjs PROGRAM PAGE_FOLDER BROWSER [SHOTS]
// PROGRAM may be a folder that `./run page --static` wrote: then a plain file server serves it, and
// the engine runs in the browser.
// ONLY=text in the environment runs the tests whose names contain it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';

import { launch, patience, phase, press, serve, settled } from './browser.mjs';
import { findContrastProblems, findUnreachable } from './checks.mjs';
import { serveFolder } from './static_server.mjs';

const [program, pageFolder, browserPath, shots] = process.argv.slice(2);

const data = mkdtempSync(join(tmpdir(), 'karikomi-page-'));
const isStatic = statSync(program).isDirectory();
async function serveProgram() {
    // Something for the laboratory to show.
    const labRun = (...words) => spawnSync(program, [...words, '--db', join(data, `${words[0]}-1.db`)]);
    labRun('match', 'internal:connect_four?depth=4', 'internal:connect_four?depth=1', '--games', '24', '--sprt', 'elo0=0,elo1=200');
    labRun('tune', 'connect_four', '--method', 'spsa', '--param', 'late_moves.base', '--depth', '3', '--games', '12');
    labRun('lab', 'collect', 'connect_four', '--games', '5', '--depth', '4');
    writeFileSync(
        join(data, 'report-1.html'),
        '<!doctype html><title>Report</title><h1>Report</h1><p id=said></p><script>said.textContent = origin</script>',
    );
    const { server, hello } = await serve(program, data, 16);
    const stop = () => {
        server.kill('SIGINT');
        return new Promise((resolve) => server.on('exit', resolve));
    };
    return { address: hello.address, stop };
}
async function serveFiles() {
    const { server, address } = await serveFolder(program);
    return { address, stop: async () => server.close() };
}
const { address, stop } = await (isStatic ? serveFiles() : serveProgram());
const browser = await launch(pageFolder, browserPath);

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
    await page.goto(address);
    await page.waitForSelector('[role=gridcell]');
    return page;
}

const headline = (page) => page.textContent('[data-testid=status] .headline');
const detail = (page) => page.textContent('[data-testid=detail]');
const moveCount = (page) => page.locator('[data-testid=moves] li').count();
const tabs = ['play', 'analyse', 'microscope', 'games', ...(isStatic ? [] : ['lab'])];
const tab = (page, name) => page.click(`#tab-${name}`);
const square = (page, name) => page.locator(`[data-square="${name}"]`);

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
async function playToTheEnd(page, move = (p) => press(p, '.cell.playable'), most = 120) {
    for (let i = 0; i < most; i++) {
        await settled(page);
        if ((await phase(page)) === 'over') return;
        const before = await page.getAttribute('[data-testid=status]', 'data-cursor');
        assert(await move(page), 'no square to play on');
        await page.waitForFunction(
            (was) => document.querySelector('[data-testid=status]')?.dataset.cursor !== was,
            before,
            { polling: 20 },
        );
    }
    throw new Error('the game does not end');
}

// A shogi move by hand: the king first, as far up as it goes, so that the game soon ends.
const pressShogi = (page) =>
    page.evaluate(async () => {
        const rest = () => new Promise((done) => setTimeout(done, 15));
        const click = (e) => e.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        const sources = [...document.querySelectorAll('.cell.playable[data-piece^="first:"]')];
        const kings = sources.filter((c) => c.dataset.piece === 'first:K');
        const pawn = document.querySelector('[data-square="5g"][data-piece="first:P"]');
        const any = sources[Math.floor(Math.random() * sources.length)];
        const hands = [...document.querySelectorAll('.hand button:not(:disabled)')];
        // A piece in hand may have nowhere to go (two pawns in a file), so try one after the other.
        let targets = [];
        for (const from of [pawn, kings[0], any, ...hands]) {
            if (!from) continue;
            click(from);
            for (let i = 0; i < 20 && targets.length === 0; i++) {
                await rest();
                targets = [...document.querySelectorAll('.cell')].filter((c) => c.querySelector('.hint, .capture'));
            }
            if (targets.length > 0) break;
        }
        if (targets.length === 0) return false;
        const rank = (c) => c.dataset.square[1];
        targets.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : Math.random() - 0.5));
        click(targets[0]);
        await rest();
        const choice = document.querySelector('.promotion .primary');
        if (choice) click(choice);
        return true;
    });

const squareIs = (page, name, piece) =>
    page.waitForFunction(([s, p]) => document.querySelector(`[data-square="${s}"]`)?.dataset.piece === p, [name, piece]);
const textIs = (page, testid, pattern) =>
    page.waitForFunction(
        ([id, source]) => new RegExp(source).test(document.querySelector(`[data-testid=${id}]`)?.textContent ?? ''),
        [testid, pattern.source],
        { timeout: patience },
    );
const read = async (page, text, pattern) => {
    await tab(page, 'games');
    await page.fill('[data-testid=paste]', text);
    await page.click('[data-testid=read]');
    await textIs(page, 'said', pattern);
};
const write = async (page, format) => {
    await page.selectOption('[data-testid=format]', format);
    await page.click('[data-testid=export]');
};

// ---- Openings of renju: whatever is asked is answered.
async function beginOpening(page, rule, you) {
    await choose(page, 'renju');
    await page.selectOption('[data-testid=opening-rule]', 'free');
    await page.click('[data-testid=new-game]');
    await page.waitForSelector('[data-testid=opening]', { state: 'detached' });
    await page.selectOption('[data-testid=opening-rule]', rule);
    await page.selectOption('[data-testid=you]', you);
    await page.click('[data-testid=new-game]');
    await page.waitForFunction(
        (first) => {
            const steps = document.querySelector('[data-testid=opening]')?.dataset.steps;
            return first ? steps === '0' : steps > 0;
        },
        you !== 'second',
        { timeout: patience },
    );
}
async function answerOpening(page, selector) {
    const steps = await page.getAttribute('[data-testid=opening]', 'data-steps');
    assert(await press(page, selector), `nothing to press: ${selector}`);
    await page.waitForFunction(
        (was) => document.querySelector('[data-testid=opening]')?.dataset.steps !== was,
        steps,
        { timeout: patience, polling: 30 },
    );
}
// To free play; what was asked of the player.
async function throughOpening(page, decisions = {}) {
    const asked = [];
    for (;;) {
        await settled(page);
        assert(asked.length < 30, `the opening does not end: ${asked}`);
        const ask = await page.evaluate(() => document.querySelector('[data-testid=opening]')?.dataset.ask);
        if (!ask) return asked;
        asked.push(ask);
        const decides = ['swap', 'play_or_offer'].includes(ask);
        await answerOpening(page, decides ? `[data-decide=${decisions[ask] ?? 'stay'}]` : '.cell.playable');
        if (ask === 'offer_stone' && asked.length % 7 === 0) await picture(page, 'offers');
    }
}
// A move and its answer after the opening; then the game is kept.
async function goOnPlaying(page) {
    const before = await moveCount(page);
    assert(before === 5 || before === 6, `${before} stones`);
    assert(await press(page, '.cell.playable'));
    await page.waitForFunction(
        (least) => document.querySelectorAll('[data-testid=moves] li').length >= least,
        before + 2,
        { timeout: patience },
    );
    await settled(page);
    await page.waitForTimeout(500);
    const moves = await page.textContent('[data-testid=moves]');
    await page.reload();
    await page.waitForSelector('[data-testid=moves]');
    assert.equal(await page.textContent('[data-testid=moves]'), moves);
    assert.equal(await page.locator('[data-testid=opening]').count(), 0);
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
    async 'shogi to its end, explained'(page) {
        await choose(page, 'shogi');
        await playToTheEnd(page, pressShogi, 300);
        assert.match(await detail(page), /Checkmate|times: a draw|checks of|declaration|No legal move/);
        await picture(page, 'shogi-over');
    },
    async 'renju and gomoku to their ends, explained'(page) {
        for (const game of ['renju', 'gomoku']) {
            await choose(page, game);
            await playToTheEnd(page);
            assert.match(await detail(page), /Five in a row|forbidden|board is full/);
            await picture(page, `${game}-over`);
        }
    },
    async 'swap2: both ways'(page) {
        await choose(page, 'gomoku');
        await page.selectOption('[data-testid=opening-rule]', 'swap2');
        await page.selectOption('[data-testid=you]', 'second');
        await page.click('[data-testid=new-game]');
        await page.waitForSelector('[data-ask=swap_or_add]');
        assert.equal(await page.locator('.cell[data-piece="first"]').count(), 2);
        assert.equal(await page.locator('.cell[data-piece="second"]').count(), 1);
        await picture(page, 'swap2');
        await page.click('[data-decide=add]');
        for (const [name, piece] of [['a1', 'second'], ['o15', 'first']]) {
            await square(page, name).click();
            await squareIs(page, name, piece);
        }
        await textIs(page, 'detail', /Karikomi (swaps: you have|keeps) (Black|White)/);
        await settled(page);
        // The other way: you open, it chooses.
        await page.selectOption('[data-testid=you]', 'first');
        await page.click('[data-testid=new-game]');
        await settled(page);
        for (const name of ['h8', 'h9', 'a15']) {
            const before = await page.getAttribute('[data-testid=status]', 'data-cursor');
            await square(page, name).click();
            await page.waitForFunction((was) => document.querySelector('[data-testid=status]').dataset.cursor !== was, before);
        }
        await textIs(page, 'detail', /Karikomi (swaps: you have|keeps) (Black|White)/);
        await settled(page);
    },
    async 'RIF: both ways'(page) {
        await beginOpening(page, 'rif', 'first');
        assert.match(await headline(page), /Put down stone 1: Black/);
        assert.match(await page.textContent('[data-testid=opening]'), /centre/);
        await square(page, 'h9').click();
        assert.match(await detail(page), /not allowed/);
        for (const [name, cells] of [['h8', 1], ['h9', 8], ['j8', 23]]) {
            assert.equal(await page.locator('.cell.playable').count(), cells);
            assert.equal(await page.locator('.hint.strict').count(), cells);
            await picture(page, 'rif-stones');
            await answerOpening(page, `[data-square=${name}]`);
        }
        await textIs(page, 'detail', /Karikomi (swaps: you have|keeps) (Black|White)/);
        // It takes back to the third stone, and a reload goes on there.
        await settled(page);
        await page.click('[data-testid=take-back]');
        await page.waitForSelector('[data-ask=stone][data-steps="2"]');
        await page.waitForTimeout(500); // what is kept is written a moment later
        await page.reload();
        await page.waitForSelector('[data-ask=stone][data-steps="2"]');
        await answerOpening(page, '[data-square=i10]');
        await throughOpening(page);
        await goOnPlaying(page);
        await beginOpening(page, 'rif', 'second');
        assert.equal(await page.locator('.cell[data-piece="first"]').count(), 2);
        assert.match(await headline(page), /Swap colours\?/);
        await picture(page, 'rif');
        await throughOpening(page, { swap: 'swap' });
        await goOnPlaying(page);
    },
    async 'Taraguchi-10: both ways, and two people'(page) {
        for (const you of ['first', 'second']) {
            await beginOpening(page, 'taraguchi10', you);
            await throughOpening(page, { play_or_offer: 'offer' });
            await goOnPlaying(page);
        }
        await beginOpening(page, 'taraguchi10', 'both');
        assert.match(await headline(page), /Player 1: /);
        const asked = await throughOpening(page, { play_or_offer: 'offer', swap: 'swap' });
        assert.equal(asked.filter((a) => a === 'swap').length, 4);
        assert.equal(asked.filter((a) => a === 'offer_stone').length, 10);
        assert.equal(await moveCount(page), 5);
        await beginOpening(page, 'taraguchi10', 'both');
        await throughOpening(page, { play_or_offer: 'play' });
        assert.equal(await moveCount(page), 5);
    },
    async 'the position editor, for each game'(page) {
        const edit = async (game) => {
            await choose(page, game);
            await page.click('[data-testid=edit]');
            await page.click('[data-testid=edit-clear]');
        };
        const put = async (tool, ...squares) => {
            await page.click(`[data-tool="${tool}"]`);
            for (const s of squares) await square(page, s).click();
        };
        const use = async () => {
            await textIs(page, 'edit-said', /This is a position/);
            await page.click('[data-testid=edit-use]');
            await page.waitForSelector('[data-testid=editor]', { state: 'detached' });
        };
        await edit('shogi');
        await put('second:K', '5a');
        await put('first:K', '5i');
        await put('first:P', '5d', '5g');
        await textIs(page, 'edit-said', /pawn/i); // two on one file
        await put('erase', '5g');
        await page.click('[data-hold="first:G"]');
        await picture(page, 'editor');
        await use();
        assert.equal(await square(page, '5d').getAttribute('data-piece'), 'first:P');
        assert.equal(await page.locator('[data-hand=G]').count(), 1);
        await edit('othello');
        await put('first:', 'd4');
        await put('second:', 'd5', 'd6');
        await use();
        await square(page, 'd7').click(); // the only disc row it can turn
        await squareIs(page, 'd5', 'first');
        await edit('renju');
        await put('first:', 'h8', 'i8');
        await put('second:', 'h9');
        await page.selectOption('[data-testid=edit-side]', 'second');
        await use();
        assert.match(await headline(page), /White/);
        await edit('connect_four');
        await put('second:', '4-1');
        await textIs(page, 'edit-said', /No game leads here/);
        await put('first:', '4-2');
        await textIs(page, 'edit-said', /No game leads here/);
        await put('erase', '4-1', '4-1');
        await put('first:', '4-1');
        await put('second:', '4-1');
        await use();
        assert.equal(await square(page, '4-2').getAttribute('data-piece'), 'second');
        // Nothing changes without being used.
        await page.click('[data-testid=edit]');
        await page.click('[data-testid=edit-clear]');
        await page.click('[data-testid=edit-cancel]');
        assert.equal(await square(page, '4-2').getAttribute('data-piece'), 'second');
    },
    async 'records of each game, as text and as files'(page) {
        const goes = async (game, text, formats, moves) => {
            await choose(page, game);
            for (const [format, pattern] of formats) {
                await read(page, text, new RegExp(`${moves} moves`));
                await write(page, format);
                await page.waitForFunction((f) => document.querySelector('[data-testid=taken]')?.ariaLabel.includes(`.${f}`), format);
                const record = await page.inputValue('[data-testid=taken]');
                assert.match(record, pattern);
                await read(page, record, new RegExp(`${moves} moves`));
            }
        };
        await goes('shogi', '7g7f 3c3d 8h2b+', [['kif', /手数/], ['csa', /\+8822UM/]], 3);
        await goes('gomoku', 'h8 i9 i8', [['sgf', /^\(;FF\[4\]GM\[4\].*;B\[hh\]/], ['psq', /^Piskvorky 15x15/]], 3);
        await goes('othello', 'f5d6c3d3', [['ggf', /^\(;GM\[Othello\]/]], 4);
        await write(page, 'wthor');
        await page.waitForSelector('[data-testid=taken-file]');
        const [file] = await Promise.all([page.waitForEvent('download'), page.click('[data-testid=download]')]);
        assert.equal(file.suggestedFilename(), 'othello.wtb');
        const buffer = readFileSync(await file.path());
        assert.equal(buffer.length, 16 + 68);
        await page.setInputFiles('[data-testid=file]', { name: 'x.wtb', mimeType: 'application/octet-stream', buffer });
        await textIs(page, 'said', /wthor: 4 moves/);
        const two = Buffer.from('f5d6c3\nf5f6\n');
        await page.setInputFiles('[data-testid=file]', { name: 'two.txt', mimeType: 'text/plain', buffer: two });
        await textIs(page, 'file-games', /1 of 2/);
        await page.locator('[data-testid=file-games] button').nth(1).click();
        await textIs(page, 'said', /2 moves/);
    },
    async 'shogi: moves as players write them, comments, branches, names, and all of it back'(page) {
        await page.setViewportSize({ width: 1366, height: 768 });
        await choose(page, 'shogi');
        const kif = [
            '手合割：平手', '先手：刈込 太郎', '後手：花子', '棋戦：試験対局', '手数----指手---------消費時間--',
            '   1 ７六歩(77)    ( 0:01/00:00:01)', '   2 ３四歩(33)    ( 0:02/00:00:02)',
            '   3 ２二角成(88)  ( 0:05/00:00:06)', '*角交換', '   4 同　銀(31)    ( 0:03/00:00:05)',
            '   5 投了          ( 0:10/00:00:16)', '', '変化：3手', '   3 ６六歩(67)', '*穏やか', '   4 ８四歩(83)', '',
        ].join('\n');
        await read(page, kif, /kif: 4 moves/);
        await picture(page, 'shogi-record');
        await tab(page, 'play');
        const listed = async () => (await page.textContent('[data-testid=moves]')).replace(/\s+/g, ' ');
        assert.match(await listed(), /▲ P-7f .*△ P-3d .*▲ Bx2b\+ .*⑂ P-6f.*△ Sx2b/);
        assert.match(await headline(page), /White \(gote\) wins/);
        assert.match(await detail(page), /resigned/);
        await page.selectOption('[data-testid=notation]', 'japanese');
        assert.match(await listed(), /▲ ７六歩 .*△ ３四歩 .*▲ ２二角成 .*⑂ ▲６六歩.*△ 同銀/);
        await page.click('[data-testid=back]');
        assert.equal(await page.inputValue('[data-testid=comment]'), '角交換');
        await page.click('[data-testid=forward]');
        await page.fill('[data-testid=comment]', 'これまで');
        await tab(page, 'games');
        assert.equal(await page.inputValue('[data-testid=name-first]'), '刈込 太郎');
        await write(page, 'kif');
        await page.waitForSelector('[data-testid=taken]');
        const back = await page.inputValue('[data-testid=taken]');
        for (const part of ['先手：刈込 太郎', '棋戦：試験対局', '*角交換', '*これまで', '変化：3手', '*穏やか', '( 0:05/00:00:06)', '5 投了']) {
            assert(back.includes(part), `${part} is missing in\n${back}`);
        }
        for (const [format, pattern] of [['jkf', /"forks"/], ['csa', /'\|3/], ['ki2', /▲７六歩    △３四歩    ▲２二角成/]]) {
            await write(page, format);
            await page.waitForFunction((f) => document.querySelector('[data-testid=taken]')?.ariaLabel.includes(`.${f}`), format);
            assert.match(await page.inputValue('[data-testid=taken]'), pattern);
        }
        await read(page, '▲７六歩 △３四歩 ▲２六歩', /ki2: 3 moves/);
        // What is wrong is said.
        await read(page, '▲７六歩 △３三角', /３三角/);
    },
    async 'shogi: a large board, hands beside it, handicaps, dragging, declaring'(page) {
        for (const [width, height] of [[1366, 768], [1920, 1080], [390, 844]]) {
            await page.setViewportSize({ width, height });
            await choose(page, 'shogi');
            await read(page, '4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L9P9p 1', /0 moves/);
            const found = await page.evaluate(() => {
                const box = (s) => document.querySelector(s).getBoundingClientRect();
                return { board: box('.surface').height, cell: box('.cell .hit').height, hand: box('[data-hand=R]').height };
            });
            assert(Math.abs(found.hand / found.cell - 1) < 0.08, `hand ${found.hand}, cell ${found.cell}`);
            const least = width > height ? 0.7 * height : 0.9 * width;
            assert(found.board >= least, `${width}: the board is ${found.board} high`);
            assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'too wide');
        }
        await page.setViewportSize({ width: 1366, height: 768 });
        // A piece is dragged from the hand and on the board.
        const drag = async (from, to) => {
            const [a, b] = [await page.locator(from).boundingBox(), await page.locator(to).boundingBox()];
            await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
            await page.mouse.down();
            await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 6 });
            await page.mouse.up();
        };
        await read(page, '4k4/9/9/9/9/9/9/9/4K4 b G 1', /0 moves/);
        await page.waitForSelector('[data-hand=R]', { state: 'detached' }); // of the position before
        await drag('[data-hand=G]', '[data-square="5g"]');
        await squareIs(page, '5g', 'first:G');
        await drag('[data-square="5a"]', '[data-square="4b"]');
        await squareIs(page, '4b', 'second:K');
        // A handicap: White moves first.
        await tab(page, 'play');
        await page.selectOption('[data-testid=handicap]', { label: 'Two pieces' });
        await page.selectOption('[data-testid=you]', 'both');
        await page.click('[data-testid=new-game]');
        await squareIs(page, '1a', 'second:L');
        await squareIs(page, '8b', '');
        assert.match(await headline(page), /White|Your move/);
        // A king that has entered is declared, and the reason is said.
        await read(page, '9/1KGGSSSS1/RBPPPP3/9/9/9/9/9/4k4 b RB2G4N4L14P 1', /0 moves/);
        assert.match(await detail(page), /54 points, 12 pieces/);
        await page.click('[data-move=win]');
        await textIs(page, 'detail', /Win by declaration.*54 points and 12 pieces/);
        // Four times the same position: why the game is over is said.
        await read(page, `position sfen 4k4/9/9/9/9/9/4G4/9/4K4 b - 1 moves ${Array(3).fill('5g5h 5a6a 5h5g 6a5a').join(' ')}`, /12 moves/);
        await textIs(page, 'detail', /came up 4 times: a draw/);
        await picture(page, 'shogi-repetition');
    },
    async 'addresses: reload, Back, sharing'(page) {
        await choose(page, 'othello');
        await page.selectOption('[data-testid=you]', 'both');
        await page.click('[data-testid=new-game]');
        for (const s of ['f5', 'd6', 'c3', 'd3', 'c4']) {
            const before = await page.getAttribute('[data-testid=status]', 'data-cursor');
            await square(page, s).click();
            await page.waitForFunction((was) => document.querySelector('[data-testid=status]').dataset.cursor !== was, before);
        }
        await textIs(page, 'opening-name', /Tiger/);
        await textIs(page, 'tally', /Black 6.*White 3|\d/);
        await page.waitForFunction(() => /^#\/othello\/play\?g=\d+$/.test(location.hash));
        await tab(page, 'analyse');
        await page.waitForFunction(() => location.hash.startsWith('#/othello/analyse?g='));
        await page.waitForTimeout(400);
        await page.reload();
        await page.waitForSelector('[data-testid=moves] li >> nth=4');
        assert.equal(await page.getAttribute('#tab-analyse', 'aria-selected'), 'true');
        await page.click('[data-game=gomoku]');
        await page.waitForFunction(() => location.hash.startsWith('#/gomoku/'));
        await page.goBack();
        await page.waitForFunction(() => document.querySelector('[data-game=othello]').getAttribute('aria-current') === 'true');
        await page.waitForSelector('[data-testid=moves] li >> nth=4');
        // Arrow keys, away from the board.
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('ArrowLeft');
        await page.waitForFunction(() => document.querySelector('[data-testid=status]').dataset.cursor === '3');
        await tab(page, 'games');
        await page.click('[data-testid=share]');
        const shared = await page.inputValue('[data-testid=shared]');
        assert.match(shared, /#\/othello\/analyse\?moves=f5\.d6\.c3\.d3\.c4&at=3$/);
        const other = await open();
        await other.goto('about:blank');
        await other.goto(shared);
        await other.waitForSelector('[data-testid=moves] li >> nth=4');
        assert.equal(await other.getAttribute('[data-testid=status]', 'data-cursor'), '3');
        await other.context().close();
    },
    async 'the engine goes on after a reload'(page) {
        await choose(page, 'connect_four');
        await page.locator('[data-testid=level]').fill('14');
        await square(page, '4-1').click();
        await page.waitForFunction(() => /[?]g=/.test(location.hash));
        await page.reload();
        await page.waitForFunction(() => document.querySelectorAll('[data-testid=moves] li').length >= 2, null, { timeout: patience });
    },
    async 'a pass is offered and taken everywhere'(page) {
        await choose(page, 'othello');
        // It ends where Black must pass.
        await read(page, 'f5f6c4g5h5h4g7h6', /8 moves/);
        await tab(page, 'play');
        await page.waitForFunction(() => document.querySelectorAll('[data-testid=moves] li').length === 9);
        assert.match(await page.textContent('[data-testid=moves]'), /Pass/);
        assert.match(await detail(page), /Black has no move and passes/);
        await tab(page, 'analyse');
        await page.click('[data-testid=back]');
        await page.click('[data-move=pa]');
        await page.waitForFunction(() => document.querySelector('[data-testid=status]').dataset.cursor === '9');
        assert((await page.locator('.cell.playable').count()) > 0);
    },
    async 'analysis: arrows, one side, strength; hints; sound'(page) {
        await choose(page, 'shogi');
        await page.click('[data-testid=hint]');
        await textIs(page, 'detail', /Karikomi would play \S+/);
        assert.equal(await page.locator('.arrow.best').count(), 1);
        await page.uncheck('[data-testid=sound]');
        await read(page, '7g7f', /1 moves/);
        await tab(page, 'analyse');
        if (await page.locator('[data-testid=threads]').count()) await page.selectOption('[data-testid=threads]', '2');
        if (await page.locator('[data-testid=hash]').count()) await page.selectOption('[data-testid=hash]', { index: 1 });
        await page.click('[data-testid=analyse]');
        await page.waitForFunction(() => document.querySelectorAll('[data-testid=lines] li').length === 3);
        assert.match(await page.textContent('[data-testid=score-side]'), /Black/);
        await page.waitForFunction(() => document.querySelectorAll('.arrows .arrow').length === 3);
        assert.match(await page.textContent('[data-testid=lines]'), /P-\d[a-i]|[A-Z]/);
        await page.uncheck('[data-testid=arrows]');
        await page.waitForFunction(() => document.querySelectorAll('.arrows .arrow').length === 0);
        await page.click('[data-testid=analyse]');
        await page.waitForTimeout(200);
        await page.reload();
        await page.waitForSelector('[data-testid=sound]');
        assert.equal(await page.isChecked('[data-testid=sound]'), false);
    },
    async 'renju: forbidden points and threats are drawn, openings have names'(page) {
        await choose(page, 'renju');
        await read(page, 'h8 h9 i9', /3 moves/);
        await tab(page, 'play');
        await textIs(page, 'opening-name', /Kagetsu/);
        // A double three on h8, and a five for White on e2.
        await read(page, '15/15/15/15/15/7X7/7X7/5XX8/15/15/15/15/15/OOOO11/15 b', /0 moves/);
        await page.waitForSelector('.forbidden');
        assert.match(await square(page, 'h8').getAttribute('aria-label'), /double three/);
        assert.equal(await square(page, 'e2').locator('.threat.five.second').count(), 1);
        await picture(page, 'renju-threats');
    },
    async 'proofs: endgame, fours, mate; a line to step through; stop'(page) {
        const prove = async (game, position, kind, pattern) => {
            await choose(page, game);
            await read(page, position, /0 moves/);
            await tab(page, 'analyse');
            await page.click(`[data-solve=${kind}]`);
            await textIs(page, 'proof', pattern);
        };
        await prove('othello', 'XXXXXXXOXXXXXXOOXXXXXOOOXXXXOOOOXXXOOOOOXXOOOOOOXOOOOOO-OOOOOO-- X', 'exact', /(wins by \d+|draw).*last disc/);
        await prove('shogi', '4k4/9/4P4/9/9/9/9/9/4K4 b G 1', 'shortest', /Mate in 1, and no sooner/);
        await prove('gomoku', '15/15/15/15/15/15/15/4XXX8/15/4O10/5O9/6O8/15/15/15 b', 'fours', /Black wins by fours alone/);
        await page.locator('[data-testid=proof-line] button').first().click();
        await page.waitForSelector('.preview');
        assert.match(await page.textContent('.preview'), /1 moves? ahead/);
        await page.click('[data-testid=preview-forward]');
        await page.waitForFunction(() => /2 moves/.test(document.querySelector('.preview')?.textContent ?? ''));
        await picture(page, 'proof');
        await choose(page, 'othello');
        await read(page, '----------XXXX----XXXO--OOOOOOOO--XXXOXX--XXXX----OXXO------O--- X', /0 moves/);
        await tab(page, 'analyse');
        await page.click('[data-solve=result]');
        await page.click('[data-testid=solve-stop]');
        await page.waitForSelector('[data-solve=result]');
    },
    async 'the laboratory: a match, a tuning run, a report'(page) {
        await tab(page, 'lab');
        await page.waitForFunction(() => document.querySelectorAll('[data-run]').length === 3);
        await page.click('[data-run="match-1.db"]');
        await page.waitForSelector('[data-testid=lab-elo] path.curve');
        assert.equal(await page.locator('[data-testid=lab-llr] .mark').count(), 2);
        assert.match(await page.textContent('[data-testid=lab-runs]'), /\d+ of 24 games.*LLR/s);
        await picture(page, 'lab');
        await textIs(page, 'lab-samples', /\d+ samples from 5 games/);
        await page.click('[data-run="tune-1.db"]');
        await textIs(page, 'lab-params', /late_moves\.base/);
        await page.waitForSelector('.small-charts path.curve', { state: 'attached' });
        await page.goto(`${address}report/report-1.html`);
        assert.equal(await page.textContent('#said'), 'null'); // it runs, but as nobody
    },
    async 'contrast of every text, light and dark'(page) {
        for (const theme of ['light', 'dark']) {
            await page.selectOption('[data-testid=theme]', theme);
            for (const game of ['shogi', 'othello', 'renju', 'gomoku', 'connect_four']) {
                await choose(page, game);
                for (const name of tabs) {
                    await tab(page, name);
                    const problems = await page.evaluate(findContrastProblems);
                    assert.deepEqual(problems, [], `${theme}, ${game}, ${name}`);
                }
                await page.click('[data-testid=edit]');
                assert.deepEqual(await page.evaluate(findContrastProblems), [], `${theme}, ${game}, editor`);
                await page.click('[data-testid=edit-cancel]');
            }
        }
    },
    async 'everything is reached by Tab, and shows it'(page) {
        await choose(page, 'shogi');
        for (const name of [...tabs, 'editor']) {
            if (name === 'editor') await page.click('[data-testid=edit]');
            else await tab(page, name);
            await page.waitForTimeout(200);
            assert.deepEqual(await findUnreachable(page), [], name);
        }
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
        assert.match(await page.textContent('[data-testid=verdict]'), /[Ss]cores?:/);
        // Small charts: nodes, branching and first-move cuts, then what each technique did.
        assert.equal(await page.locator('[data-testid=small-charts] svg').count(), 3);
        assert((await page.locator('[data-charts] path.curve').count()) >= 2);
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
        const games = await page.locator('[data-game]').evaluateAll((all) => all.map((b) => b.dataset.game));
        assert(games.length >= 5, 'every game is there');
        for (const game of games) {
            await choose(page, game);
            for (const name of [...tabs, 'editor']) {
                if (name === 'editor') await page.click('[data-testid=edit]');
                else await tab(page, name);
                const over = await page.evaluate(
                    () => document.documentElement.scrollWidth - window.innerWidth,
                );
                assert(over <= 0, `${game}, ${name}: ${over} pixels too wide`);
            }
            await page.click('[data-testid=edit-cancel]');
            await tab(page, 'play');
            await picture(page, `phone-${game}`);
        }
    },
};

// Every view in both themes, for people to look at; only with SHOTS.
async function album(page) {
    for (const theme of ['light', 'dark']) {
        await page.selectOption('[data-testid=theme]', theme);
        const shot = (name) => picture(page, `view-${name}-${theme}`);
        await choose(page, 'othello');
        await read(page, 'f5d6c3d3c4f4c5b4', /8 moves/);
        await shot('games');
        await tab(page, 'analyse');
        await page.click('[data-testid=review]');
        await page.waitForSelector('[data-testid=worst]');
        await page.click('[data-testid=analyse]');
        await page.waitForFunction(() => document.querySelectorAll('[data-testid=lines] li').length === 3);
        await page.waitForTimeout(4000);
        await page.setViewportSize({ width: 1280, height: 1100 });
        await shot('analyse');
        await page.click('[data-testid=analyse]');
        await tab(page, 'microscope');
        await page.locator('[data-testid=micro-depth]').fill('11');
        await page.click('[data-testid=compare]');
        await page.waitForFunction(() => document.querySelector('[data-testid=compare]').textContent.includes('Compare'));
        await page.setViewportSize({ width: 1280, height: 1900 });
        await shot('microscope');
        await page.setViewportSize({ width: 1280, height: 860 });
        await tab(page, 'lab');
        await page.click('[data-run="match-1.db"]');
        await page.waitForSelector('[data-testid=lab-elo] path.curve');
        await page.setViewportSize({ width: 1280, height: 1000 });
        await shot('lab');
        await page.setViewportSize({ width: 1280, height: 860 });
        for (const game of ['shogi', 'renju', 'gomoku', 'connect_four']) {
            await choose(page, game);
            for (let i = 0; i < 5; i++) {
                await settled(page);
                await (game === 'shogi' ? pressShogi(page) : press(page, '.cell.playable'));
                await page.waitForTimeout(300);
            }
            await settled(page);
            await shot(game);
        }
        await choose(page, 'shogi');
        await page.click('[data-testid=edit]');
        await textIs(page, 'edit-said', /This is a position/);
        await shot('editor');
        await page.click('[data-testid=edit-cancel]');
    }
}
if (shots) tests['an album'] = album;

let failed = 0;
async function runOne([name, test]) {
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
// Two at a time: a test mostly waits.
if (isStatic) delete tests['the laboratory: a match, a tuning run, a report'];
const waiting = Object.entries(tests).filter(([name]) => name.includes(process.env.ONLY ?? ''));
await Promise.all(
    [0, 1].map(async () => {
        while (waiting.length > 0) await runOne(waiting.shift());
    }),
);
if (complaints.length > 0) {
    failed++;
    console.log('FAIL  errors in the console:', complaints);
}
const own = new URL(address).host;
if ([...hosts].some((h) => h !== own)) {
    failed++;
    console.log('FAIL  requests to other hosts:', [...hosts]);
}
await browser.close();
await stop();
rmSync(data, { recursive: true, force: true });
console.log(failed === 0 ? 'all passed' : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
