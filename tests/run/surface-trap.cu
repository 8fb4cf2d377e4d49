// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access outside of a surface, without a boundary mode that says otherwise, ends its thread at once and the kernel
// with a sticky error: that of an illegal address.
#include "textures.h"

__managed__ int after;

__global__ void write_up_to(cudaSurfaceObject_t s, int last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > last)
    return;
  surf1Dwrite(i, s, i * (int)sizeof(int));
  if (i == last)
    after++;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), width = 500;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  CHECK(cudaMallocArray(&array, &format, width, 0, cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t s = surface_over(array);
  write_up_to<<<blocks_for(width, block), block>>>(s, width - 1);
  CHECK(cudaDeviceSynchronize());
  expect(0, after, 1);
  write_up_to<<<blocks_for(width + 1, block), block>>>(s, width);
  expect(-1, (int)cudaDeviceSynchronize(), (int)cudaErrorIllegalAddress);
  expect(1, after, 1);
  expect(-2, (int)cudaDestroySurfaceObject(s), (int)cudaErrorIllegalAddress);
  return passed();
}
