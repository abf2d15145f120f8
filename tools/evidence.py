#!/usr/bin/env python3
"""Makes the tables and plots of the documentation from results/*.json, and checks that they agree.

    tools/evidence.py render     writes the generated parts of the pages and the plots anew
    tools/evidence.py check      exit code 1: a page and the files disagree, or a file is wrong
    tools/evidence.py list       every figure with its age

A page says where a table belongs:
    <!-- evidence: othello.matches -->
    (generated)
    <!-- /evidence -->
Format of the files and of the tables: docs/evidence.md. Only the standard library is needed.
--program FILE (default: build/karikomi) tells which parameters and evaluation ship today.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACEHOLDER = re.compile(r"\{([^{}|]*\|)?([a-z_+0-9.]+)\}")
CONDITIONS = {"games", "depth", "positions", "our_ms", "their_ms"}  # they need no mark
MARKER = re.compile(r"^<!-- evidence: ([^>]+?) -->\n(.*?)^<!-- /evidence -->", re.S | re.M)
QUOTE = re.compile(r"([+−]?\d+)(?: Elo)? \[([+−]?\d+), ([+−]?\d+|\.\.\.)\]")
NUMERALS = "¹²³⁴"
AGES = {  # in the order in which notes stand below a table
    "older parameters": {"en": "older parameters", "ja": "以前のパラメータ"},
    "older evaluation": {"en": "older evaluation", "ja": "以前の評価関数"},
    "older search": {"en": "older search", "ja": "以前の探索"},
    "parameters not recorded": {"en": "parameters not recorded", "ja": "パラメータの記録なし"},
}
ALL = {"en": "All rows: {}.", "ja": "すべての行：{}。"}


class Wrong(Exception):
    """What a person has to put right, in one line."""


# ---- Numbers ------------------------------------------------------------------------------------

def elo_of(score):
    score = min(max(score, 1e-4), 1 - 1e-4)
    return 400 * math.log10(score / (1 - score))


def signed(x):
    text = f"{abs(x):.0f}"
    return text if text == "0" else ("+" if x > 0 else "−") + text


def interval(r):
    ends = ["..." if r.get(k) is None else signed(r[k]) for k in ("low", "high")]
    return f"{signed(r['value'])} [{ends[0]}, {ends[1]}]"


def fields_of(record):
    """What a cell can quote of a record."""
    out = {}
    counts = record.get("counts") or {}
    if {"wins", "draws", "losses"} <= counts.keys():
        wins, draws, losses = counts["wins"], counts["draws"], counts["losses"]
        games = wins + draws + losses
        out["wdl"] = f"{wins}-{draws}-{losses}"
        if games:
            score = 100 * (wins + draws / 2) / games
            out["score"] = f"{score:.0f} %"
            out["score1"] = f"{score:.1f} %"
    for name, value in counts.items():
        if isinstance(value, (int, str)):
            out[name] = str(value)
    result = record.get("result") or {}
    if "value" in result:
        if result.get("unit") == "Elo":
            out["elo"] = interval(result)
            out["elo+unit"] = re.sub(r" \[", " Elo [", out["elo"])
            out["elo.value"] = signed(result["value"])
        else:
            out["value"] = f"{result['value']:g}"
            if "low" in result:
                ends = f"[{result['low']:g}, {result['high']:g}]"
                out["value+interval"] = f"{result['value']:g} {ends}"
    for name, value in (record.get("figures") or {}).items():
        out[name] = f"{value:g}" if isinstance(value, float) else str(value)
    return out


# ---- Files --------------------------------------------------------------------------------------

class Results:
    def __init__(self, folder):
        self.records, self.tables, self.files = {}, {}, {}
        for file in sorted(folder.glob("*.json")):
            name = file.relative_to(folder.parent)
            try:
                document = json.loads(file.read_text(encoding="utf-8"))
            except ValueError as e:
                raise Wrong(f"{name}: no JSON: {e}") from e
            if document.get("format") != 1:
                raise Wrong(f'{name}: no "format": 1')
            for record in document.get("records", []):
                self.add(self.records, record, name)
                record["file"] = str(name)
            for table in document.get("tables", []):
                self.add(self.tables, table, name)
                table["file"] = str(name)

    @staticmethod
    def add(to, what, name):
        if "id" not in what:
            raise Wrong(f'{name}: a record or table has no "id"')
        if what["id"] in to:
            raise Wrong(f"{name}: '{what['id']}' is there twice")
        to[what["id"]] = what

    def record(self, name, where):
        if name not in self.records:
            raise Wrong(f"{where}: there is no figure '{name}'")
        return self.records[name]


def say(program, *words):
    try:
        text = subprocess.run([str(program), *words, "--json"], check=True, capture_output=True,
                              text=True).stdout
    except (OSError, subprocess.CalledProcessError) as e:
        raise Wrong(f"{program}: does not run ({e}); build it first: ./run games") from e
    return json.loads(text)


class Shipped(dict):
    """By game: fingerprint and evaluation of what ships."""

    def __init__(self, program):
        super().__init__((g["game"], (g["fingerprint"], g["evaluation"]))
                         for g in say(program, "games"))
        self.program = program

    def __missing__(self, game):
        """A rule of a game has parameters of its own, and no list shows it."""
        self[game] = (say(self.program, "params", game)["fingerprint"], None)
        return self[game]


def age_of(record, shipped):
    """None: of what ships today."""
    if record.get("independent"):
        return None
    if record.get("older"):
        return "older " + record["older"]
    if not record.get("game"):
        return None  # of no game in particular
    parameters, evaluation = shipped[record["game"]]
    if record.get("evaluation") and evaluation and record["evaluation"] != evaluation:
        return "older evaluation"
    if not record.get("parameters"):
        return "parameters not recorded"
    return None if record["parameters"] == parameters else "older parameters"


NEEDED = {
    "id": str, "kind": str, "source": str, "game": (str, type(None)),
    "command": (str, type(None)), "commit": (str, type(None)), "machine": (dict, str, type(None)),
    "date": (str, type(None)), "parameters": (str, type(None)),
    "evaluation": (str, type(None)),
}


def faults_of(record):
    """What is wrong with a record by itself."""
    where = f"{record['file']}: {record['id']}"
    for name, kind in NEEDED.items():
        if name not in record:
            yield f"{where}: no '{name}' (null says that it is not known)"
        elif not isinstance(record[name], kind):
            yield f"{where}: '{name}' is of a wrong type"
    if record.get("source") not in ("run", "page"):
        yield f"{where}: 'source' is neither run nor page"
    if record.get("source") == "run":
        for name in ("command", "commit", "machine", "date"):
            if not record.get(name):
                yield f"{where}: measured by a program, and '{name}' is not known"
    counts, result = record.get("counts") or {}, record.get("result") or {}
    if not {"wins", "draws", "losses"} <= counts.keys():
        return
    games = counts["wins"] + counts["draws"] + counts["losses"]
    if counts.get("games") != games:
        yield f"{where}: {counts.get('games')} games, and {games} results"
    if games and result.get("unit") == "Elo":
        points = counts["wins"] + counts["draws"] / 2
        # The odd game of a pair that is not complete, and rounding of older texts.
        near = [elo_of(max(min((points + d) / games, 1), 0)) for d in (-0.75, 0, 0.75)]
        if abs(result["value"]) < 600 and not near[0] - 1 <= result["value"] <= near[2] + 1:
            yield (f"{where}: {counts['wins']}-{counts['draws']}-{counts['losses']} is "
                   f"{near[1]:+.0f} Elo, not {result['value']:+.0f}")
    low, high = result.get("low"), result.get("high")
    if low is not None and high is not None and not low <= result["value"] <= high:
        yield f"{where}: the value is outside its interval"


# ---- Tables -------------------------------------------------------------------------------------

class Renderer:
    def __init__(self, results, shipped):
        self.results, self.shipped = results, shipped
        self.used = set()

    def fill(self, text, row, where, seen, notes):
        """A cell with its placeholders replaced; `seen`: figures of the row with their ages. Behind
        the first cell that quotes a figure stands the mark of its age."""
        fresh = []

        def put(match):
            name = match.group(1)[:-1] if match.group(1) else row.get("record")
            if name is None:
                raise Wrong(f"{where}: '{match.group(0)}' names no figure, and the row has none")
            record = self.results.record(name, where)
            fields = fields_of(record)
            if match.group(2) not in fields:
                raise Wrong(f"{where}: figure '{name}' has no '{match.group(2)}'")
            self.used.add(name)
            if match.group(2) not in CONDITIONS and name not in seen:
                seen[name] = age_of(record, self.shipped)
                fresh.append(seen[name])
            return fields[match.group(2)]

        out = PLACEHOLDER.sub(put, text)
        return out + "".join(notes.get(age, "") for age in dict.fromkeys(fresh))

    def rows(self, table, notes, ages):
        where = f"{table['file']}: {table['id']}"
        for row in table["rows"]:
            if len(row["cells"]) != len(table["head"]):
                raise Wrong(f"{where}: a row of {len(row['cells'])} cells below "
                            f"{len(table['head'])} headings")
            seen = {}
            yield [self.fill(c, row, where, seen, notes) for c in row["cells"]]
            ages.update(seen.values())

    def table(self, name):
        table = self.results.tables.get(name)
        if table is None:
            raise Wrong(f"there is no table '{name}' in results/")
        language = table.get("language", "en")
        marks = set()
        list(self.rows(table, {}, marks))  # which ages there are
        ages = [a for a in AGES if a in marks]
        alone = len(marks) == 1
        notes = {} if alone else dict(zip(ages, NUMERALS))
        lines = [line(table["head"]), rule(len(table["head"]))]
        lines += [line(cells) for cells in self.rows(table, notes, set())]
        texts = [AGES[a][language] for a in ages]
        if alone and texts:
            lines += ["", ALL[language].format(texts[0])]
        elif texts:
            lines += ["", " · ".join(f"{NUMERALS[i]} {t}" for i, t in enumerate(texts))]
        return "\n".join(lines) + "\n"

    # Worth by budget, from what `karikomi lab worth --evidence` writes.
    def worth(self, game):
        records = [r for r in self.results.records.values()
                   if r["kind"] == "worth" and r["game"] == game]
        if not records:
            return "Nothing is measured yet.\n"
        for r in records:
            self.used.add(r["id"])
        budgets = sorted({r["worth"]["budget"] for r in records}, key=budget_order)
        ages = [a for a in AGES if any(age_of(r, self.shipped) == a for r in records)]
        notes = dict(zip(ages, NUMERALS))
        order = {"technique": 0, "combination": 1, "interaction": 2}
        subjects = sorted({(order[r["worth"]["kind"]], not r["worth"]["shipped"],
                            r["worth"]["subject"]) for r in records})
        lines = [line(["worth, Elo"] + [budget_text(b) for b in budgets] + ["acts in 1000 nodes",
                                                                           "depth"])]
        lines.append(rule(len(budgets) + 3))
        for _, off, subject in subjects:
            cells = {r["worth"]["budget"]: r for r in records if r["worth"]["subject"] == subject}
            name = subject + (" (off: what switching it on is worth)" if off else "")
            known = [cells[b] for b in budgets if b in cells]
            lines.append(line([name] + [worth_cell(cells.get(b), self.shipped, notes)
                                        for b in budgets] + [acts_cell(known), depth_cell(known)]))
        if ages:
            lines += ["", " · ".join(f"{NUMERALS[i]} {AGES[a]['en']}" for i, a in enumerate(ages))]
        return "\n".join(lines) + "\n" + self.interactions(records)

    @staticmethod
    def interactions(records):
        found = []
        for r in records:
            w = r["worth"]
            if w["kind"] != "interaction" or not (r.get("result") or {}).get("unit"):
                continue
            alone = [x for x in records if x["worth"]["subject"] == w["techniques"][0]
                     and x["worth"]["budget"] == w["budget"] and x.get("result")]
            if alone:
                a, b = alone[0]["result"], r["result"]
                on, off = (a, b) if w.get("other_ships", True) else (b, a)
                low = math.hypot(on["value"] - on["low"], off["high"] - off["value"])
                high = math.hypot(on["high"] - on["value"], off["value"] - off["low"])
                d = on["value"] - off["value"]
                found.append(line([w["subject"], budget_text(w["budget"]), interval(on),
                                   interval(off),
                                   interval({"value": d, "low": d - low, "high": d + high})]))
        if not found:
            return ""
        head = ["pair", "budget", "first, with the second on", "with the second off",
                "interaction"]
        return "\n".join(["", line(head), rule(5)] + sorted(found)) + "\n"

    def part(self, name):
        words = name.split()
        if words[0] == "worth" and len(words) == 2:
            return self.worth(words[1])
        return self.table(name)


def line(cells):
    return "|" + "|".join(f" {c} " if c else " " for c in cells) + "|"


def rule(columns):
    return "|" + "---|" * columns


UNITS = {"ms": 1e-3, "s": 1, "min": 60, "k": 1e3, "M": 1e6, "G": 1e9, "": 1}


def budget_parts(text):
    if text.startswith("d"):
        return 2, float(text[1:]), ""
    number, unit = re.fullmatch(r"([0-9.]+)([a-zA-Z]*)", text).groups()
    return (1 if unit in ("ms", "s", "min") else 0), float(number) * UNITS[unit], unit


def budget_order(text):
    return budget_parts(text)[:2]


def budget_text(text):
    kind, amount, _ = budget_parts(text)
    if kind == 2:
        return f"depth {amount:g}"
    if kind == 1:
        return f"{amount:g} s"
    return f"{amount:,.0f} nodes".replace(",", " ")


def worth_cell(record, shipped, notes):
    if record is None:
        return ""
    mark = notes.get(age_of(record, shipped), "")
    if not record.get("result"):
        return "changes nothing" + mark
    r = record["result"]
    text = interval(r) + mark
    if r["low"] > 0 or r["high"] < 0:
        text = f"**{text}**"
    games = record["counts"]["games"]
    so_far = "" if record.get("complete") else ", so far"
    return f"{text} ({games} games{so_far})"


def acts_cell(records):
    parts = []
    for r in records:
        techniques = (r.get("acts") or {}).get("techniques") or {}
        if len(techniques) == 1:
            parts.append(f"{next(iter(techniques.values()))['in_1000_nodes']:.3g}")
    return ", ".join(parts)


def depth_cell(records):
    depths = [r["acts"]["depth"] for r in records if r.get("acts")]
    return ", ".join(f"{a:.1f} / {b:.1f}" for a, b in depths)


# ---- Plots --------------------------------------------------------------------------------------

COLOURS = ["#1f5fa8", "#c0392b", "#2e8b57", "#8e5ea2", "#b7791f", "#0f766e", "#6b7280", "#be185d"]


def worth_plot(game, records):
    """Elo against nodes for each move, one line a technique."""
    series = {}
    for r in records:
        kind, amount, _ = budget_parts(r["worth"]["budget"])
        if kind == 0 and r["worth"]["kind"] == "technique" and r.get("result"):
            series.setdefault(r["worth"]["subject"], []).append((math.log2(amount), r["result"],
                                                                 r["worth"]["budget"]))
    if not series:
        return None
    width, height, left, right, top, bottom = 780, 400, 70, 170, 50, 48
    points = [p for s in series.values() for p in s]
    xs = [p[0] for p in points]
    low = min(0, *(p[1]["low"] for p in points))
    high = max(0, *(p[1]["high"] for p in points))
    x0, x1 = min(xs) - 0.3, max(xs) + 0.3

    def x(v):
        return left + (v - x0) / (x1 - x0) * (width - left - right)

    def y(v):
        return height - bottom - (v - low) / max(high - low, 1) * (height - top - bottom)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           f'font-family="system-ui, sans-serif" font-size="13">',
           '<style>.ink{fill:#1f2933}.grid{stroke:#d5dbe1}.zero{stroke:#7b8794}.bg{fill:#fff}'
           '@media (prefers-color-scheme:dark){.ink{fill:#e4e9ee}.grid{stroke:#3a444e}'
           '.bg{fill:#12171c}}</style>',
           f'<rect class="bg" width="{width}" height="{height}"/>',
           f'<text class="ink" x="{left}" y="26" font-size="16" font-weight="600">'
           f'{game.replace("_", " ").title()}: worth in Elo by nodes for each move, 95 %</text>']
    step = 10 ** math.floor(math.log10(max(high - low, 1)))
    step = step / 2 if (high - low) / step < 4 else step
    tick = math.ceil(low / step) * step
    while tick <= high:
        out.append(f'<line class="{"zero" if tick == 0 else "grid"}" x1="{left}" '
                   f'x2="{width - right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        out.append(f'<text class="ink" x="{left - 8}" y="{y(tick) + 4:.1f}" '
                   f'text-anchor="end">{signed(tick)}</text>')
        tick += step
    for at, name in sorted({(p[0], p[2]) for p in points}):
        out.append(f'<text class="ink" x="{x(at):.1f}" y="{height - bottom + 20}" '
                   f'text-anchor="middle">{budget_text(name)}</text>')
    for i, (name, line_points) in enumerate(sorted(series.items())):
        colour = COLOURS[i % len(COLOURS)]
        shift = (i - (len(series) - 1) / 2) * 6  # bars beside each other
        line_points.sort(key=lambda p: p[0])
        path = " ".join(f"{x(p[0]) + shift:.1f},{y(p[1]['value']):.1f}" for p in line_points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for at, r, _ in line_points:
            xx = x(at) + shift
            out.append(f'<line x1="{xx:.1f}" x2="{xx:.1f}" y1="{y(r["low"]):.1f}" '
                       f'y2="{y(r["high"]):.1f}" stroke="{colour}"/>')
            out.append(f'<circle cx="{xx:.1f}" cy="{y(r["value"]):.1f}" r="3.5" fill="{colour}"/>')
        yy = top + 18 * i
        out.append(f'<text x="{width - right + 16}" y="{yy}" fill="{colour}" '
                   f'font-weight="600">{name}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def plots_of(results):
    games = sorted({r["game"] for r in results.records.values() if r["kind"] == "worth"})
    for game in games:
        records = [r for r in results.records.values()
                   if r["kind"] == "worth" and r["game"] == game]
        text = worth_plot(game, sorted(records, key=lambda r: r["id"]))
        if text:
            yield pathlib.Path("docs/images") / f"worth-{game}.svg", text


# ---- Pages --------------------------------------------------------------------------------------

def pages(root):
    yield from sorted(root.glob("*.md"))
    yield from sorted((root / "docs").rglob("*.md"))


def generated(root, renderer):
    """Every page with markers: its file, its text and what that should be."""
    for file in pages(root):
        text = file.read_text(encoding="utf-8")

        def put(match):
            try:
                body = renderer.part(match.group(1))
            except Wrong as e:
                raise Wrong(f"{file.relative_to(root)}: {e}") from e
            return f"<!-- evidence: {match.group(1)} -->\n{body}<!-- /evidence -->"

        if len(re.findall(r"^<!-- evidence:", text, re.M)) != len(MARKER.findall(text)):
            raise Wrong(f"{file.relative_to(root)}: a marker '<!-- evidence: ... -->' has no end")
        names = [m.strip() for m, _ in MARKER.findall(text)]
        if names:
            yield file, text, MARKER.sub(put, text), names


def number_of(text):
    return None if text == "..." else int(text.replace("−", "-"))


def quotes_of(root):
    """Elo with an interval in the text of the pages, outside of generated tables."""
    for file in pages(root):
        text = MARKER.sub("", file.read_text(encoding="utf-8"))
        for match in QUOTE.finditer(text):
            yield file.relative_to(root), match.group(0), tuple(map(number_of, match.groups()))


def known_by(results):
    """By value and interval, from either side's point of view: the figures that say so."""
    known = {}
    for name, record in results.records.items():
        result = record.get("result") or {}
        if result.get("unit") != "Elo":
            continue
        ends = [None if result.get(k) is None else round(result[k]) for k in ("low", "high")]
        value = round(result["value"])
        turned = [None if e is None else -e for e in reversed(ends)]
        known.setdefault((value, *ends), []).append(name)
        known.setdefault((-value, *turned), []).append(name)
    return known


