#!/usr/bin/env python3
"""Trains the shogi network from the chunks that `karikomi train shogi` writes.

  python3 train/shogi/train.py --data data/round_001 [--data data/round_002 ...] --out net.bin

CPU or GPU (PyTorch). Writes the network as whole numbers in the form that the engine reads
(docs/games/shogi-network.md), a JSON record beside it and, with --checkpoint, the real-valued
weights to go on from.
"""
import argparse
import copy
import io
import json
import math
import os
import struct
import subprocess
import time

import numpy as np
import torch
from torch import nn

from samples import (HELD_OUT, SCALE, STRAYED, WHITE_TO_MOVE, load, looking_ahead, slope_of,
                     unique)

KINDS = [("P", 18), ("L", 4), ("N", 4), ("S", 4), ("B", 2), ("R", 2), ("G", 4), ("K", 2)]
TYPE = {"P": 1, "L": 2, "N": 3, "S": 4, "B": 5, "R": 6, "G": 7, "K": 8}  # promoted: + 8
HAND_START = {"P": 0, "L": 18, "N": 22, "S": 26, "B": 30, "R": 32, "G": 34}
# karikomi/games/shogi/values.hpp: the network learns what is to be added to this count.
BOARD_VALUE = [0, 100, 280, 310, 430, 720, 880, 500, 0, 480, 470, 480, 490, 980, 1150, 0, 0]
HAND_VALUE = [0, 110, 290, 320, 450, 780, 940, 530, 0]
PLANES = 28
FEATURES = PLANES * 81 + 76
SETS = 6
HALF = 256
HIDDEN = 32
ONE = 127
WEIGHT_ONE = 64
IN_HAND, MISSING = 81, 127


