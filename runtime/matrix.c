/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Products of small matrices whose elements the lanes of a warp hold: PTX's mma.sync (PTX ISA, "Matrix Fragments for
 * mma"), and how they come to hold them: ldmatrix. uwrt.h says what the functions are handed. The fragments, group being lane / 4 and place lane % 4:
 *
 *     A   a register holds place's elements of k in row group, the next one in row group + 8; then the other half of k
 *     B   a register holds place's elements of k in column group; then the other half of k
 *     C   rows group and group + 8, columns 2 * place and 2 * place + 1
 *
 * so a row of A, and a column of B, is in order what four lanes hold. Floats are made of all elements first; the sums
 * are 8 vectors of 16 rows, which stay in registers while k goes on. Of integers and doubles they are 8 or 16 vectors of
 * 8 columns; integers stay in their word, `each` of a lane, and `add` sums up all products of a word.
 */
#include <stdint.h>
#include <string.h>

#include "for_each_level.h"
#include "internal.h"

/* A factor of a vector is cheapest from memory: the compiler is not to take it out of the register that it was in. */
#define IN_MEMORY(array) __asm__("" : "+m"(array))
#define INLINE static inline __attribute__((always_inline))

enum { LANES = 32, COLUMNS = 8, PLACES = 4 };

/* Register i of what the lanes hold, a `type` each. */
#define REGISTER(from, type, i) ((const char *)(from) + (size_t)(i) * LANES * sizeof(type))

/* Products are exact unless they leave a float's range, so a sum may be fused where a CPU can. */
#pragma clang fp contract(fast)

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
TAKE_C(doubles, double)
GIVE_C(doubles, double)
GIVE_C(words, uint32_t)

/* --- products of floats, 16 rows at a time ------------------------------------------------------------------------- */

typedef float rows __attribute__((vector_size(4 * 16)));   /* a value of each row, of one column or one k */
typedef float all __attribute__((vector_size(4 * LANES))); /* a register of all lanes */

/* Element k of each row of two registers, the second one's rows after the first one's: the rows have K elements, a
 * register N. */
#define OF_ROWS(first, second, K, N, k)                                                                                \
  __builtin_shufflevector(first, second, k, K + k, 2 * K + k, 3 * K + k, 4 * K + k, 5 * K + k, 6 * K + k, 7 * K + k,   \
                          N + k, N + K + k, N + 2 * K + k, N + 3 * K + k, N + 4 * K + k, N + 5 * K + k, N + 6 * K + k, \
                          N + 7 * K + k)

typedef _Float16 halves __attribute__((vector_size(2 * 2 * LANES)));
typedef uint16_t bits16 __attribute__((vector_size(2 * 2 * LANES)));
typedef uint32_t bits32 __attribute__((vector_size(4 * LANES)));
typedef _Float16 row_halves __attribute__((vector_size(2 * 16)));
typedef uint32_t row_bits __attribute__((vector_size(4 * 16)));

#define FLOAT_OF_F16(v) __builtin_convertvector(v, rows)
#define FLOAT_OF_BF16(v) ((rows)(__builtin_convertvector(v, row_bits) << 16))
#define FLOAT_OF_TF32(v) ((rows)((v) & 0xffffe000u))

