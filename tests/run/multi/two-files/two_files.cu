// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of another file, launched three ways: by a host function there, by their name from here, and by a pointer
// that the other file hands out. Both files have a static kernel and a device variable of the same name.
#include "../../check.h"
#include "other.h"

static __device__ int secret = 1;

static __global__ void add_secret(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += secret;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> data(n);
  for (int i = 0; i < n; i++)
    data[i] = i;
  data.upload();
  add_secret<<<blocks, block>>>(data.device, n);
  add_other_secret(data.device, n, blocks, block);
  reverse_in_block<<<blocks, block, block * sizeof(int)>>>(data.device);
  kernel_pointer triple = get_triple();
  triple<<<blocks, block>>>(data.device, n);
  data.download();
  for (int i = 0; i < n; i++) {
    int source = i / block * block + block - 1 - i % block;
    expect(i, data[i], (source + 1 + 1000) * 3);
  }
  return passed();
}
