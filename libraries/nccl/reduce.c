/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The arithmetic of reductions. A block of elements is accumulated over all ranks, from rank 0 up, in what the first
 * cache holds, then stored. Each element is reduced by one rank alone, so all ranks get the same bits (where each rank
 * reduces for itself, it does so in the same order). Half, bfloat16 and 8-bit floats are summed as floats and rounded
 * once, at the end; NCCL rounds at each step. 8-bit floats saturate, as NVIDIA's conversions do. Integers wrap; an
 * average of integers is the wrapped sum, divided towards zero, as in NCCL.
 */
#include "internal.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1024 };

#ifdef __x86_64__
#define FOR_EACH_LEVEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EACH_LEVEL
#endif

size_t uwnccl_size_of(ncclDataType_t type) {
  static const unsigned char bytes[ncclNumTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return bytes[type];
}

typedef struct bfloat16 {
  uint16_t bits;
} bfloat16;
typedef struct e4m3 {
  uint8_t bits;
} e4m3;
typedef struct e5m2 {
  uint8_t bits;
} e5m2;

#define INLINE static inline __attribute__((always_inline))

INLINE float as_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

INLINE float from_bfloat16(bfloat16 x) { return as_float((uint32_t)x.bits << 16); }
INLINE bfloat16 to_bfloat16(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  return (bfloat16){(uint16_t)(x != x ? 0x7fff : rounded)};
}

/* An 8-bit float of `mantissa` bits. The exponent of all ones is for numbers, too, where it is not reserved. */
INLINE float from_small(uint8_t bits, int mantissa, int bias) {
  const int exponent = (bits & 127) >> mantissa, fraction = bits & ((1 << mantissa) - 1);
  const float size = exponent
                         ? as_float((uint32_t)(exponent - bias + 127) << 23 | (uint32_t)fraction << (23 - mantissa))
                         : (float)fraction * as_float((uint32_t)(1 - bias - mantissa + 127) << 23);
  return bits & 128 ? -size : size;
}
INLINE uint8_t to_small(float x, int mantissa, int bias, float most, uint8_t not_a_number) {
  if (x != x)
    return not_a_number;
  const float size = fabsf(x) < most ? fabsf(x) : most;
  uint32_t bits;
  memcpy(&bits, &size, sizeof bits);
  int exponent = (int)(bits >> 23) - 127;
  exponent = exponent < 1 - bias ? 1 - bias : exponent;
  const int scaled = (int)rintf(size * as_float((uint32_t)(mantissa - exponent + 127) << 23));
  return (uint8_t)((signbit(x) ? 128 : 0) | (((exponent + bias - 1) << mantissa) + scaled));
}
INLINE float from_e4m3(e4m3 x) { return (x.bits & 127) == 127 ? NAN : from_small(x.bits, 3, 7); }
INLINE e4m3 to_e4m3(float x) { return (e4m3){to_small(x, 3, 7, 448, 0x7f)}; }
INLINE float from_e5m2(e5m2 x) {
  return (x.bits & 127) > 124    ? NAN
         : (x.bits & 127) == 124 ? (x.bits & 128 ? -INFINITY : INFINITY)
                                 : from_small(x.bits, 2, 15);
}
INLINE e5m2 to_e5m2(float x) { return (e5m2){to_small(x, 2, 15, 57344, 0x7e)}; }
INLINE float from_half(_Float16 x) { return (float)x; }
INLINE _Float16 to_half(float x) { return (_Float16)x; }

/* S: as stored; A: as accumulated; W: in which A is added and multiplied; D: in which it is divided. */
#define SAME(x) (x)
#define REDUCE(name, S, A, W, D, LOAD, STORE)                                                                          \
  FOR_EACH_LEVEL static void reduce_##name(S *to, const S *const *from, int ranks, size_t count, uint32_t operator,    \
                                           const uint64_t *scalars) {                                                  \
    if (ranks == 2 && operator == ncclSum) { /* in place it is one of both, element by element */                      \
      const S *a = from[0], *b = from[1];                                                                              \
      _Pragma("clang loop vectorize(assume_safety)") for (size_t i = 0; i < count; i++) to[i] =                        \
          STORE((A)((W)LOAD(a[i]) + (W)LOAD(b[i])));                                                                   \
      return;                                                                                                          \
    }                                                                                                                  \
    A sum[BLOCK];                                                                                                      \
    for (size_t at = 0; at < count; at += BLOCK) {                                                                     \
      const size_t size = count - at < BLOCK ? count - at : BLOCK;                                                     \
      for (int rank = 0; rank < ranks; rank++) {                                                                       \
        const S *s = from[rank] + at;                                                                                  \
        if (operator == UWNCCL_PREMULTIPLIED) {                                                                        \
          S stored;                                                                                                    \
          memcpy(&stored, &scalars[rank], sizeof stored);                                                              \
          const A scalar = LOAD(stored);                                                                               \
          for (size_t i = 0; i < size; i++)                                                                            \
            sum[i] = (A)((rank ? (W)sum[i] : 0) + (W)((W)LOAD(s[i]) * (W)scalar));                                     \
        } else if (!rank) {                                                                                            \
          for (size_t i = 0; i < size; i++)                                                                            \
            sum[i] = LOAD(s[i]);                                                                                       \
        } else if (operator == ncclProd) {                                                                             \
          for (size_t i = 0; i < size; i++)                                                                            \
            sum[i] = (A)((W)sum[i] * (W)LOAD(s[i]));                                                                   \
        } else if (operator == ncclMax) {                                                                              \
          for (size_t i = 0; i < size; i++) {                                                                          \
            const A x = LOAD(s[i]);                                                                                    \
            sum[i] = sum[i] > x || x != x ? sum[i] : x;                                                                \
          }                                                                                                            \
        } else if (operator == ncclMin) {                                                                              \
          for (size_t i = 0; i < size; i++) {                                                                          \
            const A x = LOAD(s[i]);                                                                                    \
            sum[i] = sum[i] < x || x != x ? sum[i] : x;                                                                \
          }                                                                                                            \
        } else {                                                                                                       \
          for (size_t i = 0; i < size; i++)                                                                            \
            sum[i] = (A)((W)sum[i] + (W)LOAD(s[i]));                                                                   \
        }                                                                                                              \
      }                                                                                                                \
      if (operator == ncclAvg)                                                                                         \
        for (size_t i = 0; i < size; i++)                                                                              \
          sum[i] = (A)((D)sum[i] / (D)ranks);                                                                          \
      for (size_t i = 0; i < size; i++)                                                                                \
        to[at + i] = STORE(sum[i]);                                                                                    \
    }                                                                                                                  \
  }

