// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bit fields, signed and unsigned, in private, shared and global structs and as an argument.
#include "check.h"

struct packed {
  unsigned low : 5;
  int middle : 9;
  unsigned high : 18;
  unsigned long long far : 40;
};

__global__ void pack(packed *out, packed start, int n) {
  __shared__ packed first;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    first = start;
    first.middle = -200;
  }
  __syncthreads();
  if (i >= n)
    return;
  packed mine = first;
  mine.low += i; // wraps at 32
  mine.middle += i % 400;
  mine.high = i * 1000;
  out[i] = mine;
  out[i].far = start.far + i;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 450;
  buffer<packed> out(n);
  packed start = {3, 0, 0, 1ull << 39};
  pack<<<blocks_for(n, block), block>>>(out.device, start, n);
  out.download();
  for (int i = 0; i < n; i++) {
    int middle = -200 + i % 400; // fits -256 to 255
    expect(i, (int)out[i].low, (i + 3) % 32);
    expect(i, (int)out[i].middle, middle);
    expect(i, (int)out[i].high, i * 1000 % (1 << 18));
    expect(i, (unsigned long long)out[i].far, (1ull << 39) + i);
  }
  return passed();
}
