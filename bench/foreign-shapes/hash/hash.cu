// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of texts (FNV-1a, 64 bits): a thread for each text goes through its own letters, one by one.
// Arguments: texts, iterations.
#include "texts.h"

__global__ void hash(const unsigned char *letters, const int *starts, uint64_t *hashes, int count, uint64_t start) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint64_t value = start;
  for (int k = starts[i]; k < starts[i + 1]; k++)
    value = (value ^ letters[k]) * HASH_FACTOR;
  hashes[i] = value;
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 18, 1, "texts");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  texts t = make_texts(count);
  uint64_t *hashes = (uint64_t *)bench_allocate(count * sizeof(uint64_t)),
           *hashes_device = bench_to_device(hashes, count);
  unsigned char *letters = bench_to_device(t.letters, t.starts[count] + 8);
  int *starts = bench_to_device(t.starts, count + 1);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    hash<<<(count + 255) / 256, 256>>>(letters, starts, hashes_device, count, HASH_START + iteration);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(hashes, hashes_device, count);
  bench_report_words(time_ms, (uint32_t *)hashes, (size_t)count * 2);
  return 0;
}
