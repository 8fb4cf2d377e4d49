// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of a grid of two and of three dimensions, numbered through: the index of a thread in its grid is its point, and a loop
// goes over the points' coordinates, which lie a column each.
#include "check.h"

enum { POINTS = 2500, COORDINATES = 9 };

__global__ void distances(int count, int dimensions, int to, const float *at, float *result) {
  const int block = blockIdx.x + gridDim.x * blockIdx.y;
  const int i = blockDim.x * block + threadIdx.x;
  if (i >= count)
    return;
  float sum = 0;
  for (int k = 0; k < dimensions; k++) {
    float way = at[k * count + i] - at[k * count + to];
    sum += way * way;
  }
  result[i] = sum;
}

__global__ void distances_3d(unsigned count, unsigned dimensions, const float *at, int *nearest) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned i = block * blockDim.x * blockDim.y + threadIdx.x;
  if (i >= count)
    return;
  int best = -1;
  float least = INFINITY;
  for (int c = 0; c < 7; c++) {
    float sum = 0;
    for (unsigned k = 0; k < dimensions; k++)
      sum += fabsf(at[k * count + i] - at[k * count + c]);
    if (sum < least)
      least = sum, best = c;
  }
  nearest[i] = best;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = blocks_for(POINTS, block), n = POINTS;
  buffer<float> at(POINTS * COORDINATES), result(POINTS);
  buffer<int> nearest(POINTS);
  unsigned state = 5;
  for (int i = 0; i < n * COORDINATES; i++)
    at[i] = (float)(next_random(state) % 64);
  at.upload();
  distances<<<dim3(3, blocks_for(blocks, 3)), block>>>(n, COORDINATES, 17, at.device, result.device);
  distances_3d<<<dim3(2, 2, blocks_for(blocks, 4)), block>>>(n, COORDINATES, at.device, nearest.device);
  result.download(), nearest.download();
  for (int i = 0; i < n; i++) {
    float sum = 0, least = INFINITY;
    int best = -1;
    for (int k = 0; k < COORDINATES; k++)
      sum += (at[k * n + i] - at[k * n + 17]) * (at[k * n + i] - at[k * n + 17]);
    expect(i, result[i], sum);
    for (int c = 0; c < 7; c++) {
      float other = 0;
      for (int k = 0; k < COORDINATES; k++)
        other += fabsf(at[k * n + i] - at[k * n + c]);
      if (other < least)
        least = other, best = c;
    }
    expect(i, nearest[i], best);
  }
  return passed();
}
