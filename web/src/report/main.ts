// The report of the laboratory: everything it shows is in the file itself.
import * as Plot from '@observablehq/plot';

import { element, table, type Row } from './elements';
import { review } from './review';

const data = JSON.parse(document.getElementById('data')!.textContent!) as Row;
const root = document.getElementById('report')!;
const css = (name: string) => `var(--${name})`;
const percent = (x: number) => `${(100 * x).toFixed(1)} %`;

// A chart with its title and the conditions it was measured under.
function figure(parent: Element, title: string, note: string, options: Plot.PlotOptions): void {
    const box = element(parent, 'figure');
    element(box, 'h3', title);
    const chart = Plot.plot({
        width: 480,
        height: 300,
        marginLeft: 56,
        style: { background: 'transparent', color: 'currentColor', fontSize: '12px' },
        ...options,
    });
    chart.setAttribute('role', 'img');
    chart.setAttribute('aria-label', title);
    box.append(chart);
    if (note) element(box, 'figcaption', note);
}

// Commit, parameters, evaluation, machine, counts: under every group of figures.
function facts(parent: Element, c: Row): void {
    const parts = [
        c.commit && `commit ${c.commit}`,
        c.evaluation && `evaluation ${c.evaluation}`,
        c.fingerprint && `parameters ${c.fingerprint}`,
        c.machine && `${c.machine.cpu ?? c.machine.host ?? ''}, ${c.machine.cores ?? '?'} cores`,
        c.depth && `depth ${c.depth}`,
        c.positions && `${c.positions} positions`,
        c.date,
        c.command,
    ].filter(Boolean);
    element(parent, 'p', parts.join(' · '), 'facts');
}

function scatter(parent: Element, s: Row): void {
    const { fit, stage, shallow, deep, samples, r2 } = s.cell;
    const xs = s.points.map((p: number[]) => p[0]);
    const ends = [Math.min(...xs), Math.max(...xs)];
    const line = ends.map((x) => ({ x, y: fit.a * x + fit.b }));
    const band = (k: number) =>
        line.map(({ x, y }) => ({ x, low: y - k * fit.sigma, high: y + k * fit.sigma }));
    const note = `stage ${stage}, depths ${shallow} and ${deep}, ${samples} samples, a ${fit.a.toFixed(3)}, b ${fit.b.toFixed(1)}, σ ${fit.sigma.toFixed(1)}, r² ${r2.toFixed(3)}; bands of 1 and 2 σ`;
    figure(parent, 'Shallow against deep', note, {
        x: { label: 'shallow value' },
        y: { label: 'deep value' },
        marks: [
            Plot.areaY(band(2), { x: 'x', y1: 'low', y2: 'high', fill: css('accent'), fillOpacity: 0.12 }),
            Plot.areaY(band(1), { x: 'x', y1: 'low', y2: 'high', fill: css('accent'), fillOpacity: 0.16 }),
            Plot.dot(s.points, { x: '0', y: '1', r: 1.6, fill: 'currentColor', fillOpacity: 0.5 }),
            Plot.line(line, { x: 'x', y: 'y', stroke: css('accent'), strokeWidth: 2 }),
        ],
    });
    const count = s.residuals.length;
    const width = (fit.sigma * 6) / 40;
    const bell = Array.from({ length: 81 }, (_, i) => {
        const z = -4 + i / 10;
        const y = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI) / fit.sigma) * count * width;
        return { x: z * fit.sigma, y };
    });
    figure(parent, 'Errors', `skewness ${s.cell.skewness.toFixed(2)}, kurtosis ${s.cell.kurtosis.toFixed(1)} (normal: 3), ${s.cell.outliers} outliers; line: normal with the same σ`, {
        x: { label: 'deep value − prediction', domain: [-4 * fit.sigma, 4 * fit.sigma], clamp: true },
        y: { label: 'samples' },
        marks: [
            Plot.rectY(s.residuals, { ...Plot.binX({ y: 'count' }, { x: (d: number) => d, interval: width } as any), fill: css('accent'), fillOpacity: 0.6 }),
            Plot.line(bell, { x: 'x', y: 'y', stroke: 'currentColor' }),
            Plot.ruleY([0]),
        ],
    });
    figure(parent, 'Q–Q', 'on the line: normal; steeper at the ends: heavy tails', {
        x: { label: 'normal quantile' },
        y: { label: 'error / σ' },
        marks: [
            Plot.line([[-3, -3], [3, 3]], { stroke: css('faint') }),
            Plot.dot(s.quantiles, { x: '0', y: '1', r: 2.5, fill: css('accent') }),
        ],
    });
}

