// What every test in a browser begins with: the program's server, Chromium, and clicks.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

export const patience = 120_000; // a loaded machine is slow

/** Chromium, driven by the playwright-core that was installed to build the page. */
export function launch(pageFolder, browserPath) {
    const { chromium } = createRequire(resolve(pageFolder, 'package.json'))('playwright-core');
    return chromium.launch({
        executablePath: browserPath,
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    });
}

/** `PROGRAM serve` on a free port: the process, and the address that it has printed. */
export async function serve(program, data, hash) {
    const server = spawn(program, ['serve', '--port', '0', '--json', '--data', data, '--hash', String(hash)]);
    const hello = await new Promise((resolve, reject) => {
        let text = '';
        server.stdout.on('data', (bytes) => {
            text += bytes;
            if (text.includes('\n')) resolve(JSON.parse(text));
        });
        server.on('exit', () => reject(new Error('the server ended')));
    });
    return { server, hello };
}

/** Clicks straight on the element, because hundreds of clicks that wait for animations would take
 *  minutes. True where there was one. */
export const press = (page, selector) =>
    page.evaluate((s) => {
        const element = document.querySelector(s);
        element?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        return !!element;
    }, selector);

export const phase = (page) => page.getAttribute('[data-testid=status]', 'data-phase');
/** Waits until it is the person's turn or the game is over. */
export const settled = (page) =>
    page.waitForFunction(
        () => ['yours', 'over'].includes(document.querySelector('[data-testid=status]')?.dataset.phase),
        null,
        { timeout: patience, polling: 30 },
    );
