# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a random program of several kernels over what docs/support.md calls working in kernels: types of 8 to 128 bits, half, vector
# types, structures and unions, warp operations under divergence, tiles, barriers, atomics, static and dynamic shared memory, functions
# (recursive, virtual, by pointer), launches in streams that depend on each other. Its main compares each kernel with the same text run
# by one host thread for each CUDA thread (host_threads.h).
#
#   python3 kernels.py SEED [--to SEED | [--drop N,N,…] [--bare N,N,…] [--count]] > program.cu
#
# --to makes one program of those of several seeds, which compiles several times as fast.
# --drop leaves statements out, --bare the heads of blocks ("if (c)"), by index; --count prints how many there are. See reduce.py.
#
# The kernels are right on a GPU: every barrier is met by all threads that have not returned, every warp operation by all lanes of its
# mask, shared memory is written and read on different sides of a barrier, what atomic operations leave does not depend on their order.
# A kernel has either warp operations or returns under divergent conditions, not both. Names in them:
#   u0 u1 u2   the same for all threads of a block      w0 w1   the same for all lanes of a warp
#   v0 .. v3   each thread's own, 32 bits               others  each thread's own: see VARIABLES
import random

from syntax import Maker, print_program

BLOCK, WARP, THREAD = 0, 1, 2  # for whom a condition is the same
DEEP = 9  # nesting at which only simple statements come

VARIABLES = """unsigned v0 = TID * 7u + 1u, v1 = in[TID & 63u], v2 = BID, v3 = TID, u0 = n, u1 = in[BID & 15u], u2 = 2u, w0 = WARP_ID, w1 = 1u;
  unsigned arr[4] = {v0, v1, 3u, TID};
  int i0 = (int)(TID & 7u) - 3, i1 = (int)(v1 & 255u) - 100;
  unsigned long long q0 = v1 * 2654435761ull, q1 = TID;
  unsigned char c0 = (unsigned char)v1;
  short h0 = (short)(v1 >> 3);
  float f0 = (float)(v1 & 15u) * 0.25f, f1 = (float)TID;
  double d0 = (double)(v1 & 1023u) / 3.0;
  HALF hf = TO_HALF((float)(v1 & 31u));
  uint4 x4 = make_uint4(v0, v1, v2, v3);
  Mixed mx = {(unsigned char)TID, (unsigned short)v1, v0, 0.5f, q0};
  Bits bits;
  bits.whole = v1;
"""
RESULT = """unsigned h = v0 ^ (v1 * 3u) ^ (v2 * 5u) ^ (v3 * 7u) ^ (u0 * 11u) ^ (u1 * 13u) ^ (u2 * 17u) ^ (arr[0] * 19u) ^ (arr[1] + arr[2] * 23u) ^
      (arr[3] * 29u) ^ (w0 * 31u) ^ (w1 * 37u);
  h = h * 31u + (unsigned)i0 + (unsigned)i1 * 3u;
  h = h * 31u + (unsigned)q0 + (unsigned)(q0 >> 32) * 5u + (unsigned)q1 + (unsigned)(q1 >> 32);
  h = h * 31u + c0 + (unsigned)(int)h0 * 7u;
  h = h * 31u + bits_of(f0) + bits_of(f1) * 3u + bits_of((float)d0);
  h = h * 31u + bits_of(FROM_HALF(hf));
  h = h * 31u + x4.x + x4.y * 3u + x4.z * 5u + x4.w * 7u;
  h = h * 31u + mx.a + mx.b * 3u + mx.c * 5u + bits_of(mx.d) * 7u + (unsigned)mx.e + (unsigned)(mx.e >> 32);
  out[IDX] = h * 31u + bits.whole;
"""


