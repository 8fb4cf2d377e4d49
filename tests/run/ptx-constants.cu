// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: a constant operand, "n", stands in the text as a signed integer, whatever the width of the instruction.
#include "check.h"

typedef long long s64;

template <int N> __device__ s64 plus(s64 a) {
  s64 result;
  asm("add.s64 %0, %1, %2;" : "=l"(result) : "l"(a), "n"(N));
  return result;
}

enum { RESULTS = 8 };

__global__ void run(const int *in, s64 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x;
  if (i >= n)
    return;
  s64 *mine = out + RESULTS * i;
  mine[0] = plus<-1>(i);
  mine[1] = plus<5>(i);
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(mine[2]) : "r"(i), "r"(7), "n"(-2));
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(mine[3]) : "r"(i), "n"(-3));
  asm("mov.u64 %0, %1;" : "=l"(mine[4]) : "n"(0xfffffff0u));
  asm("ld.global.u32 %0, [%1+%2];" : "=r"(x) : "l"(in + i + 1), "n"(-4));
  mine[5] = x;
  asm("or.b64 %0, %1, %2;" : "=l"(mine[6]) : "l"((s64)i), "n"(0x700000000ll));
  asm("mov.u64 %0, %1;" : "=l"(mine[7]) : "n"(sizeof(s64) == 8)); // a truth value is 1
}

int main(int argc, char **argv) {
  const int n = 500;
  int block = block_size(argc, argv);
  buffer<int> in(n);
  buffer<s64> out(n * RESULTS);
  for (int i = 0; i < n; i++)
    in[i] = 3 * i + 1;
  in.upload();
  run<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    const s64 expected[RESULTS] = {i - 1, i + 5, 7 * i - 2, -3 * i, -16, 3 * i + 1, i | 0x700000000ll, 1};
    for (int k = 0; k < RESULTS; k++)
      expect(i, out[i * RESULTS + k], expected[k]);
  }
  return passed();
}
