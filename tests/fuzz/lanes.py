# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a random program whose warps count on their lanes to run in step: statements that load at places which tables,
# other elements, conditions and counters choose, and store at places of which each lane has its own, without a barrier.
# The host does the same statement by statement: all lanes that take part load, then all store. Warps keep to slices of
# their own.
#
#   python3 lanes.py SEED [NUMBER…] > program.cu      without the statements of these numbers, to make a failing one smaller
#
# Arrays are volatile, or a fence stands after each statement: what a thread has read it reads again.
import random
import sys

source = random.Random(int(sys.argv[1]))
pick, number, chance = source.choice, source.randrange, source.random
WARPS, BLOCKS = pick([1, 1, 2, 3]), pick([1, 3])
ROWS = WARPS == 1 and chance() < 0.2  # a block of two dimensions, whose rows are parts of the warp
ARRAYS = ["s0", "s1", "g0"]
VOLATILE = chance() < 0.5
SLICE = "" if WARPS == 1 else "base + "
registers = ["r0", "r1", "r2"]
device, host = [], []
counters = []
statements, dropped = 0, {int(text) for text in sys.argv[2:]}


names = 0


def fresh():
    global names
    names += 1
    return names


def on_device(text):
    return text.replace("@", "").replace("#", SLICE)


def on_host(text):
    for name in registers + ["p0", "p1"]:
        text = text.replace(f"@{name}", f"{name}[l]")
    return text.replace("__brev", "__builtin_bitreverse32").replace("@t", "l").replace("@", "").replace("#", SLICE)


def index(depth=0):
    """A place in an array, of any lane's."""
    kind = number(9)
    if kind == 0:
        return f"((@t + {number(32)}u) & 31u)"
    if kind == 1:
        return f"(@t ^ {number(32)}u)"
    if kind == 2:
        return pick(["@p0", "@p1"])
    if kind == 3:
        return f"((@{pick(registers)} >> {number(8)}) & 31u)"
    if kind == 4:
        return f"{number(32)}u"
    if kind == 5:
        return f"({pick(['chosen', 'count'])} & 31u)"
    if kind == 6 and depth < 2:
        return f"({load(depth + 1)} & 31u)"
    if kind == 7 and counters:
        return f"((@t + (unsigned){pick(counters)}) & 31u)"
    return "@t"


def load(depth=0):
    return f"{pick(ARRAYS)}[#{index(depth)}]"


def value(depth=0):
    kind = number(8)
    if depth > 2 or kind < 3:
        return load(depth)
    if kind == 3:
        return f"@{pick(registers)}"
    if kind == 4:
        return f"({value(depth + 1)} / ({load(depth + 1)} | 1u))"
    if kind == 5:
        return f"({condition(depth + 1)} ? {value(depth + 1)} : {value(depth + 1)})"
    return f"({value(depth + 1)} {pick(['+', '-', '^', '*'])} {value(depth + 1)})"


def condition(depth=0):
    """Another one each time: of two alike LLVM makes one, with the statements in between in both of its arms."""
    kind, other = number(6), f"((@t + {number(32)}u) & 31u)"
    if kind == 0:
        return f"{other} < {number(32)}u"
    if kind == 1:
        return f"{other} {pick(['<', '>='])} chosen"
    if kind == 2:
        return f"(@{pick(registers)} & {pick([1, 2, 4])}u)"
    if kind == 3:
        return f"({load(depth)} & {pick([1, 2, 4])}u)"
    if kind == 4:
        return f"{load(depth)} < {load(depth)}"
    return f"({other} & {pick([1, 2, 3])}u) == 0"


def own_place():
    """A place that no other lane stores to in this statement."""
    return pick(["@t", "@t", f"((@t + {number(32)}u) & 31u)", f"(@t ^ {number(32)}u)", "@p0", "@p1", "(31u - @t)",
                 "((@t + chosen) & 31u)", "(@t ^ (count & 31u))", "(__brev(@t) >> 27)"])