function heatMaps(parent: Element, cells: Row[]): void {
    if (cells.length === 0) return;
    element(parent, 'h3', 'σ by depths, for each stage');
    const grid = element(parent, 'div', '', 'small');
    const sigmas = cells.map((c) => c.sigma);
    const domain = [Math.min(...sigmas), Math.max(...sigmas)];
    const deepest = Math.max(...cells.map((c) => c.deep));
    const depths = Array.from({ length: deepest + 1 }, (_, i) => i);
    for (const stage of [...new Set(cells.map((c) => c.stage))].sort((a, b) => a - b)) {
        figure(grid, `stage ${stage}`, '', {
            width: 200,
            height: 200,
            marginLeft: 36,
            padding: 0,
            color: { scheme: 'viridis', domain, type: 'linear' },
            x: { label: 'shallow', domain: depths.slice(0, -1) },
            y: { label: 'deep', labelAnchor: 'top', domain: depths.slice(1), reverse: true },
            marks: [
                Plot.cell(cells.filter((c) => c.stage === stage), {
                    x: 'shallow',
                    y: 'deep',
                    fill: 'sigma',
                    title: (c: Row) => `(${c.shallow}, ${c.deep}): σ ${c.sigma.toFixed(1)}, ${c.samples} samples`,
                }),
            ],
        });
    }
    const legend = Plot.legend({ color: { scheme: 'viridis', domain, type: 'linear' }, label: 'σ, evaluation units', style: { background: 'transparent', color: 'currentColor' } } as any);
    if (legend) parent.append(legend);
}

function coverage(parent: Element, c: Row, title: string): void {
    const rows = c.levels.flatMap((l: Row) => [
        { level: l.level, allowed: l.allowed, share: l.above, low: l.above_low, high: l.above_high, side: 'high' },
        { level: l.level, allowed: l.allowed, share: l.below, low: l.below_low, high: l.below_high, side: 'low' },
    ]);
    figure(parent, title, `${c.samples} unseen samples; share of errors beyond zσ against 1 − p`, {
        x: { label: 'allowed', percent: true },
        y: { label: 'measured', percent: true },
        color: { legend: true },
        marks: [
            Plot.line([[0, 0], [0.3, 0.3]], { stroke: css('faint') }),
            Plot.ruleX(rows, { x: 'allowed', y1: 'low', y2: 'high', stroke: 'side' }),
            Plot.line(rows, { x: 'allowed', y: 'share', stroke: 'side' }),
            Plot.dot(rows, { x: 'allowed', y: 'share', fill: 'side', r: 4, title: (r: Row) => `${r.level} %: ${percent(r.share)}` }),
        ],
    });
}

function gains(parent: Element, f: Row): void {
    const points = f.gains.flatMap(([opponent, colour, depth, , counts]: any[]) => {
        const all = counts.reduce((n: number, c: number[]) => n + c[1], 0);
        let seen = 0;
        return counts.map(([gain, n]: number[]) => ({
            gain,
            share: (seen += n) / all,
            depth: `depth ${depth}`,
            who: `${opponent ? 'opponent' : 'self'}, ${colour === 0 ? 'first' : 'second'}`,
        }));
    });
    const most = Math.max(...f.rows.map((r: Row) => r.p99), 1);
    figure(parent, 'What quiet moves gain', 'share of moves that gain no more than this; margins are read off near the top', {
        width: 960,
        x: { label: 'gain', domain: [0, 1.2 * most], clamp: true },
        y: { label: 'share', percent: true },
        fx: { label: null },
        color: { legend: true },
        marks: [
            Plot.line(points, { x: 'gain', y: 'share', fx: 'depth', stroke: 'who', curve: 'step-after' }),
            Plot.ruleY([f.quantile], { stroke: css('faint'), strokeDasharray: '4 3' }),
        ],
    });
}

