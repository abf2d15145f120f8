#!/usr/bin/env python3
"""tools/evidence.py on a small repository of its own: what it writes; each check can fail."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/evidence.py"
PAGE = """# Page
before
<!-- evidence: t -->
<!-- /evidence -->
after
"""


def figure(name="a", **more):
    out = {"id": name, "kind": "match", "source": "page", "game": "g", "command": None,
           "commit": None, "machine": None, "date": None, "parameters": "new", "evaluation": "net",
           "counts": {"games": 100, "wins": 60, "draws": 10, "losses": 30},
           "result": {"value": 107, "low": 40, "high": 180, "unit": "Elo"}}
    out.update(more)
    return out


def table(**more):
    out = {"id": "t", "head": ["what", "games", "result"],
           "rows": [{"record": "a", "cells": ["on", "{games}", "**{wdl}, {score}, {elo+unit}**"]}]}
    out.update(more)
    return out


class Repository(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "docs/images").mkdir(parents=True)
        (self.root / "results").mkdir()
        (self.root / "docs/page.md").write_text(PAGE, encoding="utf-8")
        self.ship("new", "net")

    def ship(self, parameters, evaluation):
        games = [{"game": "g", "fingerprint": parameters, "evaluation": evaluation}]
        program = self.root / "program"
        program.write_text(f"#!/bin/sh\necho '{json.dumps(games)}'\n", encoding="utf-8")
        program.chmod(0o755)

    def write(self, records, tables, name="r.json"):
        text = json.dumps({"format": 1, "records": records, "tables": tables})
        (self.root / "results" / name).write_text(text, encoding="utf-8")

    def run_tool(self, what, code):
        done = subprocess.run([sys.executable, str(TOOL), what, "--root", str(self.root),
                               "--program", str(self.root / "program")], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def page(self):
        return (self.root / "docs/page.md").read_text(encoding="utf-8")

    def test_writes_the_table_and_is_content(self):
        self.write([figure()], [table()])
        self.run_tool("render", 0)
        self.assertIn("| on | 100 | **60-10-30, 65 %, +107 Elo [+40, +180]** |", self.page())
        self.assertTrue(self.page().startswith("# Page\nbefore\n"))
        self.assertTrue(self.page().endswith("after\n"))
        self.assertIn("1 figures, 1 of what ships today", self.run_tool("check", 0))
        self.run_tool("render", 0)
        self.run_tool("check", 0)

    def test_finds_a_page_that_disagrees(self):
        self.write([figure()], [table()])
        self.run_tool("render", 0)
        file = self.root / "docs/page.md"
        file.write_text(self.page().replace("+107", "+170"), encoding="utf-8")
        self.assertIn("docs/page.md: line", self.run_tool("check", 1))

    def test_finds_a_figure_that_became_older(self):
        self.write([figure()], [table()])
        self.run_tool("render", 0)
        self.ship("newer", "net")
        self.assertIn("run tools/evidence.py render", self.run_tool("check", 1))
        self.run_tool("render", 0)
        self.assertIn("All rows: older parameters.", self.page())
        self.run_tool("check", 0)
        self.ship("newer", "net-2")
        self.run_tool("render", 0)
        self.assertIn("All rows: older evaluation.", self.page())

    def test_marks_rows_of_different_ages(self):
        rows = [{"record": n, "cells": [n, "{games}", "{elo}"]} for n in "abc"]
        self.write([figure(), figure("b", parameters="old"), figure("c", parameters=None)],
                   [table(rows=rows)])
        self.run_tool("render", 0)
        self.assertIn("| a | 100 | +107 [+40, +180] |", self.page())
        self.assertIn("| b | 100 | +107 [+40, +180]¹ |", self.page())
        self.assertIn("| c | 100 | +107 [+40, +180]² |", self.page())
        self.assertIn("¹ older parameters · ² parameters not recorded", self.page())

    def test_refuses_what_cannot_be(self):
        for wrong, what in [
                (figure(counts={"games": 99, "wins": 60, "draws": 10, "losses": 30}), "99 games"),
                (figure(result={"value": 170, "low": 40, "high": 180, "unit": "Elo"}), "is +108"),
                (figure(result={"value": 107, "low": 110, "high": 180, "unit": "Elo"}),
                 "outside its interval"),
                (figure(source="hearsay"), "neither run nor page"),
                (figure(source="run"), "'command' is not known"),
                ({k: v for k, v in figure().items() if k != "commit"}, "no 'commit'"),
                (figure(same_as={"id": "b", "sign": 1}), "is not what 'b' says")]:
            self.write([wrong], [table()])
            self.run_tool("render", 0)
            self.assertIn(what, self.run_tool("check", 1))

    def test_text_quotes_only_what_is_on_record(self):
        self.write([figure(), figure("b", result={"value": 9, "low": -3, "high": 21, "unit": "Elo"},
                                     counts=None)], [table()])
        self.run_tool("render", 0)
        self.assertIn("figure 'b' is on no page", self.run_tool("check", 1))
        file = self.root / "docs/page.md"
        file.write_text(self.page() + "It is worth −9 Elo [−21, +3] here.\n", encoding="utf-8")
        self.run_tool("check", 0)
        file.write_text(self.page() + "And +8 [−4, +20] there.\n", encoding="utf-8")
        self.assertIn("'+8 [−4, +20]' stands in no results file", self.run_tool("check", 1))

    def test_the_best_of_many_is_no_headline(self):
        self.write([figure(selected_from=8)], [table()])
        self.run_tool("render", 0)
        self.run_tool("check", 0)
        self.write([figure(selected_from=8)], [table(headline=True)])
        self.assertIn("best of 8", self.run_tool("check", 1))

    def test_names_what_is_missing(self):
        self.write([figure("b")], [table()])
        self.assertIn("there is no figure 'a'", self.run_tool("check", 2))
        self.write([figure()], [table(id="u")])
        self.assertIn("there is no table 't'", self.run_tool("check", 2))
        self.write([figure()], [table(rows=[{"record": "a", "cells": ["{prize}", "", ""]}])])
        self.assertIn("has no 'prize'", self.run_tool("check", 2))
        self.write([figure(), figure("b")], [table()])
        self.run_tool("render", 0)
        self.assertIn("figure 'b' is on no page", self.run_tool("check", 1))
        (self.root / "results/r.json").write_text("{", encoding="utf-8")
        self.assertIn("results/r.json: no JSON", self.run_tool("check", 2))
        (self.root / "results/r.json").write_text('{"format": 7}', encoding="utf-8")
        self.assertIn('no "format": 1', self.run_tool("check", 2))
        self.write([figure(), figure()], [table()])
        self.assertIn("is there twice", self.run_tool("check", 2))

    def test_draws_worth_by_budget(self):
        def worth(subject, budget, value, kind="technique", **more):
            r = {"value": value, "low": value - 30, "high": value + 40, "unit": "Elo"}
            acts = {"techniques": {subject: {"in_1000_nodes": 12.5}}, "depth": [9.0, 8.0]}
            return figure(f"worth.{subject}.{budget}", kind="worth", source="run", command="k",
                          commit="c", machine={"cpu": "x"}, date="d", result=r, acts=acts,
                          counts={"games": 900, "wins": 1}, complete=True,
                          worth={"subject": subject, "kind": kind, "budget": budget,
                                 "shipped": True, "techniques": ["futility"], "flipped": "iid",
                                 "other_ships": True}, **more)

        nothing = worth("iid", "20k", 0)
        nothing["result"] = None
        self.write([worth("futility", "160k", 80), worth("futility", "20k", 50), nothing,
                    worth("futility x iid", "20k", 10, "interaction")], [])
        (self.root / "docs/page.md").write_text(PAGE.replace("evidence: t", "evidence: worth g"),
                                                encoding="utf-8")
        self.run_tool("render", 0)
        self.assertIn("| worth, Elo | 20 000 nodes | 160 000 nodes |", self.page())
        self.assertIn("**+50 [+20, +90]** (900 games) | **+80 [+50, +120]** (900 games) | "
                      "12.5, 12.5 |", self.page())
        self.assertIn("| iid | changes nothing |", self.page())
        self.assertIn("| futility x iid | 20 000 nodes | +50 [+20, +90] | +10 [−20, +50] | "
                      "+40 [−10, +90] |", self.page())
        svg = self.root / "docs/images/worth-g.svg"
        self.assertIn("futility", svg.read_text(encoding="utf-8"))
        self.run_tool("check", 0)
        svg.write_text("<svg/>", encoding="utf-8")
        self.assertIn("worth-g.svg", self.run_tool("check", 1))


if __name__ == "__main__":
    unittest.main()
