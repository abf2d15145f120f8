#!/usr/bin/env python3
"""A walk through Karikomi's data, cell by cell (open it in an editor that knows "# %%", or run it).

    python3 python/example.py                       about a minute; writes scatter.svg, worth.svg
    python3 python/example.py --quick --out /tmp    ten seconds, fewer samples and games
"""
# %% The program and this package
import argparse
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
import karikomi  # noqa: E402
from karikomi import plot  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
parser.add_argument("--program", default=ROOT / "build/karikomi")
parser.add_argument("--game", default="connect_four")
parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
parser.add_argument("--quick", action="store_true")
options = parser.parse_args()
program = karikomi.Program(options.program)
work = tempfile.TemporaryDirectory()
folder = pathlib.Path(work.name)

# %% One position
found = program.analyze(options.game, depth=8)
print(f"best move {found['bestmove']}, value {found['value']}, {found['nodes']} nodes")

# %% Samples: what does a search to depth 2 say about depth 6?
program.run("lab", "collect", options.game, "--games", 60 if options.quick else 600,
            "--depth", 6, "--db", folder / "samples.db")
samples = karikomi.Samples(folder / "samples.db")
pairs = samples.pairs(2, 6)
line = karikomi.fit(pairs)
print(f"{len(samples)} positions; v6 = {line.a:.3f} v2 {line.b:+.1f}, sigma {line.sigma:.1f}")
scatter = plot.scatter(pairs, line, f"{options.game}: depth 6 against depth 2",
                       ("value at depth 2", "value at depth 6"))
(options.out / "scatter.svg").write_text(scatter, encoding="utf-8")

# %% With numpy, where it is there
try:
    values = samples.array([2, 6])
    print(f"numpy: an array of {values.shape[0]} x {values.shape[1]}")
except ImportError:
    print("numpy is not installed; lists do as well")

# %% A match, and its games
program.match(f"internal:{options.game}?name=all", f"internal:{options.game}?off=all&name=none",
              nodes=500, games=20 if options.quick else 200, db=folder / "match.db", hash=1)
games = karikomi.Games(folder / "match.db")
print(f"{len(games)} games, pairs by points {games.pentanomial()}")
longest = max(games, key=lambda g: g.plies)
print(f"the longest: {longest.plies} plies, {longest.result}: {' '.join(longest.moves[:12])} ...")

# %% What techniques are worth by nodes: a small plan, and a curve
program.run("lab", "worth", options.game, "--budgets", "100,800" if options.quick else "200,1600",
            "--half-width", 150 if options.quick else 50, "--only", "futility", "--only",
            "late_moves", "--hash", 1, "--positions", 10, "--db", folder / "worth")
figures = karikomi.records(folder / "worth" / "worth.json")
for figure in figures.values():
    if figure["result"]:
        r = figure["result"]
        print(f"{figure['worth']['subject']:12} {figure['worth']['budget']:>5} nodes: "
              f"{r['value']:+.0f} Elo [{r['low']:+.0f}, {r['high']:+.0f}]")
curve = plot.worth(figures.values(), options.game, f"{options.game}: worth in Elo")
(options.out / "worth.svg").write_text(curve, encoding="utf-8")
print(f"written: {options.out / 'scatter.svg'}, {options.out / 'worth.svg'}")
