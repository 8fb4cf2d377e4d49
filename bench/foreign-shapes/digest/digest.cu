// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests of records, a thread for each: words that it puts together byte by byte, as their alignment is any, then the
// bytes that are left. Arguments: records, iterations.
#include "records.h"

__device__ uint64_t word_at(const unsigned char *bytes) {
  uint64_t word = 0;
  for (int k = 0; k < 8; k++)
    word |= (uint64_t)bytes[k] << (8 * k);
  return word;
}

__global__ void digest(const unsigned char *bytes, const int *starts, uint64_t *digests, int count, uint64_t start) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const unsigned char *own = bytes + starts[i];
  const int length = starts[i + 1] - starts[i];
  uint64_t value = start + i;
  for (int k = 0; k + 8 <= length; k += 8) {
    const uint64_t word = word_at(own + k) * DIGEST_SPREAD;
    value = (value ^ (word << 29 | word >> 35)) * 5 + 0x1234567;
  }
  for (int k = length / 8 * 8; k < length; k++)
    value = (value ^ own[k]) * DIGEST_FACTOR;
  digests[i] = value ^ value >> 31;
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 100000, 1, "records");
  const int iterations = (int)bench_argument(argc, argv, 2, 5, 1, "iterations");
  records r = make_records(count);
  uint64_t *digests = (uint64_t *)bench_allocate(count * sizeof(uint64_t)),
           *digests_device = bench_to_device(digests, count);
  unsigned char *bytes = bench_to_device(r.bytes, r.starts[count] + 8);
  int *starts = bench_to_device(r.starts, count + 1);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    digest<<<(count + 255) / 256, 256>>>(bytes, starts, digests_device, count, iteration);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(digests, digests_device, count);
  bench_report_words(time_ms, (uint32_t *)digests, (size_t)count * 2);
  return 0;
}
