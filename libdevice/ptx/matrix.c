/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: "Warp Level Matrix Instructions": mma, ldmatrix and movmatrix. The fragments are spread over the warp as PTX
 * draws them, group being lane / 4 and place lane % 4:
 *
 *     A   a register holds place's elements of k in row group, the next one in row group + 8; then the other half of k
 *     B   a register holds place's elements of k in column group; then the other half of k
 *     C   rows group and group + 8, columns 2 * place and 2 * place + 1
 *
 * so each lane fetches its rows from its group's four lanes and its two columns from theirs.
 */
#include "dots.h"
#include "ptx.h"

__attribute__((convergent)) uint32_t lane(void) __asm__("llvm.nvvm.read.ptx.sreg.laneid");
__attribute__((convergent)) uint32_t from_lane(uint32_t, uint32_t, uint32_t,
                                               uint32_t) __asm__("llvm.nvvm.shfl.sync.idx.i32");
UW_LOCAL uint32_t fetch(uint32_t value, uint32_t source) { return from_lane(0xffffffffu, value, source, 31); }
UW_LOCAL double fetch_double(double value, uint32_t source) {
  uint64_t bits = double_bits(value);
  return double_of_bits((uint64_t)fetch((uint32_t)(bits >> 32), source) << 32 | fetch((uint32_t)bits, source));
}

/* sums[0..1] of row group, [2..3] of row group + 8 where there is one. a and b hold `halves` halves of k. */
#define MULTIPLY(name, type, dot)                                                                                      \
  UW_LOCAL void multiply_##name(type *sums, const uint32_t *a, const uint32_t *b, uint32_t rows, uint32_t halves) {    \
    uint32_t own = lane(), left = own % 4 * 8;                                                                         \
    for (uint32_t half = 0; half < halves; half++)                                                                     \
      for (uint32_t k = 0; k < 4; k++) {                                                                               \
        uint32_t columns[] = {fetch(b[half], left + k), fetch(b[half], left + 4 + k)};                                 \
        for (uint32_t row = 0; row < rows; row++) {                                                                    \
          uint32_t from = fetch(a[half * rows + row], own / 4 * 4 + k);                                                \
          sums[2 * row] = dot(sums[2 * row], from, columns[0]);                                                        \
          sums[2 * row + 1] = dot(sums[2 * row + 1], from, columns[1]);                                                \
        }                                                                                                              \
      }                                                                                                                \
  }
MULTIPLY(f16, float, dot_f16)
MULTIPLY(bf16, float, dot_bf16)
MULTIPLY(tf32, float, dot_tf32)
MULTIPLY(u8_u8, uint32_t, dot_u8_u8)
MULTIPLY(u8_s8, uint32_t, dot_u8_s8)
MULTIPLY(s8_u8, uint32_t, dot_s8_u8)
MULTIPLY(s8_s8, uint32_t, dot_s8_s8)
MULTIPLY(u4_u4, uint32_t, dot_u4_u4)
MULTIPLY(u4_s4, uint32_t, dot_u4_s4)
MULTIPLY(s4_u4, uint32_t, dot_s4_u4)
MULTIPLY(s4_s4, uint32_t, dot_s4_s4)
MULTIPLY(xor, uint32_t, dot_xor)
MULTIPLY(and, uint32_t, dot_and)

#define MMA(name) PTX(void, mma_sync_aligned_##name)

#define TO_FLOAT(shape_2, shape_1, type)                                                                               \
  MMA(shape_2##_row_col_f32_##type##_##type##_f32)(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0,    \
                                                   uint32_t b1, float c0, float c1, float c2, float c3, float *d) {    \
    d[0] = c0, d[1] = c1, d[2] = c2, d[3] = c3;                                                                        \
    multiply_##type(d, (uint32_t[]){a0, a1, a2, a3}, (uint32_t[]){b0, b1}, 2, 2);                                      \
  }                                                                                                                    \
  MMA(shape_1##_row_col_f32_##type##_##type##_f32)(uint32_t a0, uint32_t a1, uint32_t b0, float c0, float c1,          \
                                                   float c2, float c3, float *d) {                                     \
    d[0] = c0, d[1] = c1, d[2] = c2, d[3] = c3;                                                                        \
    multiply_##type(d, (uint32_t[]){a0, a1}, (uint32_t[]){b0}, 2, 1);                                                  \
  }
TO_FLOAT(m16n8k16, m16n8k8, f16)
TO_FLOAT(m16n8k16, m16n8k8, bf16)
TO_FLOAT(m16n8k8, m16n8k4, tf32)

