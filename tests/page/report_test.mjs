// The laboratory's report as a person meets it: written by the real program, opened from the disk
// by a real browser that may not ask anybody for anything.
//   node report_test.mjs PROGRAM PAGE_FOLDER BROWSER [SHOTS]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import assert from 'node:assert/strict';

import { launch } from './browser.mjs';

const [program, pageFolder, browserPath, shots] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'karikomi-report-'));
const file = (name) => join(folder, name);
// Exit code 1 is "no": a bar that so small a run misses.
const karikomi = (...words) => {
    try {
        execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    } catch (e) {
        if (e.status !== 1) throw e;
    }
};

const db = ['--db', file('lab.db')];
karikomi('lab', 'collect', 'connect_four', ...db, '--games', '150', '--depth', '6', '--threads', '2');
karikomi('lab', 'futility', 'connect_four', ...db, '--positions', '10', '--depth', '5');
karikomi('lab', 'verify', 'connect_four', ...db, '--positions', '4', '--move-time', '5', '--match-games', '4');
karikomi('lab', 'calibrate', 'connect_four', ...db, '--depth', '8', '--games', '4', '--match-depth', '3', '--positions', '4');
karikomi('match', 'internal:connect_four', 'internal:connect_four?off=all', '--depth', '4', '--games', '10',
    '--sprt', 'elo0=0,elo1=50', '--db', file('match.db'));
karikomi('tune', 'connect_four', '--method', 'spsa', '--param', 'late_moves.base', '--depth', '3', '--games', '10',
    '--db', file('tune.db'));
karikomi('lab', 'report', ...db, '--match', file('match.db'), '--tune', file('tune.db'), '--out', file('report.html'));

const browser = await launch(pageFolder, browserPath);
try {
    for (const colorScheme of ['light', 'dark']) {
        const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, colorScheme, offline: true });
        const page = await context.newPage();
        const complaints = [];
        const asked = [];
        page.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
        page.on('pageerror', (e) => complaints.push(String(e)));
        page.on('request', (r) => /^(data|blob):/.test(r.url()) || asked.push(r.url()));
        const address = pathToFileURL(file('report.html')).href;
        await page.goto(address);
        await page.waitForSelector('main[data-ready=true]');
        assert.deepEqual(complaints, [], 'the console is silent');
        assert.deepEqual(asked, [address], 'nobody is asked for anything');
        const titles = await page.locator('h3').allTextContents();
        for (const wanted of ['Shallow against deep', 'Errors', 'Q–Q', 'σ by depths, for each stage', 'Coverage of a fresh fit',
            'What quiet moves gain', 'Bars', 'Nodes against all techniques off', 'Elo, with 95 % intervals', 'Elo by games',
            'Sequential test', 'late_moves.base']) {
            assert.ok(titles.includes(wanted), `there is a chart '${wanted}': ${titles}`);
        }
        const empty = await page.evaluate(() =>
            [...document.querySelectorAll('figure')].filter((f) => !f.querySelector('svg path, svg rect, svg circle')).length);
        assert.equal(empty, 0, 'every chart has something in it');
        const text = await page.textContent('main');
        for (const word of ['commit', 'connect_four-threats-1', 'cores', 'parameters']) assert.ok(text.includes(word), word);
        const [ink, paper] = await page.evaluate(() => {
            const style = getComputedStyle(document.body);
            return [style.color, style.backgroundColor].map((c) => c.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0));
        });
        assert.ok(colorScheme === 'dark' ? ink > paper + 300 : paper > ink + 300, 'ink and paper differ');
        if (shots) await page.screenshot({ path: join(shots, `report-${colorScheme}.png`), fullPage: true });
        await context.close();
    }
    console.log('the report opens in light and dark, without errors and without requests');
} finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
}