/* left[k]: A's column k; right: B's columns one after the other, as they come. */
#define EIGHT(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define FOUR(DO) DO(0) DO(1) DO(2) DO(3)
#define MULTIPLY_ROWS(name, lanes, each, value, K_TIMES)                                                               \
  INLINE void multiply_##name(rows *sums, const void *in, int halves_of_k) {                                           \
    enum { K = PLACES * (each), N = LANES * (each) };                                                                  \
    for (int half = 0; half < halves_of_k; half++) {                                                                   \
      float right[COLUMNS * K];                                                                                        \
      rows left[K];                                                                                                    \
      lanes first, second;                                                                                             \
      memcpy(&first, REGISTER(in, float, 2 * half), sizeof first);                                                     \
      memcpy(&second, REGISTER(in, float, 2 * half + 1), sizeof second);                                               \
      K_TIMES(name##_LEFT)                                                                                             \
      for (int i = 0; i < COLUMNS * K; i++)                                                                            \
        right[i] = value(REGISTER(in, float, 2 * halves_of_k + half), i);                                              \
      IN_MEMORY(right);                                                                                                \
      _Pragma("clang loop unroll(full)") for (int k = 0; k < K; k++)                                                   \
          _Pragma("clang loop unroll(full)") for (int column = 0; column < COLUMNS; column++) sums[column] =           \
              sums[column] + right[column * K + k] * left[k];                                                          \
    }                                                                                                                  \
  }
#define f16_LEFT(k) left[k] = FLOAT_OF_F16(OF_ROWS(first, second, K, N, k));
#define bf16_LEFT(k) left[k] = FLOAT_OF_BF16(OF_ROWS(first, second, K, N, k));
#define tf32_LEFT(k) left[k] = FLOAT_OF_TF32(OF_ROWS(first, second, K, N, k));
MULTIPLY_ROWS(f16, halves, 2, value_f16, EIGHT)
MULTIPLY_ROWS(bf16, bits16, 2, value_bf16, EIGHT)
MULTIPLY_ROWS(tf32, bits32, 1, value_tf32, FOUR)

/* The sums of columns 2 * place and 2 * place + 1 lie in registers 0 and 2, and 1 and 3. */
INLINE void take_rows(rows *sums, const all c[4]) {
#define TAKE(place)                                                                                                    \
  sums[2 * place] = OF_ROWS(c[0], c[2], PLACES, LANES, place);                                                         \
  sums[2 * place + 1] = OF_ROWS(c[1], c[3], PLACES, LANES, place);
  FOUR(TAKE)
}

#define FROM_ROWS(a, b, r)                                                                                             \
  __builtin_shufflevector(a, b, r, 16 + r, 32 + r, 48 + r, r + 1, 17 + r, 33 + r, 49 + r, r + 2, 18 + r, 34 + r,       \
                          50 + r, r + 3, 19 + r, 35 + r, 51 + r, r + 4, 20 + r, 36 + r, 52 + r, r + 5, 21 + r, 37 + r, \
                          53 + r, r + 6, 22 + r, 38 + r, 54 + r, r + 7, 23 + r, 39 + r, 55 + r)
INLINE all two_columns(rows a, rows b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                 23, 24, 25, 26, 27, 28, 29, 30, 31);
}
INLINE void give_rows(all d[4], const rows *sums) {
  for (int i = 0; i < 2; i++) {
    all low = two_columns(sums[i], sums[2 + i]), high = two_columns(sums[4 + i], sums[6 + i]);
    d[i] = FROM_ROWS(low, high, 0);
    d[2 + i] = FROM_ROWS(low, high, 8);
  }
}

/* --- the functions ------------------------------------------------------------------------------------------------- */

#define TOGETHER(name)                                                                                                 \
  static void name(const void *in, void *out);                                                                         \
  void uwrt_warp_##name(const void *in, void *out) { name(in, out); }                                                  \
  UWRT_FOR_EACH_LEVEL(name, (const void *in, void *out), (in, out))
#define MMA(name) TOGETHER(mma_##name)

#define TO_SUMS(name, vector, rows, halves)                                                                            \
  MMA(name##_##halves) {                                                                                               \
    vector sums[8 * (rows)];                                                                                           \
    take_##vector(sums, in, (rows) * (halves) + (halves), rows);                                                       \
    multiply_##name(sums, in, rows, halves);                                                                           \
    give_##vector(out, sums, rows);                                                                                    \
  }
TO_SUMS(f64, doubles, 1, 1)

