// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binary search in a sorted table: a thread for each value halves its own range until it is empty.
// Arguments: values to look for, keys, iterations.
#include "keys.h"

__global__ void look_up(const uint32_t *keys, int size, const uint32_t *wanted, uint32_t *places, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const uint32_t number = wanted[i];
  int low = 0, high = size;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (keys[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  places[i] += (uint32_t)low;
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 19, 1, "numbers");
  const int size = (int)bench_argument(argc, argv, 2, 1 << 15, 1, "keys");
  const int iterations = (int)bench_argument(argc, argv, 3, 30, 1, "iterations");
  uint32_t *keys = make_keys(size), *wanted = make_wanted(count, keys[size - 1] + 1);
  uint32_t *places = (uint32_t *)bench_allocate(count * sizeof(uint32_t));
  uint32_t *keys_device = bench_to_device(keys, size), *wanted_device = bench_to_device(wanted, count);
  uint32_t *places_device = bench_to_device(places, count);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    look_up<<<(count + 255) / 256, 256>>>(keys_device, size, wanted_device, places_device, count);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(places, places_device, count);
  bench_report_words(time_ms, places, count);
  return 0;
}
