// A reviewed game: the course of the score, the turning points in words, and every move.
import * as Plot from '@observablehq/plot';

import { element, table, type Row } from './elements';

const words = {
    en: {
        review: 'Review',
        course: 'Score over the game, for the first player',
        note: 'Above the middle the first player is ahead. A proven win counts as 40. Points: the moves that lost most.',
        turning: 'Turning points',
        none: 'No move lost as much as 1.',
        all: 'All moves',
        head: ['#', 'Move', 'Score', 'Lost', 'Better'],
        mean: (first: string, second: string) => `Lost by a move on average: first player ${first}, second player ${second}.`,
        stopped: (n: number, all: number) => `The review was stopped after ${n} of ${all} moves.`,
        move: 'move',
        score: 'score',
    },
    ja: {
        review: '棋譜の検討',
        course: '評価値の推移（先手から見た値）',
        note: '中央より上は先手が優勢。詰みなど読み切った局面は40とする。印は損の大きかった手。',
        turning: '勝負の分かれ目',
        none: '大きな損はありません。',
        all: '全手順',
        head: ['手数', '指し手', '評価値', '損', '最善手'],
        mean: (first: string, second: string) => `1手あたりの平均損失：先手 ${first}、後手 ${second}`,
        stopped: (n: number, all: number) => `${all}手中${n}手目までで中止しました。`,
        move: '手数',
        score: '評価値',
    },
};

export function review(root: Element, r: Row): void {
    const language: 'en' | 'ja' = r.language === 'ja' ? 'ja' : 'en';
    const w = words[language];
    document.documentElement.lang = language;
    element(root, 'h1', `${w.review}: ${r.title}`);
    const about = [r.names.filter(Boolean).join(' – '), r.event, r.date].filter(Boolean);
    if (about.length) element(root, 'p', about.join(' · '));
    const done = r.moves.filter((m: Row) => m.after);
    if (!r.complete) element(root, 'p', w.stopped(done.length, r.played), 'missed');

    const points = [
        ...(r.moves[0] ? [{ number: 0, value: r.moves[0].before.value }] : []),
        ...done.map((m: Row) => ({ number: m.number, value: m.after.value })),
    ];
    const turning = done.filter((m: Row) => m.turning);
    const most = Math.max(4, ...points.map((p) => Math.abs(p.value)));
    const box = element(root, 'figure');
    element(box, 'h2', w.course);
    const chart = Plot.plot({
        width: 960,
        height: 300,
        marginLeft: 48,
        style: { background: 'transparent', color: 'currentColor', fontSize: '12px' },
        x: { label: w.move, tickFormat: 'd' },
        y: { label: w.score, domain: [-most, most], tickFormat: '+.0f' },
        marks: [
            Plot.ruleY([0], { stroke: 'var(--faint)' }),
            Plot.areaY(points, { x: 'number', y: 'value', fill: 'var(--accent)', fillOpacity: 0.14 }),
            Plot.line(points, { x: 'number', y: 'value', stroke: 'var(--accent)', strokeWidth: 2 }),
            Plot.dot(turning, {
                x: 'number',
                y: (m: Row) => m.after.value,
                r: 5,
                fill: 'var(--bad)',
                title: (m: Row) => m.words[language],
                href: (m: Row) => `#move-${m.number}`,
            }),
        ],
    });
    chart.setAttribute('role', 'img');
    chart.setAttribute('aria-label', w.course);
    box.append(chart);
    element(box, 'figcaption', w.note);
    const mean = (x: number | null) => (x === null ? '–' : x.toFixed(2));
    element(root, 'p', w.mean(mean(r.mean_loss.first), mean(r.mean_loss.second)));

    const part = element(root, 'section');
    element(part, 'h2', w.turning);
    if (turning.length === 0) element(part, 'p', w.none);
    for (const m of turning) {
        const one = element(part, 'details');
        element(one, 'summary', m.words[language]);
        element(one, 'pre', m.diagram);
    }

    element(root, 'h2', w.all);
    const rows = table(
        root,
        w.head,
        done.map((m: Row) => [
            String(m.number),
            m.name,
            m.after.text,
            m.loss >= 0.05 ? m.loss.toFixed(1) : '',
            m.loss >= 0.05 ? (m.before.names?.[0] ?? '') : '',
        ]),
    );
    done.forEach((m: Row, i: number) => {
        rows[i].id = `move-${m.number}`;
        if (m.turning) rows[i].className = 'turning';
    });
}
