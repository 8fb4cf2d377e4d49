// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scan of a whole array: block scans, a scan of the block sums, and an addition; three kernels in a row.
#include "check.h"

__global__ void scan_blocks(const int *in, int *out, int *sums, int n) {
  __shared__ int tile[1024];
  int me = threadIdx.x, i = blockIdx.x * blockDim.x + me;
  tile[me] = i < n ? in[i] : 0;
  for (int step = 1; step < blockDim.x; step *= 2) {
    __syncthreads();
    int add = me >= step ? tile[me - step] : 0;
    __syncthreads();
    tile[me] += add;
  }
  if (i < n)
    out[i] = tile[me];
  if (me == blockDim.x - 1)
    sums[blockIdx.x] = tile[me];
}

__global__ void scan_serially(int *sums, int count) {
  int running = 0;
  for (int k = 0; k < count; k++) {
    int own = sums[k];
    sums[k] = running;
    running += own;
  }
}

__global__ void add_offsets(int *out, const int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += sums[blockIdx.x];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 3333, blocks = blocks_for(n, block);
  buffer<int> in(n), out(n), sums(blocks);
  for (int i = 0; i < n; i++)
    in[i] = i % 23 - 9;
  in.upload();
  scan_blocks<<<blocks, block>>>(in.device, out.device, sums.device, n);
  scan_serially<<<1, 1>>>(sums.device, blocks);
  add_offsets<<<blocks, block>>>(out.device, sums.device, n);
  out.download();
  int running = 0;
  for (int i = 0; i < n; i++)
    expect(i, out[i], running += in[i]);
  return passed();
}
