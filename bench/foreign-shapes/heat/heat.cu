// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat in a plate: four steps of time in a shared tile whose valid part narrows, so that the tiles of neighbouring
// blocks overlap by eight cells; each iteration copies the sources to the device and the result back. Arguments: size,
// iterations.
#include "../../common/bench.h"

#define BLOCK 32
#define STEPS 4
#define INNER (BLOCK - 2 * STEPS)

__global__ void warm(const float *sources, const float *in, float *out, int n) {
  __shared__ float now[BLOCK][BLOCK], next[BLOCK][BLOCK], source[BLOCK][BLOCK];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int first_y = INNER * blockIdx.y - STEPS, first_x = INNER * blockIdx.x - STEPS;
  const int y = first_y + ty, x = first_x + tx;
  const bool inside = y >= 0 && y < n && x >= 0 && x < n;
  if (inside) {
    now[ty][tx] = in[n * y + x];
    source[ty][tx] = sources[n * y + x];
  }
  __syncthreads();
  const int low_y = first_y < 0 ? -first_y : 0, low_x = first_x < 0 ? -first_x : 0;
  const int high_y = first_y + BLOCK > n ? n - 1 - first_y : BLOCK - 1,
            high_x = first_x + BLOCK > n ? n - 1 - first_x : BLOCK - 1;
  const int up = max(ty - 1, low_y), down = min(ty + 1, high_y), left = max(tx - 1, low_x), right = min(tx + 1, high_x);
  bool made = false;
  for (int step = 0; step < STEPS; step++) {
    made = false;
    if (tx >= step + 1 && tx <= BLOCK - step - 2 && ty >= step + 1 && ty <= BLOCK - step - 2 && inside) {
      made = true;
      next[ty][tx] = 0.6f * now[ty][tx] + 0.1f * (now[up][tx] + now[down][tx] + now[ty][left] + now[ty][right]) +
                     0.01f * source[ty][tx];
    }
    __syncthreads();
    if (step == STEPS - 1)
      break;
    if (made)
      now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (made)
    out[n * y + x] = next[ty][tx];
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1024, 1, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 60, 1, "iterations");
  const size_t cells = (size_t)n * n;
  float *plate = bench_random_floats(cells, 68, 0, 1), *sources = bench_random_floats(cells, 69, 0, 1);
  float *now = bench_to_device(plate, cells), *next = bench_to_device(plate, cells),
        *sources_device = bench_to_device(sources, cells);

  const dim3 block(BLOCK, BLOCK), grid((n + INNER - 1) / INNER, (n + INNER - 1) / INNER);
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    sources[iteration % cells] += 1;
    BENCH_CHECK(cudaMemcpy(sources_device, sources, cells * sizeof(float), cudaMemcpyHostToDevice));
    warm<<<grid, block>>>(sources_device, now, next, n);
    bench_to_host(plate, next, cells);
    float *swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, plate, cells, 1e-4);
  return 0;
}
