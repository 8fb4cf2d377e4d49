/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: "Warp Level Matrix Instructions": mma, ldmatrix and movmatrix. What mma multiplies the warp multiplies together,
 * and what ldmatrix loads it hands round together: each uwrt_warp_* is one call for all lanes, of runtime/matrix.c, which
 * says how the fragments lie.
 */
#include "fp8.h"
#include "together.h"

__attribute__((convergent)) uint32_t lane(void) __asm__("llvm.nvvm.read.ptx.sreg.laneid");
__attribute__((convergent)) uint32_t from_lane(uint32_t, uint32_t, uint32_t,
                                               uint32_t) __asm__("llvm.nvvm.shfl.sync.idx.i32");
UW_LOCAL uint32_t fetch(uint32_t value, uint32_t source) { return from_lane(0xffffffffu, value, source, 31); }

#define TO_FLOAT(shape_2, shape_1, type)                                                                               \
  TOGETHER(floats_4, type##_2)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, float, float, float,        \
                               float);                                                                                 \
  TOGETHER(floats_4, type##_1)(uint32_t, uint32_t, uint32_t, float, float, float, float);                              \
  MMA(shape_2##_row_col_f32_##type##_##type##_f32)(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0,    \
                                                   uint32_t b1, float c0, float c1, float c2, float c3, float *d) {    \
    floats_4 sums = uwrt_warp_mma_##type##_2(a0, a1, a2, a3, b0, b1, c0, c1, c2, c3);                                  \
    d[0] = sums[0], d[1] = sums[1], d[2] = sums[2], d[3] = sums[3];                                                    \
  }                                                                                                                    \
  MMA(shape_1##_row_col_f32_##type##_##type##_f32)(uint32_t a0, uint32_t a1, uint32_t b0, float c0, float c1,          \
                                                   float c2, float c3, float *d) {                                     \
    floats_4 sums = uwrt_warp_mma_##type##_1(a0, a1, b0, c0, c1, c2, c3);                                              \
    d[0] = sums[0], d[1] = sums[1], d[2] = sums[2], d[3] = sums[3];                                                    \
  }
TO_FLOAT(m16n8k16, m16n8k8, f16)
TO_FLOAT(m16n8k16, m16n8k8, bf16)
TO_FLOAT(m16n8k8, m16n8k4, tf32)

TOGETHER(words_4, f16_f16_2)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);
TOGETHER(words_4, f16_f16_1)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);
MMA(m16n8k16_row_col_f16_f16_f16_f16)(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1,
                                      uint32_t c0, uint32_t c1, uint32_t *d) {
  words_4 sums = uwrt_warp_mma_f16_f16_2(a0, a1, a2, a3, b0, b1, c0, c1);
  d[0] = sums[0], d[1] = sums[1];
}
MMA(m16n8k8_row_col_f16_f16_f16_f16)(uint32_t a0, uint32_t a1, uint32_t b0, uint32_t c0, uint32_t c1, uint32_t *d) {
  words_4 sums = uwrt_warp_mma_f16_f16_1(a0, a1, b0, c0, c1);
  d[0] = sums[0], d[1] = sums[1];
}

/* d = c + the sums, which fit into 32 bits; what c makes of them wraps around, or with .satfinite ends at the
 * limits. */
#define TO_INTEGER(shape_4, shape_2, shape_1, types, name, add)                                                        \
  MMA(shape_4##_row_col_##types)(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1,         \
                                 uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t *d) {                    \
    words_4 sums = uwrt_warp_mma_##name##_22(a0, a1, a2, a3, b0, b1);                                                  \
    d[0] = add(c0, sums[0]), d[1] = add(c1, sums[1]), d[2] = add(c2, sums[2]), d[3] = add(c3, sums[3]);                \
  }                                                                                                                    \
  MMA(shape_2##_row_col_##types)(uint32_t a0, uint32_t a1, uint32_t b0, uint32_t c0, uint32_t c1, uint32_t c2,         \
                                 uint32_t c3, uint32_t *d) {                                                           \
    words_4 sums = uwrt_warp_mma_##name##_21(a0, a1, b0);                                                              \
    d[0] = add(c0, sums[0]), d[1] = add(c1, sums[1]), d[2] = add(c2, sums[2]), d[3] = add(c3, sums[3]);                \
  }                                                                                                                    \
  MMA(shape_1##_row_col_##types)(uint32_t a, uint32_t b, uint32_t c0, uint32_t c1, uint32_t *d) {                      \
    words_4 sums = uwrt_warp_mma_##name##_11(a, b);                                                                    \
    d[0] = add(c0, sums[0]), d[1] = add(c1, sums[1]);                                                                  \
  }
