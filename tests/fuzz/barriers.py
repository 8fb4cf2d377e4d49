# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a random kernel with barriers and warp operations under random control flow, and a main that compares it with the same
# text run by one host thread for each CUDA thread. run.sh compiles and runs such programs.
#
#   python3 barriers.py SEED > program.cu
#
# The kernels are right on a GPU: every barrier is met by all threads that have not returned, every warp operation by all
# lanes of the warp, shared memory is written and read on different sides of a barrier. Names in them:
#   u0 u1 u2   the same for all threads of a block      w0 w1   the same for all lanes of a warp
#   v0 .. v3   each thread's own                        arr     each thread's own array
# A kernel has either warp operations or returns under divergent conditions, not both.
import random
import sys

random_source = random.Random(int(sys.argv[1]))
pick, number, chance = random_source.choice, random_source.randrange, random_source.random
warp_operations = chance() < 0.5
BLOCK, WARP, THREAD = 0, 1, 2  # for whom a condition is the same
DEEP = 9  # nesting at which only simple statements come
counters = 0


def counter():
    global counters
    counters += 1
    return f"i{counters}"


def thread_value(depth=0):
    kind = number(9)
    if depth > 2 or kind < 3:
        return pick(["v0", "v1", "v2", "v3", "TID", "7u", "arr[v1 & 3u]", "arr[TID & 3u]", "in[TID & 15u]"])
    if kind < 7:
        return f"({thread_value(depth + 1)} {pick('+-*^&|')} {thread_value(depth + 1)})"
    if kind == 7:
        return f"({thread_value(depth + 1)} >> {number(1, 5)})"
    return f"({thread_value(depth + 1)} + {block_value(depth + 1)})"


def block_value(depth=0):
    kind = number(8)
    if depth > 2 or kind < 3:
        return pick(["u0", "u1", "u2", "n", "BID", "3u", "BD"])
    if kind < 6:
        return f"({block_value(depth + 1)} {pick('+-*^&|')} {block_value(depth + 1)})"
    return f"in[16u * (BID & 1u) + ({block_value(depth + 1)} & 15u)]"


def warp_value(depth=0):
    kind = number(6)
    if depth > 1 or kind < 3:
        return pick(["w0", "w1", "WARP", "u0", "5u"])
    if kind < 5:
        return f"({warp_value(depth + 1)} {pick('+-*^')} {warp_value(depth + 1)})"
    return f"in[(WARP + {warp_value(depth + 1)}) & 31u]"


def value(level):
    return [block_value, warp_value, thread_value][level]()


def condition(level):
    return test(value(level))


def test(of):
    return f"(({of}) & {pick([1, 3, 7])}u) {pick(['==', '!=', '<', '>'])} {number(0, 4)}u"


def thread_name():
    return f"v{number(4)}"


def assignment(level):
    kind = chance()
    if kind < 0.55:
        return f"{thread_name()} = {thread_value()};\n"
    if kind < 0.7:
        return f"arr[{thread_value()} & 3u] = {thread_value()};\n"
    if level == BLOCK:
        return f"u{number(3)} = {block_value()};\n"
    if level == WARP and warp_operations:
        return f"w{number(2)} = {warp_value()};\n"
    return f"{thread_name()} += {thread_value()};\n"


def meeting(level):
    """A barrier or a warp operation, where this level may have one."""
    if level == BLOCK and chance() < 0.85:
        return pick([
            f"sh[TID] = {thread_value()}; SYNC(); {thread_name()} = sh[(TID + {block_value()} % BD) % BD]; SYNC();\n",
            f"sh[TID] = {thread_value()}; SYNC(); {thread_name()} += sh[BD - 1u - TID]; SYNC();\n",
            f"if (TID == 0) cell = {thread_value()}; SYNC(); u{number(3)} = cell; SYNC();\n",
            f"u{number(3)} = SYNC_{pick(['COUNT', 'OR', 'AND'])}({condition(THREAD)});\n",
            f"{thread_name()} ^= sh[TID]; SYNC();\n",
        ])
    if level <= WARP and warp_operations:
        return pick([
            f"{thread_name()} {pick(['=', '+='])} SHFL({thread_value()}, ({thread_value()}) % LANES);\n",
            f"w{number(2)} = {pick(['BALLOT', 'ANY', 'ALL'])}({condition(THREAD)});\n",
            "SYNCWARP();\n",
        ])
    return f"{thread_name()} -= {thread_value()};\n"


def leave():
    if not warp_operations:
        when = f"{condition(THREAD)} && ({thread_value()} & 3u) == 0u"
    else:
        when = f"{condition(BLOCK)} && {condition(BLOCK)}"
    return f"if ({when}) {{ out[IDX] = v0 + {number(9)}u; return; }}\n"


def statements(level, depth, loop_level, count):
    return "".join(statement(level, depth, loop_level) for _ in range(count))


