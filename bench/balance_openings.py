#!/usr/bin/env python3
"""Openings of renju or gomoku that stay balanced when searched deeper and deeper.

  python3 bench/balance_openings.py renju --count 60 --seed 1 > openings.txt

Stones at random around the centre, kept when the values of 0.1, 1 and 4 million nodes all lie
within --most of even (400 units are a chance of e : 1). A match from openings that one side wins
for certain measures nothing: both engines win them with the same colour.
"""
import argparse
import json
import random
import subprocess
import sys


def value(engine, game, moves, nodes):
    """Of the side to move; None where somebody has won or the search is sure."""
    run = subprocess.run([engine, "analyze", game, "--moves", " ".join(moves), "--nodes",
                          str(nodes), "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if run.returncode != 0:
        return None  # an illegal move: this opening is not one
    found = json.loads(run.stdout)
    return None if found["decisive"] or found["result"] else found["value"]


def random_opening(rng):
    cells = set()
    count = rng.randint(4, 9)
    reach = 2 if count < 6 else 3
    while len(cells) < count:
        cells.add((8 + rng.randint(-reach, reach), 8 + rng.randint(-reach, reach)))
    cells = list(cells)
    rng.shuffle(cells)
    return [chr(ord("a") + x - 1) + str(y) for x, y in cells]


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("game", choices=["renju", "gomoku", "standard_gomoku"])
    p.add_argument("--count", type=int, default=60)
    p.add_argument("--most", type=int, default=100, help="units from even")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--engine", default="build/karikomi")
    a = p.parse_args()
    rng = random.Random(a.seed)
    print(f"# bench/balance_openings.py {a.game} --count {a.count} --most {a.most} "
          f"--seed {a.seed}", flush=True)
    kept = tried = 0
    while kept < a.count:
        moves = random_opening(rng)
        tried += 1
        for nodes in (100_000, 1_000_000, 4_000_000):
            v = value(a.engine, a.game, moves, nodes)
            if v is None or abs(v) > a.most:
                break
        else:
            kept += 1
            print(" ".join(moves), flush=True)
            print(f"{kept} of {tried}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
