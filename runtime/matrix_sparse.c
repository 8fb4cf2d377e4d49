/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Products of small matrices of which the left one is half zeros: PTX's mma.sp (PTX ISA, "Matrix multiply-accumulate
 * operation using mma.sp instruction with sparse matrix A"). uwrt.h says what the functions are handed; B and C lie as
 * in matrix.c. A and B have 2 or 4 registers, `each` elements in one. Register i of A in lane 4 * group + place has, of
 * row group + 8 * (i % 2), what is not zero in 2 * each columns from 2 * each * place + 8 * each * (i / 2) on. Which of
 * these columns, two bits of the metadata say for each element: of elements of 8 bits, for each pair of 4 bits, and of
 * tf32 two of its four.
 *
 *     tf32, 16 bits   a lane's word is for 16 bits of row group, then of row group + 8; of 2 registers the selector
 *                     names the lane (of four), of 4 registers the pair of lanes, one for each i / 2
 *     8 and 4 bits    a lane's word is for one row; lanes are a pair, rows group and group + 8, which of 2 registers the
 *                     selector names; of 4 registers there are two pairs, one for each i / 2
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "internal.h"

#define INLINE static inline __attribute__((always_inline))

enum { LANES = 32, ROWS = 16, COLUMNS = 8, PLACES = 4 };

/* Products are exact unless they leave a float's range, so a sum may be fused where a CPU can. */
#pragma clang fp contract(fast)

/* --- elements ------------------------------------------------------------------------------------------------------ */

INLINE float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
INLINE float half_of(uint32_t bits) {
  uint16_t low = (uint16_t)bits;
  _Float16 value;
  memcpy(&value, &low, sizeof value);
  return (float)value;
}

/* Element i of a register. */
INLINE float part_f16(uint32_t word, int i) { return half_of(word >> 16 * i); }
INLINE float part_bf16(uint32_t word, int i) { return float_of(word >> 16 * i << 16); }
INLINE float part_tf32(uint32_t word, int i) { return float_of((word & 0xffffe000u) << 0 * i); }
/* As halves: an e5m2 is the upper byte of one; an e4m3 has its exponent 8 lower, and a NaN where all bits are set. */
INLINE float part_e5m2(uint32_t word, int i) { return half_of((word >> 8 * i & 0xff) << 8); }
INLINE float part_e4m3(uint32_t word, int i) {
  uint32_t bits = word >> 8 * i & 0xff;
  return (bits & 0x7f) == 0x7f ? float_of(0x7fffffff) : half_of((bits & 0x80) << 8 | (bits & 0x7f) << 7) * 256.0f;
}
INLINE int32_t part_u8(uint32_t word, int i) { return (uint8_t)(word >> 8 * i); }
INLINE int32_t part_s8(uint32_t word, int i) { return (int8_t)(word >> 8 * i); }
INLINE int32_t part_u4(uint32_t word, int i) { return word >> 4 * i & 15; }
INLINE int32_t part_s4(uint32_t word, int i) { return (int32_t)(word << (28 - 4 * i)) >> 28; }

/* --- where they belong --------------------------------------------------------------------------------------------- */

INLINE uint32_t word_of(const void *in, int i, int lane) { return ((const uint32_t *)in)[i * LANES + lane]; }

/* The column of element j of a register of A, counted from the first that it can have. */
INLINE int column_of(uint32_t bits, int each, int j) {
  if (each == 1)
    return (int)(bits & 3) / 2;
  if (each == 8)
    return j / 4 * 8 + (int)(bits >> j / 2 * 2 & 3) * 2 + j % 2;
  return j / 2 * 4 + (int)(bits >> j * 2 & 3);
}

/* The bits of the metadata for register i of A. `at`: where the metadata and the selector lie. */
INLINE uint32_t metadata_of(const void *in, int at, int registers, int each, int i, int group, int place) {
  int half = i % 2, piece = i / 2, selector = (int)word_of(in, at + 1, 0) & 3;
  bool pairs_of_rows = each >= 4;
  int from = pairs_of_rows    ? (registers == 2 ? selector * 2 + half : piece * 2 + half)
             : registers == 2 ? selector
                              : selector * 2 + piece;
  uint32_t word = word_of(in, at, group * PLACES + (from & 3));
  return pairs_of_rows ? word >> place * 8 & 0xff : word >> (half * 16 + place * 4) & 15;
}

/* sums += A B. */
#define MULTIPLY(name, type, left, right, each)                                                                        \
  static void multiply_##name(type sums[ROWS][COLUMNS], const void *in, int registers, int metadata) {                 \
    for (int i = 0; i < registers; i++)                                                                                \
      for (int lane = 0; lane < LANES; lane++) {                                                                       \
        int group = lane / PLACES, place = lane % PLACES;                                                              \
        uint32_t word = word_of(in, i, lane), bits = metadata_of(in, metadata, registers, each, i, group, place);      \
        for (int j = 0; j < (each); j++) {                                                                             \
          type a = part_##left(word, j);                                                                               \
          int k = 2 * (each) * place + 8 * (each) * (i / 2) + column_of(bits, each, j);                                \
          int from = k / (PLACES * (each)), with = k / (each) % PLACES;                                                \
          for (int column = 0; column < COLUMNS; column++)                                                             \
            sums[group + i % 2 * 8][column] +=                                                                         \
                a * (type)part_##right(word_of(in, registers + from, column * PLACES + with), k % (each));             \
        }                                                                                                              \
      }                                                                                                                \
  }
