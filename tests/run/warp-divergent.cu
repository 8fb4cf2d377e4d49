// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Votes, ballots, matches and reductions of every type among the lanes of a warp that take one way through the code: both arms
// of nested branches, loops that lanes leave one by one, lanes that have returned. The mask names those lanes.
#include "check.h"

enum { ROWS = 20 };

static __device__ void ask(unsigned *out, unsigned mask, int value) {
  int predicate;
  out[0] = __activemask();
  out[1] = __ballot_sync(mask, value % 3 == 0);
  out[2] = __any_sync(mask, value % 7 == 3) != 0;
  out[3] = __all_sync(mask, value % 7 != 3) != 0;
  out[4] = __uni_sync(mask, value % 5 < 3) != 0;
  out[5] = __match_any_sync(mask, value % 4);
  out[6] = __match_any_sync(mask, (value % 4) * 0.5f);
  out[7] = __match_any_sync(mask, (value % 4) * -0.5);
  out[8] = __match_any_sync(mask, (unsigned long long)(value % 4) << 35);
  out[9] = __match_all_sync(mask, value / 64, &predicate);
  out[10] = predicate != 0;
  out[11] = __reduce_add_sync(mask, (unsigned)value);
  out[12] = (unsigned)__reduce_add_sync(mask, -value);
  out[13] = (unsigned)__reduce_min_sync(mask, value - 60);
  out[14] = __reduce_max_sync(mask, (unsigned)value);
  out[15] = __reduce_and_sync(mask, (unsigned)value | 17u);
  out[16] = __reduce_or_sync(mask, (unsigned)value);
  out[17] = __reduce_xor_sync(mask, (unsigned)value);
#if CUDART_VERSION < 13000
  out[18] = __popc(__ballot(value & 1)) * 4 + (__any(value == 5) != 0) * 2 + (__all(value < 90) != 0);
#else // the old forms went with the GPUs that they were for
  out[18] = __popc(__ballot_sync(mask, value & 1)) * 4 + (__any_sync(mask, value == 5) != 0) * 2 +
            (__all_sync(mask, value < 90) != 0);
#endif
  __syncwarp(mask);
  out[19] = 1;
}

static void answer(unsigned *out, const int *values, const unsigned mask, int lane) {
  int any = 0, all = 1, first = -1, odd = 0, five = 0, low = 1, same_block = 1, unanimous = 1;
  for (int k = 0; k < ROWS; k++)
    out[k] = 0;
  out[13] = 0x7fffffff;
  out[15] = ~0u;
  for (int k = 0; k < 32; k++) {
    if (!(mask >> k & 1))
      continue;
    int value = values[k];
    if (first < 0)
      first = k;
    out[1] |= (unsigned)(value % 3 == 0) << k;
    any |= value % 7 == 3;
    all &= value % 7 != 3;
    unanimous &= (value % 5 < 3) == (values[first] % 5 < 3);
    out[5] |= (unsigned)(value % 4 == values[lane] % 4) << k;
    same_block &= value / 64 == values[first] / 64;
    out[11] += (unsigned)value;
    out[12] -= (unsigned)value;
    if (value - 60 < (int)out[13])
      out[13] = (unsigned)(value - 60);
    if ((unsigned)value > out[14])
      out[14] = (unsigned)value;
    out[15] &= (unsigned)value | 17u;
    out[16] |= (unsigned)value;
    out[17] ^= (unsigned)value;
    odd += value & 1;
    five |= value == 5;
    low &= value < 90;
  }
  out[0] = mask;
  out[2] = any;
  out[3] = all;
  out[4] = unanimous;
  out[6] = out[7] = out[8] = out[5];
  out[9] = same_block ? mask : 0;
  out[10] = same_block;
  out[18] = odd * 4 + five * 2 + low;
  out[19] = 1;
}

__global__ void branches(const int *in, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
  unsigned *mine = out + i * ROWS;
  if (value % 2) {
    if (value % 16 > 6)
      ask(mine, __activemask(), value);
    else
      ask(mine, __activemask(), value);
  } else {
    switch (value / 4 % 3) {
    case 0: ask(mine, __activemask(), value); break;
    case 1: return;
    default: ask(mine, __activemask(), value);
    }
  }
}

// A lane stays for as many iterations as its value says; the answers of its last iteration are kept.
__global__ void iterations(const int *in, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
  for (int iteration = 0; iteration < value % 6 + 1; iteration++) {
    if (value == 99 && iteration == 2)
      break;
    ask(out + i * ROWS, __activemask(), value + iteration);
  }
}

static int way(int value) { return value % 2 ? value % 16 > 6 : 2 + value / 4 % 3; }
static int iterations_of(int value) { return value == 99 && value % 6 >= 2 ? 2 : value % 6 + 1; }

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 4, n = block * blocks;
  buffer<int> in(n);
  buffer<unsigned> out(n * ROWS);
  unsigned state = 3, wanted[ROWS];
  for (int i = 0; i < n; i++)
    in[i] = i / block == 2 ? 5 + 64 * (i / 40 % 2) : next_random(state) % 128;
  in.upload();
  branches<<<blocks, block>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int t = i % block, warp = i - t % 32, values[32];
    unsigned mask = 0;
    if (way(in[i]) == 3)
      continue; // has returned
    for (int k = 0; k < 32 && t / 32 * 32 + k < block; k++) {
      values[k] = in[warp + k];
      if (way(values[k]) == way(in[i]))
        mask |= 1u << k;
    }
    answer(wanted, values, mask, t % 32);
    for (int k = 0; k < ROWS; k++)
      expect(i * 100 + k, out[i * ROWS + k], wanted[k]);
  }
  iterations<<<blocks, block>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int t = i % block, warp = i - t % 32, values[32], iteration = iterations_of(in[i]) - 1;
    unsigned mask = 0;
    for (int k = 0; k < 32 && t / 32 * 32 + k < block; k++) {
      values[k] = in[warp + k] + iteration;
      if (iterations_of(in[warp + k]) > iteration)
        mask |= 1u << k;
    }
    answer(wanted, values, mask, t % 32);
    for (int k = 0; k < ROWS; k++)
      expect(i * 100 + k, out[i * ROWS + k], wanted[k]);
  }
  return passed();
}