class Indexer(nn.Module):
    """Packed positions -> feature indices of both players and Black's material."""

    def __init__(self):
        super().__init__()
        kinds = [k for k, n in KINDS for _ in range(n)]
        self.register_buffer("kind", torch.tensor([TYPE[k] for k in kinds]))
        self.register_buffer("hand", torch.tensor([HAND_START.get(k, 0) for k in kinds]))
        same = torch.tensor([[a == b and j <= i for j, b in enumerate(kinds)]
                             for i, a in enumerate(kinds)])
        self.register_buffer("upto", same.T.float())  # same kind, not later
        squares = torch.arange(81)
        file, rank = squares // 9, squares % 9
        view_set = torch.where(rank < 4, 5, torch.where(
            rank < 7, 4, 3 - torch.clamp((file - 4).abs(), max=3)))
        self.register_buffer("set_of", view_set)
        self.register_buffer("mirror_of", file < 4)
        self.register_buffer("shift", torch.arange(40) % 8)
        self.register_buffer("byte", torch.arange(40) // 8)
        self.register_buffer("board_value", torch.tensor(BOARD_VALUE))
        self.register_buffer("hand_value", torch.tensor(HAND_VALUE))

    def forward(self, place, promoted):
        where = (place & 127).long()
        white = (place & 128) != 0
        up = ((promoted.long()[:, self.byte] >> self.shift) & 1)
        kind = self.kind + 8 * up
        in_hand = where == IN_HAND
        missing = where == MISSING
        ordinal = torch.zeros_like(where, dtype=torch.float)
        for colour in (False, True):
            held = (in_hand & (white == colour)).float()
            ordinal += held * (held @ self.upto)
        ordinal = ordinal.long() - 1
        out = []
        for player in (False, True):  # Black, White
            square = torch.where(white.new_full(white.shape, player), 80 - where, where)
            square = square.clamp(0, 80)
            king_slot = 38 + (white[:, 39] == player).long()  # slots 38 and 39 are the kings
            king = square.gather(1, king_slot[:, None])
            lost = missing.gather(1, king_slot[:, None])
            mirror = self.mirror_of[king] & ~lost
            view_set = torch.where(lost, 3, self.set_of[king])
            seen = torch.where(mirror, (8 - square // 9) * 9 + square % 9, square)
            enemy = (white != player).long()
            on_board = (enemy * 14 + kind - 1) * 81 + seen
            held = PLANES * 81 + enemy * 38 + self.hand + ordinal
            feature = torch.where(in_hand, held, on_board) + view_set * FEATURES
            out.append(torch.where(missing, SETS * FEATURES, feature))
        worth = torch.where(in_hand, self.hand_value[self.kind], self.board_value[kind])
        worth = torch.where(missing, 0, torch.where(white, -worth, worth))
        return *out, worth.sum(1)


def stepped(x, one, rounding=torch.round):
    return x + (rounding(x * one) / one - x).detach()


def clipped(x):
    """To 0 .. 1; a little of the gradient passes outside, so that no unit dies for good."""
    y = x.clamp(0, 1)
    leak = 0.02 * (x - y)
    return y + leak - leak.detach()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        # Each set's weights are what all sets share plus its own part.
        self.own = nn.Parameter(torch.zeros(SETS, FEATURES, HALF))
        self.shared = nn.Parameter(torch.empty(FEATURES, HALF).normal_(0, 0.08))
        self.bias = nn.Parameter(torch.full((HALF,), 0.2))
        self.second = nn.Linear(2 * HALF, HIDDEN)
        self.third = nn.Linear(HIDDEN, HIDDEN)
        self.last = nn.Linear(HIDDEN, 1)
        with torch.no_grad():
            for layer in (self.second, self.third, self.last):
                layer.bias.zero_()
            self.last.weight.mul_(0.5)

    def first(self):
        return (self.own + self.shared).view(SETS * FEATURES, HALF)

    def forward(self, black, white, material, white_to_move):
        """With whole numbers' steps, through which gradients pass as if they were not there."""
        table = nn.functional.pad(stepped(self.first(), ONE), (0, 0, 0, 1))  # last row: no piece
        b, w = [nn.functional.embedding_bag(i, table, mode="sum") + stepped(self.bias, ONE)
                for i in (black, white)]
        turn = white_to_move[:, None]
        x = torch.cat([torch.where(turn, w, b), torch.where(turn, b, w)], 1)
        x = clipped(x)
        for layer in (self.second, self.third):
            x = nn.functional.linear(x, stepped(layer.weight, WEIGHT_ONE), layer.bias)
            x = stepped(clipped(x), ONE, torch.floor)
        out = nn.functional.linear(x, stepped(self.last.weight, WEIGHT_ONE), self.last.bias)
        return out.squeeze(1) + torch.where(white_to_move, -material, material) / SCALE

    def clip(self):
        most = 127 / WEIGHT_ONE
        with torch.no_grad():
            for layer in (self.second, self.third, self.last):
                layer.weight.clamp_(-most, most)

    def whole_numbers(self):
        with torch.no_grad():
            q = lambda t, scale, kind: np.clip(np.rint(t.cpu().numpy() * scale), np.iinfo(kind).min,
                                               np.iinfo(kind).max).astype(kind)
            parts = [q(self.bias, ONE, np.int16), q(self.first(), ONE, np.int16)]
            for layer in (self.second, self.third, self.last):
                parts.append(q(layer.bias, ONE * WEIGHT_ONE, np.int32))
                parts.append(q(layer.weight, WEIGHT_ONE, np.int8))
            return parts


def pack(samples, ahead, indexer, device):
    """Samples as tensors of the device, with their features."""
    to_device = lambda x: torch.from_numpy(np.ascontiguousarray(x)).to(device)
    data = {k: to_device(samples[k]) for k in ("flags", "score", "result")}
    data["ahead"] = to_device(ahead)
    parts = []
    for i in range(0, max(1, len(samples)), 1 << 18):
        some = samples[i:i + (1 << 18)]
        black, white, material = indexer(to_device(some["place"]), to_device(some["promoted"]))
        parts.append((black.short(), white.short(), material.short()))
    for name, tensors in zip(("black", "white", "material"), zip(*parts)):
        data[name] = torch.cat(tensors)
    return data


def seen_in(data, at):
    return (data["black"][at].int(), data["white"][at].int(), data["material"][at].int())


def evaluate_whole(parts, black, white, material, white_to_move):
    """What the engine computes, in numpy, for checks."""
    bias, first, b2, w2, b3, w3, b4, w4 = [p.astype(np.int64) for p in parts]
    table = np.concatenate([first.reshape(-1, HALF), np.zeros((1, HALF), np.int64)])
    halves = [np.clip(table[i].sum(1) + bias, 0, ONE) for i in (black, white)]
    turn = white_to_move[:, None]
    x = np.concatenate([np.where(turn, halves[1], halves[0]),
                        np.where(turn, halves[0], halves[1])], 1)
    x = np.clip((x @ w2.T + b2) >> 6, 0, ONE)
    x = np.clip((x @ w3.T + b3) >> 6, 0, ONE)
    s = (x @ w4.T + b4)[:, 0]
    s = np.sign(s) * (np.abs(s) * int(SCALE) // (ONE * WEIGHT_ONE))
    return s + np.where(white_to_move, -material, material)


def read(path):
    """A network as the engine reads it -> what a checkpoint holds."""
    with open(path, "rb") as f:
        shape = (SETS, FEATURES, HALF, HIDDEN)
        magic, sizes = f.read(8), f.read(16)
        if magic not in (b"KARINET1", b"KARINETZ") or struct.unpack("<iiii", sizes) != shape:
            raise SystemExit(f"{path}: not a network of this shape")
        body = f.read()
        if magic == b"KARINETZ":  # as shipped
            body = subprocess.run(["zstd", "-dc"], input=body, stdout=subprocess.PIPE,
                                  check=True).stdout
        body = io.BytesIO(body)
        take = lambda kind, scale, *size: torch.from_numpy(np.frombuffer(
            body.read(math.prod(size) * np.dtype(kind).itemsize), kind).reshape(size)
            / np.float32(scale)).float()
        state = {"bias": take("<i2", ONE, HALF)}
        first = take("<i2", ONE, SETS, FEATURES, HALF)
        state["shared"] = first.mean(0)
        state["own"] = first - state["shared"]
        for name, rows, columns in (("second", HIDDEN, 2 * HALF), ("third", HIDDEN, HIDDEN),
                                    ("last", 1, HIDDEN)):
            state[name + ".bias"] = take("<i4", ONE * WEIGHT_ONE, rows)
            state[name + ".weight"] = take("i1", WEIGHT_ONE, rows, columns)
    return state


def write(path, parts):
    with open(path, "wb") as f:
        f.write(b"KARINET1" + struct.pack("<iiii", SETS, FEATURES, HALF, HIDDEN))
        for p in parts:
            f.write(np.ascontiguousarray(p).tobytes())


def commit():
    try:
        return subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True,
                              text=True, cwd=os.path.dirname(os.path.abspath(__file__)),
                              check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", action="append", required=True, help="folder with chunks; may repeat")
    p.add_argument("--out", required=True, help="where the network goes")
    p.add_argument("--epochs", type=int, default=20, help="0: only judge and write")
    p.add_argument("--batch", type=int, default=8192)
    p.add_argument("--rate", type=float, default=1e-3)
    p.add_argument("--share", type=float, default=0.7, help="of the search's value in the target")
    p.add_argument("--slope", type=float, default=1,
                   help="results follow sigmoid(slope * value / 600); 0: as the data say")
    p.add_argument("--lambda", type=float, default=0, dest="fade", metavar="L",
                   help="share of the values that follow in the game in the target, a ply; 0: none")
    p.add_argument("--decay", type=float, default=0.1, help="of the weights, AdamW's")
    p.add_argument("--average", type=float, default=0,
                   help="keep a running mean of the weights that forgets so slowly (0.99); 0: none")
    p.add_argument("--start", action="append",
                   help="checkpoint or network (.bin) to go on from; of several the mean")
    p.add_argument("--checkpoint", help="where the real-valued weights go")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--minutes", type=float, default=0, help="stop after this time; 0: no limit")
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    a = p.parse_args()
    torch.manual_seed(a.seed)
    began = time.time()

    samples = load(a.data)
    ahead = looking_ahead(samples, a.fade).astype(np.float32)
    once = unique(samples)
    samples, ahead = samples[once], ahead[once]
    held = (samples["flags"] & HELD_OUT) != 0
    device = torch.device(a.device)
    indexer = Indexer().to(device)
    train, test = [pack(samples[at], ahead[at], indexer, device) for at in (~held, held)]
    count = train["flags"].shape[0]
    slope = a.slope or slope_of(samples[~held])
    print(f"{count} positions, {int(held.sum())} held out, slope {slope:.3f}, on {device}",
          flush=True)

    net = Net().to(device)
    if a.start:
        states = [read(f) if f.endswith(".bin") else torch.load(f, map_location=device)
                  for f in a.start]
        net.load_state_dict({k: sum(s[k] for s in states) / len(states) for k in states[0]})
    optimizer = torch.optim.AdamW(net.parameters(), lr=a.rate, weight_decay=a.decay,
                                  **({"fused": True} if device.type == "cuda" else {}))
    kept = copy.deepcopy(net).requires_grad_(False) if a.average else net
    batches = max(1, count // a.batch)

    def set_rate(step):
        """Up over the first twentieth, then down to nothing when epochs or time run out."""
        done = step / (a.epochs * batches)
        if a.minutes:
            done = max(done, (time.time() - began) / (60 * a.minutes))
        rate = a.rate * min(1, step / (0.05 * a.epochs * batches) + 0.01)
        rate *= 0.5 * (1 + math.cos(math.pi * min(1, done)))
        for group in optimizer.param_groups:
            group["lr"] = rate

    def loss_of(net, data, at, share=a.share, target="ahead"):
        """Of each position. Where a random move follows, only the search's value counts."""
        flags = data["flags"][at]
        out = net(*seen_in(data, at), (flags & WHITE_TO_MOVE) != 0)
        score = (data["ahead"][at] if target == "ahead"
                 else torch.sigmoid(data["score"][at].float() / SCALE))
        result = (data["result"][at].float() + 1) / 2
        share = torch.where((flags & STRAYED) != 0, 1.0, float(share))
        mixed = share * score + (1 - share) * result
        bce = nn.functional.binary_cross_entropy
        with_logits = nn.functional.binary_cross_entropy_with_logits
        error = share * with_logits(out, score, reduction="none")
        error = error + (1 - share) * with_logits(slope * out, result, reduction="none")
        return error - bce(mixed, mixed, reduction="none")

    def judge(share, target="ahead"):
        n = test["flags"].shape[0]
        if n == 0:
            return float("nan")
        with torch.no_grad():
            errors = torch.cat([loss_of(kept, test, torch.arange(i, min(i + a.batch, n),
                                                                 device=device), share, target)
                                for i in range(0, n, a.batch)])
        if share == 0:
            errors = errors[(test["flags"] & STRAYED) == 0]
        return errors.mean().item()

    def judge_all():
        """Losses against the mixed target cannot be compared between shares and lambdas, nor those
        against the values ahead between lambdas; the others can."""
        return {"held_out": judge(a.share), "held_out_value": judge(1, "score"),
                "held_out_ahead": judge(1), "held_out_result": judge(0)}

    said = ("held out {held_out:.5f} (value {held_out_value:.5f}, ahead {held_out_ahead:.5f}, "
            "result {held_out_result:.5f})")
    before = judge_all()
    print("before: " + said.format(**before), flush=True)
    history = []
    for epoch in range(a.epochs):
        order = torch.randperm(count, device=device)
        total = torch.zeros((), device=device)
        done = 0
        for i in range(batches):
            if a.minutes and i % 16 == 0 and time.time() - began > 60 * a.minutes:
                break
            set_rate(epoch * batches + i)
            loss = loss_of(net, train, order[i * a.batch:(i + 1) * a.batch]).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            net.clip()
            if a.average:
                for mean, weights in zip(kept.parameters(), net.parameters()):
                    mean.lerp_(weights.detach(), 1 - a.average)
            total += loss.detach()
            done += 1
        history.append({"epoch": epoch + 1, "loss": total.item() / max(1, done),
                        "batches": done, "at": round(time.time() - began, 2), **judge_all()})
        print(("epoch {epoch}: loss {loss:.5f}, " + said).format(**history[-1]),
              f"{time.time() - began:.0f} s", flush=True)
        if a.minutes and time.time() - began > 60 * a.minutes:
            break

    parts = kept.whole_numbers()
    some = {k: v[:2048] for k, v in (test if test["flags"].shape[0] else train).items()}
    with torch.no_grad():
        seen = seen_in(some, slice(None))
        turn = (some["flags"] & WHITE_TO_MOVE) != 0
        real = kept(*seen, turn).cpu().numpy() * SCALE
    whole = evaluate_whole(parts, *[t.cpu().numpy() for t in (*seen, turn)])
    rounding = float(np.abs(real - whole).mean())
    print(f"whole numbers differ from the real ones by {rounding:.1f} on average")
    write(a.out, parts)
    if a.checkpoint:
        torch.save(kept.state_dict(), a.checkpoint)
    record = {"data": a.data, "positions": count, "held_out": int(held.sum()), "seed": a.seed,
              "batch": a.batch, "rate": a.rate, "share": a.share, "slope": slope, "lambda": a.fade,
              "average": a.average, "start": a.start,
              "before": before, "epochs": history, "rounding": rounding, "commit": commit(),
              "seconds": round(time.time() - began), "device": str(device)}
    with open(a.out + ".json", "w") as f:
        json.dump(record, f, indent=1)


if __name__ == "__main__":
    main()
