// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread sums a window that it chooses, weighted by two rows of its own, one for each of the two loops: lanes walk
// along rows of their own length in a loop in a loop.
#include "check.h"

// Of a grid that goes on at its other side.
__device__ inline float element(const float *grid, int x, int y, int width) {
  int column = x < 0           ? x + width
               : x > width - 1 ? x - width
                               : x,
      row = y < 0           ? y + width
            : y > width - 1 ? y - width
                            : y;
  return grid[column + row * width];
}

__global__ void windows(const int *lows, const int *highs, const float *down, const float *across, const float *grid,
                        float *sums, int count, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float sum = 0;
  int low = lows[i], high = highs[i];
  for (int y = low; y <= high; y++) {
    float weight = down[i * 16 + y - low];
    for (int x = low; x <= high; x++)
      sum += element(grid, x, y, width) * across[i * 16 + x - low] * weight;
  }
  sums[i] = sum;
}

// The same with private rows, computed by a loop as long as the window.
__global__ void computed(const int *lows, const int *highs, const float *grid, float *sums, int count, int width,
                         float slope) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    float down[16], across[16], sum = 0;
    int low = lows[i], high = highs[i];
    for (int k = 0; k < (double)(high - low + 1); k++)
      down[k] = fabsf(slope * k) > 4.0f ? 0.0f : expf(-slope * k);
    for (int k = 0; k < (double)(high - low + 1); k++)
      across[k] = fabsf(slope * k) > 5.0f ? 0.0f : expf(-2 * slope * k);
    for (int y = low; y <= high; y++) {
      float weight = down[y - low];
      for (int x = low; x <= high; x++)
        sum += element(grid, x, y, width) * across[x - low] * weight;
    }
    sums[i] = sum;
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), count = 1000, width = 48;
  const float slope = 0.25f;
  buffer<int> lows(count), highs(count);
  buffer<float> down(count * 16), across(count * 16), grid(width * width), sums(count), others(count);
  unsigned state = 5;
  for (int i = 0; i < count; i++) {
    lows[i] = (int)(next_random(state) % (width + 6)) - 8;
    highs[i] = lows[i] + (int)(next_random(state) % 9);
  }
  for (int i = 0; i < count * 16; i++)
    down[i] = (float)(next_random(state) % 64) / 64, across[i] = (float)(next_random(state) % 64) / 64;
  for (int i = 0; i < width * width; i++)
    grid[i] = (float)(next_random(state) % 256) / 16;
  lows.upload();
  highs.upload();
  down.upload();
  across.upload();
  grid.upload();
  windows<<<blocks_for(count, block), block>>>(lows.device, highs.device, down.device, across.device, grid.device,
                                               sums.device, count, width);
  computed<<<3, block>>>(lows.device, highs.device, grid.device, others.device, count, width, slope);
  sums.download();
  others.download();
  for (int i = 0; i < count; i++) {
    double sum = 0, other = 0;
    for (int y = lows[i]; y <= highs[i]; y++)
      for (int x = lows[i]; x <= highs[i]; x++) {
        double element = grid[(x + width) % width + (y + width) % width * width];
        int from_low = x - lows[i], from_top = y - lows[i];
        sum += element * across[i * 16 + from_low] * down[i * 16 + from_top];
        other += element * exp(-2.0 * slope * from_low) * exp(-1.0 * slope * from_top);
      }
    expect_near(i, sums[i], (float)sum, 1e-4f);
    expect_near(i, others[i], (float)other, 1e-4f);
  }
  puts("ok");
}
