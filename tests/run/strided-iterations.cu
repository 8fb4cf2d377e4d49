// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of known and of unknown size go over arrays in iterations; only the last iteration, or none, finds less data than threads. Sums
// of integers and floats are carried from iteration to iteration, in order: the floats must be equal to the last bit.
#include "check.h"

__device__ void sum(const int *numbers, const float *weights, int count, int *sums, float *products) {
  int mine = 0;
  float product = 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    mine += numbers[i];
    product = product * 0.5f + weights[i];
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = mine;
  products[blockIdx.x * blockDim.x + threadIdx.x] = product;
}

__global__ void sum_of(const int *numbers, const float *weights, int count, int *sums, float *products) {
  sum(numbers, weights, count, sums, products);
}

/* The iterations of one block overlap nothing, but begin at an offset and end before the array does. */
__global__ void sum_between(const int *numbers, int from, int to, int step, int *sums) {
  int mine = 0;
  for (int i = from + threadIdx.x; i < to; i += step)
    mine = mine * 3 + numbers[i];
  sums[threadIdx.x] = mine;
}

enum { MOST = 5000, ROOM = 4096 };

static void check_sums(buffer<int> &numbers, buffer<float> &weights, buffer<int> &sums, buffer<float> &products,
                       int count, int width) {
  sums.download();
  products.download();
  for (int t = 0; t < width; t++) {
    int mine = 0;
    float product = 1;
    for (int i = t; i < count; i += width) {
      mine += numbers[i];
      product = product * 0.5f + weights[i]; // to halve is exact: the same with and without a fused multiply-add
    }
    expect(t, sums[t], mine);
    expect(t, products[t], product);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), counts[] = {0, 1, 31, 256, 257, 511, 512, 1024, 3000, 4096, 4999};
  buffer<int> numbers(MOST), sums(ROOM);
  buffer<float> weights(MOST), products(ROOM);
  unsigned state = 11;
  for (int i = 0; i < MOST; i++) {
    numbers[i] = (int)(next_random(state) % 1000) - 500;
    weights[i] = (float)(next_random(state) % 1000) / 999;
  }
  numbers.upload();
  weights.upload();
  for (int count : counts) {
    sum_of<<<4, 256>>>(numbers.device, weights.device, count, sums.device, products.device);
    check_sums(numbers, weights, sums, products, count, 4 * 256);
    sum_of<<<1, 64>>>(numbers.device, weights.device, count, sums.device, products.device);
    check_sums(numbers, weights, sums, products, count, 1 * 64);
    sum_of<<<3, 96>>>(numbers.device, weights.device, count, sums.device, products.device);
    check_sums(numbers, weights, sums, products, count, 3 * 96);
    sum_of<<<4, block>>>(numbers.device, weights.device, count, sums.device, products.device);
    check_sums(numbers, weights, sums, products, count, 4 * block);
    for (int step = 100; step <= 300; step += 100) {
      sum_between<<<1, 128>>>(numbers.device, 7, count, step, sums.device);
      sums.download();
      for (int t = 0; t < 128; t++) {
        int mine = 0;
        for (int i = 7 + t; i < count; i += step)
          mine = mine * 3 + numbers[i];
        expect(t, sums[t], mine);
      }
    }
  }
  return passed();
}
