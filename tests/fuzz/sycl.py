# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a random SYCL program of several kernels: ranges and nd_ranges of one to three dimensions, local accessors and barriers, group and sub-group
# algorithms and shuffles under uniform loops and branches, atomics, reductions; on USM, on buffers, in an in-order queue. Its main compares each kernel
# with the same text run item by item on the host (sycl_device_side.h, sycl_host_side.h).
#
#   python3 sycl.py SEED [--drop N,N,…] [--bare N,N,…] [--count] > program.cpp
#
# The options are those of kernels.py. Names in kernels:
#   I.v0 .. I.v3, I.q, I.h   each item's own      U.u0, U.u1   the same for all items of a group      L   the items of a group
import random

from syntax import Maker, print_program

MOST_ITEMS, BINS = 128, 64
SHAPES = [[1], [7], [32], [33], [64], [100], [128], [2, 16], [3, 11], [4, 32], [2, 2, 16], [3, 5, 7], [1, 4, 8]]
OPERATIONS = ["plus", "bit_xor", "bit_or", "minimum", "maximum"]


class Kernel:
    def __init__(self, source, maker, meets):
        self.pick, self.number, self.chance, self.maker = source.choice, source.randrange, source.random, maker
        self.counters = 0
        self.parts = [self.step(meets, 0) for _ in range(self.number(3, 8))]

    # --- values
    def own_value(self, depth=0):
        kind, a = self.number(10), lambda: self.own_value(depth + 1)
        if depth > 2 or kind < 4:
            return self.pick(["I.v0", "I.v1", "I.v2", "I.v3", "lid", "gid", "unsigned(I.q >> 7)", "unsigned(I.h)", f"in[(gid + {self.number(50)}u) % count]",
                              f"{self.number(1, 99)}u", self.group_value(2)])
        if kind < 7:
            return f"({a()} {self.pick(['+', '-', '*', '^', '&', '|'])} {a()})"
        if kind == 7:
            return f"({a()} {self.pick(['>>', '<<'])} {self.number(1, 31)})"
        if kind == 8:
            return f"({a()} {self.pick(['/', '%'])} ({a()} | 1u))"
        return f"({self.condition()} ? {a()} : {a()})"

    def group_value(self, depth=0):
        if depth > 1 or self.chance() < 0.5:
            return self.pick(["U.u0", "U.u1", "group", "L", f"{self.number(1, 40)}u"])
        return f"({self.group_value(depth + 1)} {self.pick(['+', '*', '^'])} {self.group_value(depth + 1)})"

    def condition(self):
        return f"({self.own_value(1)} & {self.pick([1, 3, 7])}u) {self.pick(['==', '<', '>', '!='])} {self.number(4)}u"

    def own(self):
        return f"I.v{self.number(4)}"

    # --- statements of one item
    def assignment(self):
        return self.pick([f"{self.own()} = {self.own_value()};", f"{self.own()} += {self.own_value()};", f"I.q = I.q * 31u + {self.own_value()};",
                          f"I.h = (unsigned char)({self.own_value()});", f"{{ unsigned few[3] = {{I.v0, I.v1, gid}}; few[{self.own_value()} % 3u] ^= {self.own_value()}; "
                          f"{self.own()} = few[0] + few[1] * 3u + few[2]; }}"])

    def statement(self, depth):
        kind = self.chance()
        if depth > 2 or kind < 0.6:
            return self.assignment()
        inner = " ".join(self.statement(depth + 1) for _ in range(self.number(1, 3)))
        if kind < 0.8:
            other = f" else {{ {self.statement(depth + 1)} }}" if self.chance() < 0.4 else ""
            return f"if ({self.condition()}) {{ {inner} }}{other}"
        self.counters += 1
        i = f"n{self.counters}"
        return f"for (unsigned {i} = 0; {i} < ({self.own_value(1)} & 7u); {i}++) {{ {inner} {self.own()} += {i}; }}"

    # What atomics leave does not depend on their order: each kind has bins of its own.
    def atomic(self):
        kind = self.number(6)
        name = ["add", "max", "min", "or", "and", "xor"][kind]
        return f"ATOMIC({name}, {kind * 10}u + ({self.own_value()}) % 10u, {self.own_value()})"

    # --- what a group does together
    def meeting(self):
        value, op = self.own_value, self.pick(OPERATIONS)
        mine, group = self.own(), self.pick(["U.u0", "U.u1"])
        return self.pick([
            f"EXCHANGE({mine}, {value()}, lid + {self.group_value()})", f"EXCHANGE({mine}, {value()}, {value()})", f"EXCHANGE({mine}, {value()}, L - 1u - lid)",
            f"COUNT({mine}, {value()}, {value()})", f"REDUCE({group}, {op}, {value()})", f"REDUCE({mine}, {op}, {value()})", f"SCAN_IN({mine}, {op}, {value()})",
            f"SCAN_EX({mine}, {value()})", f"VOTE({group}, {self.pick(['any', 'all', 'none'])}, {self.condition()})",
            f"BROADCAST({group}, {value()}, {self.group_value()})", f"SUB_REDUCE({mine}, {op}, {value()})", f"SUB_SCAN({mine}, {op}, {value()})",
            f"SUB_VOTE({mine}, {self.pick(['any', 'all', 'none'])}, {self.condition()})", f"SUB_SELECT({mine}, {value()}, {value()})",
            f"SUB_LEFT({mine}, {value()}, {self.number(1, 9)}u)", f"SUB_RIGHT({mine}, {value()}, {self.number(1, 9)}u)",
            f"SUB_XOR({mine}, {value()}, {self.pick([1, 2, 4, 8, 16, 31])}u)"])

    def step(self, meets, depth):
        line, kind = self.maker.line, self.chance()
        if meets and kind < 0.45:
            return line(self.meeting())
        if meets and kind < 0.7 and depth < 3:
            self.counters += 1
            head = (f"if (({self.group_value()} & 3u) {self.pick(['==', '<', '>'])} {self.number(3)}u)" if self.chance() < 0.5 else
                    f"for (unsigned n{self.counters} = 0; n{self.counters} < ({self.group_value()} & 3u) + {self.number(2)}u; n{self.counters}++)")
            return self.maker.block(head, [self.step(True, depth + 1) for _ in range(self.number(1, 4))])
        return line(f"EACH({self.atomic() if kind > 0.9 else self.statement(0)})")


