// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device variables with a scope: in a namespace, static in a file, static in a function; constants in a class.
#include "check.h"

namespace outer {
namespace inner {
__device__ int offset = 7;
__constant__ int step = 3;
}
}

static __device__ unsigned calls = 0;

struct config {
  static constexpr int base = 1000;
  enum { doubled = 20 };
};

__device__ unsigned next_ticket(void) {
  static __device__ unsigned tickets = 50;
  return atomicAdd(&tickets, 1u);
}

__global__ void use(int *out, unsigned *seen, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&calls, 1u);
  seen[next_ticket() - 50] = 1;
  out[i] = config::base + outer::inner::offset + i * outer::inner::step + config::doubled;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 345;
  buffer<int> out(n);
  buffer<unsigned> seen(n);
  seen.upload();
  int offset = -7;
  unsigned count = 0;
  CHECK(cudaMemcpyToSymbol(outer::inner::offset, &offset, sizeof(offset)));
  use<<<blocks_for(n, block), block>>>(out.device, seen.device, n);
  out.download();
  seen.download();
  CHECK(cudaMemcpyFromSymbol(&count, calls, sizeof(count)));
  expect(-1, count, (unsigned)n);
  for (int i = 0; i < n; i++) {
    expect(i, out[i], 1000 - 7 + 3 * i + 20);
    expect(i, seen[i], 1u);
  }
  return passed();
}
