// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp that exchange values without a barrier in functions that they call, through what these have written, and
// through pointers that are loaded from memory.
#include "check.h"

// A step of a sum: it reads and writes what it is handed.
__device__ __noinline__ void fold(float *sums, int lane, int distance) {
  if (lane < distance)
    sums[lane] += sums[lane + distance];
}

__global__ void sum_by_calls(const float *values, float *sums) {
  __shared__ float s[1024];
  int lane = threadIdx.x % 32;
  float *own = s + threadIdx.x / 32 * 32;
  own[lane] = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2)
    fold(own, lane, distance);
  if (lane == 0)
    sums[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = own[0];
}

// It calls itself, so it stays a function.
__device__ __noinline__ int write_digits(int *digits, int lane, int number) {
  digits[lane] = number % 10;
  return number < 10 ? 1 : 1 + write_digits(digits, lane, number / 10);
}

// Each lane goes on with what the lane after it has left.
__global__ void pass_on(const int *numbers, int *lengths, int *firsts) {
  __shared__ int digits[1024];
  int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int *own = digits + threadIdx.x / 32 * 32;
  lengths[thread] = write_digits(own, lane, numbers[thread]);
  int other = own[(lane + 1) % 32];
  lengths[thread] += 100 * write_digits(own, lane, other * 7);
  firsts[thread] = own[(lane + 1) % 32];
}

struct view {
  int *data;
  int count;
};

// The array is reached by a pointer that memory holds, loaded anew after each store.
__global__ void rotate(const view *of, int turns) {
  int lane = threadIdx.x % 32, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 32;
  for (int i = 0; i < turns; i++)
    of->data[first + lane] = of->data[first + (lane + 1) % 32] + 1;
}

// Rows of their own: a lane goes on with its neighbour's.
__global__ void next_row(int **rows, int *found) {
  int lane = threadIdx.x % 32, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 32;
  rows[first + lane][0] = 10 * (first + lane);
  found[first + lane] = rows[first + (lane + 1) % 32][0];
}

int main(int argc, char **argv) {
  const int block = (block_size(argc, argv) + 31) / 32 * 32, blocks = 3, count = block * blocks;
  buffer<float> values(count), sums(count / 32);
  buffer<int> numbers(count), lengths(count), firsts(count);
  for (int i = 0; i < count; i++) {
    values[i] = (float)(i % 91);
    numbers[i] = i * 37;
  }
  values.upload();
  numbers.upload();
  sum_by_calls<<<blocks, block>>>(values.device, sums.device);
  sums.download();
  for (int warp = 0; warp < count / 32; warp++) {
    float sum = 0;
    for (int lane = 0; lane < 32; lane++)
      sum += values[warp * 32 + lane];
    expect(warp, sums[warp], sum);
  }
  pass_on<<<blocks, block>>>(numbers.device, lengths.device, firsts.device);
  lengths.download();
  firsts.download();
  auto first_digit = [](int number) {
    while (number >= 10)
      number /= 10;
    return number;
  };
  auto length_of = [](int number) {
    int length = 1;
    for (; number >= 10; number /= 10)
      length++;
    return length;
  };
  for (int i = 0; i < count; i++) {
    int next = i / 32 * 32 + (i + 1) % 32, after = i / 32 * 32 + (i + 2) % 32;
    expect(i, lengths[i], length_of(numbers[i]) + 100 * length_of(first_digit(numbers[next]) * 7));
    expect(i, firsts[i], first_digit(first_digit(numbers[after]) * 7));
  }
  view *views;
  cudaMallocManaged(&views, sizeof *views);
  views->data = numbers.device;
  views->count = count;
  const int turns = 5 + argc % 2;
  rotate<<<blocks, block>>>(views, turns);
  numbers.download();
  for (int i = 0; i < count; i++)
    expect(i, numbers[i], (i / 32 * 32 + (i + turns) % 32) * 37 + turns);
  int **rows;
  cudaMallocManaged(&rows, count * sizeof *rows);
  for (int i = 0; i < count; i++)
    rows[i] = lengths.device + (count - 1 - i);
  next_row<<<blocks, block>>>(rows, firsts.device);
  firsts.download();
  for (int i = 0; i < count; i++)
    expect(i, firsts[i], 10 * (i / 32 * 32 + (i + 1) % 32));
  puts("ok");
}
