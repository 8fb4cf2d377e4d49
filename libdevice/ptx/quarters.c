/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: mma.m8n8k4 of halves: four products, each by eight lanes, 4 * q to 4 * q + 3 and the same 16 further on. With
 * `turn` as the lane within its four, and `upper` for the second four (PTX ISA, "Matrix Fragments for mma.m8n8k4 with
 * .f16 floating point type"):
 *
 *     A   by rows: row turn + 4 * upper; by columns: column turn, rows from 4 * upper on
 *     B   by columns: column turn + 4 * upper; by rows: row turn, columns from 4 * upper on
 *     C   halves: row turn + 4 * upper; floats: element i is in row turn % 2 + (i & 2) + 4 * upper, column
 *         (i & 4) + (turn & 2) + i % 2
 *
 * Each lane fetches what its quarter has of A and B.
 */
#include "ptx.h"

__attribute__((convergent)) uint32_t lane(void) __asm__("llvm.nvvm.read.ptx.sreg.laneid");
__attribute__((convergent)) uint32_t from_lane(uint32_t, uint32_t, uint32_t,
                                               uint32_t) __asm__("llvm.nvvm.shfl.sync.idx.i32");

enum { MEMBERS = 8, WORDS = 2, N = 8, K = 4 };

/* What the eight lanes have. */
typedef struct fragments {
  uint32_t words[MEMBERS][WORDS];
} fragments;

UW_LOCAL fragments gather(uint32_t low, uint32_t high) {
  fragments all;
  uint32_t first = lane() / K % K * K;
  for (uint32_t member = 0; member < MEMBERS; member++) {
    uint32_t source = first + member % K + member / K * 16;
    all.words[member][0] = from_lane(0xffffffffu, low, source, 31);
    all.words[member][1] = from_lane(0xffffffffu, high, source, 31);
  }
  return all;
}

/* Element `at` of k, of row or column `number`. Along: each member has one; else each has one of k. */
UW_LOCAL float element(const fragments *all, bool along, uint32_t number, uint32_t at) {
  uint32_t member = along ? number : at + number / K * K, i = along ? at : number % K;
  return (float)half_of_bits(all->words[member][i / 2] >> i % 2 * 16);
}

UW_LOCAL float sum_of(const fragments *a, const fragments *b, bool a_rows, bool b_columns, uint32_t row,
                      uint32_t column, float sum) {
  for (uint32_t k = 0; k < K; k++)
    sum = __builtin_fmaf(element(a, a_rows, row, k), element(b, b_columns, column, k), sum);
  return sum;
}

/* Where a lane's element i of C is. */
UW_LOCAL uint32_t upper(void) { return lane() / 16 * K; }
UW_LOCAL uint32_t row_of_half(uint32_t i) {
  (void)i;
  return lane() % K + upper();
}
UW_LOCAL uint32_t column_of_half(uint32_t i) { return i; }
UW_LOCAL uint32_t row_of_float(uint32_t i) { return lane() % 2 + (i & 2) + upper(); }
UW_LOCAL uint32_t column_of_float(uint32_t i) { return (i & 4) + (lane() & 2) + i % 2; }

#define FACTORS uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1
#define HALVES uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3
#define FLOATS float c0, float c1, float c2, float c3, float c4, float c5, float c6, float c7

#define FROM_FLOATS(alayout, blayout, a_rows, b_columns)                                                               \
  PTX(void, mma_sync_aligned_m8n8k4_##alayout##_##blayout##_f32_f16_f16_f32)(FACTORS, FLOATS, float *d) {              \
    fragments a = gather(a0, a1), b = gather(b0, b1);                                                                  \
    float c[N] = {c0, c1, c2, c3, c4, c5, c6, c7};                                                                     \
    for (uint32_t i = 0; i < N; i++)                                                                                   \
      d[i] = sum_of(&a, &b, a_rows, b_columns, row_of_float(i), column_of_float(i), c[i]);                             \
  }
#define FROM_HALVES(alayout, blayout, a_rows, b_columns)                                                               \
  PTX(void, mma_sync_aligned_m8n8k4_##alayout##_##blayout##_f16_f16_f16_f16)(FACTORS, HALVES, uint32_t *d) {           \
    fragments a = gather(a0, a1), b = gather(b0, b1);                                                                  \
    uint32_t c[K] = {c0, c1, c2, c3};                                                                                  \
    for (uint32_t i = 0; i < K; i++) {                                                                                 \
      uint16_t pair[2];                                                                                                \
      for (uint32_t k = 0; k < 2; k++)                                                                                 \
        pair[k] = half_bits((_Float16)sum_of(&a, &b, a_rows, b_columns, row_of_half(i), column_of_half(2 * i + k),     \
                                             (float)half_of_bits(c[i] >> 16 * k)));                                    \
      d[i] = both(pair[0], pair[1]);                                                                                   \
    }                                                                                                                  \
  }                                                                                                                    \
  /* The halves of a row lie in one lane, its floats in two: each fetches its part of C. */                            \
  PTX(void, mma_sync_aligned_m8n8k4_##alayout##_##blayout##_f32_f16_f16_f16)(FACTORS, HALVES, float *d) {              \
    fragments a = gather(a0, a1), b = gather(b0, b1), low = gather(c0, c1), high = gather(c2, c3);                     \
    for (uint32_t i = 0; i < N; i++) {                                                                                 \
      uint32_t row = row_of_float(i), column = column_of_float(i);                                                     \
      const fragments *c = column < K ? &low : &high;                                                                  \
      d[i] = sum_of(&a, &b, a_rows, b_columns, row, column, element(c, true, row, column % K));                        \
    }                                                                                                                  \
  }
#define LAYOUTS(alayout, blayout, a_rows, b_columns)                                                                   \
  FROM_FLOATS(alayout, blayout, a_rows, b_columns)                                                                     \
  FROM_HALVES(alayout, blayout, a_rows, b_columns)
LAYOUTS(row, col, true, true)
LAYOUTS(row, row, true, false)
LAYOUTS(col, col, false, true)
LAYOUTS(col, row, false, false)
