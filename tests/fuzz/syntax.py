# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Statements of a generated program as a tree whose parts can be left out, so that reduce.py can make a failing program smaller.
# Every part has an index, in the order in which it was made: the same seed gives the same indices, whatever is left out.
import argparse


class Maker:
    """Numbers the parts of one program; `dropped` are the indices of those to leave out, `bare` of those whose body alone stays."""

    def __init__(self, dropped=(), bare=()):
        self.dropped, self.bare, self.count = set(dropped), set(bare), 0

    def line(self, text):
        return Part(self, text, None, "")

    def block(self, head, parts, tail="}"):
        """head { parts } tail; where it is bare, the parts stand without head and tail if `loose` allows it."""
        return Part(self, head, parts, tail)


class Part:
    def __init__(self, maker, head, parts, tail):
        self.maker, self.head, self.parts, self.tail = maker, head, parts, tail
        self.number = maker.count
        maker.count += 1

    def text(self, depth=1):
        pad = "  " * depth
        if self.number in self.maker.dropped:
            return ""
        if self.parts is None:
            return f"{pad}{self.head}\n"
        inner = "".join(part.text(depth + 1) for part in self.parts)
        if self.number in self.maker.bare:
            return f"{pad}{{\n{inner}{pad}}}\n"
        return f"{pad}{self.head} {{\n{inner}{pad}{self.tail}\n"


def numbers(text):
    return [int(part) for part in text.split(",") if part]


def print_program(program, together=None):
    """What the generators do as programs: program(seed, dropped, bare) returns its maker and its text, together(seeds) the text of one
    program that does what those of several seeds do."""
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", type=int)
    parser.add_argument("--drop", type=numbers, default=[])
    parser.add_argument("--bare", type=numbers, default=[])
    parser.add_argument("--count", action="store_true")
    if together:
        parser.add_argument("--to", type=int)
    given = parser.parse_args()
    if together and given.to is not None:
        print(together(range(given.seed, given.to + 1)), end="")
        return
    made, whole = program(given.seed, given.drop, given.bare)
    print(made.count if given.count else whole, end="\n" if given.count else "")