BEGIN = "I.v0 = gid * 7u + 1u, I.v1 = in[gid % count], I.v2 = group, I.v3 = lid, I.q = I.v1 * 2654435761ull, I.h = (unsigned char)gid;"
RESULT = "(I.v0 ^ (I.v1 * 3u) ^ (I.v2 * 5u) ^ (I.v3 * 7u) ^ unsigned(I.q) ^ unsigned(I.q >> 32) ^ (I.h * 11u) ^ (U.u0 * 13u) ^ (U.u1 * 17u))"


def program(seed, dropped=(), bare=()):
    source, maker = random.Random(seed), Maker(dropped, bare)
    text = [f"// sycl.py {seed}", "#include <sycl/sycl.hpp>", "#include <cstdio>", "#include <vector>",
            "struct Item { unsigned v0, v1, v2, v3; unsigned long long q; unsigned char h; };", "struct Same { unsigned u0, u1; };", '#include "sycl_device_side.h"']
    kernels = []
    for number in range(source.randrange(2, 5)):
        kind = source.choice(["nd", "nd", "nd", "range", "nd reduction", "range reduction"])
        shape = source.choice(SHAPES)
        groups = [source.randrange(1, 5) for _ in shape]
        kernels.append((number, kind, shape, groups, Kernel(source, maker, kind.startswith("nd")), source.random() < 0.5, source.choice(OPERATIONS)))
    calls = []
    for number, kind, shape, groups, kernel, buffers, op in kernels:
        d, items = len(shape), 1
        for extent in shape:
            items *= extent
        whole = [a * b for a, b in zip(shape, groups)]
        total = 1
        for extent in whole:
            total *= extent
        body = "".join(part.text(2) for part in kernel.parts).splitlines()
        values = lambda list_: "{" + ", ".join(map(str, list_)) + "}"
        size = items if kind.startswith("nd") else 1
        reduces = "reduction" in kind
        text += [f"static void device_{number}(sycl::queue &q, unsigned *in_, unsigned *out_, unsigned *bins_, unsigned *sum, unsigned count) {{",
                 f"  constexpr unsigned L = {size};", "  (void)L, (void)sum;"]
        if buffers:
            text += ["  sycl::buffer<unsigned> in_all(in_, count), out_all(out_, count), bins_all(bins_, " + str(BINS) + ");"]
        text += ["  q.submit([&](sycl::handler &h) {"]
        text += (["    sycl::accessor in(in_all, h, sycl::read_only);", "    sycl::accessor out(out_all, h, sycl::write_only);", "    sycl::accessor bins(bins_all, h);"] if buffers else
                 ["    unsigned *in = in_, *out = out_, *bins = bins_;", "    (void)bins;"])
        text += [f"    sycl::local_accessor<unsigned> part(sycl::range<1>({MOST_ITEMS}), h), counts(sycl::range<1>(8), h);"] if kind.startswith("nd") else []
        where = f"sycl::nd_range<{d}>({values(whole)}, {values(shape)})" if kind.startswith("nd") else f"sycl::range<{d}>({', '.join(map(str, whole))})"
        item = f"sycl::nd_item<{d}> item" if kind.startswith("nd") else f"sycl::item<{d}> item"
        text += [f"    h.parallel_for({where}, " + (f"sycl::reduction(sum, sycl::{op}<unsigned>()), " if reduces else "") +
                 f"[=]({item}" + (", auto &all" if reduces else "") + ") {"]
        if kind.startswith("nd"):
            text += ["      const auto g = item.get_group();", "      const auto sg = item.get_sub_group();",
                     "      const unsigned lid = item.get_local_linear_id(), group = g.get_group_linear_id(), gid = group * L + lid;",
                     "      const unsigned lane = sg.get_local_linear_id(), lanes = sg.get_local_linear_range();", "      (void)lane, (void)lanes;"]
        else:
            text += ["      const unsigned lid = 0, gid = item.get_linear_id(), group = gid;", "      (void)lid;"]
        text += ["      Item I;", "      Same U = {group * 3u + 1u, 2u};", f"      EACH({BEGIN})"] + ["  " + line for line in body]
        text += [f"      out[gid] = {RESULT};"] + ([f"      all.combine({RESULT} | 1u);"] if reduces else [])
        text += ["    });", "  });", "  q.wait();", "}"]
        calls.append((number, total, size, op if reduces else None, body, total // size))
    text += ['#include "sycl_host_side.h"']
    for number, total, size, op, body, groups in calls:
        text += [f"static void host_{number}(const unsigned *in, unsigned *out, unsigned *bins, unsigned *sum, unsigned count) {{", f"  constexpr unsigned L = {size};",
                 "  (void)bins, (void)sum;", f"  for (unsigned group = 0; group < {groups}; group++) {{", "    static Item items[L];", "    unsigned part[L], counts[8];",
                 "    (void)part, (void)counts;", "    Same U = {group * 3u + 1u, 2u};", f"    EACH({BEGIN})"] + body
        text += [f"    EACH(out[gid] = {RESULT};" + (f" *sum = host_{op}(*sum, out[gid] | 1u);" if op else "") + ")", "  }", "}"]
    most = max(total for _, total, _, _, _, _ in calls)
    text += [f"enum {{ COUNT_OF = {most}, BINS_OF = {BINS} }};", "int main() {",
             "  sycl::queue q" + ("(sycl::property::queue::in_order{});" if source.random() < 0.5 else ";"),
             "  unsigned *in = sycl::malloc_shared<unsigned>(COUNT_OF, q), *out = sycl::malloc_shared<unsigned>(COUNT_OF, q);",
             "  unsigned *bins = sycl::malloc_shared<unsigned>(BINS_OF, q), *sum = sycl::malloc_shared<unsigned>(1, q);",
             "  std::vector<unsigned> host_in(COUNT_OF), host_out(COUNT_OF, 0), host_bins(BINS_OF);", "  unsigned host_sum = *sum = 5;",
             "  for (unsigned i = 0; i < COUNT_OF; i++) host_in[i] = in[i] = i * 2654435761u >> 9, out[i] = 0;",
             "  for (unsigned i = 0; i < BINS_OF; i++) host_bins[i] = bins[i] = i * 77u;",
             "  auto check = [&](int kernel, const char *what, const unsigned *got, const unsigned *wanted, unsigned count) {",
             "    for (unsigned i = 0; i < count; i++)", "      if (got[i] != wanted[i]) {",
             '        std::printf("FAIL kernel %d: %s[%u]: got %x, want %x\\n", kernel, what, i, got[i], wanted[i]);', "        std::exit(1);", "      }", "  };"]
    for number, *_ in calls:
        text += [f"  device_{number}(q, in, out, bins, sum, COUNT_OF);", f"  host_{number}(host_in.data(), host_out.data(), host_bins.data(), &host_sum, COUNT_OF);",
                 f'  check({number}, "out", out, host_out.data(), COUNT_OF);', f'  check({number}, "bins", bins, host_bins.data(), BINS_OF);',
                 f'  check({number}, "sum", sum, &host_sum, 1);', "  std::swap(in, out), std::swap(host_in, host_out);"]
    return maker, "\n".join(text + ['  std::puts("ok");', "}", ""])


if __name__ == "__main__":
    print_program(program)
