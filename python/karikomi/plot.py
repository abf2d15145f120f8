"""Two plots as SVG text, without any library: a scatter with its line, and curves of worth."""
import math

COLOURS = ["#1f5fa8", "#c0392b", "#2e8b57", "#8e5ea2", "#b7791f", "#0f766e"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 70, 150, 46, 52


class _Axes:
    def __init__(self, xs, ys):
        self.x0, self.x1 = _wide(min(xs), max(xs))
        self.y0, self.y1 = _wide(min(ys), max(ys))

    def x(self, v):
        return LEFT + (v - self.x0) / (self.x1 - self.x0) * (WIDTH - LEFT - RIGHT)

    def y(self, v):
        return HEIGHT - BOTTOM - (v - self.y0) / (self.y1 - self.y0) * (HEIGHT - TOP - BOTTOM)


def _wide(low, high):
    more = 0.05 * (high - low) or 1
    return low - more, high + more


def _ticks(low, high):
    step = 10 ** math.floor(math.log10(high - low))
    while (high - low) / step < 4:
        step /= 2
    at = math.ceil(low / step) * step
    while at <= high:
        yield at
        at += step


def _text(x, y, text, anchor="middle", more=""):
    text = str(text).replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{text}</text>'


def _document(title, axes, body, x_ticks, x_name, y_name):
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="system-ui, sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
           _text(LEFT, 24, title, "start", ' font-size="15" font-weight="600"')]
    for v in _ticks(axes.y0, axes.y1):
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{axes.y(v):.1f}" '
                   f'y2="{axes.y(v):.1f}" stroke="{"#888" if abs(v) < 1e-9 else "#ddd"}"/>')
        out.append(_text(LEFT - 6, axes.y(v) + 4, f"{v:g}", "end"))
    for v, name in x_ticks:
        out.append(_text(axes.x(v), HEIGHT - BOTTOM + 18, name))
    out.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_name))
    out.append(_text(LEFT, 40, y_name, "start"))
    return "\n".join(out + body + ["</svg>"]) + "\n"


def scatter(pairs, line, title, names=("shallow", "deep")):
    """Points, the fitted line (a, b, sigma) and the band of 1.645 sigma: 95 % on either side."""
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    axes = _Axes(xs, ys)
    body = [f'<circle cx="{axes.x(x):.1f}" cy="{axes.y(y):.1f}" r="1.6" fill="{COLOURS[0]}" '
            'fill-opacity="0.35"/>' for x, y in pairs]
    for shift, dash in ((0, ""), (1.645, "4 3"), (-1.645, "4 3")):
        ends = [(x, line.a * x + line.b + shift * line.sigma) for x in (min(xs), max(xs))]
        points = " ".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y in ends)
        body.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[1]}" '
                    f'stroke-dasharray="{dash}"/>')
    body.append(_text(WIDTH - RIGHT + 10, TOP + 10, f"a = {line.a:.3f}", "start"))
    body.append(_text(WIDTH - RIGHT + 10, TOP + 28, f"b = {line.b:+.1f}", "start"))
    body.append(_text(WIDTH - RIGHT + 10, TOP + 46, f"σ = {line.sigma:.1f}", "start"))
    ticks = [(v, f"{v:g}") for v in _ticks(axes.x0, axes.x1)]
    return _document(title, axes, body, ticks, names[0], names[1])


def nodes_of(budget):
    """20k -> 20000; None for times and depths, which have another scale."""
    unit = {"k": 1e3, "M": 1e6, "G": 1e9}.get(budget[-1:])
    number = budget[:-1] if unit else budget
    try:
        return float(number) * (unit or 1)
    except ValueError:
        return None


def worth(records, game, title):
    """Elo by nodes for each move: records of `karikomi lab worth`, with 95 % intervals."""
    curves = {}
    for r in records:
        if r.get("kind") != "worth" or r.get("game") != game or not r.get("result"):
            continue
        nodes = nodes_of(r["worth"]["budget"])
        if nodes and r["worth"]["kind"] == "technique":
            curves.setdefault(r["worth"]["subject"], []).append((math.log2(nodes), r))
    points = [p for c in curves.values() for p in c]
    if not points:
        return None
    axes = _Axes([x for x, _ in points], [0] + [r["result"][k] for _, r in points
                                                for k in ("low", "high")])
    body = []
    for i, (name, curve) in enumerate(sorted(curves.items())):
        colour, shift = COLOURS[i % len(COLOURS)], 4 * (i - (len(curves) - 1) / 2)
        curve.sort(key=lambda p: p[0])
        line = " ".join(f"{axes.x(x) + shift:.1f},{axes.y(r['result']['value']):.1f}"
                        for x, r in curve)
        body.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
        for x, r in curve:
            at, e = axes.x(x) + shift, r["result"]
            body.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{axes.y(e["low"]):.1f}" '
                        f'y2="{axes.y(e["high"]):.1f}" stroke="{colour}"/>')
            body.append(f'<circle cx="{at:.1f}" cy="{axes.y(e["value"]):.1f}" r="3" '
                        f'fill="{colour}"/>')
        body.append(_text(WIDTH - RIGHT + 10, TOP + 10 + 18 * i, name, "start",
                          f' fill="{colour}"'))
    ticks = sorted({(x, r["worth"]["budget"]) for x, r in points})
    return _document(title, axes, body, ticks, "nodes for each move", "Elo")
