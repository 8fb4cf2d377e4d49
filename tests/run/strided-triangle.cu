// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block walks the rows of a triangle; in each its threads stride from the diagonal on, so that where they start depends
// on the loop around and on the thread.
#include "check.h"

__global__ void rows(const int *in, int *out, int n, int skip) {
  for (int row = 0; row < n; row++) {
    for (int col = row * skip + blockIdx.x + threadIdx.x; col < n; col += blockDim.x)
      out[(blockIdx.x * n + row) * n + col] = in[row * n + col] * (row + 1) - col;
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 90, blocks = 3;
  buffer<int> in(n * n), out(blocks * n * n);
  unsigned state = 7;
  for (int i = 0; i < n * n; i++)
    in[i] = (int)(next_random(state) % 1000);
  in.upload();
  for (int skip = 0; skip < 3; skip++) {
    CHECK(cudaMemset(out.device, 0, blocks * n * n * sizeof(int)));
    rows<<<blocks, block>>>(in.device, out.device, n, skip);
    out.download();
    for (int b = 0; b < blocks; b++)
      for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++)
          expect((b * n + row) * n + col, out[(b * n + row) * n + col],
                 col < row * skip + b ? 0 : in[row * n + col] * (row + 1) - col);
  }
  return passed();
}
