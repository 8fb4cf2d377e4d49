// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets the heat spread on the device and on the host; both plates must agree, and the shared library's statistics of the
// device's plate with those of the host's.
#include "heat.h"
#include "statistics.h"

#include <cmath>
#include <cstdio>
#include <vector>

__global__ void step(const float *from, float *to) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  bool inside = x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1;
  if (x < SIDE && y < SIDE)
    to[y * SIDE + x] = inside ? spread(from, y * SIDE + x) : from[y * SIDE + x];
}

static std::vector<float> on_host(std::vector<float> plate) {
  for (int i = 0; i < STEPS; i++) {
    std::vector<float> next = plate;
    for (int y = 1; y < SIDE - 1; y++)
      for (int x = 1; x < SIDE - 1; x++)
        next[y * SIDE + x] = spread(plate.data(), y * SIDE + x);
    plate.swap(next);
  }
  return plate;
}

int main() {
  const int count = SIDE * SIDE;
  std::vector<float> start(count), result(count);
  for (int i = 0; i < count; i++)
    start[i] = float(i * 37 % 101);

  float *from = nullptr, *to = nullptr;
  cudaMalloc(&from, count * sizeof *from);
  cudaMalloc(&to, count * sizeof *to);
  cudaMemcpy(from, start.data(), count * sizeof *from, cudaMemcpyHostToDevice);
  for (int i = 0; i < STEPS; i++) {
    step<<<dim3((SIDE + 15) / 16, (SIDE + 7) / 8), dim3(16, 8)>>>(from, to);
    std::swap(from, to);
  }
  cudaMemcpy(result.data(), from, count * sizeof *from, cudaMemcpyDeviceToHost);
  statistics taken = take_statistics(from, count);
  cudaFree(from);
  cudaFree(to);
  if (cudaError_t error = cudaGetLastError()) {
    printf("failed: %s\n", cudaGetErrorString(error));
    return 1;
  }

  std::vector<float> expected = on_host(start);
  double sum = 0;
  float least = expected[0], most = expected[0];
  for (int i = 0; i < count; i++) {
    // Fused and separate multiplications differ by a rounding in each step.
    if (!(std::fabs(result[i] - expected[i]) < 1e-3f)) {
      printf("cell %d: %g, not %g\n", i, result[i], expected[i]);
      return 1;
    }
    sum += result[i];
    least = std::fmin(least, result[i]);
    most = std::fmax(most, result[i]);
  }
  if (std::fabs(taken.sum - sum) > 1e-6 * sum || taken.least != least || taken.most > most + 1e-3f) {
    printf("statistics: %g %g %g, not %g %g %g\n", taken.sum, taken.least, taken.most, sum, least, most);
    return 1;
  }
  printf("%d steps: right\n", STEPS);
  return 0;
}
