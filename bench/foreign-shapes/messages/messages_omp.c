// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of messages by hand: a word is one load whose bytes are turned around, 16 messages at once in a vector.
// Arguments: messages, iterations.
#include "messages.h"

enum { GROUP = 16 };

static void check_group(const unsigned char *restrict bytes, uint32_t *restrict checks, int many, uint32_t start) {
  uint32_t a[GROUP], b[GROUP], c[GROUP];
  for (int i = 0; i < GROUP; i++)
    a[i] = start, b[i] = ~start, c[i] = 0x9e3779b9;
  for (int k = 0; k < WORDS; k++) {
#pragma omp simd
    for (int i = 0; i < GROUP; i++) {
      const uint32_t own = ((const uint32_t *)bytes)[(i < many ? i : 0) * WORDS + k];
      const uint32_t mixed = (a[i] << 5 | a[i] >> 27) + ((b[i] & c[i]) | (~b[i] & a[i])) + __builtin_bswap32(own);
      c[i] = b[i] << 30 | b[i] >> 2;
      b[i] = a[i];
      a[i] = mixed;
    }
  }
  for (int i = 0; i < many; i++)
    checks[i] = a[i] ^ b[i] ^ c[i];
}

static void check(const unsigned char *bytes, uint32_t *checks, int count, uint32_t start) {
  const int whole = count / GROUP * GROUP;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < whole; i += GROUP)
    check_group(bytes + (size_t)i * MESSAGE, checks + i, GROUP, start);
  if (whole < count)
    check_group(bytes + (size_t)whole * MESSAGE, checks + whole, count - whole, start);
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "messages");
  const int iterations = (int)bench_argument(argc, argv, 2, 150, 1, "iterations");
  unsigned char *bytes = make_messages(count);
  uint32_t *checks = bench_allocate(count * sizeof(uint32_t));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    check(bytes, checks, count, iteration);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, checks, count);
  return 0;
}
