#!/usr/bin/env python3
"""Several rounds in one session on a machine with many cores and a GPU.

  FOLDER/session.py --folder round --start shogi.bin --seconds 1155 --fit-at 240,540,840

FOLDER is what `round.sh pack` makes. The cores play all the time, in slices of a minute, each with the
newest network. Meanwhile the GPU fits: at each --fit-at four weak fits from the network that plays, to
the slices since the last one; the mean of their weights plays from then on. In the end four fits from
the last network to everything; the mean of their weights is FOLDER/mean.bin. With --beside also six
from the first network (mean-first.bin). A slice that is there is not played again.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import threading
import time

import train

HERE = os.path.dirname(os.path.abspath(__file__))

# Weak fits from one start, whose mean does best (docs/results/shogi.md).
MEANWHILE = ["--epochs 1 --rate 5e-4 --average 0.99 --lambda 0.8",
             "--epochs 2 --rate 3e-4 --average 0.995 --lambda 0.8",
             "--epochs 1 --rate 5e-4 --average 0.99 --lambda 0.5",
             "--epochs 1 --rate 1e-3 --average 0.998 --lambda 0.7"]
LAST = ["--epochs 1 --rate 5e-4 --average 0.995 --lambda 0.8",
        "--epochs 1 --rate 5e-4 --average 0.995 --lambda 0.5",
        "--epochs 1 --rate 1e-3 --average 0.998 --lambda 0.7",
        "--epochs 1 --rate 3e-4 --average 0.995 --lambda 0.8 --share 0.9"]
FROM_THE_FIRST = ["--epochs 1 --rate 7e-4 --average 0.995 --lambda 0.8",
                  "--epochs 2 --rate 5e-4 --average 0.995 --lambda 0.8",
                  "--epochs 1 --rate 7e-4 --average 0.995 --lambda 0.5",
                  "--epochs 2 --rate 7e-4 --average 0.998 --lambda 0.8",
                  "--epochs 1 --rate 1e-3 --average 0.998 --lambda 0.7",
                  "--epochs 1 --rate 7e-4 --average 0.995 --lambda 0.8 --share 0.9"]


def mean_of(files, out):
    """As `train.py --epochs 0 --start A --start B ...` writes it, without reading samples."""
    states = [train.read(f) for f in files]
    net = train.Net()
    net.load_state_dict({k: sum(s[k] for s in states) / len(states) for k in states[0]})
    train.write(out, net.whole_numbers())


class Session:
    def __init__(self, a):
        self.a = a
        self.began = time.monotonic()
        self.net = a.start
        self.slices = []

    def spent(self):
        return time.monotonic() - self.began

    def say(self, *words):
        print(f"[{self.spent():6.0f}]", *words, flush=True)

    def path(self, name):
        return os.path.join(self.a.folder, name)

    def play(self):
        a = self.a
        while self.spent() < a.seconds - 1:
            number = len(self.slices)
            folder = self.path(f"s{number:02d}")
            seconds = max(1, int(min(a.slice, a.seconds - self.spent())))
            done = subprocess.run(
                ["nice", "-n", "10", os.path.join(HERE, "lib/ld-linux-x86-64.so.2"),
                 "--library-path", os.path.join(HERE, "lib"), os.path.join(HERE, "karikomi"),
                 "train", "shogi", "--folder", folder, "--games", "100000000", "--nodes",
                 str(a.nodes), "--play-seconds", str(seconds), "--threads", str(a.cores), "--seed",
                 str(a.seed + number), "--leaves", "6", "--side-every", "3", "--most-value", "5000",
                 "--weights", self.net, "--json"], capture_output=True, text=True, check=False)
            for file in glob.glob(os.path.join(folder, "*.leaves")):
                os.unlink(file)
            if done.returncode:
                self.say("no games:", done.stderr[-500:])
                return
            with open(folder + ".json", "w", encoding="utf-8") as f:
                f.write(done.stdout)
            said = json.loads(done.stdout)
            self.say(f"slice {number} by {said['evaluation']}: {said['games']} games, "
                     f"{said['positions']} positions, {said['draws']} draws")
            self.slices.append(folder)

    def fit(self, name, start, slices, kinds, seed):
        """Side by side; the mean of their weights is NAME.bin, if all went well."""
        fits = []
        for n, kind in enumerate(kinds):
            out = self.path(f"{name}{n}.bin")
            command = [sys.executable, os.path.join(HERE, "train.py"), "--out", out, "--start",
                       start, "--slope", "0", "--share", "0.95", "--batch", str(self.a.batch),
                       "--seed", str(seed + n), *kind.split()]
            for folder in slices:
                command += ["--data", folder]
            with open(out + ".log", "w", encoding="utf-8") as log:
                fits.append((out, subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)))
        return fits

    def finish(self, name, fits):
        good = [out for out, fit in fits if fit.wait() == 0]
        for out, _ in fits:
            with open(out + ".log", encoding="utf-8") as log:
                self.say(os.path.basename(out), log.read().strip())
        if len(good) != len(fits):
            return None
        out = self.path(name + ".bin")
        mean_of(good, out)
        return out

    def run(self):
        a = self.a
        player = threading.Thread(target=self.play)
        player.start()
        fitted = 0
        for number, at in enumerate(a.fit_at):
            while self.spent() < at and player.is_alive():
                time.sleep(0.2)
            fresh, fitted = self.slices[fitted:], len(self.slices)
            if not fresh:
                continue
            name = f"mid{number}"
            mean = self.finish(name, self.fit(name, self.net, fresh, MEANWHILE, 1))
            if mean:
                self.net = mean
                self.say("now plays", mean)
        player.join()
        fits = [("mean", self.fit("last", self.net, self.slices, LAST, 11))]
        if a.beside:
            fits.append(("mean-first",
                         self.fit("first", a.start, self.slices, FROM_THE_FIRST, 1)))
        means = [self.finish(name, each) for name, each in fits]
        self.say("written", *means)
        return 0 if all(means) else 1


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--folder", required=True)
    p.add_argument("--start", required=True, help="the network that plays first")
    p.add_argument("--seconds", type=float, required=True, help="of play")
    p.add_argument("--slice", type=float, default=60, help="seconds until a newer network may play")
    p.add_argument("--fit-at", type=lambda s: [float(x) for x in s.split(",")], default=[])
    p.add_argument("--nodes", type=int, default=600)
    p.add_argument("--cores", type=int, default=os.cpu_count())
    p.add_argument("--batch", type=int, default=16384)
    p.add_argument("--seed", type=int, default=1, help="of the first slice; the next has one more")
    p.add_argument("--beside", action="store_true", help="also fits from the first network")
    a = p.parse_args()
    a.folder, a.start = os.path.abspath(a.folder), os.path.abspath(a.start)
    os.makedirs(a.folder, exist_ok=True)
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    return Session(a).run()


if __name__ == "__main__":
    sys.exit(main())
