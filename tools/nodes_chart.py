#!/usr/bin/env python3
"""Draws docs/images/nodes_by_depth.svg: nodes of one position by depth, techniques off and on.

Usage: tools/nodes_chart.py connect_four 4453 20 > docs/images/nodes_by_depth.svg
Only the standard library is needed; build/karikomi must have been built (./run).
"""
import json
import math
import subprocess
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 780, 380, 96, 150, 52, 48


def nodes_by_depth(game, position, depth, extra):
    command = ["build/karikomi", "analyze", game, "--position", position, "--depth", str(depth),
               "--json", "--stream", *extra]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    return [(r["depth"], r["total_nodes"]) for r in rows if not r.get("final")]


def path(points, x, y):
    return "M" + " L".join(f"{x(d):.1f},{y(n):.1f}" for d, n in points)


def main():
    game, position, depth = sys.argv[1], sys.argv[2], int(sys.argv[3])
    off = nodes_by_depth(game, position, depth, ["--off", "all"])
    on = nodes_by_depth(game, position, depth, [])
    low, high = 1, math.ceil(math.log10(max(n for _, n in off + on)))
    def x(d): return LEFT + (d - 1) / (depth - 1) * (WIDTH - LEFT - RIGHT)
    def y(n): return HEIGHT - BOTTOM - (math.log10(max(n, 10)) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           f'font-family="system-ui, sans-serif" font-size="13">',
           '<style>.ink{fill:#1f2933}.grid{stroke:#d5dbe1}.bg{fill:#fff}'
           '@media (prefers-color-scheme:dark){.ink{fill:#e4e9ee}.grid{stroke:#3a444e}.bg{fill:#12171c}}</style>',
           f'<rect class="bg" width="{WIDTH}" height="{HEIGHT}"/>',
           f'<text class="ink" x="{LEFT}" y="26" font-size="16" font-weight="600">Nodes to reach a depth, '
           f'{game.replace("_", " ").title()}, position {position}</text>']
    for e in range(low, high + 1):
        yy = y(10 ** e)
        out.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{yy:.1f}" y2="{yy:.1f}"/>')
        out.append(f'<text class="ink" x="{LEFT - 8}" y="{yy + 4:.1f}" text-anchor="end">{10 ** e:,}</text>')
    for d in range(2, depth + 1, 2):
        out.append(f'<text class="ink" x="{x(d):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{d}</text>')
    out.append(f'<text class="ink" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">depth</text>')
    for points, colour, label in ((off, "#c2410c", "techniques off"), (on, "#0f766e", "techniques on")):
        out.append(f'<path d="{path(points, x, y)}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        d, n = points[-1]
        out.append(f'<text x="{x(d) + 8:.1f}" y="{y(n) + 4:.1f}" fill="{colour}" font-weight="600">{label}</text>')
        out.append(f'<text class="ink" x="{x(d) + 8:.1f}" y="{y(n) + 20:.1f}">{n:,}</text>')
    out.append("</svg>")
    print("\n".join(out))


if __name__ == "__main__":
    main()
