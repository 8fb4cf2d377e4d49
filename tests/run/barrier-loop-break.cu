// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop left by break between two barriers, once a shared flag says so.
#include "check.h"

__global__ void search(const int *in, int *where, int *iterations, int n, int wanted) {
  __shared__ int found;
  if (threadIdx.x == 0)
    found = -1;
  __syncthreads();
  int taken = 0;
  for (int base = 0; base < n; base += blockDim.x) {
    int i = base + threadIdx.x;
    if (i < n && in[i] == wanted)
      found = i;
    __syncthreads();
    if (found >= 0)
      break;
    __syncthreads();
    taken++;
  }
  where[threadIdx.x] = found;
  iterations[threadIdx.x] = taken;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 700;
  buffer<int> in(n), where(block), iterations(block);
  for (int i = 0; i < n; i++)
    in[i] = (i * 37) % n; // 37 and 700 have no common factor: each value once
  in.upload();
  for (int wanted = -5; wanted < n; wanted += 53) {
    search<<<1, block>>>(in.device, where.device, iterations.device, n, wanted);
    where.download();
    iterations.download();
    int expected = -1;
    for (int i = 0; i < n; i++)
      if (in[i] == wanted)
        expected = i;
    for (int t = 0; t < block; t++) {
      expect(t, where[t], expected);
      expect(t, iterations[t], expected >= 0 ? expected / block : blocks_for(n, block));
    }
  }
  return passed();
}
