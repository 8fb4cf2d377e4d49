/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: "Warp Level Matrix Instructions Using wmma". How a fragment lies in its warp is ours to say. Each element is in
 * one lane: those of A and C in the order of rows, those of B in the order of columns, as many neighbours in each lane.
 * Registers that PTX has beyond that (A and B of halves) hold the same again.
 *
 * For a product the lanes write A and B to memory that all of them read, and each computes what it has of D. One such
 * memory a block is enough: warps run one after the other between two barriers of the block. The front end
 * (frontend/ptx/wmma.c) calls these with shapes that are constants, so that the loops are unrolled.
 */
#include "dots.h"
#include "ptx.h"

uint32_t lane(void) __asm__("llvm.nvvm.read.ptx.sreg.laneid");
__attribute__((convergent)) void warp_barrier(uint32_t) __asm__("llvm.nvvm.bar.warp.sync");

#define SHARED __attribute__((address_space(3)))
enum { WORDS = 256 }; /* of 32 x 16 halves */
__attribute__((section(".unwarp.scratch"), aligned(64))) SHARED uint32_t __ptx_wmma_left[WORDS];
__attribute__((section(".unwarp.scratch"), aligned(64))) SHARED uint32_t __ptx_wmma_right[WORDS];

/* Element `at` of this lane's, of a matrix of so many columns in memory. */
UW_LOCAL uint64_t place(uint32_t at, uint32_t each, uint32_t columns, uint32_t stride, bool by_rows) {
  uint32_t number = lane() * each, row = number / columns, column = number % columns + at;
  return by_rows ? (uint64_t)row * stride + column : (uint64_t)column * stride + row;
}

/* Elements of so many bytes into `registers` words. */
PTX(void, wmma_load)(const void *from, uint32_t stride, uint32_t rows, uint32_t columns, uint32_t bytes, bool by_rows,
                     uint32_t registers, void *d) {
  uint32_t each = rows * columns / 32;
  warp_barrier(0xffffffffu);
  for (uint32_t i = 0; i < each; i++)
    __builtin_memcpy((char *)d + i * bytes, (const char *)from + place(i, each, columns, stride, by_rows) * bytes,
                     bytes);
  for (uint32_t i = each * bytes / 4; i < registers; i++)
    __builtin_memcpy((char *)d + i * 4, (const char *)d + i * 4 - each * bytes, 4);
}

PTX(void, wmma_store)(void *to, uint32_t stride, uint32_t rows, uint32_t columns, uint32_t bytes, bool by_rows,
                      const void *d) {
  uint32_t each = rows * columns / 32;
  warp_barrier(0xffffffffu);
  for (uint32_t i = 0; i < each; i++)
    __builtin_memcpy((char *)to + place(i, each, columns, stride, by_rows) * bytes, (const char *)d + i * bytes, bytes);
  warp_barrier(0xffffffffu);
}

/* What this lane has of both, for all. */
UW_LOCAL void publish(const uint32_t *a, const uint32_t *b, uint32_t of_a, uint32_t of_b) {
  for (uint32_t i = 0; i < of_a; i++)
    __ptx_wmma_left[lane() * of_a + i] = a[i];
  for (uint32_t i = 0; i < of_b; i++)
    __ptx_wmma_right[lane() * of_b + i] = b[i];
  warp_barrier(0xffffffffu);
}

/* sums[] += this lane's elements of A B; a row of A and a column of B have so many words. */
#define MULTIPLY(name, type, dot)                                                                                      \
  UW_LOCAL void multiply_##name(type *sums, uint32_t m, uint32_t n, uint32_t words, const uint32_t *a,                 \
                                const uint32_t *b) {                                                                   \
    uint32_t each = m * n / 32, row = lane() * each / n, column = lane() * each % n;                                   \
    publish(a, b, m * words / 32, n * words / 32);                                                                     \
    for (uint32_t i = 0; i < each; i++)                                                                                \
      for (uint32_t k = 0; k < words; k++)                                                                             \
        sums[i] = dot(sums[i], __ptx_wmma_left[row * words + k], __ptx_wmma_right[(column + i) * words + k]);          \
    warp_barrier(0xffffffffu);                                                                                         \
  }

/* .satfinite: no infinities, and NaN is 0. */
UW_LOCAL float finite(float value, float most) {
  return value != value ? 0 : value > most ? most : value < -most ? -most : value;
}

#define ARGUMENTS                                                                                                      \
  uint32_t m, uint32_t n, uint32_t words, bool half_c, bool half_d, bool limits, const void *a, const void *b,         \
      const void *c, void *d
enum { MOST = 8 }; /* elements of C in a lane */

#define TO_FLOAT(name)                                                                                                 \
  MULTIPLY(name, float, dot_##name)                                                                                    \
  PTX(void, wmma_multiply_##name)(ARGUMENTS) {                                                                         \
    float sums[MOST], most = half_d ? 65504.0f : 0x1.fffffep127f;                                                      \
    for (uint32_t i = 0; i < MOST; i++)                                                                                \
      sums[i] = half_c ? (float)((const _Float16 *)c)[i] : ((const float *)c)[i];                                      \
    multiply_##name(sums, m, n, words, a, b);                                                                          \
    for (uint32_t i = 0; i < MOST; i++) {                                                                              \
      float value = limits ? finite(sums[i], most) : sums[i];                                                          \
      if (half_d)                                                                                                      \
        ((_Float16 *)d)[i] = (_Float16)value;                                                                          \
      else                                                                                                             \
        ((float *)d)[i] = value;                                                                                       \
    }                                                                                                                  \
  }
TO_FLOAT(f16)
TO_FLOAT(bf16)
TO_FLOAT(tf32)

#define TO_INTEGER(name)                                                                                               \
  MULTIPLY(name, uint32_t, dot_##name)                                                                                 \
  PTX(void, wmma_multiply_##name)(ARGUMENTS) {                                                                         \
    uint32_t sums[MOST] = {0}, each = m * n / 32;                                                                      \
    multiply_##name(sums, m, n, words, a, b);                                                                          \
    for (uint32_t i = 0; i < each; i++) {                                                                              \
      uint32_t from = ((const uint32_t *)c)[i];                                                                        \
      ((uint32_t *)d)[i] = limits ? limit(from, sums[i]) : from + sums[i];                                             \
    }                                                                                                                  \
  }
TO_INTEGER(u8_u8)
TO_INTEGER(s8_s8)
TO_INTEGER(u4_u4)
TO_INTEGER(s4_s4)
TO_INTEGER(xor)
TO_INTEGER(and)

/* 8 x 8 x 4: a lane has one element of A and B and two of C. */
PTX(void, wmma_multiply_f64)(ARGUMENTS) {
  uint32_t row = lane() / 4, column = lane() % 4 * 2;
  double sums[2];
  __builtin_memcpy(sums, c, sizeof sums);
  publish(a, b, 2, 2);
  for (uint32_t i = 0; i < 2; i++)
    for (uint32_t k = 0; k < 4; k++)
      sums[i] = __builtin_fma(((const SHARED double *)__ptx_wmma_left)[row * 4 + k],
                              ((const SHARED double *)__ptx_wmma_right)[(column + i) * 4 + k], sums[i]);
  warp_barrier(0xffffffffu);
  __builtin_memcpy(d, sums, sizeof sums);
}