MULTIPLY(f16, float, f16, f16, 2)
MULTIPLY(bf16, float, bf16, bf16, 2)
MULTIPLY(tf32, float, tf32, tf32, 1)
MULTIPLY(e4m3_e4m3, float, e4m3, e4m3, 4)
MULTIPLY(e4m3_e5m2, float, e4m3, e5m2, 4)
MULTIPLY(e5m2_e4m3, float, e5m2, e4m3, 4)
MULTIPLY(e5m2_e5m2, float, e5m2, e5m2, 4)
MULTIPLY(u8_u8, int32_t, u8, u8, 4)
MULTIPLY(u8_s8, int32_t, u8, s8, 4)
MULTIPLY(s8_u8, int32_t, s8, u8, 4)
MULTIPLY(s8_s8, int32_t, s8, s8, 4)
MULTIPLY(u4_u4, int32_t, u4, u4, 8)
MULTIPLY(u4_s4, int32_t, u4, s4, 8)
MULTIPLY(s4_u4, int32_t, s4, u4, 8)
MULTIPLY(s4_s4, int32_t, s4, s4, 8)

/* --- the functions ------------------------------------------------------------------------------------------------- */

/* Where element (row, column) of C is: which of the floats of its lane, and the lane. */
INLINE int register_at(int row, int column) { return row / 8 * 2 + column % 2; }
INLINE int lane_at(int row, int column) { return row % 8 * PLACES + column / 2; }

#define EACH_ELEMENT                                                                                                   \
  for (int row = 0; row < ROWS; row++)                                                                                 \
    for (int column = 0; column < COLUMNS; column++)

#define TO_FLOATS(name, registers)                                                                                     \
  void uwrt_warp_mma_sp_##name##_##registers(const void *in, void *out) {                                              \
    float sums[ROWS][COLUMNS];                                                                                         \
    EACH_ELEMENT                                                                                                       \
    sums[row][column] = float_of(word_of(in, 2 * registers + register_at(row, column), lane_at(row, column)));         \
    multiply_##name(sums, in, registers, 2 * registers + 4);                                                           \
    EACH_ELEMENT((float *)out)[register_at(row, column) * LANES + lane_at(row, column)] = sums[row][column];           \
  }
/* Halves of C lie two in a register. */
#define TO_HALVES(name, registers)                                                                                     \
  void uwrt_warp_mma_sp_##name##_f16_##registers(const void *in, void *out) {                                          \
    float sums[ROWS][COLUMNS];                                                                                         \
    EACH_ELEMENT                                                                                                       \
    sums[row][column] = part_f16(word_of(in, 2 * registers + row / 8, lane_at(row, column)), column % 2);              \
    multiply_##name(sums, in, registers, 2 * registers + 2);                                                           \
    EACH_ELEMENT((_Float16 *)out)                                                                                      \
    [(row / 8 * LANES + lane_at(row, column)) * 2 + column % 2] = (_Float16)sums[row][column];                         \
  }
/* Sums of integers, without C: they fit into 32 bits. */
#define TO_WORDS(name, registers)                                                                                      \
  void uwrt_warp_mma_sp_##name##_##registers(const void *in, void *out) {                                              \
    int32_t sums[ROWS][COLUMNS] = {{0}};                                                                               \
    multiply_##name(sums, in, registers, 2 * registers);                                                               \
    EACH_ELEMENT((int32_t *)out)[register_at(row, column) * LANES + lane_at(row, column)] = sums[row][column];         \
  }
#define BOTH(make, name) make(name, 2) make(name, 4)
BOTH(TO_FLOATS, f16)
BOTH(TO_FLOATS, bf16)
BOTH(TO_FLOATS, tf32)
BOTH(TO_HALVES, f16)
TO_FLOATS(e4m3_e4m3, 4)
TO_FLOATS(e4m3_e5m2, 4)
TO_FLOATS(e5m2_e4m3, 4)
TO_FLOATS(e5m2_e5m2, 4)
TO_HALVES(e4m3_e4m3, 4)
TO_HALVES(e4m3_e5m2, 4)
TO_HALVES(e5m2_e4m3, 4)
TO_HALVES(e5m2_e5m2, 4)
BOTH(TO_WORDS, u8_u8)
BOTH(TO_WORDS, u8_s8)
BOTH(TO_WORDS, s8_u8)
BOTH(TO_WORDS, s8_s8)
BOTH(TO_WORDS, u4_u4)
BOTH(TO_WORDS, u4_s4)
BOTH(TO_WORDS, s4_u4)
BOTH(TO_WORDS, s4_s4)