UW_LOCAL void multiply_to_half(uint32_t *d, const uint32_t *a, const uint32_t *b, uint32_t halves, uint32_t c0,
                               uint32_t c1) {
  float sums[] = {(float)half_of_bits(c0), (float)half_of_bits(c0 >> 16), (float)half_of_bits(c1),
                  (float)half_of_bits(c1 >> 16)};
  multiply_f16(sums, a, b, 2, halves);
  d[0] = both(half_bits((_Float16)sums[0]), half_bits((_Float16)sums[1]));
  d[1] = both(half_bits((_Float16)sums[2]), half_bits((_Float16)sums[3]));
}
MMA(m16n8k16_row_col_f16_f16_f16_f16)(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1,
                                      uint32_t c0, uint32_t c1, uint32_t *d) {
  multiply_to_half(d, (uint32_t[]){a0, a1, a2, a3}, (uint32_t[]){b0, b1}, 2, c0, c1);
}
MMA(m16n8k8_row_col_f16_f16_f16_f16)(uint32_t a0, uint32_t a1, uint32_t b0, uint32_t c0, uint32_t c1, uint32_t *d) {
  multiply_to_half(d, (uint32_t[]){a0, a1}, (uint32_t[]){b0}, 1, c0, c1);
}

/* d = c + the sums, which fit into 32 bits; what c makes of them wraps around, or with .satfinite ends at the
 * limits. */
UW_LOCAL uint32_t wrap(uint32_t c, uint32_t sum) { return c + sum; }
#define TO_INTEGER(shape_4, shape_2, shape_1, types, name, add)                                                        \
  MMA(shape_4##_row_col_##types)(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1,         \
                                 uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t *d) {                    \
    d[0] = 0, d[1] = 0, d[2] = 0, d[3] = 0;                                                                            \
    multiply_##name(d, (uint32_t[]){a0, a1, a2, a3}, (uint32_t[]){b0, b1}, 2, 2);                                      \
    d[0] = add(c0, d[0]), d[1] = add(c1, d[1]), d[2] = add(c2, d[2]), d[3] = add(c3, d[3]);                            \
  }                                                                                                                    \
  MMA(shape_2##_row_col_##types)(uint32_t a0, uint32_t a1, uint32_t b0, uint32_t c0, uint32_t c1, uint32_t c2,         \
                                 uint32_t c3, uint32_t *d) {                                                           \
    d[0] = 0, d[1] = 0, d[2] = 0, d[3] = 0;                                                                            \
    multiply_##name(d, (uint32_t[]){a0, a1}, (uint32_t[]){b0}, 2, 1);                                                  \
    d[0] = add(c0, d[0]), d[1] = add(c1, d[1]), d[2] = add(c2, d[2]), d[3] = add(c3, d[3]);                            \
  }                                                                                                                    \
  MMA(shape_1##_row_col_##types)(uint32_t a, uint32_t b, uint32_t c0, uint32_t c1, uint32_t *d) {                      \
    d[0] = 0, d[1] = 0;                                                                                                \
    multiply_##name(d, &a, &b, 1, 1);                                                                                  \
    d[0] = add(c0, d[0]), d[1] = add(c1, d[1]);                                                                        \
  }
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

MMA(m8n8k4_row_col_f64_f64_f64_f64)(double a, double b, double c0, double c1, double *d) {
  uint32_t own = lane(), left = own % 4 * 8;
  d[0] = c0, d[1] = c1;
  for (uint32_t k = 0; k < 4; k++) {
    double from = fetch_double(a, own / 4 * 4 + k);
    d[0] = __builtin_fma(from, fetch_double(b, left + k), d[0]);
    d[1] = __builtin_fma(from, fetch_double(b, left + 4 + k), d[1]);
  }
}

/* The address that lane `row` gave: less than 2 GB of shared memory lie between any two. */
UW_LOCAL const uint8_t *row_address(const void *own, uint32_t row) {
  uint32_t bits = (uint32_t)(__SIZE_TYPE__)own;
  return (const uint8_t *)own + (int32_t)(fetch(bits, row) - bits);
}
UW_LOCAL uint32_t half_at(const uint8_t *row, uint32_t column) {
  uint16_t bits;
  __builtin_memcpy(&bits, row + 2 * column, 2);
  return bits;
}
#define LOAD(count, number)                                                                                            \
  PTX(void, ldmatrix_sync_aligned_m8n8_##count##_shared_b16)(const void *address, uint32_t *d) {                       \
    uint32_t own = lane();                                                                                             \
    for (uint32_t i = 0; i < number; i++) {                                                                            \
      const uint8_t *row = row_address(address, 8 * i + own / 4);                                                      \
      __builtin_memcpy(&d[i], row + own % 4 * 4, 4);                                                                   \
    }                                                                                                                  \
  }                                                                                                                    \
  PTX(void, ldmatrix_sync_aligned_m8n8_##count##_trans_shared_b16)(const void *address, uint32_t *d) {                 \
    uint32_t own = lane();                                                                                             \
    for (uint32_t i = 0; i < number; i++) {                                                                            \
      const uint8_t *even = row_address(address, 8 * i + own % 4 * 2),                                                 \
                    *odd = row_address(address, 8 * i + own % 4 * 2 + 1);                                              \
      d[i] = half_at(even, own / 4) | half_at(odd, own / 4) << 16;                                                     \
    }                                                                                                                  \
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
