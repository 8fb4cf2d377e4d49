// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMallocPitch and cudaMemcpy2D to, from and on the device, with a kernel that walks the pitch.
#include "check.h"

__global__ void negate_columns(float *data, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width || y >= height)
    return;
  float *row = (float *)((char *)data + y * pitch);
  if (x % 2)
    row[x] = -row[x];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), width = 45, height = 13;
  static float in[height][width + 3], out[height][width], part[4][5];
  float *data, *copy;
  size_t pitch = 0, copy_pitch = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width + 3; x++)
      in[y][x] = y * 100 + x;
  CHECK(cudaMallocPitch((void **)&data, &pitch, width * sizeof(float), height));
  CHECK(cudaMallocPitch((void **)&copy, &copy_pitch, (width + 40) * sizeof(float), height));
  expect(-1, pitch >= width * sizeof(float) && pitch % sizeof(float) == 0 ? 1 : 0, 1);
  CHECK(cudaMemcpy2D(data, pitch, in, sizeof(in[0]), width * sizeof(float), height, cudaMemcpyHostToDevice));
  negate_columns<<<dim3(blocks_for(width, block), height), block>>>(data, pitch, width, height);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy2D(copy, copy_pitch, data, pitch, width * sizeof(float), height, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy2D(out, sizeof(out[0]), copy, copy_pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost));
  for (int i = 0; i < width * height; i++) {
    int x = i % width, value = i / width * 100 + x;
    expect(i, out[i / width][x], (float)(x % 2 ? -value : value));
  }
  CHECK(cudaMemcpy2D(part, sizeof(part[0]), (char *)copy + 3 * copy_pitch + 2 * sizeof(float), copy_pitch,
                     5 * sizeof(float), 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 20; i++)
    expect(1000 + i, part[i / 5][i % 5], out[3 + i / 5][2 + i % 5]);
  CHECK(cudaFree(data));
  CHECK(cudaFree(copy));
  return passed();
}
