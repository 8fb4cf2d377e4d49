// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-efficient exclusive scan: an up-sweep and a down-sweep, two elements for each thread.
#include "check.h"

__global__ void scan(const unsigned *in, unsigned *out, unsigned *totals, int span, int n) {
  extern __shared__ unsigned temp[];
  int me = threadIdx.x, base = blockIdx.x * span;
  for (int k = me; k < span; k += blockDim.x)
    temp[k] = base + k < n ? in[base + k] : 0;
  int offset = 1;
  for (int active = span >> 1; active > 0; active >>= 1) {
    __syncthreads();
    for (int k = me; k < active; k += blockDim.x)
      temp[offset * (2 * k + 2) - 1] += temp[offset * (2 * k + 1) - 1];
    offset *= 2;
  }
  __syncthreads();
  if (me == 0) {
    totals[blockIdx.x] = temp[span - 1];
    temp[span - 1] = 0;
  }
  for (int active = 1; active < span; active *= 2) {
    offset >>= 1;
    __syncthreads();
    for (int k = me; k < active; k += blockDim.x) {
      int left = offset * (2 * k + 1) - 1, right = offset * (2 * k + 2) - 1;
      unsigned kept = temp[left];
      temp[left] = temp[right];
      temp[right] += kept;
    }
  }
  __syncthreads();
  for (int k = me; k < span; k += blockDim.x)
    if (base + k < n)
      out[base + k] = temp[k];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1800;
  int span = 2;
  while (span < 2 * block)
    span *= 2;
  const int blocks = blocks_for(n, span);
  buffer<unsigned> in(n), out(n), totals(blocks);
  unsigned state = 5;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state);
  in.upload();
  scan<<<blocks, block, span * sizeof(unsigned)>>>(in.device, out.device, totals.device, span, n);
  out.download();
  totals.download();
  unsigned running = 0;
  for (int i = 0; i < n; i++) {
    if (i % span == 0)
      running = 0;
    expect(i, out[i], running);
    running += in[i];
    if (i % span == span - 1 || i == n - 1)
      expect(i, totals[i / span], running);
  }
  return passed();
}