REDUCE(int8, int8_t, int8_t, uint32_t, int32_t, SAME, SAME)
REDUCE(uint8, uint8_t, uint8_t, uint32_t, uint32_t, SAME, SAME)
REDUCE(int32, int32_t, int32_t, uint32_t, int32_t, SAME, SAME)
REDUCE(uint32, uint32_t, uint32_t, uint32_t, uint32_t, SAME, SAME)
REDUCE(int64, int64_t, int64_t, uint64_t, int64_t, SAME, SAME)
REDUCE(uint64, uint64_t, uint64_t, uint64_t, uint64_t, SAME, SAME)
REDUCE(half, _Float16, float, float, float, from_half, to_half)
REDUCE(float, float, float, float, float, SAME, SAME)
REDUCE(double, double, double, double, double, SAME, SAME)
REDUCE(bfloat16, bfloat16, float, float, float, from_bfloat16, to_bfloat16)
REDUCE(e4m3, e4m3, float, float, float, from_e4m3, to_e4m3)
REDUCE(e5m2, e5m2, float, float, float, from_e5m2, to_e5m2)

void uwnccl_reduce(void *to, const void *const *from, int ranks, size_t count, ncclDataType_t type, uint32_t operator,
                   const uint64_t *scalars) {
#define CASE(number, name)                                                                                             \
  case number: reduce_##name(to, (const void *)from, ranks, count, operator, scalars); break;
  switch (type) {
    CASE(ncclInt8, int8)
    CASE(ncclUint8, uint8)
    CASE(ncclInt32, int32)
    CASE(ncclUint32, uint32)
    CASE(ncclInt64, int64)
    CASE(ncclUint64, uint64)
    CASE(ncclFloat16, half)
    CASE(ncclFloat32, float)
    CASE(ncclFloat64, double)
    CASE(ncclBfloat16, bfloat16)
    CASE(ncclFloat8e4m3, e4m3)
    CASE(ncclFloat8e5m2, e5m2)
  case ncclNumTypes: break;
  }
}