def emit(indent, text):
    device.append("  " * indent + on_device(text))


def lanes(indent, active, what):
    host.append("  " * indent + f"for (unsigned l = 0; l < 32; l++) if ({active}[l]) {{ {on_host(what)} }}")


def statement(indent, active, depth):
    global statements
    own, kept = statements, (len(device), len(host))
    statements += 1
    write_statement(indent, active, depth)
    if own in dropped:
        del device[kept[0]:], host[kept[1]:]


def write_statement(indent, active, depth):
    kind = number(10)
    if kind < 4:
        where, what, array = own_place(), value(), pick(ARRAYS)
        emit(indent, f"{array}[#{where}] = {what};")
        host.append("  " * indent + "{ unsigned at[32], new_one[32];")
        lanes(indent + 1, active, f"at[l] = {where}; new_one[l] = {what};")
        host.append("  " * (indent + 1) + f"for (unsigned l = 0; l < 32; l++) if ({active}[l]) {array}[{SLICE}at[l]] = new_one[l]; }}")
    elif kind < 6:
        register, what = pick(registers), value()
        emit(indent, f"{register} = {what};")
        lanes(indent, active, f"@{register} = {what};")
    elif kind < 8 and depth < 3:
        what, name = condition(), f"on{fresh()}"
        emit(indent, f"if ({what}) {{")
        host.append("  " * indent + f"{{ bool {name}[32]; for (unsigned l = 0; l < 32; l++) {name}[l] = {active}[l] && ({on_host(what)});")
        block(indent + 1, name, depth + 1)
        emit(indent, "}")
        host.append("  " * indent + "}")
    elif kind == 8 and depth < 2:
        tree(indent, active, depth)
    elif depth < 2:
        loop(indent, active, depth)
    if not VOLATILE:
        emit(indent, "__threadfence_block();")


def loop(indent, active, depth):
    counter, kind = f"i{fresh()}", pick(["int", "unsigned", "size_t"])
    own = chance() < 0.3  # each lane has its own number of iterations
    end = f"(@{pick(registers)} & 3u)" if own else pick(["count", "3"])
    held, name = f"end{fresh()}", f"on{fresh()}"
    emit(indent, f"{{ {kind} {held} = {end}; for ({kind} {counter} = 0; {counter} < {held}; {counter}++) {{")
    host.append("  " * indent + f"{{ unsigned {held}[32]; for (unsigned l = 0; l < 32; l++) {held}[l] = {on_host(end)};")
    host.append("  " * indent + f"  for (unsigned {counter} = 0; {counter} < 4; {counter}++) {{ bool {name}[32], any = false;")
    host.append("  " * indent + f"    for (unsigned l = 0; l < 32; l++) any |= {name}[l] = {active}[l] && {counter} < {held}[l];")
    host.append("  " * indent + "    if (!any) break;")
    counters.append(counter)
    block(indent + 2, name, depth + 1)
    counters.pop()
    emit(indent, "} }")
    host.append("  " * indent + "} }")


