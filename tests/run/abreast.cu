// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many blocks go over arrays by the width of the grid. What each thread adds up is in the order of its rounds, to the last bit, whatever
// neighbouring blocks do; shared memory and the results of a block are its own.
#include "check.h"

enum { WIDTH = 256, NARROW = 64, MOST = 1 << 20, BLOCKS = 1024 };

/* Halving is exact, so a fused multiply-add gives the same. */
__host__ __device__ float step_of(float carried, float value) { return carried * 0.5f + value; }

/* A tree in shared memory, a sum of the grid, and what each thread holds. */
__global__ void sum_up(const int *numbers, const float *weights, int count, int *sums, int *total, float *products) {
  __shared__ int tile[WIDTH];
  int mine = 0;
  float product = 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    mine = mine * 3 + numbers[i];
    product = step_of(product, weights[i]);
  }
  products[blockIdx.x * blockDim.x + threadIdx.x] = product;
  tile[threadIdx.x] = mine;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      tile[threadIdx.x] += tile[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = tile[0];
    atomicAdd(total, tile[0]);
  }
}

/* One array, and nothing but a result for each thread. */
__global__ void largest(const int *numbers, int count, int *places) {
  int best = -1000000, at = -1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
    if (numbers[i] > best) {
      best = numbers[i];
      at = i;
    }
  places[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

/* What a block has in shared memory before the loop differs from block to block; a barrier follows, and more of shared memory. */
__global__ void scaled(const int *numbers, int count, int *out) {
  __shared__ int scale[WIDTH];
  __shared__ int sums[WIDTH];
  scale[threadIdx.x] = blockIdx.x % 7 + threadIdx.x;
  __syncthreads();
  int factor = scale[blockDim.x - 1 - threadIdx.x], mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
    mine = mine * 5 + numbers[i] * factor;
  sums[threadIdx.x] = mine;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      sums[(threadIdx.x + 1) % blockDim.x] - scale[(threadIdx.x + 3) % blockDim.x];
}

/* Where a block ends depends on what it loads. */
__global__ void up_to(const int *numbers, const int *ends, int *out) {
  __shared__ int sums[WIDTH];
  int mine = 1, end = ends[blockIdx.x];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < end; i += blockDim.x * gridDim.x)
    mine = mine * 3 + numbers[i];
  sums[threadIdx.x] = mine;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[blockDim.x - 1 - threadIdx.x];
}

/* Iterations that reach into what other threads of the launch have stored in the last one would race; these lie in the thread's own part. */
__global__ void in_place(int *numbers, int count) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    mine += numbers[i];
    numbers[i] = mine;
  }
}

struct data {
  buffer<int> numbers, ints, sums, total, ends;
  buffer<float> weights, floats;
  data()
      : numbers(MOST), ints(BLOCKS * WIDTH), sums(BLOCKS), total(1), ends(BLOCKS), weights(MOST),
        floats(BLOCKS * WIDTH) {}
};

static void check_sums(data &d, int count, int blocks, int width) {
  d.sums.download();
  d.total.download();
  d.floats.download();
  int total = 0;
  for (int block = 0; block < blocks; block++) {
    int sum = 0;
    for (int t = block * width; t < (block + 1) * width; t++) {
      int mine = 0;
      float product = 1;
      for (int i = t; i < count; i += blocks * width) {
        mine = (int)((unsigned)mine * 3 + (unsigned)d.numbers[i]);
        product = step_of(product, d.weights[i]);
      }
      sum = (int)((unsigned)sum + (unsigned)mine);
      expect(t, d.floats[t], product);
    }
    expect(block, d.sums[block], sum);
    total = (int)((unsigned)total + (unsigned)sum);
  }
  expect(0, d.total[0], total);
}

static void check_largest(data &d, int count, int threads) {
  d.ints.download();
  for (int t = 0; t < threads; t++) {
    int best = -1000000, at = -1;
    for (int i = t; i < count; i += threads)
      if (d.numbers[i] > best)
        best = d.numbers[at = i];
    expect(t, d.ints[t], at);
  }
}

