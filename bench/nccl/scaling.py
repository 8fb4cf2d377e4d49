#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Images a second of ResNet-50's training on 1 to 1,024 nodes, on paper: from a step and an all-reduce that were measured, and the formulas of rings and trees.

    scaling.py [--step SECONDS] [--images N] [--rate BYTES_A_SECOND] [--message SECONDS] [--each SECONDS] [--svg FILE]
    scaling.py --check PAGE SVG     fails where the table in PAGE, or the plot, is not what it would write

prints docs/nodes.md's table, and draws it. What goes into it, and what it leaves out, is said there."""
import argparse
import math
import pathlib
import sys

GRADIENTS = 25_557_032 * 4  # ResNet-50's parameters, as floats
NODES = [1 << i for i in range(11)]
BACKWARD = 2 / 3  # of a step, in which an all-reduce can be hidden


def ring(n, o):
    return 2 * (n - 1) / n * GRADIENTS / o.rate + 2 * (n - 1) * o.message


def tree(n, o):
    """Two trees that share the bytes, in parts that follow each other."""
    return 0 if n == 1 else 2 * GRADIENTS / o.rate + 2 * math.ceil(math.log2(n)) * o.message


def direct(n, o):
    """What libraries/nccl does: a request that goes round, then each rank gets its slice of all others, and sends the sums to all."""
    return 0 if n == 1 else 2 * (n - 1) / n * GRADIENTS / o.rate + (math.ceil(math.log2(n)) + 2) * o.message + 2 * (n - 1) * o.each


WAYS = [("ring", ring, "#0b7285"), ("tree", tree, "#c92a2a"), ("unwarp's", direct, "#2b8a3e")]


def images(n, way, o, hidden):
    exchange = way(n, o)
    return n * o.images / (o.step + (max(0, exchange - BACKWARD * o.step) if hidden else exchange))


def number(x):
    return f"{x:,.1f}" if x < 100 else f"{x:,.0f}"


def table(o):
    lines = ["| nodes | " + " | ".join(f"{name}: all-reduce | images a second" for name, _, _ in WAYS) + " |", "| ---: |" + " ---: | ---: |" * len(WAYS)]
    for n in NODES:
        cells = [f"{way(n, o):.2f} s | {number(images(n, way, o, False))} to {number(images(n, way, o, True))}" for _, way, _ in WAYS]
        lines.append(f"| {n:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def svg(o):
    width, height, left, top, right, bottom = 640, 420, 70, 20, 150, 50
    best = o.images / o.step

    def at(n, each):
        return (left + math.log2(n) / 10 * (width - left - right), height - bottom - each / best * (height - top - bottom) * 0.95)

    def line(points, color, dashes=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        return f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"{dashes}/>'

    def text(x, y, what, anchor="middle", color="#333"):
        return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{color}">{what}</text>'

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for n in NODES:
        x, y = at(n, 0)
        out += [f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{y:.1f}" stroke="#ddd"/>', text(x, y + 18, f"{n:,}")]
    for tenths in range(0, 11, 2):
        x, y = at(1, best * tenths / 10)
        out += [f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}" stroke="#ddd"/>', text(x - 6, y + 4, f"{best * tenths / 10:.1f}", "end")]
    out += [line([at(n, best) for n in NODES], "#999", ' stroke-dasharray="3 4"'), text(width - right + 8, at(1, best)[1] + 4, "no exchange", "start", "#777")]
    for i, (name, way, color) in enumerate(WAYS):
        for hidden in (False, True):
            out.append(line([at(n, images(n, way, o, hidden) / n) for n in NODES], color, ' stroke-dasharray="7 3"' if hidden else ""))
        out.append(text(width - right + 8, top + 54 + 18 * i, name, "start", color))
    out += [text(width - right + 8, top + 120, "dashed: hidden behind", "start"), text(width - right + 8, top + 134, "two thirds of a step", "start")]
    out += [text((left + width - right) / 2, height - 12, "nodes"), f'<g transform="rotate(-90 16 {height / 2:.0f})">' + text(16, height / 2, "images a second of each node") + "</g>", "</svg>"]
    return "\n".join(out) + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--step", type=float, default=1.55, help="seconds of a training step on one node (docs/pytorch.md)")
    arguments.add_argument("--images", type=int, default=8, help="images of such a step")
    arguments.add_argument("--rate", type=float, default=64 * 2**20 / 0.125, help="bytes a second of a large all-reduce of two nodes")
    arguments.add_argument("--message", type=float, default=0.24e-3, help="seconds of a step of an all-reduce: one of 4 bytes between two nodes")
    arguments.add_argument("--each", type=float, default=38e-6, help="seconds of a node's own for each message that it sends and gets")
    arguments.add_argument("--svg", help="a file to draw into")
    arguments.add_argument("--check", nargs=2, metavar=("PAGE", "SVG"))
    given = arguments.parse_args()
    if given.check:
        page, plot = (pathlib.Path(name).read_text(encoding="utf-8") for name in given.check)
        if table(given) not in page or svg(given) != plot:
            sys.exit(f"{given.check[0]} and {given.check[1]} are not what bench/nccl/scaling.py --svg {given.check[1]} writes")
        return
    print(table(given), end="")
    if given.svg:
        pathlib.Path(given.svg).write_text(svg(given), encoding="utf-8")


main()