def braces(level, depth, loop_level, first=""):
    return "{\n" + first + statements(level, depth, loop_level, number(1, 4)) + "}\n"


def loop(level, depth):
    i, limit = counter(), f"({value(level)} & 3u)" if chance() < 0.7 else f"{number(1, 4)}u"
    bodies = lambda first="": braces(level, depth + 1, level, first)
    kind = number(9)
    if kind == 0:
        return f"for (unsigned {i} = {limit}; {i} > 0u; {i} >>= 1) " + bodies()
    if kind == 1:
        return f"for (int {i} = (int)({limit}); {i} > 0; {i}--) " + bodies(f"v0 += (unsigned){i};\n")
    if kind == 2:
        return f"for (int {i} = 1; {i} <= (int)({limit}); {i} += 2) " + bodies(f"v1 ^= (unsigned){i};\n")
    if kind == 3:
        return f"for (unsigned {i} = {limit}; {i} != 0u; {i}--) " + bodies(f"v2 += {i};\n")
    if kind == 4:
        start = number(3)
        return (f"for (unsigned long long {i} = {start}; {i} < {limit} + 2ull; {i} += 3) " +
                bodies(f"v3 += (unsigned){i};\n"))
    if kind == 5:
        return f"{{ unsigned {i} = 0; while ({condition(level)} && {i} < 3u) " + bodies(f"{i}++;\n") + "}\n"
    if kind == 6:  # no continue: it would skip nothing, but the condition counts
        body = braces(level, depth + 1, None)
        return f"{{ unsigned {i} = 0; do {body} while (++{i} < 3u && {condition(level)}); }}\n"
    return f"for (unsigned {i} = 0; {i} < {limit}; {i}++) " + bodies()


def choice(level, depth, loop_level):
    inner_loop = loop_level if level == loop_level else None
    if chance() < 0.85:
        text = f"if ({condition(level)}) " + braces(level, depth + 1, inner_loop)
        return text + ("else " + braces(level, depth + 1, inner_loop) if chance() < 0.5 else "")
    text = f"switch ({value(level)} & 3u) {{\n"
    for case in random_source.sample(range(4), number(1, 4)):
        text += f"case {case}: " + braces(level, depth + 1, None) + ("break;\n" if chance() < 0.8 else "")
    return text + ("default: " + braces(level, depth + 1, None) if chance() < 0.5 else "") + "}\n"


def statement(level, depth, loop_level):
    kind = chance() * (0.45 if depth > 3 else 1)
    if kind < 0.24:
        return assignment(level)
    if kind < 0.45:
        return meeting(level)
    if kind < 0.5 and (not warp_operations or level == BLOCK):
        return leave()
    if kind < 0.54 and loop_level is not None and level <= loop_level:
        return f"if ({condition(level)}) {{ {statements(level, DEEP, None, number(2))} {pick(['break', 'continue'])}; }}\n"
    narrower = chance()
    if narrower < 0.15:
        level = THREAD
    elif narrower < 0.35 and warp_operations:
        level = max(level, WARP)
    return choice(level, depth, loop_level) if kind < 0.75 else loop(level, depth)


BEFORE = r"""#include <cstdio>
#include <cstdlib>
#include <vector>
#include <thread>
#include <barrier>
#include <memory>
#include <cstring>
#define BODY_INIT unsigned v0 = TID * 7u + 1u, v1 = in[TID & 15u], v2 = BID, v3 = TID; unsigned u0 = n, u1 = in[BID & 15u], u2 = 2u; unsigned w0 = WARP, w1 = 1u; unsigned arr[4] = {v0, v1, 3u, TID};
#define BODY_END out[IDX] = v0 ^ (v1 * 3u) ^ (v2 * 5u) ^ (v3 * 7u) ^ (u0 * 11u) ^ (u1 * 13u) ^ (u2 * 17u) ^ (arr[0] * 19u) ^ (arr[1] + arr[2] * 23u) ^ (arr[3] * 29u) ^ (w0 * 31u) ^ (w1 * 37u);
#define TID (threadIdx.x + blockDim.x * threadIdx.y)
#define BD (blockDim.x * blockDim.y)
#define BID blockIdx.x
#define IDX (BID * BD + TID)
#define WARP (TID / 32u)
#define LANE (TID % 32u)
#define LANES (BD - WARP * 32u < 32u ? BD - WARP * 32u : 32u)
#define SYNC() __syncthreads()
#define SYNC_COUNT(c) (unsigned)__syncthreads_count(c)
#define SYNC_OR(c) (unsigned)(__syncthreads_or(c) != 0)
#define SYNC_AND(c) (unsigned)(__syncthreads_and(c) != 0)
#define MASK (LANES == 32u ? 0xffffffffu : (1u << LANES) - 1u)
#define SHFL(v, s) __shfl_sync(MASK, v, s)
#define BALLOT(c) __ballot_sync(MASK, c)
#define ANY(c) (unsigned)(__any_sync(MASK, c) != 0)
#define ALL(c) (unsigned)(__all_sync(MASK, c) != 0)
#define SYNCWARP() __syncwarp(MASK)
__global__ void kernel(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned sh[128];
  __shared__ unsigned cell;
  sh[TID] = TID; if (TID == 0) cell = 9;
  BODY_INIT
  SYNC();
"""

