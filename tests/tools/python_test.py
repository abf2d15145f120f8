#!/usr/bin/env python3
"""The package for researchers (python/karikomi), with plain python3: python_test.py PROGRAM."""
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import karikomi  # noqa: E402
from karikomi import plot  # noqa: E402

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else str(ROOT / "build/karikomi")


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.program = karikomi.Program(PROGRAM)
        cls.samples_file = pathlib.Path(cls.folder.name) / "samples.db"
        cls.match_file = pathlib.Path(cls.folder.name) / "match.db"
        cls.collected = cls.program.run("lab", "collect", "connect_four", "--games", 40, "--depth",
                                        5, "--db", cls.samples_file)
        cls.played = cls.program.match("internal:connect_four?name=a",
                                       "internal:connect_four?off=all&name=b", nodes=200, games=20,
                                       hash=1, db=cls.match_file)

    def test_samples_are_those_of_the_program(self):
        samples = karikomi.Samples(self.samples_file)
        self.assertEqual(len(samples), self.collected["samples"])
        self.assertEqual(samples.conditions["game"], "connect_four")
        rows = list(samples)
        self.assertEqual(len(rows), len(samples))
        self.assertTrue(all(s.side in (0, 1) and len(s.values) == len(s.nodes) for s in rows))
        self.assertLess(len({s.game for s in rows}), len(rows))
        undecided = next(s for s in rows if s.values and all(
            v is not None and abs(v) < karikomi.DECISIVE for v in s.values))
        found = self.program.analyze("connect_four", undecided.position, depth=5, off="all")
        self.assertEqual(found["value"], undecided.values[4])

    def test_fits_what_lab_fit_fits(self):
        fitted = self.program.run("lab", "fit", "connect_four", "--db", self.samples_file,
                                  "--holdout", 0, "--one-stage", "--sigma", "rms", "--least", 10)
        cell = next(c for c in fitted["cells"] if (c["shallow"], c["deep"]) == (1, 4))
        samples = karikomi.Samples(self.samples_file)
        line = karikomi.fit(samples.pairs(1, 4))
        self.assertEqual(line.samples, cell["samples"])
        self.assertAlmostEqual(line.a, cell["fit"]["a"], 3)
        self.assertAlmostEqual(line.b, cell["fit"]["b"], 1)
        self.assertGreater(len(samples.pairs(1, 4, decisive=True)), line.samples)

    def test_a_known_line_is_found(self):
        pairs = [(x, 2 * x + 3 + (1 if x % 2 else -1)) for x in range(1000)]
        line = karikomi.fit(pairs)
        self.assertAlmostEqual(line.a, 2, 3)
        self.assertAlmostEqual(line.sigma, 1, 2)
        with self.assertRaises(karikomi.Error):
            karikomi.fit([(1, 1), (2, 2)])

    def test_games_are_those_of_the_program(self):
        games = karikomi.Games(self.match_file)
        self.assertEqual(len(games), 20)
        self.assertEqual(games.pentanomial(), self.played["pentanomial"])
        self.assertEqual(games.pentanomial(1), self.played["pentanomial"][::-1])
        for mine, theirs in zip(games.elo(), (self.played["elo"][k]
                                              for k in ("value", "low", "high"))):
            self.assertAlmostEqual(mine, theirs, delta=1)
        game = next(iter(games))
        self.assertEqual(game.plies, len(game.moves))
        self.assertEqual(game.plies, len(game.scores))
        self.assertIn(game.result, ("1-0", "0-1", "1/2-1/2"))

    def test_numpy_where_it_is_there(self):
        samples = karikomi.Samples(self.samples_file)
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not installed")
        values = samples.array([0, 1, 4])
        self.assertEqual(values.shape, (len(samples), 3))
        self.assertFalse(numpy.isnan(values[:, 0]).any())

    def test_refuses_in_words(self):
        for act, what in [(lambda: karikomi.Samples("nowhere.db"), "there is no such file"),
                          (lambda: karikomi.Samples(self.match_file), "of 'match', not of 'lab'"),
                          (lambda: karikomi.Games(__file__), "is no database of karikomi"),
                          (lambda: karikomi.records(__file__), "cannot be read as JSON"),
                          (lambda: karikomi.Program("/nowhere").run("games"), "does not run"),
                          (lambda: self.program.analyze("chess"), "chess")]:
            with self.assertRaises(karikomi.Error) as caught:
                act()
            self.assertIn(what, str(caught.exception))

    def test_results_of_this_repository(self):
        records = karikomi.records(ROOT / "results")
        self.assertGreater(len(records), 100)
        figure = records["othello.ntest"]
        self.assertEqual(figure["counts"]["games"], 100)
        self.assertTrue(math.isfinite(karikomi.elo_of(0)))

    def test_plots_are_pictures(self):
        pairs = [(x, x * 2 + x % 7) for x in range(50)]
        text = plot.scatter(pairs, karikomi.fit(pairs), "a < b")
        self.assertEqual(len(xml.dom.minidom.parseString(text).getElementsByTagName("circle")), 50)
        self.assertIsNone(plot.worth([], "g", "nothing"))
        self.assertEqual(plot.nodes_of("20k"), 20_000)
        self.assertIsNone(plot.nodes_of("100ms"))

    def test_the_example_runs(self):
        done = subprocess.run([sys.executable, str(ROOT / "python/example.py"), "--quick",
                               "--program", PROGRAM, "--out", self.folder.name],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("scatter.svg", "worth.svg"):
            file = pathlib.Path(self.folder.name) / name
            xml.dom.minidom.parseString(file.read_text(encoding="utf-8"))
            self.assertIn(name, done.stdout)


if __name__ == "__main__":
    unittest.main()