def tree(indent, active, depth):
    array, kind, step = pick(ARRAYS), pick(["int", "unsigned", "size_t", "long long"]), f"h{fresh()}"
    name = f"on{fresh()}"
    how = number(3)
    if how == 0:  # a sum in half the lanes
        emit(indent, f"for ({kind} {step} = {pick(['16', 'half'])}; {step} > 0; {step} /= 2) if (t < {step}) {array}[{on_device('#')}t] += {array}[{on_device('#')}t + {step}];")
        host.append("  " * indent + f"for (unsigned {step} = 16; {step} > 0; {step} /= 2) {{ unsigned x[32]; ")
        lanes(indent + 1, active, f"if (l < {step}) x[l] = {array}[#l] + {array}[#l + {step}];")
        lanes(indent + 1, active, f"if (l < {step}) {array}[#l] = x[l];")
        host.append("  " * indent + "}")
    elif how == 1:  # a scan
        emit(indent, f"for ({kind} {step} = 1; {step} < {pick(['32', '2 * half'])}; {step} *= 2) {{ unsigned x = t >= {step} ? {array}[{on_device('#')}t - {step}] : 0; {array}[{on_device('#')}t] += x; }}")
        host.append("  " * indent + f"for (unsigned {step} = 1; {step} < 32; {step} *= 2) {{ unsigned x[32];")
        lanes(indent + 1, active, f"x[l] = l >= {step} ? {array}[#l - {step}] : 0;")
        lanes(indent + 1, active, f"{array}[#l] += x[l];")
        host.append("  " * indent + "}")
    else:  # the greatest one's place
        places = pick([a for a in ARRAYS if a != array])
        emit(indent, f"{places}[{on_device('#')}t] = t; ")
        emit(indent, f"for ({kind} {step} = 2; {step} <= {pick(['32', '2 * half'])}; {step} *= 2) if (t < 32 / {step}) if ({array}[{on_device('#')}{places}[{on_device('#')}t]] < {array}[{on_device('#')}{places}[{on_device('#')}t + 32 / {step}]]) {places}[{on_device('#')}t] = {places}[{on_device('#')}t + 32 / {step}];")
        # Lanes that do not take part have no place of their own: all take part, or places are not followed.
        lanes(indent, active, f"{places}[#l] = l;")
        host.append("  " * indent + f"for (unsigned {step} = 2; {step} <= 32; {step} *= 2) {{ unsigned x[32]; bool {name}[32];")
        lanes(indent + 1, active, f"{name}[l] = l < 32 / {step} && {array}[#{places}[#l]] < {array}[#{places}[#l + 32 / {step}]];")
        lanes(indent + 1, active, f"if ({name}[l]) x[l] = {places}[#l + 32 / {step}];")
        lanes(indent + 1, active, f"if ({name}[l]) {places}[#l] = x[l];")
        host.append("  " * indent + "}")


def block(indent, active, depth):
    for _ in range(1 + number(3 if depth else 7)):
        if depth or chance() < 0.9:
            statement(indent, active, depth)


