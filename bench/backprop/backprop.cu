// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer of a neural network, forward and back: a block multiplies 16 inputs by their weights in a shared tile and
// sums them in a tree, the host adds the blocks' sums and makes the errors, and a second kernel adjusts the weights
// with momentum. Arguments: input units (a multiple of 16), iterations.
#include "../common/bench.h"

#define TILE 16 // units of the hidden layer, and inputs a block

__global__ void forward(const float *input, const float *weights, float *sums) {
  __shared__ float node[TILE];
  __shared__ float product[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, unit = blockIdx.x * TILE + ty;
  if (tx == 0)
    node[ty] = input[unit];
  __syncthreads();
  product[ty][tx] = weights[unit * TILE + tx];
  __syncthreads();
  product[ty][tx] = product[ty][tx] * node[ty];
  __syncthreads();
  for (int span = 1; span < TILE; span *= 2) {
    if (ty % (2 * span) == 0)
      product[ty][tx] += product[ty + span][tx];
    __syncthreads();
  }
  if (ty == 0)
    sums[blockIdx.x * TILE + tx] = product[0][tx];
}

__global__ void adjust(const float *delta, const float *input, float *weights, float *change) {
  int unit = blockIdx.x * TILE + threadIdx.y, at = unit * TILE + threadIdx.x;
  float now = 1e-7f * delta[threadIdx.x] * input[unit] + 0.3f * change[at];
  weights[at] += now;
  change[at] = now;
}

int main(int argc, char **argv) {
  const int units = (int)bench_argument(argc, argv, 1, 1 << 16, TILE, "units") / TILE * TILE;
  const int iterations = (int)bench_argument(argc, argv, 2, 800, 1, "iterations");
  const int blocks = units / TILE;
  float *input = bench_random_floats(units, 10, 0, 1);
  float *weights = bench_random_floats((size_t)units * TILE, 11, -0.01f, 0.01f);
  float *zero = (float *)bench_allocate((size_t)units * TILE * sizeof(float));
  float *sums = (float *)bench_allocate(units * sizeof(float)), delta[TILE] = {0};
  float *input_device = bench_to_device(input, units), *sums_device = bench_to_device(sums, units);
  float *weights_device = bench_to_device(weights, (size_t)units * TILE);
  float *change_device = bench_to_device(zero, (size_t)units * TILE), *delta_device = bench_to_device(delta, TILE);

  dim3 block(TILE, TILE);
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    forward<<<blocks, block>>>(input_device, weights_device, sums_device);
    bench_to_host(sums, sums_device, units);
    float total[TILE] = {0};
    for (int i = 0; i < blocks; i++)
      for (int to = 0; to < TILE; to++)
        total[to] += sums[i * TILE + to];
    for (int to = 0; to < TILE; to++) {
      float out = 1 / (1 + expf(-total[to]));
      delta[to] = (0.5f - out) * out * (1 - out);
    }
    BENCH_CHECK(cudaMemcpy(delta_device, delta, sizeof delta, cudaMemcpyHostToDevice));
    adjust<<<blocks, block>>>(delta_device, input_device, weights_device, change_device);
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(weights, change_device, (size_t)units * TILE);
  bench_report_floats(time_ms, weights, (size_t)units * TILE, 1e-4);
  cudaFree(input_device);
  cudaFree(weights_device);
  cudaFree(change_device);
  cudaFree(sums_device);
  cudaFree(delta_device);
  free(input);
  free(weights);
  free(zero);
  free(sums);
  return 0;
}