#define TO_FLOATS(name, halves)                                                                                        \
  MMA(name##_##halves) {                                                                                               \
    rows sums[COLUMNS];                                                                                                \
    all c[4];                                                                                                          \
    memcpy(c, REGISTER(in, float, 3 * (halves)), sizeof c);                                                            \
    take_rows(sums, c);                                                                                                \
    multiply_##name(sums, in, halves);                                                                                 \
    give_rows(c, sums);                                                                                                \
    memcpy(out, c, sizeof c);                                                                                          \
  }
TO_FLOATS(f16, 1)
TO_FLOATS(f16, 2)
TO_FLOATS(bf16, 1)
TO_FLOATS(bf16, 2)
TO_FLOATS(tf32, 1)
TO_FLOATS(tf32, 2)

/* Halves of C lie two in a register, columns 2 * place and 2 * place + 1. */
#define TAKE_HALVES(column) sums[column] = FLOAT_OF_F16(OF_ROWS(c[0], c[1], COLUMNS, 2 * LANES, column));
#define TO_HALVES(halves_of_k)                                                                                         \
  MMA(f16_f16_##halves_of_k) {                                                                                         \
    rows sums[COLUMNS];                                                                                                \
    halves c[2];                                                                                                       \
    row_halves d[COLUMNS];                                                                                             \
    memcpy(c, REGISTER(in, uint32_t, 3 * (halves_of_k)), sizeof c);                                                    \
    EIGHT(TAKE_HALVES)                                                                                                 \
    multiply_f16(sums, in, halves_of_k);                                                                               \
    for (int column = 0; column < COLUMNS; column++)                                                                   \
      d[column] = __builtin_convertvector(sums[column], row_halves);                                                   \
    for (int i = 0; i < 16 * COLUMNS; i++)                                                                             \
      ((uint16_t *)out)[i] = ((const uint16_t *)d)[i % COLUMNS * 16 + i / COLUMNS];                                    \
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

/* --- matrices of halves from memory -------------------------------------------------------------------------------- */

/* Up to four matrices of 8 by 8 halves (PTX ISA, "ldmatrix"). Lane 8 * m + r has row r of matrix m, four words; register m
 * of the result has, in lane 4 * r + place, word `place` of row r: or of column r, if the matrix is to be transposed. */

/* Word j of each row of matrix m, for all j after each other. */
INLINE void take_matrix(void *matrix, const void *in, int m) {
  for (int j = 0; j < PLACES; j++)
    memcpy((char *)matrix + 32 * j, REGISTER(in, uint32_t, j) + 32 * m, 32);
}

TOGETHER(ldmatrix) {
  for (int m = 0; m < 4; m++) {
    bits32 words;
    take_matrix(&words, in, m);
    words = __builtin_shufflevector(words, words, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27, 4, 12, 20,
                                    28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
    memcpy((char *)out + 128 * m, &words, sizeof words);
  }
}

/* Halves 2 * j and 2 * j + 1 of row r lie at 16 * j + 2 * r. */
#define COLUMN(c)                                                                                                      \
  (c) / 2 * 16 + (c) % 2, (c) / 2 * 16 + (c) % 2 + 2, (c) / 2 * 16 + (c) % 2 + 4, (c) / 2 * 16 + (c) % 2 + 6,          \
      (c) / 2 * 16 + (c) % 2 + 8, (c) / 2 * 16 + (c) % 2 + 10, (c) / 2 * 16 + (c) % 2 + 12,                            \
      (c) / 2 * 16 + (c) % 2 + 14
TOGETHER(ldmatrix_trans) {
  for (int m = 0; m < 4; m++) {
    bits16 h;
    take_matrix(&h, in, m);
    h = __builtin_shufflevector(h, h, COLUMN(0), COLUMN(1), COLUMN(2), COLUMN(3), COLUMN(4), COLUMN(5), COLUMN(6),
                                COLUMN(7));
    memcpy((char *)out + 128 * m, &h, sizeof h);
  }
}
