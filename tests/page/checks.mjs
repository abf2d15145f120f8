// Checks that run inside the page. They can be given to page.evaluate as they are.

/** Texts whose contrast with what is behind them is below WCAG AA, and colour pairs of the boards. */
export function findContrastProblems() {
    const parse = (text) => {
        const n = (text.match(/[\d.]+/g) ?? []).map(Number);
        // color(srgb r g b) has parts of one, rgb() of 255.
        const unit = text.startsWith('color(') ? 255 : 1;
        return { rgb: n.slice(0, 3).map((v) => v * unit), a: n[3] ?? 1 };
    };
    const over = (top, below) => top.rgb.map((v, i) => v * top.a + below[i] * (1 - top.a));
    const luminance = (rgb) => {
        const [r, g, b] = rgb.map((v) => {
            const c = v / 255;
            return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (a, b) => {
        const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
        return (x + 0.05) / (y + 0.05);
    };
    const ground = (element) => {
        const layers = [];
        for (let e = element; e; e = e.parentElement) {
            const c = parse(getComputedStyle(e).backgroundColor);
            if (c.a > 0) layers.push(c);
            if (c.a === 1) break;
        }
        return layers.reverse().reduce((below, c) => over(c, below), [255, 255, 255]);
    };
    const problems = [];
    const judge = (what, colour, behind, least) => {
        const r = ratio(over(colour, behind), behind);
        if (r < least - 0.005) problems.push(`${what}: ${r.toFixed(2)} < ${least}`);
    };
    for (const e of document.querySelectorAll('body *')) {
        if (e.closest('svg, :disabled, [disabled], .visually-hidden')) continue;
        if (!e.checkVisibility()) continue;
        const style = getComputedStyle(e);
        const text = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join(' ').trim();
        const shown = text || (e.matches('input, textarea, select') ? e.value || e.placeholder : '');
        if (!shown) continue;
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        judge(`"${shown.slice(0, 30)}"`, parse(style.color), ground(e), large ? 3 : 4.5);
        if (e.placeholder && !e.value) judge('placeholder', parse(getComputedStyle(e, '::placeholder').color), ground(e), 4.5);
    }
    // Drawn things: text at 4.5, shapes that mean something at 3.
    const probe = document.body.appendChild(document.createElement('span'));
    const colour = (name) => {
        probe.style.color = `var(${name})`;
        return parse(getComputedStyle(probe).color);
    };
    const pairs = [
        ['--frame-ink', '--frame', 4.5],
        ['--board-ink', '--wood', 4.5],
        ['--koma-ink', '--koma', 4.5],
        ['--koma-red', '--koma', 4.5],
        ['--note-ink', '--note', 4.5],
        ['--accent-ink', '--accent', 4.5],
        ['--ink-soft', '--card', 4.5],
        ['--accent', '--card', 4.5],
        ['--second', '--card', 4.5],
        ['--rule-strong', '--card', 3],
        ['--disc-white', '--felt', 3],
        ['--disc-black', '--felt', 3],
        ['--disc-black', '--wood', 3],
        ['--red', '--hole', 3],
        ['--line', '--wood', 3],
        ['--koma-red', '--wood', 3],
    ];
    for (const [front, back, least] of pairs) judge(`${front} on ${back}`, colour(front), colour(back).rgb, least);
    probe.remove();
    return [...new Set(problems)];
}

/** What a person with a keyboard cannot get to, or cannot see that he has got to. */
export async function findUnreachable(page) {
    const count = await page.evaluate(() => {
        const all = document.querySelectorAll('a[href], button, select, input, textarea, summary, [tabindex="0"]');
        let n = 0;
        for (const e of all) {
            delete e.dataset.wanted;
            if (e.disabled || e.tabIndex < 0 || !e.checkVisibility()) continue;
            // Of radio-like groups and closed parts only one is in the order.
            e.dataset.wanted = String(n++);
        }
        document.querySelector('.brand').focus();
        return n;
    });
    const seen = new Set();
    const unseen = [];
    for (let i = 0; i < count + 5; i++) {
        const here = await page.evaluate(() => {
            const e = document.activeElement;
            if (!e || e === document.body) return null;
            const outlined = (x) => x && getComputedStyle(x).outlineStyle !== 'none';
            const hit = e.querySelector?.('.hit');
            const visible = outlined(e) || outlined(e.closest('label')?.querySelector('.button')) || (hit && getComputedStyle(hit).strokeWidth !== '1px');
            const name = `${e.tagName} ${e.textContent?.trim().slice(0, 30) || e.getAttribute('data-testid') || ''}`;
            return { wanted: e.dataset.wanted, visible, name };
        });
        if (here?.wanted !== undefined) {
            // The first was given the focus by a script, which shows nothing.
            if (!here.visible && i > 0) unseen.push(`no focus shown: ${here.name}`);
            seen.add(here.wanted);
        }
        await page.keyboard.press('Tab');
    }
    const missed = await page.evaluate(
        (found) =>
            [...document.querySelectorAll('[data-wanted]')]
                .filter((e) => !found.includes(e.dataset.wanted) && e.isConnected)
                .map((e) => `not reached: ${e.tagName} ${e.textContent?.trim().slice(0, 30) || e.dataset.testid || ''}`),
        [...seen],
    );
    return [...missed, ...unseen];
}
