// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Surfaces on the levels of a mipmap that was made without cudaArraySurfaceLoadStore (a plain array needs the flag), filled by a kernel from
// the level before; rows copied to and from an array by a pitch of 0, which is taken of a single row only.
#include "check.h"

__global__ void halve(cudaTextureObject_t from, cudaSurfaceObject_t to, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width)
    surf2Dwrite(tex2D<float>(from, 2 * x, 2 * y) + 1000, to, x * (int)sizeof(float), y);
}

int main(int argc, char **argv) {
  const int n = 64;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap;
  CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(n, n, 0), 3));
  cudaArray_t level[3];
  for (int i = 0; i < 3; i++)
    CHECK(cudaGetMipmappedArrayLevel(&level[i], mipmap, i));
  float row[n], back[n];
  for (int y = 0; y < n; y++) {
    for (int x = 0; x < n; x++)
      row[x] = y * n + x;
    CHECK(cudaMemcpy2DToArray(level[0], 0, y, row, 0, sizeof row, 1, cudaMemcpyHostToDevice));
  }
  expect(0, cudaMemcpy2DToArray(level[0], 0, 0, row, 0, 8, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  for (int i = 1; i < 3; i++) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = level[i - 1];
    cudaTextureDesc plain = {};
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &plain, nullptr));
    resource.res.array.array = level[i];
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    int width = n >> i, block = block_size(argc, argv);
    halve<<<dim3((width + block - 1) / block, width), block>>>(texture, surface, width);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaDestroyTextureObject(texture));
  }
  for (int y = 0; y < n / 4; y++) {
    CHECK(cudaMemcpy2DFromArray(back, 0, level[2], 0, y, n / 4 * sizeof(float), 1, cudaMemcpyDeviceToHost));
    for (int x = 0; x < n / 4; x++)
      expect(x, back[x], 4.0f * y * n + 4 * x + 2000);
  }
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, n, n));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  expect(0, cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
  return passed();
}
