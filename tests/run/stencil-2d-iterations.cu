// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat diffusion: many launches, a shared tile with a one-cell halo, the two arrays swapped on the host.
#include "check.h"

const int width = 61, height = 47, side = 16;

__global__ void diffuse(const float *in, float *out) {
  __shared__ float tile[side + 2][side + 2];
  int x = blockIdx.x * side + threadIdx.x, y = blockIdx.y * side + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  bool inside = x < width && y < height;
  if (inside) {
    tile[ty][tx] = in[y * width + x];
    if (tx == 1)
      tile[ty][0] = x > 0 ? in[y * width + x - 1] : 0;
    if (tx == side || x == width - 1)
      tile[ty][tx + 1] = x < width - 1 ? in[y * width + x + 1] : 0;
    if (ty == 1)
      tile[0][tx] = y > 0 ? in[(y - 1) * width + x] : 0;
    if (ty == side || y == height - 1)
      tile[ty + 1][tx] = y < height - 1 ? in[(y + 1) * width + x] : 0;
  }
  __syncthreads();
  if (inside)
    out[y * width + x] = 0.5f * tile[ty][tx] + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1]) +
                         0.125f * (tile[ty - 1][tx] + tile[ty + 1][tx]);
}

int main(void) {
  const int n = width * height, iterations = 6;
  buffer<float> now(n), next(n);
  float *grid = new float[n], *changed = new float[n];
  for (int i = 0; i < n; i++)
    grid[i] = now[i] = (float)(i % 31 * 4096); // exact for six iterations
  now.upload();
  for (int iteration = 0; iteration < iterations; iteration++) {
    diffuse<<<dim3(blocks_for(width, side), blocks_for(height, side)), dim3(side, side)>>>(now.device, next.device);
    float *swap = now.device;
    now.device = next.device;
    next.device = swap;
    for (int i = 0; i < n; i++) {
      int x = i % width, y = i / width;
      float around = 0;
      if (x > 0)
        around += grid[i - 1];
      if (x < width - 1)
        around += grid[i + 1];
      if (y > 0)
        around += grid[i - width];
      if (y < height - 1)
        around += grid[i + width];
      changed[i] = (4 * grid[i] + around) / 8;
    }
    memcpy(grid, changed, n * sizeof(float));
  }
  now.download();
  for (int i = 0; i < n; i++)
    expect_near(i, now[i], grid[i], 1e-6);
  delete[] grid;
  delete[] changed;
  return passed();
}