def first_difference(old, new):
    for number, (a, b) in enumerate(zip(old.split("\n"), new.split("\n")), 1):
        if a != b:
            return f"line {number}: '{a[:90]}' should be '{b[:90]}'"
    return "its length differs"


def read_all(root, program):
    results = Results(root / "results")
    renderer = Renderer(results, Shipped(program))
    found = list(generated(root, renderer))
    return results, renderer, found


def same_figure(record, other, sign):
    """One figure on two pages, perhaps from the other side's point of view."""
    if other is None:
        return False
    a, b = record["result"], other["result"]
    low, high = ("low", "high") if sign > 0 else ("high", "low")
    return (a["value"], a["low"], a["high"]) == (sign * b["value"], sign * b[low], sign * b[high])


def best_of_many(table, results):
    """Figures of the front page must not be the best of several tries."""
    text = json.dumps(table)
    for name, record in results.records.items():
        tries = record.get("selected_from", 1)
        if tries > 1 and (f'"{name}"' in text or f"{{{name}|" in text):
            yield (f"{table['file']}: {table['id']}: '{name}' is the best of {tries}: quote a "
                   "fresh seed instead")


def check(root, program):
    results, renderer, found = read_all(root, program)
    faults = [f for r in results.records.values() for f in faults_of(r)]
    named = {n for _, _, _, names in found for n in names}
    for name, table in results.tables.items():
        if name not in named:
            faults.append(f"{table['file']}: table '{name}' is on no page")
    known = known_by(results)
    for file, text, figure in quotes_of(root):
        if figure not in known:
            faults.append(f"{file}: '{text}' stands in no results file")
        renderer.used.update(known.get(figure, []))
    for name, record in results.records.items():
        if name not in renderer.used:
            faults.append(f"{record['file']}: figure '{name}' is on no page")
        other = record.get("same_as")
        if other and not same_figure(record, results.records.get(other["id"]), other["sign"]):
            faults.append(f"{record['file']}: '{name}' is not what '{other['id']}' says")
    for name, table in results.tables.items():
        if table.get("headline"):
            faults += best_of_many(table, results)
    for file, old, new, _ in found:
        if old != new:
            faults.append(f"{file.relative_to(root)}: {first_difference(old, new)}; "
                          "run tools/evidence.py render")
    for file, text in plots_of(results):
        whole = root / file
        if not whole.exists() or whole.read_text(encoding="utf-8") != text:
            faults.append(f"{file}: is not what results/ says; run tools/evidence.py render")
    for fault in faults:
        print(fault)
    ages = [age_of(r, renderer.shipped) for r in results.records.values()]
    print(f"{len(ages)} figures, {ages.count(None)} of what ships today; "
          f"{len(found)} pages; {len(faults)} faults")
    return 1 if faults else 0


def render(root, program):
    results, _, found = read_all(root, program)
    for file, old, new, _ in found:
        if old != new:
            file.write_text(new, encoding="utf-8")
            print(f"written: {file.relative_to(root)}")
    for file, text in plots_of(results):
        if not (root / file).exists() or (root / file).read_text(encoding="utf-8") != text:
            (root / file).write_text(text, encoding="utf-8")
            print(f"written: {file}")
    return 0


def list_all(root, program):
    results, renderer, _ = read_all(root, program)
    for name, record in sorted(results.records.items()):
        print(f"{age_of(record, renderer.shipped) or 'current':24} {record['source']:5} {name}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("what", choices=["render", "check", "list"])
    parser.add_argument("--program", type=pathlib.Path, default=None)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="another checkout")
    arguments = parser.parse_args()
    program = arguments.program or arguments.root / "build/karikomi"
    work = {"render": render, "check": check, "list": list_all}[arguments.what]
    try:
        return work(arguments.root.resolve(), program)
    except Wrong as e:
        print(f"evidence: {e}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