class Kernel:
    def __init__(self, source, maker, number, functions):
        self.source, self.maker, self.name, self.functions = source, maker, f"k{number}", functions
        self.pick, self.number, self.chance = source.choice, source.randrange, source.random
        self.warp_operations = self.chance() < 0.6
        self.counters = 0
        self.parts = self.statements(BLOCK, 0, None, self.number(2, 6))

    # --- values ----------------------------------------------------------------------------------------------------------------------

    def thread_value(self, depth=0):
        kind = self.number(16)
        a = lambda: self.thread_value(depth + 1)
        if depth > 2 or kind < 4:
            return self.pick(["v0", "v1", "v2", "v3", "TID", "7u", "arr[v1 & 3u]", "arr[TID & 3u]", "in[TID & 63u]", "(unsigned)i0", "(unsigned)q0",
                              "(unsigned)c0", "(unsigned)(int)h0", "x4.y", "x4.w", "mx.c", "(unsigned)mx.b", "bits.byte[1]", "bits.field.low", "table[v0 & 7u]"])
        if kind < 8:
            return f"({a()} {self.pick('+-*^&|')} {a()})"
        if kind == 8:
            return f"({a()} {self.pick(['>>', '<<'])} {self.number(1, 32)})"
        if kind == 9:
            return f"({a()} {self.pick('/%')} ({a()} | 1u))"
        if kind == 10:
            return f"({a()} {self.pick(['<', '>', '=='])} {a()} ? {a()} : {a()})"
        if kind == 11:
            return self.pick([f"POPC({a()})", f"CLZ({a()})", f"BREV({a()})", f"FFS({a()})", f"UMULHI({a()}, {a()})", f"BYTE_PERM({a()}, {a()}, {a()} & 0x7777u)",
                              f"FUNNEL({a()}, {a()}, {a()})", f"min({a()}, {a()})", f"max({a()}, {a()})", f"SAD({a()}, {a()}, {a()})"])
        if kind == 12:
            return self.pick([f"(unsigned)({self.wide_value()})", f"(unsigned)(({self.wide_value()}) >> 33)", f"bits_of({self.float_value()})",
                              f"(unsigned)((unsigned __int128)({self.wide_value()}) * q1 >> 64)", f"to_number({self.float_value()})"])
        if kind == 13 and self.functions:
            return f"{self.pick(self.functions)}({a()}, {a()})"
        if kind == 14:
            return self.pick([f"by_pointer({a()}, {a()})", f"by_virtual({a()}, {a()})", f"digits({a()})"])
        return f"({a()} + {self.block_value(depth + 1)})"

    def wide_value(self, depth=0):
        if depth > 1 or self.number(3) == 0:
            return self.pick(["q0", "q1", "(unsigned long long)v1", "mx.e", "0x100000001ull"])
        a = lambda: self.wide_value(depth + 1)
        return self.pick([f"({a()} {self.pick('+-*^&|')} {a()})", f"({a()} >> {self.number(1, 40)})", f"({a()} << {self.number(1, 40)})",
                          f"({a()} / ({a()} | 1u))", f"({a()} % ({a()} | 3u))"])

    def float_value(self, depth=0):
        if depth > 1 or self.number(3) == 0:
            return self.pick(["f0", "f1", "mx.d", "(float)(v1 & 255u)", "(float)i0", "0.5f", "(float)d0", "FROM_HALF(hf)", "fin[TID & 63u]"])
        a = lambda: self.float_value(depth + 1)
        return self.pick([f"({a()} {self.pick('+-*')} {a()})", f"fminf({a()}, {a()})", f"fmaxf({a()}, {a()})", f"({a()} / (1.0f + {a()} * {a()}))",
                          f"fabsf({a()})", f"floorf({a()})", f"sqrtf(fabsf({a()}))", f"({a()} < {a()} ? {a()} : {a()})", f"truncf({a()})"])

    def block_value(self, depth=0):
        kind = self.number(8)
        if depth > 2 or kind < 3:
            return self.pick(["u0", "u1", "u2", "n", "BID", "3u", "BD"])
        if kind < 6:
            return f"({self.block_value(depth + 1)} {self.pick('+-*^&|')} {self.block_value(depth + 1)})"
        return f"in[16u * (BID & 1u) + ({self.block_value(depth + 1)} & 15u)]"

    def warp_value(self, depth=0):
        kind = self.number(6)
        if depth > 1 or kind < 3:
            return self.pick(["w0", "w1", "WARP_ID", "u0", "5u"])
        if kind < 5:
            return f"({self.warp_value(depth + 1)} {self.pick('+-*^')} {self.warp_value(depth + 1)})"
        return f"in[(WARP_ID + {self.warp_value(depth + 1)}) & 31u]"

    def value(self, level):
        return [self.block_value, self.warp_value, self.thread_value][level]()

    def condition(self, level):
        if level == THREAD and self.chance() < 0.15:
            return f"{self.float_value()} {self.pick(['<', '>='])} {self.float_value()}"
        text = f"(({self.value(level)}) & {self.pick([1, 3, 7])}u) {self.pick(['==', '!=', '<', '>'])} {self.number(0, 4)}u"
        return f"({text} {self.pick(['&&', '||'])} {self.condition(level)})" if self.chance() < 0.1 else text

    # --- statements ------------------------------------------------------------------------------------------------------------------

    def own(self):
        return f"v{self.number(4)}"

    def assignment(self, level):
        kind = self.chance()
        line = self.maker.line
        if kind < 0.35:
            return line(f"{self.own()} = {self.thread_value()};")
        if kind < 0.45:
            return line(f"arr[{self.thread_value()} & 3u] = {self.thread_value()};")
        if kind < 0.7:
            return line(self.pick([
                f"i0 = (int)({self.thread_value()} & 0xffffu) - i1 % 1000;", f"i1 = i0 / 3 - (int)({self.thread_value()} & 4095u);",
                f"q0 = {self.wide_value()};", f"q1 ^= {self.wide_value()};", f"c0 = (unsigned char)({self.thread_value()});",
                f"h0 = (short)(h0 * 3 + (short)({self.thread_value()}));", f"f0 = {self.float_value()};", f"f1 = {self.float_value()};",
                f"d0 = d0 * 0.5 + (double){self.float_value()};", f"hf = HALF_{self.pick(['ADD', 'SUB', 'MUL'])}(hf, TO_HALF({self.float_value()}));",
                f"x4.{self.pick('xyzw')} = {self.thread_value()};", f"mx.{self.pick('abce')} = {self.thread_value()};", f"mx.d = {self.float_value()};",
                f"bits.byte[{self.thread_value()} & 3u] = (unsigned char){self.thread_value()};", f"bits.field.high = {self.thread_value()};",
                f"{{ Mixed other = mx; other.c += {self.thread_value()}; mx = {self.condition(THREAD)} ? other : mx; }}",
                f"{{ unsigned *at = {self.condition(THREAD)} ? &v1 : &arr[2]; *at += {self.thread_value()}; }}"]))
        if level == BLOCK:
            return line(f"u{self.number(3)} = {self.block_value()};")
        if level == WARP and self.warp_operations:
            return line(f"w{self.number(2)} = {self.warp_value()};")
        return line(f"{self.own()} += {self.thread_value()};")

    def atomic(self):
        """Leaves the same whatever the order."""
        place = f"{self.thread_value()} & 15u"
        return self.maker.line(self.pick([
            f"ATOMIC_ADD(&bins[{place}], {self.thread_value()});", f"ATOMIC_MAX(&bins[16u + ({place})], {self.thread_value()});",
            f"ATOMIC_MIN(&bins[32u + ({place})], {self.thread_value()});", f"ATOMIC_OR(&bins[48u + ({place})], {self.thread_value()});",
            f"ATOMIC_AND(&bins[64u + ({place})], {self.thread_value()});", f"ATOMIC_XOR(&bins[80u + ({place})], {self.thread_value()});",
            f"ATOMIC_INC(&bins[96u + ({place})]);", f"ATOMIC_CAS_MAX(&bins[112u + ({place})], {self.thread_value()});",
            f"ATOMIC_ADD64(&wide_bins[{place}], {self.wide_value()});", f"ATOMIC_ADDF(&real_bins[{place}], (float)({self.thread_value()} & 15u));",
            f"ATOMIC_ADD(&bins[{self.block_value()} & 15u], 1u);"]))

    def meeting(self, level):
        """A barrier or a warp operation, where this level may have one."""
        line = self.maker.line
        if level == BLOCK and self.chance() < 0.85:
            return line(self.pick([
                f"sh[TID] = {self.thread_value()}; SYNC(); {self.own()} = sh[(TID + {self.block_value()} % BD) % BD]; SYNC();",
                f"sh[TID] = {self.thread_value()}; SYNC(); {self.own()} += sh[BD - 1u - TID]; SYNC();",
                f"if (TID == 0) cell = {self.thread_value()}; SYNC(); u{self.number(3)} = cell; SYNC();",
                f"u{self.number(3)} = SYNC_{self.pick(['COUNT', 'OR', 'AND'])}({self.condition(THREAD)});",
                f"dyn_short[TID] = (unsigned short){self.thread_value()}; SYNC(); {self.own()} ^= dyn_short[(TID * 5u + 1u) % BD]; SYNC();",
                f"dyn_float[TID] = {self.float_value()}; SYNC(); f{self.number(2)} = dyn_float[(TID + 1u) % BD]; SYNC();",
                f"pairs[TID] = make_uint2({self.thread_value()}, TID); SYNC(); {self.own()} += pairs[(TID + {self.number(1, 9)}u) % BD].{self.pick('xy')}; SYNC();",
                f"if (TID < 8u) counts[TID] = 0; SYNC(); ATOMIC_ADD(&counts[{self.thread_value()} & 7u], {self.pick(['1u', 'v0', 'TID'])}); SYNC(); "
                f"{self.own()} += counts[TID & 7u]; SYNC();",
                f"for (unsigned s = 1; s < BD; s <<= 1) {{ sh[TID] = v1; SYNC(); if (TID >= s) v1 += sh[TID - s]; SYNC(); }}",
                f"sh[TID] = {self.thread_value()}; SYNC(); for (unsigned s = 64; s > 0; s >>= 1) {{ if (TID < s && TID + s < BD) sh[TID] += sh[TID + s]; SYNC(); }} "
                f"{self.own()} ^= sh[0]; SYNC();",
                f"{self.own()} ^= sh[TID]; SYNC();"]))
        if level <= WARP and self.warp_operations:
            mine = self.own()
            return line(self.pick([
                f"{mine} {self.pick(['=', '+='])} SHFL(MASK, {self.thread_value()}, ({self.thread_value()}) % LANES);",
                f"w{self.number(2)} = {self.pick(['BALLOT', 'ANY', 'ALL'])}(MASK, {self.condition(THREAD)});",
                f"{mine} += WHOLE_WARP ? SHFL_{self.pick(['UP', 'DOWN'])}({self.thread_value()}, {self.number(1, 9)}u, {self.pick([8, 16, 32])}) : 0u;",
                f"{mine} ^= WHOLE_WARP ? SHFL_XOR({self.thread_value()}, {self.pick([1, 2, 4, 8, 16, 31])}u) : 1u;",
                f"q0 += WHOLE_WARP ? SHFL_WIDE({self.wide_value()}, LANE ^ {self.pick([1, 3, 16])}u) : 0u;",
                f"w{self.number(2)} = REDUCE_{self.pick(['ADD', 'MAX', 'MIN', 'OR', 'AND', 'XOR'])}(MASK, {self.thread_value()});",
                f"{mine} = MATCH(MASK, {self.thread_value()} & 3u);",
                f"{{ bool in_it = {self.condition(THREAD)}; unsigned mask = BALLOT(MASK, in_it); if (in_it) {{ {mine} += SHFL(mask, {self.thread_value()}, FFS(mask) - 1u); "
                f"v{self.number(4)} ^= REDUCE_{self.pick(['ADD', 'MAX'])}(mask, {self.thread_value()}); }} }}",
                f"{{ bool in_it = {self.condition(THREAD)}; unsigned mask = BALLOT(MASK, in_it); if (in_it) {mine} = BALLOT(mask, {self.condition(THREAD)}); "
                f"else {mine} += POPC(mask); }}",
                f"{mine} += WHOLE_WARP ? TILE_SUM_{self.pick([4, 8, 16])}({self.thread_value()}) : 2u;",
                f"for (unsigned s = 16; s > 0; s >>= 1) v2 += WHOLE_WARP ? SHFL_XOR(v2, s) : s;",
                "SYNCWARP();"]))
        return self.atomic() if self.chance() < 0.5 else line(f"{self.own()} -= {self.thread_value()};")

    def leave(self):
        when = (f"{self.condition(THREAD)} && ({self.thread_value()} & 3u) == 0u" if not self.warp_operations else
                f"{self.condition(BLOCK)} && {self.condition(BLOCK)}")
        return self.maker.line(f"if ({when}) {{ out[IDX] = v0 + {self.number(9)}u; return; }}")

    def statements(self, level, depth, loop_level, count):
        return [self.statement(level, depth, loop_level) for _ in range(count)]

    def body(self, head, level, depth, loop_level, first=(), tail="}"):
        return self.maker.block(head, [self.maker.line(text) for text in first] + self.statements(level, depth, loop_level, self.number(1, 3)), tail)

    def loop(self, level, depth):
        self.counters += 1
        i, limit = f"n{self.counters}", f"({self.value(level)} & 3u)" if self.chance() < 0.7 else f"{self.number(1, 5)}u"
        inner = lambda head, first=(): self.body(head, level, depth + 1, level, first)
        kind = self.number(9)
        if kind == 0:
            return inner(f"for (unsigned {i} = {limit}; {i} > 0u; {i} >>= 1)")
        if kind == 1:
            return inner(f"for (int {i} = (int)({limit}); {i} > 0; {i}--)", [f"v0 += (unsigned){i};"])
        if kind == 2:
            return inner(f"for (int {i} = 1; {i} <= (int)({limit}); {i} += 2)", [f"v1 ^= (unsigned){i};"])
        if kind == 3:
            return inner(f"for (unsigned {i} = {limit}; {i} != 0u; {i}--)", [f"v2 += {i};"])
        if kind == 4:
            return inner(f"for (unsigned long long {i} = {self.number(3)}; {i} < {limit} + 2ull; {i} += 3)", [f"v3 += (unsigned){i};"])
        if kind == 5:
            return inner(f"for (unsigned {i} = 0; {self.condition(level)} && {i} < 3u; {i}++)")
        if kind == 6:  # no continue: it would skip nothing, but the condition counts
            return self.maker.block(f"{{ unsigned {i} = 0; do", self.statements(level, depth + 1, None, self.number(1, 4)),
                                    f"}} while (++{i} < 3u && {self.condition(level)}); }}")
        return inner(f"for (unsigned {i} = 0; {i} < {limit}; {i}++)", [f"arr[{i} & 3u] += v0;"] if self.chance() < 0.4 else ())

    def choose(self, level, depth, loop_level):
        inner = loop_level if level == loop_level else None
        if self.chance() < 0.85:
            then = self.body(f"if ({self.condition(level)})", level, depth + 1, inner)
            if self.chance() < 0.5:
                other = self.body("else", level, depth + 1, inner)
                return self.maker.block("", [then, other])  # left out together
            return then
        cases = [self.body(f"case {case}:", level, depth + 1, None, (), "} break;" if self.chance() < 0.8 else "}")
                 for case in self.source.sample(range(4), self.number(1, 4))]
        if self.chance() < 0.5:
            cases.append(self.body("default:", level, depth + 1, None))
        return self.maker.block(f"switch ({self.value(level)} & 3u)", cases)

    def statement(self, level, depth, loop_level):
        kind = self.chance() * (0.45 if depth > 2 else 1)
        if kind < 0.22:
            return self.assignment(level)
        if kind < 0.27:
            return self.atomic()
        if kind < 0.45:
            return self.meeting(level)
        if kind < 0.49 and (not self.warp_operations or level == BLOCK):
            return self.leave()
        if kind < 0.54 and loop_level is not None and level <= loop_level:
            return self.maker.block(f"if ({self.condition(level)})", self.statements(level, DEEP, None, self.number(2)), f"{self.pick(['break', 'continue'])}; }}")
        narrower = self.chance()
        if narrower < 0.15:
            level = THREAD
        elif narrower < 0.35 and self.warp_operations:
            level = max(level, WARP)
        return self.choose(level, depth, loop_level) if kind < 0.75 else self.loop(level, depth)