#define DECLARE_WORDS(name)                                                                                            \
  TOGETHER(words_4, name##_22)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);                            \
  TOGETHER(words_4, name##_21)(uint32_t, uint32_t, uint32_t);                                                          \
  TOGETHER(words_4, name##_11)(uint32_t, uint32_t);
DECLARE_WORDS(u8_u8)
DECLARE_WORDS(u8_s8)
DECLARE_WORDS(s8_u8)
DECLARE_WORDS(s8_s8)
DECLARE_WORDS(u4_u4)
DECLARE_WORDS(u4_s4)
DECLARE_WORDS(s4_u4)
DECLARE_WORDS(s4_s4)
DECLARE_WORDS(xor)
DECLARE_WORDS(and)
#define WITH_LIMITS(shape_4, shape_2, shape_1, left, right)                                                            \
  TO_INTEGER(shape_4, shape_2, shape_1, s32_##left##_##right##_s32, left##_##right, wrap)                              \
  TO_INTEGER(shape_4, shape_2, shape_1, satfinite_s32_##left##_##right##_s32, left##_##right, limit)
WITH_LIMITS(m16n8k32, m16n8k16, m8n8k16, u8, u8)
WITH_LIMITS(m16n8k32, m16n8k16, m8n8k16, u8, s8)
WITH_LIMITS(m16n8k32, m16n8k16, m8n8k16, s8, u8)
WITH_LIMITS(m16n8k32, m16n8k16, m8n8k16, s8, s8)
WITH_LIMITS(m16n8k64, m16n8k32, m8n8k32, u4, u4)
WITH_LIMITS(m16n8k64, m16n8k32, m8n8k32, u4, s4)
WITH_LIMITS(m16n8k64, m16n8k32, m8n8k32, s4, u4)
WITH_LIMITS(m16n8k64, m16n8k32, m8n8k32, s4, s4)
TO_INTEGER(m16n8k256, m16n8k128, m8n8k128, s32_b1_b1_s32_xor_popc, xor, wrap)
TO_INTEGER(m16n8k256, m16n8k128, m8n8k128, s32_b1_b1_s32_and_popc, and, wrap)

TOGETHER(doubles_2, f64_1)(double, double, double, double);
MMA(m8n8k4_row_col_f64_f64_f64_f64)(double a, double b, double c0, double c1, double *d) {
  doubles_2 sums = uwrt_warp_mma_f64_1(a, b, c0, c1);
  d[0] = sums[0], d[1] = sums[1];
}

/* Larger ones are several of it: rows group and group + 8 of A, four of k at a time. */
MMA(m16n8k4_row_col_f64_f64_f64_f64)(double a0, double a1, double b0, double c0, double c1, double c2, double c3,
                                     double *d) {
  __ptx_mma_sync_aligned_m8n8k4_row_col_f64_f64_f64_f64(a0, b0, c0, c1, d);
  __ptx_mma_sync_aligned_m8n8k4_row_col_f64_f64_f64_f64(a1, b0, c2, c3, d + 2);
}
MMA(m16n8k8_row_col_f64_f64_f64_f64)(double a0, double a1, double a2, double a3, double b0, double b1, double c0,
                                     double c1, double c2, double c3, double *d) {
  __ptx_mma_sync_aligned_m16n8k4_row_col_f64_f64_f64_f64(a0, a1, b0, c0, c1, c2, c3, d);
  __ptx_mma_sync_aligned_m16n8k4_row_col_f64_f64_f64_f64(a2, a3, b1, d[0], d[1], d[2], d[3], d);
}
MMA(m16n8k16_row_col_f64_f64_f64_f64)(double a0, double a1, double a2, double a3, double a4, double a5, double a6,
                                      double a7, double b0, double b1, double b2, double b3, double c0, double c1,
                                      double c2, double c3, double *d) {
  __ptx_mma_sync_aligned_m16n8k8_row_col_f64_f64_f64_f64(a0, a1, a2, a3, b0, b1, c0, c1, c2, c3, d);
  __ptx_mma_sync_aligned_m16n8k8_row_col_f64_f64_f64_f64(a4, a5, a6, a7, b2, b3, d[0], d[1], d[2], d[3], d);
}

/* Floats of 8 bits, as halves: four of k in a register are two registers of halves, whose order in k is the same in A
 * and B. */
#define OF_BYTES(left, right)                                                                                          \
  MMA(m16n8k16_row_col_f32_##left##_##right##_f32)(uint32_t a0, uint32_t a1, uint32_t b0, float c0, float c1,          \
                                                   float c2, float c3, float *d) {                                     \
    __ptx_mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(                                                           \
        halves_of_##left(a0), halves_of_##left(a1), halves_of_##left(a0 >> 16), halves_of_##left(a1 >> 16),            \
        halves_of_##right(b0), halves_of_##right(b0 >> 16), c0, c1, c2, c3, d);                                        \
  }                                                                                                                    \
  MMA(m16n8k32_row_col_f32_##left##_##right##_f32)(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0,    \
                                                   uint32_t b1, float c0, float c1, float c2, float c3, float *d) {    \
    __ptx_mma_sync_aligned_m16n8k16_row_col_f32_##left##_##right##_f32(a0, a1, b0, c0, c1, c2, c3, d);                 \
    __ptx_mma_sync_aligned_m16n8k16_row_col_f32_##left##_##right##_f32(a2, a3, b1, d[0], d[1], d[2], d[3], d);         \
  }                                                                                                                    \
  MMA(m16n8k16_row_col_f16_##left##_##right##_f16)(uint32_t a0, uint32_t a1, uint32_t b0, uint32_t c0, uint32_t c1,    \
                                                   uint32_t *d) {                                                      \
    __ptx_mma_sync_aligned_m16n8k16_row_col_f16_f16_f16_f16(                                                           \
        halves_of_##left(a0), halves_of_##left(a1), halves_of_##left(a0 >> 16), halves_of_##left(a1 >> 16),            \
        halves_of_##right(b0), halves_of_##right(b0 >> 16), c0, c1, d);                                                \
  }                                                                                                                    \
  /* rounded to halves at the end */                                                                                   \
  MMA(m16n8k32_row_col_f16_##left##_##right##_f16)(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0,    \
                                                   uint32_t b1, uint32_t c0, uint32_t c1, uint32_t *d) {               \
    float sums[4];                                                                                                     \
    __ptx_mma_sync_aligned_m16n8k32_row_col_f32_##left##_##right##_f32(                                                \
        a0, a1, a2, a3, b0, b1, (float)half_of_bits(c0), (float)half_of_bits(c0 >> 16), (float)half_of_bits(c1),       \
        (float)half_of_bits(c1 >> 16), sums);                                                                          \
    d[0] = both(half_bits((_Float16)sums[0]), half_bits((_Float16)sums[1]));                                           \
    d[1] = both(half_bits((_Float16)sums[2]), half_bits((_Float16)sums[3]));                                           \
  }
OF_BYTES(e4m3, e4m3)
OF_BYTES(e4m3, e5m2)
OF_BYTES(e5m2, e4m3)
OF_BYTES(e5m2, e5m2)

/* Each of the first lanes loads the row that it has the address of; whose part goes to which lane is the runtime's. */
TOGETHER_AS(words_4, ldmatrix)(uint32_t, uint32_t, uint32_t, uint32_t);
TOGETHER_AS(words_4, ldmatrix_trans)(uint32_t, uint32_t, uint32_t, uint32_t);
UW_LOCAL words_4 own_row(const void *address, uint32_t rows) {
  uint32_t words[4] = {0, 0, 0, 0};
  if (lane() < rows)
    __builtin_memcpy(words, address, sizeof words);
  return (words_4){words[0], words[1], words[2], words[3]};
}
#define LOAD(count, number)                                                                                            \
  PTX(void, ldmatrix_sync_aligned_m8n8_##count##_b16)(const void *address, uint32_t *d) {                              \
    words_4 row = own_row(address, 8 * number), parts = uwrt_warp_ldmatrix(row[0], row[1], row[2], row[3]);            \
    for (uint32_t i = 0; i < number; i++)                                                                              \
      d[i] = parts[i];                                                                                                 \
  }                                                                                                                    \
  PTX(void, ldmatrix_sync_aligned_m8n8_##count##_trans_b16)(const void *address, uint32_t *d) {                        \
    words_4 row = own_row(address, 8 * number), parts = uwrt_warp_ldmatrix_trans(row[0], row[1], row[2], row[3]);      \
    for (uint32_t i = 0; i < number; i++)                                                                              \
      d[i] = parts[i];                                                                                                 \
  }
LOAD(x1, 1)
LOAD(x2, 2)
LOAD(x4, 4)

/* Element (row, column) is a half of lane 4 * row + column / 2; each lane gets two of a column. */
PTX(uint32_t, movmatrix_sync_aligned_m8n8_trans_b16)(uint32_t a) {
  uint32_t group = lane() / 4, place = lane() % 4, shift = group % 2 * 16;
  uint32_t even = fetch(a, 8 * place + group / 2), odd = fetch(a, 8 * place + 4 + group / 2);
  return (even >> shift & 0xffff) | (odd >> shift & 0xffff) << 16;
}

/* The other way round: lane 8 * m + r stores row r of matrix m, four words, of which lane 4 * r + place has one; turned
 * the halves of column r, which lie in lanes r / 2, 4 + r / 2, … */
#define ROW_FROM(registers, word)                                                                                      \
  for (uint32_t m = 0; m < (registers); m++)                                                                           \
    for (uint32_t j = 0; j < 4; j++) {                                                                                 \
      uint32_t fetched = word;                                                                                         \
      row[j] = lane() / 8 == m ? fetched : row[j];                                                                     \
    }
#define STORE_ROW(registers)                                                                                           \
  if (lane() < 8 * (registers))                                                                                        \
    __builtin_memcpy(address, row, sizeof row);
UW_LOCAL uint32_t turned(uint32_t value, uint32_t j) {
  uint32_t r = lane() % 8, shift = r % 2 * 16;
  uint32_t even = fetch(value, 8 * j + r / 2), odd = fetch(value, 8 * j + 4 + r / 2);
  return (even >> shift & 0xffff) | (odd >> shift & 0xffff) << 16;
}
#define STORE(count, number, ...)                                                                                      \
  PTX(void, stmatrix_sync_aligned_m8n8_##count##_b16)(void *address, __VA_ARGS__) {                                    \
    const uint32_t words[4] = {a, OTHERS_##number};                                                                    \
    uint32_t row[4] = {0, 0, 0, 0};                                                                                    \
    ROW_FROM(number, fetch(words[m], 4 * (lane() % 8) + j))                                                            \
    STORE_ROW(number)                                                                                                  \
  }                                                                                                                    \
  PTX(void, stmatrix_sync_aligned_m8n8_##count##_trans_b16)(void *address, __VA_ARGS__) {                              \
    const uint32_t words[4] = {a, OTHERS_##number};                                                                    \
    uint32_t row[4] = {0, 0, 0, 0};                                                                                    \
    ROW_FROM(number, turned(words[m], j))                                                                              \
    STORE_ROW(number)                                                                                                  \
  }
#define OTHERS_1 0, 0, 0
#define OTHERS_2 b, 0, 0
#define OTHERS_4 b, c, d
STORE(x1, 1, uint32_t a)
STORE(x2, 2, uint32_t a, uint32_t b)
STORE(x4, 4, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
