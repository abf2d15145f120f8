"""The samples that `karikomi train shogi` writes (docs/games/shogi-network.md) and the targets.

`python3 -m doctest train/shogi/samples.py` checks them.
"""
import glob
import os

import numpy as np

SCALE = 600.0  # the winning chance is sigmoid(value / SCALE)
WHITE_TO_MOVE, HELD_OUT, STRAYED = 1, 2, 4  # flags; after STRAYED the result says little

SAMPLE = np.dtype([("place", "u1", 40), ("promoted", "u1", 5), ("flags", "u1"), ("score", "<i2"),
                   ("result", "i1"), ("reserved", "u1"), ("ply", "<u2")])
assert SAMPLE.itemsize == 52


def load(folders):
    parts = [np.fromfile(f, dtype=SAMPLE) for d in folders
             for f in sorted(glob.glob(os.path.join(d, "**", "*.pos"), recursive=True))]
    if not parts:
        raise SystemExit("no chunks (*.pos) in " + ", ".join(folders))
    return np.concatenate(parts)


def unique(samples):
    """Where each position stands first."""
    keys = np.ascontiguousarray(samples).view("u1").reshape(-1, 52)
    hashes = np.zeros(len(samples), np.uint64)
    for column, factor in enumerate(np.random.default_rng(1).integers(1, 2**63, 46,
                                                                      dtype=np.uint64)):
        hashes += keys[:, column] * factor
    return np.unique(hashes, return_index=True)[1]


def chance(score):
    return 1 / (1 + np.exp(-score / SCALE))


def looking_ahead(samples, fade):
    """The winning chance of the side to move, drawn towards the positions that follow.

    Samples stand as they were played. From Black's view, with g plies to the next sample of the
    game, G = (1 - fade^g) * own value + fade^g * G of the next; the last one keeps its own value,
    and so does what stands before a random move. Games are not marked: a new one begins where the
    ply falls, or where something changes that a game has only one of.

    >>> s = np.zeros(5, SAMPLE)
    >>> s["ply"] = [8, 9, 11, 10, 12]
    >>> s["score"] = [0, 0, 600, -600, 0]
    >>> s["flags"] = [0, WHITE_TO_MOVE, WHITE_TO_MOVE, STRAYED, 0]
    >>> looking_ahead(s, 0.5).round(4).tolist()
    [0.4711, 0.5578, 0.7311, 0.2689, 0.5]
    >>> looking_ahead(s, 0).round(4).tolist()
    [0.5, 0.5, 0.7311, 0.2689, 0.5]
    >>> s["flags"][0] |= HELD_OUT
    >>> looking_ahead(s, 0.5).round(4).tolist()
    [0.5, 0.5578, 0.7311, 0.2689, 0.5]
    """
    white = (samples["flags"] & WHITE_TO_MOVE) != 0
    strayed = (samples["flags"] & STRAYED) != 0
    own = chance(samples["score"].astype(np.float64))
    ahead = np.where(white, 1 - own, own)  # from here on Black's
    ply = samples["ply"].astype(int)
    winner = np.where(white, -samples["result"], samples["result"])
    last = np.ones(len(samples), bool)
    last[:-1] = ((ply[1:] <= ply[:-1]) | (winner[1:] != winner[:-1]) |
                 (strayed[1:] & ~strayed[:-1]) |
                 ((samples["flags"][1:] ^ samples["flags"][:-1]) & HELD_OUT != 0))
    ends = np.flatnonzero(last)
    at = np.arange(len(samples))
    to_end = ends[np.searchsorted(ends, at)] - at
    # All games at once, one step back at a time.
    order = np.argsort(to_end, kind="stable")
    for now in np.split(order, np.cumsum(np.bincount(to_end)))[1:-1]:
        weight = fade ** (ply[now + 1] - ply[now])
        ahead[now] = np.where(strayed[now], ahead[now],
                              (1 - weight) * ahead[now] + weight * ahead[now + 1])
    return np.where(white, 1 - ahead, ahead)


def slope_of(samples):
    """The k for which sigmoid(k * value / 600) predicts the results best (Newton's method)."""
    samples = samples[(samples["flags"] & STRAYED) == 0]
    x = samples["score"] / SCALE
    y = (samples["result"] + 1.0) / 2
    k = 1.0
    for _ in range(20):
        p = chance(k * samples["score"])
        k += float(x @ (y - p)) / float((x * x) @ (p * (1 - p)))
    return k
