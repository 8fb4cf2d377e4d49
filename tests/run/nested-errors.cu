// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host was told last is not what a kernel was: a call that a kernel makes in vain leaves the host's last error alone, and
// the host's is nothing that a kernel sees.
// nvcc flags: -rdc=true
#include "check.h"

__global__ void child(int *cell) { atomicAdd(cell, 1); }
__global__ void asks(int *seen) {
  if (threadIdx.x == 0)
    seen[blockIdx.x] = cudaGetLastError();
}
__global__ void in_vain(int *seen) {
  if (threadIdx.x || blockIdx.x)
    return;
  child<<<1, 2000>>>(seen); // no block has so many threads
  seen[1] = cudaPeekAtLastError() != cudaSuccess;
  seen[2] = cudaGetLastError() != cudaSuccess;
  child<<<1, 32>>>(seen);
  seen[3] = cudaGetLastError();
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 5;
  buffer<int> seen(blocks);
  expect(0, (int)cudaFree((void *)1), (int)cudaErrorInvalidValue);
  asks<<<blocks, block>>>(seen.device);
  expect(1, (int)cudaPeekAtLastError(), (int)cudaErrorInvalidValue);
  expect(2, (int)cudaDeviceSynchronize(), (int)cudaSuccess);
  expect(3, (int)cudaGetLastError(), (int)cudaErrorInvalidValue);
  seen.download();
  for (int b = 0; b < blocks; b++)
    expect(b, seen[b], (int)cudaSuccess);

  memset(seen.host, 0, blocks * sizeof(int));
  seen.upload();
  in_vain<<<blocks, block>>>(seen.device);
  seen.download(); // finds no error of the host's
  expect(10, seen[0], 32);
  expect(11, seen[1], 1);
  expect(12, seen[2], 1);
  expect(13, seen[3], (int)cudaSuccess);
  return passed();
}
