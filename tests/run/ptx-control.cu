// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: predicates, guards, local registers, labels and branches, packing, special registers, exit.
#include "check.h"

__device__ unsigned clamp_to(unsigned value, unsigned limit) {
  asm("{\n\t"
      "  .reg .pred p; /* a comment */\n\t"
      "  setp.gt.u32 p, %0, %1; // another; with a semicolon\n\t"
      "  @p mov.u32 %0, %1;\n\t"
      "}"
      : "+r"(value)
      : "r"(limit));
  return value;
}

// setp with two results and a bool operation, selp, and, not on predicates.
__device__ int classify(int a, int b) {
  int result;
  asm("{ .reg .pred p, q, %%r<2>;\n"
      "  setp.lt.s32 p|q, %1, %2;\n"
      "  setp.eq.and.s32 %%r0, %1, 0, !p;\n"
      "  or.pred %%r1, %%r0, p;\n"
      "  not.pred %%r1, %%r1;\n"
      "  selp.s32 %0, 100, 200, p;\n"
      "  @q add.s32 %0, %0, 10;\n"
      "  @!%%r1 add.s32 %0, %0, 1; }"
      : "=r"(result)
      : "r"(a), "r"(b));
  return result;
}

// The number of steps to 1 in Collatz's sequence, with a loop in the asm.
__device__ unsigned collatz(unsigned n) {
  unsigned steps;
  asm("{ .reg .pred odd, done; .reg .u32 t, n;\n"
      "  mov.u32 %0, 0; mov.u32 n, %1;\n"
      "again%=:\n"
      "  setp.le.u32 done, n, 1;\n"
      "  @done bra out%=;\n"
      "  and.b32 t, n, 1; setp.ne.u32 odd, t, 0;\n"
      "  @odd mad.lo.u32 n, n, 3, 1;\n"
      "  @!odd shr.u32 n, n, 0x1;\n"
      "  add.u32 %0, %0, 1;\n"
      "  bra.uni again%=;\n"
      "out%=: }"
      : "=r"(steps)
      : "r"(n));
  return steps;
}

// Labels, like registers, are known in their braces: two loops of one name, and a third name that the inner braces hide.
__device__ unsigned count_twice(unsigned first, unsigned second) {
  unsigned count = 0;
  asm volatile("{ .reg .pred p; again: add.u32 %0, %0, 1; setp.lt.u32 p, %0, %1; @p bra again; }\n"
               "{ .reg .pred p, q;\n"
               "  again: add.u32 %0, %0, 3;\n"
               "  { setp.lt.u32 q, %0, 20; @q bra done; add.u32 %0, %0, 100; done: }\n"
               "  setp.lt.u32 p, %0, %2;\n"
               "  @p bra again;\n"
               "  @!p bra done;\n"
               "  add.u32 %0, %0, 1000;\n"
               "  done: }"
               : "+r"(count)
               : "r"(first), "r"(second));
  return count;
}

__device__ double swap_words(double value) {
  asm("{ .reg .b32 low, high; mov.b64 {low, high}, %0; mov.b64 %0, {high, low}; }" : "+d"(value));
  return value;
}

__global__ void run(unsigned *out, unsigned *warps, unsigned *counts, double *swapped, unsigned *left, int n) {
  unsigned tid, ntid, ctaid, nctaid, lane, warp, below, size;
  asm("mov.u32 %0, %%tid.x; mov.u32 %1, %%ntid.x; mov.u32 %2, %%ctaid.x; mov.u32 %3, %%nctaid.x;"
      : "=r"(tid), "=r"(ntid), "=r"(ctaid), "=r"(nctaid));
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm("mov.u32 %0, %%lanemask_lt; mov.u32 %1, WARP_SZ;" : "=r"(below), "=r"(size));
  unsigned long long clock, timer;
  asm volatile("mov.u64 %0, %%clock64; mov.u64 %1, %%globaltimer;" : "=l"(clock), "=l"(timer)::"memory");
  unsigned i = ctaid * ntid + tid;
  if (i >= n)
    return;
  unsigned *mine = out + 8 * i;
  mine[0] = nctaid;
  mine[1] = lane;
  warps[i] = warp;
  mine[2] = below;
  mine[3] = size + (clock > 0 && timer > 0);
  mine[4] = clamp_to(i, 50);
  mine[5] = classify((int)i - 20, (int)(i % 7) - 3);
  mine[6] = collatz(i + 1);
  mine[7] = __popc(below);
  counts[i] = count_twice(i % 11, i % 19);
  swapped[i] = swap_words((double)i);
  left[i] = 1;
  asm volatile("{ .reg .pred p; setp.ge.u32 p, %0, 13; @p exit; }" ::"r"(i % 17));
  left[i] = 2;
}

int main(int argc, char **argv) {
  const int n = 500;
  int block = block_size(argc, argv);
  buffer<unsigned> out(8 * n), warps(n), counts(n), left(n);
  buffer<double> swapped(n);
  run<<<blocks_for(n, block), block>>>(out.device, warps.device, counts.device, swapped.device, left.device, n);
  out.download();
  warps.download();
  counts.download();
  swapped.download();
  left.download();
  for (int i = 0; i < n; i++) {
    unsigned tid = i % block, *mine = &out[8 * i];
    expect(i, mine[0], (unsigned)blocks_for(n, block));
    expect(i, mine[1], tid % 32);
    // Which index a warp has is left open: the same for its threads, and another one than the other warps of the block.
    for (int other = i - (int)tid; other < i; other++)
      expect(i, (unsigned)(warps[i] == warps[other]), (unsigned)(tid / 32 == other % block / 32));
    expect(i, mine[2], (1u << tid % 32) - 1);
    expect(i, mine[3], 33u);
    expect(i, mine[4], i < 50 ? (unsigned)i : 50u);
    int a = i - 20, b = i % 7 - 3;
    bool p = a < b, r0 = a == 0 && !p;
    expect(i, mine[5], (unsigned)((p ? 100 : 210) + ((r0 || p) ? 1 : 0)));
    unsigned steps = 0;
    for (unsigned c = i + 1; c > 1; c = c % 2 ? 3 * c + 1 : c / 2)
      steps++;
    expect(i, mine[6], steps);
    expect(i, mine[7], tid % 32);
    unsigned count = 0;
    do
      count++;
    while (count < (unsigned)i % 11);
    do
      count += count + 3 < 20 ? 3 : 103;
    while (count < (unsigned)i % 19);
    expect(i, counts[i], count);
    double value = i;
    unsigned long long bits;
    memcpy(&bits, &value, 8);
    bits = bits << 32 | bits >> 32;
    memcpy(&value, &bits, 8);
    expect(i, swapped[i], value);
    expect(i, left[i], i % 17 >= 13 ? 1u : 2u);
  }
  return passed();
}