function ablation(parent: Element, rows: Row[]): void {
    for (const against of ['off', 'shipped']) {
        const some = rows.filter((r) => r.against === against && r.setting !== 'all off');
        if (some.length === 0) continue;
        figure(parent, against === 'off' ? 'Nodes against all techniques off' : 'Nodes without a technique, against the shipped search', 'fixed depth; left of the line: fewer nodes', {
            height: 40 + 20 * some.length,
            marginLeft: 240,
            width: 720,
            x: { label: 'node ratio', type: 'log', tickFormat: (d: number) => String(+d.toPrecision(2)) },
            y: { label: null, domain: some.map((r) => r.setting) },
            marks: [
                Plot.barX(some, { x1: 1, x2: (r: Row) => Math.max(r.node_ratio, 1e-3), y: 'setting', fill: (r: Row) => (r.node_ratio <= 1 ? css('good') : css('bad')), fillOpacity: 0.7 }),
                Plot.text(some, { x: (r: Row) => Math.max(r.node_ratio, 1), y: 'setting', text: (r: Row) => r.node_ratio.toFixed(3), dx: 4, textAnchor: 'start', fill: 'currentColor' }),
                Plot.ruleX([1]),
            ],
        });
    }
    table(parent, ['setting', 'against', 'nodes', 'time', 'value moved', 'same move', 'first-move cuts', 'depth at time'],
        rows.map((r) => [r.setting, r.against, r.node_ratio.toFixed(3), r.time_ratio.toFixed(3), r.value_difference.toFixed(1), percent(r.same_move), r.first_move_cut_rate.toFixed(3), r.depth_at_time ? r.depth_at_time.toFixed(1) : '–']));
}

function elo(parent: Element, rows: { name: string; elo: Row }[], note: string): void {
    if (rows.length === 0) return;
    figure(parent, 'Elo, with 95 % intervals', note, {
        height: 50 + 24 * rows.length,
        marginLeft: 240,
        width: 720,
        x: { label: 'Elo', grid: true },
        y: { label: null, domain: rows.map((r) => r.name) },
        marks: [
            Plot.ruleX([0]),
            Plot.ruleY(rows, { y: 'name', x1: (r: any) => r.elo.low, x2: (r: any) => r.elo.high, stroke: css('accent'), strokeWidth: 3 }),
            Plot.dot(rows, { y: 'name', x: (r: any) => r.elo.value, fill: css('accent'), r: 5 }),
        ],
    });
}

function verified(parent: Element, v: Row): void {
    element(parent, 'h3', 'Bars');
    table(parent, ['bar', 'value', 'limit', '', ''],
        v.bars.map((b: Row) => [b.bar, b.value.toFixed(3), b.limit.toFixed(3), [b.met ? 'met' : 'missed', b.met ? 'met' : 'missed'], b.detail]));
    if (v.audit.length > 0) {
        element(parent, 'h3', 'Wrong cuts');
        table(parent, ['cuts of', 'made', 'checked', 'wrong', '95 % interval', 'allowed'],
            v.audit.map((a: Row) => [a.setting, String(a.cuts_made), String(a.checked), percent(a.rate), `${percent(a.low)} – ${percent(a.high)}`, percent(a.allowed)]));
    }
    if (v.coverage) coverage(parent, v.coverage.all, 'Coverage of the parameters that were verified');
    if (v.ablation.length > 0) ablation(parent, v.ablation);
    elo(parent, v.matches.map((m: Row) => ({ name: `with ${m.technique}`, elo: m.estimate.elo })), 'against the same search without it');
    facts(parent, v.conditions);
}

