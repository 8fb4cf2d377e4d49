// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: votes, shuffles with their predicate, match, redux, elect, barriers with a reduction; in full and in partial
// warps, in a loop and under a branch.
#include "check.h"

enum { RESULTS = 14 };

__device__ unsigned down_sum(unsigned value, unsigned members) { // the form in which warp scans are written in PTX
  for (int step = 1; step < 32; step *= 2)
    asm volatile("{ .reg .u32 r; .reg .pred p;\n"
                 "  shfl.sync.up.b32 r|p, %0, %1, 0, %2;\n"
                 "  @p add.u32 %0, r, %0; }"
                 : "+r"(value)
                 : "r"(step), "r"(members));
  return value;
}

__global__ void run(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  unsigned value = in[i], *mine = out + (size_t)i * RESULTS, members, any, ballot;
  asm volatile("activemask.b32 %0;" : "=r"(members));
  asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %2, 60; vote.sync.any.pred q, p, %3; selp.u32 %0, 1, 0, q;\n"
               "  vote.sync.ballot.b32 %1, !p, %3; }"
               : "=r"(any), "=r"(ballot)
               : "r"(value), "r"(members));
  mine[0] = members;
  mine[1] = any;
  mine[2] = ballot;
  mine[3] = down_sum(value, members);
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, %2;" : "=r"(mine[4]) : "r"(value), "r"(members));
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 3, 0x1807, %3; selp.u32 %1, 1, 0, p; }"
               : "=r"(mine[5]), "=r"(mine[6])
               : "r"(value), "r"(members));
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(mine[7]) : "r"(value % 3), "r"(members));
  asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(mine[8]) : "r"(value), "r"(members));
  asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }"
               : "=r"(mine[9]), "=r"(mine[10])
               : "r"(members));
  mine[11] = 0;
  if (t % 2) { // half of the warp
    unsigned odd = members & 0xaaaaaaaau;
    asm volatile("redux.sync.add.s32 %0, %1, %2;" : "=r"(mine[11]) : "r"(value), "r"(odd));
  }
  asm volatile("bar.warp.sync %0;" ::"r"(members));
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %2, 50; barrier.cta.red.popc.aligned.u32 %0, 0, p;\n"
               "  bar.red.or.pred q, 1, p; selp.u32 %1, 1, 0, q; }"
               : "=r"(mine[12]), "=r"(mine[13])
               : "r"(value));
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<unsigned> in(n), out((size_t)n * RESULTS);
  unsigned state = 17;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state) % 64;
  in.upload();
  run<<<blocks, block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    int first = i - i % block % 32, lane = i % block % 32, start = i / block * block;
    int count = start + block - first < 32 ? start + block - first : 32;
    unsigned members = count == 32 ? ~0u : (1u << count) - 1, any = 0, ballot = 0, sum = 0, same = 0, most = 0, odd = 0,
             below = 0;
    for (int k = 0; k < count; k++) {
      unsigned value = in[first + k];
      any |= value > 60;
      ballot |= (unsigned)(value <= 60) << k;
      if (k <= lane)
        sum += value;
      same |= (unsigned)(value % 3 == in[i] % 3) << k;
      if (value > most)
        most = value;
      if (k % 2)
        odd += value;
    }
    for (int k = 0; k < block; k++)
      below += in[start + k] < 50;
    unsigned *got = &out[(size_t)i * RESULTS];
    expect(i, got[0], members);
    expect(i, got[1], any);
    expect(i, got[2], ballot);
    expect(i, got[3], sum);
    if ((lane ^ 1) < count)
      expect(i, got[4], in[first + (lane ^ 1)]);
    bool inside = lane % 8 + 3 < 8;
    expect(i, got[6], (unsigned)inside);
    if (!inside || lane + 3 < count)
      expect(i, got[5], in[inside ? i + 3 : i]);
    expect(i, got[7], same);
    expect(i, got[8], most);
    expect(i, got[9], 0u);
    expect(i, got[10], (unsigned)(lane == 0));
    expect(i, got[11], lane % 2 ? odd : 0u);
    expect(i, got[12], below);
    expect(i, got[13], (unsigned)(below > 0));
  }
  return passed();
}