def main():
    # The greatest one's place needs all lanes: it stands at the outermost level only.
    real_tree = globals()["tree"]

    def some_tree(indent, active, depth):
        if active == "all":
            real_tree(indent, active, depth)
        else:
            statement(indent, active, 3)

    globals()["tree"] = some_tree
    block(1, "all", 0)
    print(f"// {statements} statements")
    what = "volatile unsigned" if VOLATILE else "unsigned"
    early = chance() < 0.5
    print("// Written by tests/fuzz/lanes.py.")
    print('#include "check.h"\n')
    shared = f"extern __shared__ unsigned memory[];\n  {what} *s0 = memory, *s1 = memory + room;" if chance() < 0.4 else \
        f"__shared__ {what} s0[{32 * WARPS}], s1[{32 * WARPS}];"
    lane = "threadIdx.y * blockDim.x + threadIdx.x" if ROWS else "threadIdx.x & 31u" if WARPS > 1 or chance() < 0.5 else "threadIdx.x"
    print(f"""__global__ void run({what} *all, const unsigned *tables, const unsigned *in, unsigned *out, const int *left_out, unsigned chosen, unsigned count, size_t half, unsigned room) {{
  {shared}
  {'if (left_out[blockIdx.x]) return;' if early else ''}
  const unsigned t = {lane};
  {'const unsigned base = threadIdx.x - t;' if WARPS > 1 else ''}
  const unsigned i = blockIdx.x * {32 * WARPS} + {'t' if ROWS else 'threadIdx.x'};
  {what} *g0 = all + blockIdx.x * {32 * WARPS};
  unsigned p0 = tables[t], p1 = tables[32 + t], r0 = in[i], r1 = in[i] * 7u, r2 = t;
  s0[{'t' if ROWS else 'threadIdx.x'}] = in[i] * 3u; s1[{'t' if ROWS else 'threadIdx.x'}] = in[i] ^ 0x5a5au;
  {pick(['__syncthreads();', '', '__threadfence_block();'])}""")
    print("\n".join(device))
    print(f"""  out[4 * i] = r0 ^ p0; out[4 * i + 1] = r1; out[4 * i + 2] = r2; out[4 * i + 3] = s0[{'t' if ROWS else 'threadIdx.x'}] ^ s1[{'t' if ROWS else 'threadIdx.x'}] * 31u;
}}

static void on_host(unsigned *all_of, const unsigned *tables, const unsigned *in, unsigned *out, const int *left_out, unsigned chosen, unsigned count, unsigned block) {{
  {'if (left_out[block]) return;' if early else ''}
  for (unsigned base = 0; base < {32 * WARPS}; base += 32) {{
    static unsigned s0[{32 * WARPS}], s1[{32 * WARPS}];
    unsigned *g0 = all_of + block * {32 * WARPS}, p0[32], p1[32], r0[32], r1[32], r2[32], first = block * {32 * WARPS} + base;
    bool all[32];
    for (unsigned l = 0; l < 32; l++) {{
      all[l] = true; p0[l] = tables[l]; p1[l] = tables[32 + l]; r0[l] = in[first + l]; r1[l] = in[first + l] * 7u; r2[l] = l;
      s0[base + l] = in[first + l] * 3u; s1[base + l] = in[first + l] ^ 0x5a5au;
    }}""")
    print("\n".join(host))
    count = BLOCKS * WARPS * 32
    print(f"""    for (unsigned l = 0; l < 32; l++) {{
      unsigned i = first + l;
      out[4 * i] = r0[l] ^ p0[l]; out[4 * i + 1] = r1[l]; out[4 * i + 2] = r2[l]; out[4 * i + 3] = s0[base + l] ^ s1[base + l] * 31u;
    }}
  }}
}}

int main(int argc, char **) {{
  buffer<unsigned> all({count}), tables(64), in({count}), out({4 * count}), right({4 * count});
  buffer<int> left_out({BLOCKS});
  unsigned state = {number(1000000)};
  for (int k = 0; k < 2; k++) {{
    for (unsigned i = 0; i < 32; i++)
      tables[32 * k + i] = i;
    for (unsigned i = 31; i > 0; i--) {{
      unsigned other = next_random(state) % (i + 1), kept = tables[32 * k + i];
      tables[32 * k + i] = tables[32 * k + other];
      tables[32 * k + other] = kept;
    }}
  }}
  for (int i = 0; i < {count}; i++)
    in[i] = next_random(state), all[i] = next_random(state);
  for (int i = 0; i < {4 * count}; i++)
    out[i] = right[i] = 0;
  for (int i = 0; i < {BLOCKS}; i++)
    left_out[i] = i == 1;
  all.upload(), tables.upload(), in.upload(), out.upload(), left_out.upload();
  const unsigned chosen = next_random(state) % 32, few = 1 + next_random(state) % 3;
  run<<<{BLOCKS}, {'dim3(argc * 8, 4)' if ROWS else pick([str(32 * WARPS), f'argc * {32 * WARPS}'])}, {2 * 32 * WARPS} * sizeof(unsigned)>>>(all.device, tables.device, in.device, out.device, left_out.device, chosen, few, 16, {32 * WARPS});
  for (unsigned b = 0; b < {BLOCKS}; b++)
    on_host(all.host, tables.host, in.host, right.host, left_out.host, chosen, few, b);
  out.download();
  for (int i = 0; i < {4 * count}; i++)
    expect(i, out[i], right[i]);
  unsigned *kept = (unsigned *)malloc({count} * sizeof(unsigned));
  memcpy(kept, all.host, {count} * sizeof(unsigned));
  all.download();
  for (int i = 0; i < {count}; i++)
    expect(i, all[i], kept[i]);
  puts("ok");
}}""")


main()