function game(g: Row): void {
    const part = element(root, 'section');
    element(part, 'h2', g.title);
    element(part, 'p', `${g.positions} positions of ${g.sources.map((s: Row) => s.kind).join(', ')}, every depth up to ${g.conditions.depth}, techniques on: ${g.conditions.techniques.join(', ') || 'none'} · evaluation ${g.conditions.evaluation} · parameters ${g.conditions.fingerprint}`);
    const grid = element(part, 'div', '', 'grid');
    if (g.scatter) scatter(grid, g.scatter);
    if (g.coverage?.samples > 0) coverage(grid, g.coverage, 'Coverage of a fresh fit');
    heatMaps(part, g.cells);
    if (g.cross_validation) {
        element(part, 'p', `Smooth model: ${g.cross_validation.terms} terms; error in unseen cells ${g.cross_validation.error_ratio.toFixed(3)} × that of their own regression, log σ off by ${g.cross_validation.log_sigma_error.toFixed(3)}`);
    }
    if (g.futility) {
        gains(part, g.futility);
        facts(part, g.futility.conditions);
    }
    if (g.verify) verified(part, g.verify);
    for (const [technique, c] of Object.entries<Row>(g.calibrate)) {
        element(part, 'h3', `Calibration of ${technique}: ${c.end}`);
        table(part, ['scale', 'nodes saved', 'points lost', 'decision'],
            c.steps.map((s: Row) => [s.scale.toFixed(3), percent(s.reduction), percent(s.loss), s.decision]));
    }
}

function match(m: Row): void {
    const part = element(root, 'section');
    element(part, 'h2', `Match: ${m.engines.join(' against ')}`);
    element(part, 'p', `${m.game}, ${m.games} games, ${m.limits}`);
    const curve = m.curve.map(([games, value, low, high, llr]: number[]) => ({ games, value, low, high, llr }));
    const grid = element(part, 'div', '', 'grid');
    figure(grid, 'Elo by games', `${m.estimate.elo.value.toFixed(1)} [${m.estimate.elo.low.toFixed(1)}, ${m.estimate.elo.high.toFixed(1)}]`, {
        x: { label: 'games' },
        y: { label: 'Elo', domain: [-400, 400], clamp: true },
        marks: [
            Plot.ruleY([0]),
            Plot.areaY(curve, { x: 'games', y1: 'low', y2: 'high', fill: css('accent'), fillOpacity: 0.18 }),
            Plot.line(curve, { x: 'games', y: 'value', stroke: css('accent') }),
        ],
    });
    if (m.sprt) {
        figure(grid, 'Sequential test', `H0 ${m.sprt.elo0}, H1 ${m.sprt.elo1}`, {
            x: { label: 'games' },
            y: { label: 'log-likelihood ratio' },
            marks: [
                Plot.ruleY([m.sprt.lower, m.sprt.upper], { strokeDasharray: '4 3' }),
                Plot.line(curve, { x: 'games', y: 'llr', stroke: css('accent') }),
            ],
        });
    }
}

function tuning(t: Row): void {
    const part = element(root, 'section');
    element(part, 'h2', `Tuning: ${t.game}, ${t.trials} trials`);
    const grid = element(part, 'div', '', 'grid');
    t.parameters.forEach((name: string, i: number) => {
        const course = t.course.map(([trial, theta]: [number, number[]]) => ({ trial, value: theta[i] }));
        figure(grid, name, '', {
            x: { label: 'trials' },
            y: { label: 'value' },
            marks: [Plot.line(course, { x: 'trial', y: 'value', stroke: css('accent') })],
        });
    });
}

if (data.review) {
    review(root, data.review);
} else {
    element(root, 'h1', 'Karikomi laboratory');
    facts(root, data.made);
    for (const g of data.games) game(g);
    for (const m of data.matches) match(m);
    for (const t of data.tunings) tuning(t);
}
root.dataset.ready = 'true';
