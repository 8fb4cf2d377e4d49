// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests of records by hand: a word is one load. Arguments: records, iterations.
#include "records.h"

static uint64_t digest_one(const unsigned char *bytes, int length, uint64_t value) {
  for (int k = 0; k + 8 <= length; k += 8) {
    uint64_t word;
    memcpy(&word, bytes + k, sizeof word);
    word *= DIGEST_SPREAD;
    value = (value ^ (word << 29 | word >> 35)) * 5 + 0x1234567;
  }
  for (int k = length / 8 * 8; k < length; k++)
    value = (value ^ bytes[k]) * DIGEST_FACTOR;
  return value ^ value >> 31;
}

static void digest(const unsigned char *restrict bytes, const int *restrict starts, uint64_t *restrict digests,
                   int count, uint64_t start) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < count; i++)
    digests[i] = digest_one(bytes + starts[i], starts[i + 1] - starts[i], start + i);
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 100000, 1, "records");
  const int iterations = (int)bench_argument(argc, argv, 2, 5, 1, "iterations");
  records r = make_records(count);
  uint64_t *digests = bench_allocate(count * sizeof(uint64_t));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    digest(r.bytes, r.starts, digests, count, iteration);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (uint32_t *)digests, (size_t)count * 2);
  return 0;
}
