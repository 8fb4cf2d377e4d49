/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tallies: each kind and width, from what they start with, and addresses that nothing was done to.
 */
#include <math.h>

#include "check.h"

enum { COUNT = 7 };

static const uint32_t kinds[] = {UWRT_TALLY_ADD, UWRT_TALLY_AND, UWRT_TALLY_OR,   UWRT_TALLY_XOR,
                                 UWRT_TALLY_MAX, UWRT_TALLY_MIN, UWRT_TALLY_UMAX, UWRT_TALLY_UMIN};

static uint64_t combine(uint32_t kind, uint32_t bits, uint64_t a, uint64_t b) {
  int64_t x = bits == 32 ? (int32_t)a : (int64_t)a, y = bits == 32 ? (int32_t)b : (int64_t)b;
  uint64_t result;
  switch (kind) {
  case UWRT_TALLY_ADD: result = a + b; break;
  case UWRT_TALLY_AND: result = a & b; break;
  case UWRT_TALLY_OR: result = a | b; break;
  case UWRT_TALLY_XOR: result = a ^ b; break;
  case UWRT_TALLY_MAX: result = x > y ? a : b; break;
  case UWRT_TALLY_MIN: result = x < y ? a : b; break;
  case UWRT_TALLY_UMAX: result = a > b ? a : b; break;
  default: result = a < b ? a : b; break;
  }
  return bits == 32 ? (uint32_t)result : result;
}

static uint64_t get(const void *numbers, uint32_t bits, int i) {
  return bits == 32 ? ((const uint32_t *)numbers)[i] : ((const uint64_t *)numbers)[i];
}
static void put(void *numbers, uint32_t bits, int i, uint64_t number) {
  if (bits == 32)
    ((uint32_t *)numbers)[i] = (uint32_t)number;
  else
    ((uint64_t *)numbers)[i] = number;
}

/* Values on both sides of what differs signed and unsigned. */
static uint64_t number_at(int i, uint32_t bits) {
  uint64_t top = (uint64_t)1 << (bits - 1), number = (uint64_t)i * 0x9E3779B97F4A7C15u;
  number = i % 3 ? number : i % 2 ? top + (uint64_t)i : top - 1 - (uint64_t)i;
  return bits == 32 ? (uint32_t)number : number;
}

static void check(uint32_t kind, uint32_t bits) {
  uint64_t own[COUNT], places[COUNT], wanted[COUNT];
  uint64_t bytes = COUNT * (bits / 8);
  for (int iteration = 0; iteration < 40; iteration++) {
    memset(own, 0xA5, sizeof own);
    uwrt_tally_start(own, bytes, bits, kind);
    for (int i = 0; i < COUNT; i++) {
      put(places, bits, i, number_at(iteration + 5 * i, bits));
      wanted[i] = get(places, bits, i);
      for (int k = 0; i != 4 && k < 3; k++) {
        uint64_t number = number_at(3 * iteration + i + 11 * k, bits);
        put(own, bits, i, combine(kind, bits, get(own, bits, i), number));
        wanted[i] = combine(kind, bits, wanted[i], number);
      }
    }
    uwrt_tally_end(places, own, bytes, bits, kind);
    for (int i = 0; i < COUNT; i++)
      CHECK_NUMBER(get(places, bits, i), wanted[i]);
  }
}

/* Sums of floating-point values start with -0, which leaves what it is added to as it is, -0 too. */
static void check_floats(void) {
  double own[3], places[3] = {1.5, -0.0, 3};
  float few[2], singles[2] = {2.5f, -0.0f};
  uwrt_tally_start(own, sizeof own, 64, UWRT_TALLY_FADD);
  uwrt_tally_start(few, sizeof few, 32, UWRT_TALLY_FADD);
  own[0] += 0.25;
  few[0] += 0.25f;
  own[2] += -3;
  uwrt_tally_end(places, own, sizeof own, 64, UWRT_TALLY_FADD);
  uwrt_tally_end(singles, few, sizeof few, 32, UWRT_TALLY_FADD);
  CHECK(places[0] == 1.75 && signbit(places[1]) && places[2] == 0);
  CHECK(singles[0] == 2.75f && signbit(singles[1]));
}

/* Memory that may not be written, and is not. */
static void check_untouched(void) {
  static const uint32_t places[4] = {1, 2, 3, 4};
  uint32_t own[4];
  uwrt_tally_start(own, sizeof own, 32, UWRT_TALLY_UMIN);
  uwrt_tally_end((void *)(uintptr_t)places, own, sizeof own, 32, UWRT_TALLY_UMIN);
  CHECK_NUMBER(places[3], 4);
}

int main(void) {
  for (size_t i = 0; i < COUNT_OF(kinds); i++) {
    check(kinds[i], 32);
    check(kinds[i], 64);
  }
  check_floats();
  check_untouched();
  return finish();
}
