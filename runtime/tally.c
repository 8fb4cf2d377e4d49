/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A worker's own tally of what its blocks add to a few addresses by atomic operations: how it starts, and how it is
 * added in the end. What is left as it started belongs to an address that no block came to, which is not touched. */
#include <string.h>

#include "internal.h"

/* The operation that the tally's values start with the neutral element of. */
static uint64_t neutral(uint32_t bits, uint32_t kind) {
  uint64_t top = (uint64_t)1 << (bits - 1);
  switch (kind) {
  case UWRT_TALLY_AND:
  case UWRT_TALLY_UMIN: return top | (top - 1);
  case UWRT_TALLY_FADD: /* -0: added to 0 it leaves that as it is */
  case UWRT_TALLY_MAX: return top;
  case UWRT_TALLY_MIN: return top - 1;
  default: return 0;
  }
}

/* Makes *place the smaller (or larger) of itself and the number. */
#define UWRT_EXTREME(place, number, less)                                                                              \
  do {                                                                                                                 \
    __typeof__(number) now = __atomic_load_n(place, __ATOMIC_RELAXED);                                                 \
    while ((number)less now &&                                                                                         \
           !__atomic_compare_exchange_n(place, &now, number, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))                   \
      ;                                                                                                                \
  } while (0)

#define UWRT_TALLY(suffix, unsigned_type, signed_type, float_type)                                                     \
  static void start_##suffix(unsigned_type *own, uint64_t count, unsigned_type number) {                               \
    for (uint64_t i = 0; i < count; i++)                                                                               \
      own[i] = number;                                                                                                 \
  }                                                                                                                    \
                                                                                                                       \
  static void add_float_##suffix(unsigned_type *place, unsigned_type own) {                                            \
    unsigned_type now = __atomic_load_n(place, __ATOMIC_RELAXED), sum;                                                 \
    float_type left, right;                                                                                            \
    memcpy(&right, &own, sizeof right);                                                                                \
    do {                                                                                                               \
      memcpy(&left, &now, sizeof left);                                                                                \
      left += right;                                                                                                   \
      memcpy(&sum, &left, sizeof sum);                                                                                 \
    } while (!__atomic_compare_exchange_n(place, &now, sum, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));                   \
  }                                                                                                                    \
                                                                                                                       \
  static void add_##suffix(unsigned_type *place, unsigned_type own, uint32_t kind) {                                   \
    switch (kind) {                                                                                                    \
    case UWRT_TALLY_ADD: __atomic_fetch_add(place, own, __ATOMIC_RELAXED); return;                                     \
    case UWRT_TALLY_AND: __atomic_fetch_and(place, own, __ATOMIC_RELAXED); return;                                     \
    case UWRT_TALLY_OR: __atomic_fetch_or(place, own, __ATOMIC_RELAXED); return;                                       \
    case UWRT_TALLY_XOR: __atomic_fetch_xor(place, own, __ATOMIC_RELAXED); return;                                     \
    case UWRT_TALLY_MAX: UWRT_EXTREME((signed_type *)place, (signed_type)own, >); return;                              \
    case UWRT_TALLY_MIN: UWRT_EXTREME((signed_type *)place, (signed_type)own, <); return;                              \
    case UWRT_TALLY_UMAX: UWRT_EXTREME(place, own, >); return;                                                         \
    case UWRT_TALLY_UMIN: UWRT_EXTREME(place, own, <); return;                                                         \
    default: add_float_##suffix(place, own); return;                                                                   \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static void end_##suffix(unsigned_type *place, const unsigned_type *own, uint64_t count, unsigned_type number,       \
                           uint32_t kind) {                                                                            \
    for (uint64_t i = 0; i < count; i++)                                                                               \
      if (own[i] != number)                                                                                            \
        add_##suffix(place + i, own[i], kind);                                                                         \
  }

UWRT_TALLY(32, uint32_t, int32_t, float)
UWRT_TALLY(64, uint64_t, int64_t, double)

void uwrt_tally_start(void *own, uint64_t bytes, uint32_t bits, uint32_t kind) {
  if (bits == 32)
    start_32(own, bytes / 4, (uint32_t)neutral(bits, kind));
  else
    start_64(own, bytes / 8, neutral(bits, kind));
}

void uwrt_tally_end(void *place, const void *own, uint64_t bytes, uint32_t bits, uint32_t kind) {
  if (bits == 32)
    end_32(place, own, bytes / 4, (uint32_t)neutral(bits, kind), kind);
  else
    end_64(place, own, bytes / 8, neutral(bits, kind), kind);
}
