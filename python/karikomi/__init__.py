"""Karikomi for researchers: read samples, games and results files, run the program.

Only the standard library is needed; with numpy, `Samples.array` gives arrays.

    import karikomi
    samples = karikomi.Samples("c4.db")            # `karikomi lab collect connect_four --db c4.db`
    line = karikomi.fit(samples.pairs(2, 6))       # a, b, sigma
    program = karikomi.Program("build/karikomi")
    program.analyze("othello", depth=12)["value"]
    games = karikomi.Games("match.db")             # `karikomi match ... --db match.db`
    games.elo()                                    # value, low, high (95 %)

Files are only read, also while a run writes to them. python/example.py shows all of it.
"""
import json
import math
import pathlib
import sqlite3
import subprocess
from collections import namedtuple

__all__ = ["DECISIVE", "Error", "Fit", "Game", "Games", "Program", "Sample", "Samples", "elo_of",
           "fit", "records"]

DECISIVE = 30_000  # values from here on are proven wins, below minus this proven losses


class Error(Exception):
    """A file that is none of ours, or a program that refuses; the text says what to do."""


def _open(file, kind):
    path = pathlib.Path(file)
    if not path.is_file():
        raise Error(f"{file}: there is no such file")
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        facts = dict(db.execute("SELECT key, value FROM facts"))
    except sqlite3.DatabaseError as e:
        raise Error(f"{file}: is no database of karikomi ({e})") from e
    facts = {key: json.loads(value) for key, value in facts.items()}
    if facts.get("kind") != kind:
        db.close()
        raise Error(f"{file}: is a database of '{facts.get('kind')}', not of '{kind}'")
    return db, facts


# ---- Samples ------------------------------------------------------------------------------------

Sample = namedtuple("Sample", "position stage side ply static values nodes game")
Sample.__doc__ = """A position with its value at every depth, from the side to move.

values[d - 1] is the value at depth d, None where there is none; `game` is the same for all
positions of one game (samples of one game are not independent)."""

Fit = namedtuple("Fit", "a b sigma samples")


class Samples:
    """What `karikomi lab collect` has kept. Iterating gives Sample after Sample."""

    def __init__(self, file):
        self._db, self.facts = _open(file, "lab")
        self.conditions = self.facts.get("config", {})

    def __len__(self):
        return self._db.execute("SELECT COUNT(*) FROM samples").fetchone()[0]

    def __iter__(self):
        rows = self._db.execute("SELECT position, stage, side, ply, static_value, depth_values, "
                                "depth_nodes, source, unit FROM samples ORDER BY id")
        for position, stage, side, ply, static, values, nodes, source, unit in rows:
            yield Sample(position, stage, side, ply, static,
                         [int(v) if v else None for v in values.split(",")] if values else [],
                         [int(n) if n else 0 for n in nodes.split(",")] if nodes else [],
                         (source, unit))

    def pairs(self, shallow, deep, stage=None, decisive=False):
        """(shallow value, deep value) of every position that has both. Depth 0 is the static
        value. Proven values are left out unless `decisive`: no line can tell them."""
        out = []
        for s in self:
            if stage is not None and s.stage != stage:
                continue
            a, b = _value(s, shallow), _value(s, deep)
            if a is None or b is None:
                continue
            if decisive or (abs(a) < DECISIVE and abs(b) < DECISIVE):
                out.append((a, b))
        return out

    def array(self, depths):
        """numpy: one row a position, one column a depth, NaN where there is no value."""
        import numpy  # only who asks for arrays needs it
        rows = [[math.nan if _value(s, d) is None else _value(s, d) for d in depths] for s in self]
        return numpy.array(rows, dtype=float).reshape(len(rows), len(depths))

    def close(self):
        self._db.close()


def _value(sample, depth):
    if depth == 0:
        return sample.static
    return sample.values[depth - 1] if 0 < depth <= len(sample.values) else None


def fit(pairs):
    """Least squares of deep = a * shallow + b, and the deviation sigma of what is left."""
    n = len(pairs)
    if n < 3:
        raise Error(f"a line through {n} points says nothing; collect more samples")
    mx, my = sum(x for x, _ in pairs) / n, sum(y for _, y in pairs) / n
    xx = sum((x - mx) ** 2 for x, _ in pairs)
    if xx == 0:
        raise Error("all shallow values are the same")
    a = sum((x - mx) * (y - my) for x, y in pairs) / xx
    b = my - a * mx
    rest = sum((y - a * x - b) ** 2 for x, y in pairs)
    return Fit(a, b, math.sqrt(rest / (n - 2)), n)


