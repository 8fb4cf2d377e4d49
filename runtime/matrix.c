/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Products of small matrices whose elements the lanes of a warp hold: PTX's mma.sync (PTX ISA, "Matrix Fragments for
 * mma"). uwrt.h says what the functions are handed. The fragments, group being lane / 4 and place lane % 4:
 *
 *     A   a register holds place's elements of k in row group, the next one in row group + 8; then the other half of k
 *     B   a register holds place's elements of k in column group; then the other half of k
 *     C   rows group and group + 8, columns 2 * place and 2 * place + 1
 *
 * so a row of A, and a column of B, is in order what four lanes hold. A product is 8 or 16 rows of 8 sums, which stay in
 * registers while k goes on. The elements of a register, `each` of them, are made floats first; integers stay in their
 * word, and `add` sums up all products of a word.
 */
#include <stdint.h>
#include <string.h>

#include "internal.h"

#ifdef __x86_64__
#define FOR_EACH_CPU __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EACH_CPU
#endif
/* A factor of a vector is cheapest from memory: the compiler is not to take it out of the register that it was in. */
#define IN_MEMORY(array) __asm__("" : "+m"(array))
#define INLINE static inline __attribute__((always_inline))

enum { LANES = 32, COLUMNS = 8, PLACES = 4 };

/* Register i of what the lanes hold, a `type` each. */
#define REGISTER(from, type, i) ((const char *)(from) + (size_t)(i) * LANES * sizeof(type))

/* Products are exact unless they leave a float's range, so a sum may be fused where a CPU can. */
#pragma clang fp contract(fast)

typedef float floats __attribute__((vector_size(4 * COLUMNS)));
typedef uint32_t words __attribute__((vector_size(4 * COLUMNS)));
typedef double doubles __attribute__((vector_size(8 * COLUMNS)));

/* --- elements ------------------------------------------------------------------------------------------------------ */

INLINE float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Element i of all lanes of a register. */
INLINE float value_f16(const void *lanes, int i) { return (float)((const _Float16 *)lanes)[i]; }
INLINE float value_bf16(const void *lanes, int i) { return float_of((uint32_t)((const uint16_t *)lanes)[i] << 16); }
/* The lower 13 bits of a tf32 do not count. */
INLINE float value_tf32(const void *lanes, int i) { return float_of(((const uint32_t *)lanes)[i] & 0xffffe000u); }
INLINE double value_f64(const void *lanes, int i) { return ((const double *)lanes)[i]; }
INLINE uint32_t value_word(const void *lanes, int i) { return ((const uint32_t *)lanes)[i]; }

INLINE floats add_floats(floats sum, float a, floats b) { return sum + a * b; }
INLINE doubles add_doubles(doubles sum, double a, doubles b) { return sum + a * b; }

/* One element of each word: of `bits` bits from bit `at` on, with its sign or without. */
INLINE words parts_u(words v, int at, int bits) { return v << (32 - bits - at) >> (32 - bits); }
INLINE words parts_s(words v, int at, int bits) {
  typedef int32_t ints __attribute__((vector_size(4 * COLUMNS)));
  return (words)((ints)(v << (32 - bits - at)) >> (32 - bits));
}
#define ADD_PARTS(name, left, right, bits)                                                                             \
  INLINE words add_##name(words sum, uint32_t a, words b) {                                                            \
    words all_a = a - (words){0};                                                                                      \
    for (int at = 0; at < 32; at += bits)                                                                              \
      sum += parts_##left(all_a, at, bits) * parts_##right(b, at, bits);                                               \
    return sum;                                                                                                        \
  }
ADD_PARTS(u8_u8, u, u, 8)
ADD_PARTS(u8_s8, u, s, 8)
ADD_PARTS(s8_u8, s, u, 8)
ADD_PARTS(s8_s8, s, s, 8)
ADD_PARTS(u4_u4, u, u, 4)
ADD_PARTS(u4_s4, u, s, 4)
ADD_PARTS(s4_u4, s, u, 4)
ADD_PARTS(s4_s4, s, s, 4)
INLINE words ones(words v) {
  for (int i = 0; i < COLUMNS; i++)
    v[i] = (uint32_t)__builtin_popcount(v[i]);
  return v;
}
INLINE words add_xor(words sum, uint32_t a, words b) { return sum + ones(a ^ b); }
INLINE words add_and(words sum, uint32_t a, words b) { return sum + ones(a & b); }

/* --- products ------------------------------------------------------------------------------------------------------ */

/* sums[row] += A * B. A register has `each` values of a lane, K those of a row or column. Eight rows of sums are as many
 * registers as every CPU has. */
#define MULTIPLY(name, element, vector, each, value, add)                                                              \
  INLINE void multiply_##name(vector *sums, const void *in, int rows, int halves) {                                    \
    enum { K = PLACES * (each) };                                                                                      \
    for (int half = 0; half < halves; half++) {                                                                        \
      vector right[K];                                                                                                 \
      for (int column = 0; column < COLUMNS; column++)                                                                 \
        for (int k = 0; k < K; k++)                                                                                    \
          ((element *)&right[k])[column] = value(REGISTER(in, element, rows * halves + half), column * K + k);         \
      for (int r = 0; r < rows; r++, sums += 8) {                                                                      \
        element left[8 * K];                                                                                           \
        for (int i = 0; i < 8 * K; i++)                                                                                \
          left[i] = value(REGISTER(in, element, half * rows + r), i);                                                  \
        IN_MEMORY(left);                                                                                               \
        vector s[8];                                                                                                   \
        for (int row = 0; row < 8; row++)                                                                              \
          s[row] = sums[row];                                                                                          \
        _Pragma("clang loop unroll(full)") for (int k = 0; k < K; k++)                                                 \
            _Pragma("clang loop unroll(full)") for (int row = 0; row < 8; row++) s[row] =                              \
                add(s[row], left[row * K + k], right[k]);                                                              \
        for (int row = 0; row < 8; row++)                                                                              \
          sums[row] = s[row];                                                                                          \
      }                                                                                                                \
      sums -= 8 * rows;                                                                                                \
    }                                                                                                                  \
  }
