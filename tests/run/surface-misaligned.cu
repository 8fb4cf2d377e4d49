// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element of a surface begins at a multiple of its size, under each boundary mode: else the kernel ends with a sticky error.
#include "textures.h"

__global__ void write(cudaSurfaceObject_t s, int last, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= last)
    surf1Dwrite(i, s, i * (int)sizeof(int) + (i == last ? shift : 0), cudaBoundaryModeClamp);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), width = 500;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  CHECK(cudaMallocArray(&array, &format, width, 0, cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t s = surface_over(array);
  write<<<blocks_for(width, block), block>>>(s, width - 1, 4);
  CHECK(cudaDeviceSynchronize());
  write<<<blocks_for(width, block), block>>>(s, width - 1, -2);
  expect(0, (int)cudaDeviceSynchronize(), (int)cudaErrorMisalignedAddress);
  expect(1, (int)cudaGetLastError(), (int)cudaErrorMisalignedAddress);
  return passed();
}
