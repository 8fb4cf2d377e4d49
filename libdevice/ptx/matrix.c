/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: "Warp Level Matrix Instructions": mma, ldmatrix and movmatrix. What mma multiplies the warp multiplies together,
 * and what ldmatrix loads it hands round together: each uwrt_warp_* is one call for all lanes, of runtime/matrix.c, which
 * says how the fragments lie.
 */
#include "dots.h"
#include "ptx.h"

__attribute__((convergent)) uint32_t lane(void) __asm__("llvm.nvvm.read.ptx.sreg.laneid");
__attribute__((convergent)) uint32_t from_lane(uint32_t, uint32_t, uint32_t,
                                               uint32_t) __asm__("llvm.nvvm.shfl.sync.idx.i32");
UW_LOCAL uint32_t fetch(uint32_t value, uint32_t source) { return from_lane(0xffffffffu, value, source, 31); }

/* Vectors, which each ABI returns as they are. */
typedef float floats_4 __attribute__((vector_size(16)));
typedef double doubles_2 __attribute__((vector_size(16)));
typedef uint32_t words_4 __attribute__((vector_size(16)));

/* One that all lanes of the warp call together. Of four words two may be all that it gives. */
#define TOGETHER_AS(result, name) __attribute__((convergent)) result uwrt_warp_##name
#define TOGETHER(result, name) TOGETHER_AS(result, mma_##name)
#define MMA(name) PTX(void, mma_sync_aligned_##name)

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
UW_LOCAL uint32_t wrap(uint32_t c, uint32_t sum) { return c + sum; }
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
