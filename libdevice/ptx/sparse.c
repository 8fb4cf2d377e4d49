/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: mma.sp, whose left matrix has as many zeros as other elements. Where these are metadata of the lanes says
 * (runtime/matrix_sparse.c). The selector is uniform.
 */
#include "together.h"

#define MMA_SP(name) PTX(void, mma_sp_sync_aligned_##name)
#define A_2 uint32_t a0, uint32_t a1
#define A_4 A_2, uint32_t a2, uint32_t a3
#define B_2 uint32_t b0, uint32_t b1
#define B_4 B_2, uint32_t b2, uint32_t b3
#define FACTORS_2 a0, a1, b0, b1
#define FACTORS_4 a0, a1, a2, a3, b0, b1, b2, b3
#define WORDS_2 uint32_t, uint32_t, uint32_t, uint32_t
#define WORDS_4 WORDS_2, WORDS_2

#define TO_FLOATS(shape, registers, name, types)                                                                       \
  TOGETHER(floats_4, sp_##name##_##registers)(WORDS_##registers, float, float, float, float, uint32_t, uint32_t);      \
  MMA_SP(shape##_row_col_f32_##types##_f32)(A_##registers, B_##registers, float c0, float c1, float c2, float c3,      \
                                            uint32_t metadata, uint32_t selector, float *d) {                          \
    floats_4 sums = uwrt_warp_mma_sp_##name##_##registers(FACTORS_##registers, c0, c1, c2, c3, metadata, selector);    \
    d[0] = sums[0], d[1] = sums[1], d[2] = sums[2], d[3] = sums[3];                                                    \
  }
TO_FLOATS(m16n8k16, 2, f16, f16_f16)
TO_FLOATS(m16n8k32, 4, f16, f16_f16)
TO_FLOATS(m16n8k16, 2, bf16, bf16_bf16)
TO_FLOATS(m16n8k32, 4, bf16, bf16_bf16)
TO_FLOATS(m16n8k8, 2, tf32, tf32_tf32)
TO_FLOATS(m16n8k16, 4, tf32, tf32_tf32)
TO_FLOATS(m16n8k64, 4, e4m3_e4m3, e4m3_e4m3)
TO_FLOATS(m16n8k64, 4, e4m3_e5m2, e4m3_e5m2)
TO_FLOATS(m16n8k64, 4, e5m2_e4m3, e5m2_e4m3)
TO_FLOATS(m16n8k64, 4, e5m2_e5m2, e5m2_e5m2)

#define TO_HALVES(shape, registers, name, types)                                                                       \
  TOGETHER(words_4, sp_##name##_f16_##registers)(WORDS_##registers, uint32_t, uint32_t, uint32_t, uint32_t);           \
  MMA_SP(shape##_row_col_f16_##types##_f16)(A_##registers, B_##registers, uint32_t c0, uint32_t c1, uint32_t metadata, \
                                            uint32_t selector, uint32_t *d) {                                          \
    words_4 sums = uwrt_warp_mma_sp_##name##_f16_##registers(FACTORS_##registers, c0, c1, metadata, selector);         \
    d[0] = sums[0], d[1] = sums[1];                                                                                    \
  }
TO_HALVES(m16n8k16, 2, f16, f16_f16)
TO_HALVES(m16n8k32, 4, f16, f16_f16)
TO_HALVES(m16n8k64, 4, e4m3_e4m3, e4m3_e4m3)
TO_HALVES(m16n8k64, 4, e4m3_e5m2, e4m3_e5m2)
TO_HALVES(m16n8k64, 4, e5m2_e4m3, e5m2_e4m3)
TO_HALVES(m16n8k64, 4, e5m2_e5m2, e5m2_e5m2)

#define TO_INTEGERS(shape, registers, name, form, add)                                                                 \
  MMA_SP(shape##_row_col_##form##_##name##_s32)(A_##registers, B_##registers, uint32_t c0, uint32_t c1, uint32_t c2,   \
                                                uint32_t c3, uint32_t metadata, uint32_t selector, uint32_t *d) {      \
    words_4 sums = uwrt_warp_mma_sp_##name##_##registers(FACTORS_##registers, metadata, selector);                     \
    d[0] = add(c0, sums[0]), d[1] = add(c1, sums[1]), d[2] = add(c2, sums[2]), d[3] = add(c3, sums[3]);                \
  }
#define OF_INTEGERS(shape_2, shape_4, name)                                                                            \
  TOGETHER(words_4, sp_##name##_2)(WORDS_2, uint32_t, uint32_t);                                                       \
  TOGETHER(words_4, sp_##name##_4)(WORDS_4, uint32_t, uint32_t);                                                       \
  TO_INTEGERS(shape_2, 2, name, s32, wrap)                                                                             \
  TO_INTEGERS(shape_2, 2, name, satfinite_s32, limit)                                                                  \
  TO_INTEGERS(shape_4, 4, name, s32, wrap)                                                                             \
  TO_INTEGERS(shape_4, 4, name, satfinite_s32, limit)
OF_INTEGERS(m16n8k32, m16n8k64, u8_u8)
OF_INTEGERS(m16n8k32, m16n8k64, u8_s8)
OF_INTEGERS(m16n8k32, m16n8k64, s8_u8)
OF_INTEGERS(m16n8k32, m16n8k64, s8_s8)
OF_INTEGERS(m16n8k64, m16n8k128, u4_u4)
OF_INTEGERS(m16n8k64, m16n8k128, u4_s4)
OF_INTEGERS(m16n8k64, m16n8k128, s4_u4)
OF_INTEGERS(m16n8k64, m16n8k128, s4_s4)
