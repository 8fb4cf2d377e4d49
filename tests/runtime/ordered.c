/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums in order: every bit is that of adding up one by one, alone and with the help of a crew, by each set of instructions, of data that fit,
 * that hardly ever fit and that change over; lengths around those of pieces and of what workers take.
 */
#include "check.h"
#include "../../runtime/internal.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 * 16384 + 5, SUBNORMAL = 10, NEARLY, TO_EDGE = 16, KINDS };

static uint64_t state = 9;

static double between(double low, double high) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * ((double)(state >> 40) + 0.5) * 0x1p-24;
}

/* p: bits of a value; tiny: the least normal one. */
static double element(int kind, int k, int p, double tiny) {
  switch (kind) {
  case 0: return between(0, 1);
  case 1: return -between(0, 1);
  case 2: return between(-1, 1);
  case 3: return floor(between(0, 16)) / 2;
  case 4: return between(k / 100000 % 2 ? -1 : 0, k / 100000 % 2 ? 0 : 1); /* up and down again */
  case 5: return k / 5000 % 2 ? between(-1, 1) : 0.25;
  case 6: return ldexp(1, -p) * (k % 3 ? 1 : 2); /* ties, and none, at 1 */
  case 7: return ldexp(between(-1, 1), (int)between(-30, 30));
  case 8: return k == 300000 ? INFINITY : between(0, 1);
  case 9: return k == 300000 ? NAN : between(0, 1);
  case SUBNORMAL: return tiny * floor(between(-16, 17)) / 32; /* exact, if not flushed */
  case NEARLY: return tiny * ldexp(between(-1, 1), (int)between(0, 30));
  case 12: return k % 3000 == 2999 ? -3e5 : between(0, 1);
  case 13: return ldexp(between(0.5, 1), p == 24 ? 113 : 1009); /* overflows late */
  case 14: return k % 40000 < 100 ? 0.0 : -0.0;
  case 15: return ldexp((double)(k % 5) - 2, -p); /* to and fro at the end of a binade */
  default: /* from 64 units above 1 to 1, in one part, then 0.3 of one down, which is more than half of one there */
    return k < 64 ? 0 : k < 126 ? -ldexp(1, 1 - p) : k == 126 ? -ldexp(2, 1 - p) : k == 127 ? -ldexp(0.3, 1 - p) : 0;
  }
}

static float floats[MOST];
static double doubles[MOST];

static uint64_t float_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return x != x ? 0x7FC00000u : bits;
}
static uint64_t double_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return x != x ? (uint64_t)0x7FF8 << 48 : bits;
}
static float as_float(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float x;
  memcpy(&x, &low, sizeof x);
  return x;
}
static double as_double(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void check_sums(int kind, int count, int start_kind, int is_shared) {
  static const double starts[] = {0, 1, -1, 64.0625, -0x1p23, 3e5};
  double start = starts[start_kind];
  float float_start = (float)start;
  if (kind == TO_EDGE) {
    start = 1 + ldexp(64, -52);
    float_start = 1 + 64 * 0x1p-23f;
  }
  volatile float f = float_start;
  volatile double d = start;
  for (int k = 0; k < count; k++) {
    f = f + floats[k];
    d = d + doubles[k];
  }
  uint64_t of_floats = float_bits(as_float(uwrt_ordered(4, floats, (size_t)count, float_bits(float_start), is_shared)));
  uint64_t of_doubles = double_bits(as_double(uwrt_ordered(8, doubles, (size_t)count, double_bits(start), is_shared)));
  if (of_floats != float_bits(f) || of_doubles != double_bits(d))
    printf("data %d, %d of them from %g, shared: %d\n", kind, count, start, is_shared);
  CHECK_NUMBER(of_floats, float_bits(f));
  CHECK_NUMBER(of_doubles, double_bits(d));
}

/* The calling thread may flush subnormal numbers where its workers do not. */
static void set_flushing(unsigned int bits) {
#ifdef __x86_64__
  __builtin_ia32_ldmxcsr((__builtin_ia32_stmxcsr() & ~0x8040u) | bits);
#else
  (void)bits;
#endif
}

static void check_kind(int kind) {
  static const int lengths[] = {0, 1, 1023, 1024, 1025, 20000, 24 * 16384 - 1, 24 * 16384, 31 * 16384 + 1025, MOST};
  const int count = sizeof lengths / sizeof *lengths;
  for (int l = 0; l < count; l++) {
    check_sums(kind, lengths[l], (kind + l) % 6, 0);
    check_sums(kind, lengths[l], (kind + l) % 6, 1); /* without a crew where none is open */
    if (kind != SUBNORMAL && kind != NEARLY)
      continue;
    check_sums(kind, lengths[l], 0, 1);
    set_flushing(0x8040);
    check_sums(kind, lengths[l], 0, 1);
    set_flushing(0);
  }
}

static void check_all(int workers) {
  omp_set_num_threads(workers);
  for (int kind = 0; kind < KINDS; kind++) {
    for (int k = 0; k < MOST; k++) {
      floats[k] = (float)element(kind, k, 24, 0x1p-126);
      doubles[k] = element(kind, k, 53, 0x1p-1022);
    }
    uwrt_crew_open();
    check_kind(kind);
    CHECK_NUMBER(uwrt_crew_size(), workers);
    uwrt_crew_close();
  }
}

/* A share that makes a sum itself has no crew's help. */
static uwrt_omp_place place = {0, 2, {0, 0}, ";unknown;unknown;0;0;;"};
static void sum_in_share(int32_t *thread, int32_t *bound, void *data) {
  (void)thread, (void)bound;
  CHECK(!uwrt_crew_waits());
  CHECK(uwrt_ordered_float(floats, MOST, 0) == *(float *)data);
}

int main(void) {
  static const unsigned int registers[] = {64, 16, 32, 64};
  static const int workers[] = {7, 3, 2, 1}; /* libomp forgets memory when a team grows */
  for (int i = 0; i < 4; i++) {
    uwrt_ordered_widest = registers[i];
    check_all(workers[i]);
  }
  omp_set_num_threads(2);
  for (int k = 0; k < MOST; k++)
    floats[k] = (float)element(0, k, 24, 0x1p-126);
  uwrt_crew_open();
  float sum = uwrt_ordered_float(floats, MOST, 0);
  uwrt_crew_fork(&place, 1, sum_in_share, &sum);
  uwrt_crew_close();
  return finish();
}