class Function:
    """A function of two values, recursive or not, that both sides call."""

    def __init__(self, source, maker, number):
        self.name = f"g{number}"
        writer = Kernel.__new__(Kernel)
        writer.source, writer.maker, writer.functions, writer.warp_operations, writer.counters = source, maker, [], False, 0
        writer.pick, writer.number, writer.chance = source.choice, source.randrange, source.random
        expression = lambda: self.expression(source)
        again = f"if (a > 3u) return {self.name}(a / 3u, b + {source.randrange(9)}u) ^ {expression()};" if source.random() < 0.4 else ""
        quiet = source.choice(["__noinline__", "inline", "__forceinline__" if not again else "inline"])
        self.text = (f"BOTH {quiet} static unsigned {self.name}(unsigned a, unsigned b) {{\n  {again}\n  unsigned c = {expression()};\n"
                     f"  for (unsigned i = 0; i < (b & 3u); i++) c = c * 3u + {expression()};\n  return c;\n}}\n")

    def expression(self, source, depth=0):
        if depth > 2 or source.random() < 0.3:
            return source.choice(["a", "b", "3u", "17u"])
        return f"({self.expression(source, depth + 1)} {source.choice('+-*^&|')} {self.expression(source, depth + 1)})"




def program(seed, dropped=(), bare=()):
    source = random.Random(seed)
    maker = Maker(dropped, bare)
    functions = [Function(source, maker, i) for i in range(source.randrange(3))]
    kernels = [Kernel(source, maker, i, [f.name for f in functions]) for i in range(source.randrange(1, 4))]
    shapes = source.sample(["1, 1, 1", "7, 1, 1", "32, 1, 1", "40, 1, 1", "64, 1, 1", "96, 1, 1", "8, 5, 1", "16, 4, 1", "4, 4, 4", "33, 2, 1"], 3)
    text = f'// kernels.py {seed}\n#include "host_threads.h"\n' + "".join(f.text for f in functions)
    for side in ("gpu", "cpu"):
        text += f"\nnamespace {side} {{\n#include \"{side}_side.h\"\n"
        for kernel in kernels:
            text += f"KERNEL({kernel.name}) {{\n  ENTER\n  {VARIABLES}  SYNC();\n"
            text += "".join(part.text() for part in kernel.parts) + f"  {RESULT}}}\n"
        text += f"#include \"end_side.h\"\n}}\n"
    text += "int main() {\n  Test test;\n"
    for shape in shapes:
        for n in range(2):
            text += f"  test.begin(dim3({shape}), dim3{source.choice(['(3)', '(2, 2)', '(5)'])}, {n}u);\n"
            for kernel in kernels:
                text += f"  RUN({kernel.name}, {source.randrange(3)});\n"
            text += "  if (!test.agrees()) return 1;\n"
    return maker, text + "  puts(\"ok\");\n  return 0;\n}\n"


def together(seeds):
    """Each in a namespace; main says which are wrong."""
    text = '#include "host_threads.h"\n'
    for seed in seeds:
        one = program(seed)[1].replace('#include "host_threads.h"\n', "").replace("int main() {", "static int run() {").replace('  puts("ok");\n', "")
        text += f"\nnamespace seed_{seed} {{\n{one}}}\n"
    text += "int main() {\n  int wrong = 0;\n"
    for seed in seeds:
        text += f'  if (seed_{seed}::run()) wrong = 1, puts("seed {seed}");\n'
    return text + "  return wrong;\n}\n"


if __name__ == "__main__":
    print_program(program, together)
