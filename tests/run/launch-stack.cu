// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many launches of one block from a loop in one function: what a thread keeps on the stack (a large parameter that it writes,
// an array of its own, shared memory) is given back, or a stack of 8 MiB would not do.
#include "check.h"
#include <sys/resource.h>

struct large {
  int words[1000];
};

__global__ void rotate(large by, int *out, int step) {
  __shared__ int shared[64];
  int own[100], i = threadIdx.x;
  for (int k = 0; k < 100; k++)
    own[k] = k * step;
  by.words[(i + step) % 1000] += own[(i * 7 + step) % 100];
  if (i < 64)
    shared[i] = by.words[(i + step + 1) % 1000];
  __syncthreads();
  out[i] += by.words[(i + step) % 1000] + shared[i % 64 < blockDim.x ? i % 64 : 0];
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), steps = 100000 / block + 1;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > 64 << 20) {
    limit.rlim_cur = 8 << 20; // grows no further from here on
    setrlimit(RLIMIT_STACK, &limit);
  }
  large by;
  for (int k = 0; k < 1000; k++)
    by.words[k] = k * k;
  buffer<int> out(block);
  out.upload();
  int *place = out.device;
  for (int step = 0; step < steps; step++)
    rotate<<<1, block>>>(by, place, step);
  out.download();
  for (int i = 0; i < block; i++) {
    int sum = 0;
    for (int step = 0; step < steps; step++) {
      int s = i % 64 < block ? i % 64 : 0;
      unsigned changed = by.words[(i + step) % 1000] + (i * 7 + step) % 100 * step;
      sum += changed + by.words[(s + step + 1) % 1000];
    }
    expect(i, out[i], sum);
  }
  return passed();
}