MULTIPLY(f16, float, floats, 2, value_f16, add_floats)
MULTIPLY(bf16, float, floats, 2, value_bf16, add_floats)
MULTIPLY(tf32, float, floats, 1, value_tf32, add_floats)
MULTIPLY(f64, double, doubles, 1, value_f64, add_doubles)
#define MULTIPLY_WORDS(name) MULTIPLY(name, uint32_t, words, 1, value_word, add_##name)
MULTIPLY_WORDS(u8_u8)
MULTIPLY_WORDS(u8_s8)
MULTIPLY_WORDS(s8_u8)
MULTIPLY_WORDS(s8_s8)
MULTIPLY_WORDS(u4_u4)
MULTIPLY_WORDS(u4_s4)
MULTIPLY_WORDS(s4_u4)
MULTIPLY_WORDS(s4_s4)
MULTIPLY_WORDS(xor)
MULTIPLY_WORDS(and)

/* Rows of C from its registers, of which `before` registers of A and B are in front, and to them. */
#define TAKE_C(vector, element)                                                                                        \
  INLINE void take_##vector(vector *sums, const void *in, int before, int rows) {                                      \
    const element *c = (const element *)REGISTER(in, element, before);                                                 \
    for (int row = 0; row < 8 * rows; row++)                                                                           \
      for (int column = 0; column < COLUMNS; column++)                                                                 \
        sums[row][column] = c[(row / 8 * 2 + column % 2) * LANES + row % 8 * PLACES + column / 2];                     \
  }
#define GIVE_C(vector, element)                                                                                        \
  INLINE void give_##vector(void *out, const vector *sums, int rows) {                                                 \
    for (int row = 0; row < 8 * rows; row++)                                                                           \
      for (int column = 0; column < COLUMNS; column++)                                                                 \
        ((element *)out)[(row / 8 * 2 + column % 2) * LANES + row % 8 * PLACES + column / 2] = sums[row][column];      \
  }
TAKE_C(floats, float)
TAKE_C(doubles, double)
GIVE_C(floats, float)
GIVE_C(doubles, double)
GIVE_C(words, uint32_t)

/* --- the functions ------------------------------------------------------------------------------------------------- */

/* The clones of a function are this file's own, so that what chooses one is, too. */
#define MMA(name)                                                                                                      \
  FOR_EACH_CPU static void mma_##name(const void *in, void *out);                                                      \
  void uwrt_warp_mma_##name(const void *in, void *out) { mma_##name(in, out); }                                        \
  static void mma_##name(const void *in, void *out)

#define TO_SUMS(name, vector, rows, halves)                                                                            \
  MMA(name##_##halves) {                                                                                               \
    vector sums[8 * (rows)];                                                                                           \
    take_##vector(sums, in, (rows) * (halves) + (halves), rows);                                                       \
    multiply_##name(sums, in, rows, halves);                                                                           \
    give_##vector(out, sums, rows);                                                                                    \
  }
TO_SUMS(f16, floats, 2, 1)
TO_SUMS(f16, floats, 2, 2)
TO_SUMS(bf16, floats, 2, 1)
TO_SUMS(bf16, floats, 2, 2)
TO_SUMS(tf32, floats, 2, 1)
TO_SUMS(tf32, floats, 2, 2)
TO_SUMS(f64, doubles, 1, 1)

/* Halves of C lie two in a register, columns 2 * place and 2 * place + 1. */
#define TO_HALVES(halves)                                                                                              \
  MMA(f16_f16_##halves) {                                                                                              \
    enum { ROW = COLUMNS };                                                                                            \
    floats sums[2 * 8];                                                                                                \
    const _Float16 *c = (const _Float16 *)REGISTER(in, uint32_t, 3 * (halves));                                        \
    for (int row = 0; row < 2 * 8; row++)                                                                              \
      for (int column = 0; column < COLUMNS; column++)                                                                 \
        sums[row][column] = (float)c[row * ROW + column];                                                              \
    multiply_f16(sums, in, 2, halves);                                                                                 \
    for (int row = 0; row < 2 * 8; row++)                                                                              \
      for (int column = 0; column < COLUMNS; column++)                                                                 \
        ((_Float16 *)out)[row * ROW + column] = (_Float16)sums[row][column];                                           \
  }
TO_HALVES(1)
TO_HALVES(2)

/* Sums of integers, without C: they fit into 32 bits. What C makes of them is the instruction's. */
#define TO_WORDS(name, rows, halves)                                                                                   \
  MMA(name##_##rows##halves) {                                                                                         \
    words sums[8 * (rows)] = {{0}};                                                                                    \
    multiply_##name(sums, in, rows, halves);                                                                           \
    give_words(out, sums, rows);                                                                                       \
  }
#define ALL_SHAPES(name) TO_WORDS(name, 1, 1) TO_WORDS(name, 2, 1) TO_WORDS(name, 2, 2)
ALL_SHAPES(u8_u8)
ALL_SHAPES(u8_s8)
ALL_SHAPES(s8_u8)
ALL_SHAPES(s8_s8)
ALL_SHAPES(u4_u4)
ALL_SHAPES(u4_s4)
ALL_SHAPES(s4_u4)
ALL_SHAPES(s4_s4)
ALL_SHAPES(xor)
ALL_SHAPES(and)