static int carried(data &d, int thread, int threads, int end, int start, int by, int factor) {
  unsigned mine = (unsigned)start;
  for (int i = thread; i < end; i += threads)
    mine = mine * (unsigned)by + (unsigned)d.numbers[i] * (unsigned)factor;
  return (int)mine;
}

static void check_scaled(data &d, int count, int blocks, int width) {
  d.ints.download();
  for (int t = 0; t < blocks * width; t++) {
    int block = t / width, me = t % width, other = (me + 1) % width;
    int sum = carried(d, block * width + other, blocks * width, count, 0, 5, block % 7 + width - 1 - other);
    expect(t, d.ints[t], (int)((unsigned)sum - (unsigned)(block % 7 + (me + 3) % width)));
  }
}

static void check_ends(data &d, int blocks, int width) {
  d.ints.download();
  for (int t = 0; t < blocks * width; t++) {
    int block = t / width, other = block * width + width - 1 - t % width;
    expect(t, d.ints[t], carried(d, other, blocks * width, d.ends[block], 1, 3, 1));
  }
}

static void check_in_place(data &d, int count) {
  buffer<int> copy(MOST);
  CHECK(cudaMemcpy(copy.device, d.numbers.device, MOST * sizeof(int), cudaMemcpyDeviceToDevice));
  in_place<<<256, WIDTH>>>(copy.device, count);
  copy.download();
  for (int t = 0; t < 256 * WIDTH; t++)
    for (int i = t, mine = 0; i < count; i += 256 * WIDTH)
      expect(i, copy[i], mine += d.numbers[i]);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv),
            counts[] = {0, 1, 255, 70000, 65536 * 4, 65536 * 4 + 1, 65536 * 9 + 12345, MOST - 1, MOST};
  data d;
  unsigned state = 5;
  for (int i = 0; i < MOST; i++) {
    d.numbers[i] = (int)(next_random(state) % 1000) - 500;
    d.weights[i] = (float)(next_random(state) % 1000) / 999;
  }
  for (int i = 0; i < BLOCKS; i++)
    d.ends[i] = i % 5 ? MOST - i * 700 : (int)(next_random(state) % MOST);
  d.numbers.upload();
  d.weights.upload();
  d.ends.upload();
  for (int count : counts) {
    CHECK(cudaMemset(d.total.device, 0, sizeof(int)));
    sum_up<<<256, WIDTH>>>(d.numbers.device, d.weights.device, count, d.sums.device, d.total.device, d.floats.device);
    check_sums(d, count, 256, WIDTH);
    CHECK(cudaMemset(d.total.device, 0, sizeof(int)));
    sum_up<<<BLOCKS, NARROW>>>(d.numbers.device, d.weights.device, count, d.sums.device, d.total.device,
                               d.floats.device);
    check_sums(d, count, BLOCKS, NARROW);
    const int blocks = blocks_for(count / 7 + 1, WIDTH);
    largest<<<blocks, WIDTH>>>(d.numbers.device, count, d.ints.device);
    check_largest(d, count, blocks * WIDTH);
    largest<<<131, 2 * NARROW>>>(d.numbers.device, count, d.ints.device);
    check_largest(d, count, 131 * 2 * NARROW);
    scaled<<<515, NARROW>>>(d.numbers.device, count, d.ints.device);
    check_scaled(d, count, 515, NARROW);
    scaled < <<300, block<WIDTH ? block : WIDTH>>>(d.numbers.device, count, d.ints.device);
    check_scaled(d, count, 300, block < WIDTH ? block : WIDTH);
    check_in_place(d, count);
  }
  up_to<<<300, NARROW>>>(d.numbers.device, d.ends.device, d.ints.device);
  check_ends(d, 300, NARROW);
  return passed();
}