BETWEEN = r"""
  BODY_END
}
#undef TID
#undef BD
#undef BID
#undef SYNC
#undef SYNC_COUNT
#undef SYNC_OR
#undef SYNC_AND
#undef SHFL
#undef BALLOT
#undef ANY
#undef ALL
#undef SYNCWARP
struct Block { unsigned sh[128], cell; unsigned bd, bid; std::barrier<> bar; std::vector<std::unique_ptr<std::barrier<>>> wbar; unsigned val[128], src[128]; bool alive[128];
  Block(unsigned b, unsigned id): bd(b), bid(id), bar(b) { memset(alive, 0, sizeof alive); for (unsigned t=0;t<b;t++) alive[t]=true; for (unsigned w = 0; w*32 < b; w++) wbar.emplace_back(new std::barrier<>(b-w*32<32?b-w*32:32)); } };
#define TID tid
#define BD (B.bd)
#define BID (B.bid)
#define SYNC() B.bar.arrive_and_wait()
#define SYNCWARP() B.wbar[WARP]->arrive_and_wait()
#define sh B.sh
#define cell B.cell
static unsigned red(Block &B, unsigned tid, int kind, bool c) {
  B.val[tid] = c; SYNC(); unsigned r = kind == 2; 
  for (unsigned t = 0; t < B.bd; t++) if (B.alive[t]) { if (kind==0) r += B.val[t]; if (kind==1) r |= B.val[t]; if (kind==2) r &= B.val[t]; }
  SYNC(); return r; }
static unsigned wred(Block &B, unsigned tid, int kind, bool c) {
  B.val[tid] = c; SYNCWARP(); unsigned r = kind == 2;
  for (unsigned l = 0; l < LANES; l++) { unsigned v = B.val[WARP*32+l]; if (kind==0) r |= v << l; if (kind==1) r |= v; if (kind==2) r &= v; }
  SYNCWARP(); return r; }
static unsigned shfl(Block &B, unsigned tid, unsigned v, unsigned s) { B.val[tid] = v; SYNCWARP(); unsigned r = B.val[WARP*32+s]; SYNCWARP(); return r; }
#define SYNC_COUNT(c) red(B, tid, 0, c)
#define SYNC_OR(c) red(B, tid, 1, c)
#define SYNC_AND(c) red(B, tid, 2, c)
#define SHFL(v, s) shfl(B, tid, v, s)
#define BALLOT(c) wred(B, tid, 0, c)
#define ANY(c) wred(B, tid, 1, c)
#define ALL(c) wred(B, tid, 2, c)
static void body(Block &B, unsigned tid, const unsigned *in, unsigned *out, unsigned n) {
  sh[TID] = TID; if (TID == 0) cell = 9;
  BODY_INIT
  SYNC();
"""

AFTER = r"""
  BODY_END
}
int main() {
  unsigned in[64]; for (unsigned i = 0; i < 64; i++) in[i] = (i * 2654435761u) >> 7;
  unsigned *din, *dout; cudaMalloc(&din, sizeof in); cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
  const unsigned shapes[][2] = {{1,1},{7,1},{32,1},{40,1},{64,1},{8,5},{16,4},{33,2}};
  for (auto &s : shapes) for (unsigned n = 0; n < 3; n++) {
    const unsigned blocks = 3, bd = s[0]*s[1];
    std::vector<unsigned> got(blocks*bd, 0xdead), want(blocks*bd, 0xdead);
    cudaMalloc(&dout, got.size()*4); cudaMemcpy(dout, got.data(), got.size()*4, cudaMemcpyHostToDevice);
    kernel<<<blocks, dim3(s[0], s[1])>>>(din, dout, n);
    cudaMemcpy(got.data(), dout, got.size()*4, cudaMemcpyDeviceToHost); cudaFree(dout);
    for (unsigned b = 0; b < blocks; b++) {
      Block B(bd, b); std::vector<std::thread> ts;
      for (unsigned t = 0; t < bd; t++) ts.emplace_back([&, t] { body(B, t, in, want.data(), n); B.alive[t] = false; B.bar.arrive_and_drop(); B.wbar[t/32]->arrive_and_drop(); });
      for (auto &t : ts) t.join();
    }
    for (unsigned i = 0; i < got.size(); i++) if (got[i] != want[i]) { printf("FAIL shape %ux%u n %u thread %u: got %x want %x\n", s[0], s[1], n, i, got[i], want[i]); return 1; }
  }
  return 0;
}
"""

body = statements(BLOCK, 0, None, number(3, 8))
print(BEFORE + body + BETWEEN + body + AFTER)
