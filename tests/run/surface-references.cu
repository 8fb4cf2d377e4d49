// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The old references to surfaces: bound to one array and then to another, read and written by kernels. CUDA 13 has them no longer.
#include "textures.h"

enum { WIDTH = 32, HEIGHT = 12 };

surface<void, cudaSurfaceType2D> target;

__global__ void add(int more) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= WIDTH * HEIGHT)
    return;
  int value;
  surf2Dread(&value, target, i % WIDTH * (int)sizeof(int), i / WIDTH);
  surf2Dwrite(value + more, target, i % WIDTH * (int)sizeof(int), i / WIDTH);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), count = WIDTH * HEIGHT;
  static int numbers[HEIGHT][WIDTH];
  cudaArray_t array[2];
  for (int i = 0; i < count; i++)
    (&numbers[0][0])[i] = i * 3;
  for (int a = 0; a < 2; a++) {
    array[a] = array_of(&numbers[0][0], WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore);
    CHECK(cudaBindSurfaceToArray(target, array[a]));
    add<<<blocks_for(count, block), block>>>(100 + a);
    CHECK(cudaGetLastError());
  }
  const surfaceReference *reference;
  CHECK(cudaGetSurfaceReference(&reference, &target));
  expect(-1, reference->channelDesc.x, 32);
  for (int a = 0; a < 2; a++) {
    CHECK(cudaMemcpy2DFromArray(numbers, sizeof numbers[0], array[a], 0, 0, sizeof numbers[0], HEIGHT,
                                cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++)
      expect(i, (&numbers[0][0])[i], i * 3 + 100 + a);
    CHECK(cudaFreeArray(array[a]));
  }
  return passed();
}
