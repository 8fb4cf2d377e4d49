/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the checks of libdevice share: a random source that is the same on every run, and a count of failures that
 * reports the first few of each kind.
 */
#ifndef UW_TEST_CHECK_H
#define UW_TEST_CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t random_state = 0x9e3779b97f4a7c15u;
static inline uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state * 0x2545f4914f6cdd1du;
}
static inline double random_unit(void) { return (double)(random_bits() >> 11) * 0x1p-53; }
static inline double random_between(double low, double high) { return low + (high - low) * random_unit(); }

static inline float as_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline double as_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline uint32_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The same bits, or both NaN. */
static inline int same_float(float left, float right) {
  return left != left ? right != right : bits_of_float(left) == bits_of_float(right);
}
static inline int same_double(double left, double right) {
  return left != left ? right != right : bits_of_double(left) == bits_of_double(right);
}

static int failures;
#define CHECK(condition, ...)                                                                                          \
  do {                                                                                                                 \
    static int reported;                                                                                               \
    if (!(condition)) {                                                                                                \
      ++failures;                                                                                                      \
      if (reported++ < 5)                                                                                              \
        printf("  " __VA_ARGS__), printf("\n");                                                                        \
    }                                                                                                                  \
  } while (0)

#endif