# ---- Games --------------------------------------------------------------------------------------

Game = namedtuple("Game", "number pair first second result reason plies opening_plies start moves "
                          "scores depths nodes times_ms")
Game.__doc__ = """A game: names of both players, "1-0", "0-1" or "1/2-1/2", its moves, and for
each move what its player said: lists, with None or 0 for moves of the opening."""


def elo_of(score):
    """Elo of a share of points, finite for 0 and 1."""
    score = min(max(score, 1e-4), 1 - 1e-4)
    return 400 * math.log10(score / (1 - score))


class Games:
    """What `karikomi match` has kept. Iterating gives Game after Game."""

    def __init__(self, file):
        self._db, self.facts = _open(file, "match")
        self.config = self.facts.get("config", {})
        self.names = self.facts.get("names", [])
        self.engines = self.facts.get("engines", [])

    def __len__(self):
        return self._db.execute("SELECT COUNT(*) FROM games").fetchone()[0]

    def __iter__(self):
        rows = self._db.execute("SELECT id, first, second, result, reason, plies, opening_plies, "
                                "start_position, moves, notes FROM games ORDER BY id")
        for number, first, second, result, reason, plies, opening, start, moves, notes in rows:
            said = json.loads(notes)
            yield Game(number, number // 2, self.names[first], self.names[second], result, reason,
                       plies, opening, start, moves.split(), said["scores"], said["depths"],
                       said["nodes"], said["times_ms"])

    def pentanomial(self, engine=0):
        """Pairs by the points of this engine in both games: 0, 1/2, 1, 3/2, 2."""
        points, name = {}, self.names[engine]
        for g in self:
            if name in (g.first, g.second):
                half = {"1-0": 2, "0-1": 0}.get(g.result, 1)
                points.setdefault(g.pair, []).append(half if g.first == name else 2 - half)
        counts = [0] * 5
        for both in points.values():
            if len(both) == 2:
                counts[sum(both)] += 1
        return counts

    def elo(self, engine=0):
        """(value, low, high): Elo with its 95 % interval from pairs, which are independent."""
        counts = self.pentanomial(engine)
        n = sum(counts)
        if n < 2:
            raise Error("two pairs of games are the least that has an interval")
        mean = sum(c * i / 4 for i, c in enumerate(counts)) / n
        variance = sum(c * (i / 4 - mean) ** 2 for i, c in enumerate(counts)) / n
        if variance == 0:
            raise Error("all pairs ended alike; `karikomi match show` has the exact interval")
        half = 1.959964 * math.sqrt(variance / (n - 1))
        return elo_of(mean), elo_of(mean - half), elo_of(mean + half)

    def close(self):
        self._db.close()


# ---- Results files ------------------------------------------------------------------------------

def records(path):
    """Figures of a results file, or of all in a folder, by id (docs/evidence.md)."""
    path = pathlib.Path(path)
    out = {}
    for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
        try:
            document = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as e:
            raise Error(f"{file}: cannot be read as JSON ({e})") from e
        if not isinstance(document, dict) or document.get("format") != 1:
            raise Error(f'{file}: no results file, it has no "format": 1')
        for record in document.get("records", []):
            out[record["id"]] = record
    return out


# ---- The program --------------------------------------------------------------------------------

class Program:
    """Runs karikomi and reads its --json."""

    def __init__(self, file="karikomi"):
        self.file = str(file)

    def run(self, *words):
        """The last document of a command: run("lab", "fit", "othello", "--db", "o.db"). Options
        may be given as they are typed."""
        command = [self.file, *map(str, words), "--json"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as e:
            raise Error(f"{self.file}: does not run ({e}); build it with ./run games") from e
        lines = done.stdout.splitlines()
        if done.returncode not in (0, 1) or not lines:
            raise Error(done.stderr.strip() or f"{self.file}: exit code {done.returncode}")
        return json.loads(lines[-1])

    def analyze(self, game, position="", **limits):
        """A search: analyze("shogi", depth=9, off="futility"). Names are options, _ is -."""
        words = ["analyze", game]
        if position:
            words += ["--position", position]
        return self.run(*words, *_options(limits))

    def match(self, first, second, **options):
        """Games between two engines as `karikomi match` names them."""
        return self.run("match", first, second, *_options(options))


def _options(options):
    words = []
    for name, value in options.items():
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(value)
    return words
