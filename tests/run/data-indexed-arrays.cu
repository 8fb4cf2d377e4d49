// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private arrays that data indexes, in compute loops: sums by kind, a stack of pending work in lanes that part, bytes
// and structs; of many blocks, one after the other in the same worker. The sums differ in what one side rounds and a
// fused operation of the other does not, which the iterations make larger.
// flags: -fmad=false -Xcompiler -ffp-contract=off
#include <vector>

#include "check.h"

struct entry {
  int key;
  float value;
};

static __host__ __device__ float by_kind(int seed, int rows) {
  float sums[16];
  for (int k = 0; k < 16; k++)
    sums[k] = 0;
  for (int k = 0; k < rows; k++) {
    seed = (int)(seed * 1664525u + 1013904223u);
    float x = (float)(seed >> 24) * 0.5f + 1.0f;
    x = x * x * 0.25f + x;
    for (int j = 0; j < 6; j++)
      x = x * (0.9f - x * 0.001f) + 0.125f * x;
    sums[(seed >> 12) & 15] += x;
  }
  float all = 0;
  for (int k = 0; k < rows; k++)
    all = all * 0.5f + sums[k & 15];
  return all;
}

static __host__ __device__ int with_stack(int start) {
  int stack[24], depth = 0;
  unsigned count = 0;
  stack[depth++] = start & 1023;
  while (depth > 0) {
    int range = stack[--depth];
    for (int j = 0; j < 8; j++)
      count = (count ^ (count << 2)) + range * 3 + depth * j;
    if (range > 3 && depth < 20) {
      stack[depth++] = range / 2;
      if (range & 1)
        stack[depth++] = range / 3;
    }
  }
  return (int)count;
}

static __host__ __device__ int with_structs(unsigned seed, int rows) {
  entry table[8];
  unsigned char used[32];
  for (int k = 0; k < 8; k++)
    table[k].key = k, table[k].value = 1.0f;
  for (int k = 0; k < 32; k++)
    used[k] = 0;
  for (int k = 0; k < rows; k++) {
    for (int j = 0; j < 40; j++)
      seed = (seed ^ (seed << 3)) * 1103515245 + 12345 + (seed >> 5);
    int at = (seed >> 16) & 7;
    table[at].key += k ^ seed;
    table[at].value *= 0.5f;
    used[(seed >> 20) & 31]++;
  }
  unsigned sum = 0;
  for (int k = 0; k < rows; k++)
    sum = sum * 31 + table[(k * 5) & 7].key + used[k & 31] + (int)(table[k & 7].value * 64);
  return (int)sum;
}

__global__ void kinds_of(const int *seeds, float *out, int n, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = by_kind(seeds[i], rows);
}
__global__ void stacks_of(const int *seeds, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = with_stack(seeds[i]);
}
__global__ void structs_of(const int *seeds, int *out, int n, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = with_structs(seeds[i], rows + i % 3);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 40000, rows = 21;
  buffer<int> seeds(n), stacks(n), structs(n);
  buffer<float> kinds(n);
  for (int i = 0; i < n; i++)
    seeds[i] = i * 7919 + 13;
  seeds.upload();
  const int grid = blocks_for(n, block);
  kinds_of<<<grid, block>>>(seeds.device, kinds.device, n, rows);
  stacks_of<<<grid, block>>>(seeds.device, stacks.device, n);
  structs_of<<<grid, block>>>(seeds.device, structs.device, n, rows);
  kinds.download(), stacks.download(), structs.download();
  for (int i = 0; i < n; i++) {
    expect_near(i, kinds[i], by_kind(seeds[i], rows), 1e-4);
    expect(i, stacks[i], with_stack(seeds[i]));
    expect(i, structs[i], with_structs(seeds[i], rows + i % 3));
  }
  return passed();
}
