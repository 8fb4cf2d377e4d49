/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: "SIMD Video Instructions" on four bytes and two halves of a word: vadd4, vabsdiff2, …, with .sat or .add, for
 * the type combinations in which both sources are alike. (The scalar ones: frontend/ptx/video.c.)
 */
#include "ptx.h"

enum kind { ADD, SUB, AVERAGE, ABSOLUTE_DIFFERENCE, LEAST, GREATEST };

UW_LOCAL int32_t part_of(uint32_t word, int at, int bits, bool is_signed) {
  uint32_t part = word << (32 - bits * (at + 1));
  return is_signed ? (int32_t)part >> (32 - bits) : (int32_t)(part >> (32 - bits));
}

UW_LOCAL int32_t combine(enum kind kind, int32_t a, int32_t b) {
  switch (kind) {
  case ADD: return a + b;
  case SUB: return a - b;
  case AVERAGE: /* rounded away from zero */ return a + b < 0 ? (a + b) >> 1 : (a + b + 1) >> 1;
  case ABSOLUTE_DIFFERENCE: return a < b ? b - a : a - b;
  case LEAST: return a < b ? a : b;
  case GREATEST: return a > b ? a : b;
  }
}

UW_LOCAL int32_t limited(int32_t value, int bits, bool is_signed) {
  int32_t least = is_signed ? -(1 << (bits - 1)) : 0, most = (1 << (is_signed ? bits - 1 : bits)) - 1;
  return value < least ? least : value > most ? most : value;
}

UW_LOCAL uint32_t each(enum kind kind, int bits, bool from_signed, bool to_signed, bool saturate, uint32_t a,
                       uint32_t b) {
  uint32_t result = 0;
  for (int i = 0; i < 32 / bits; i++) {
    int32_t value = combine(kind, part_of(a, i, bits, from_signed), part_of(b, i, bits, from_signed));
    if (saturate)
      value = limited(value, bits, to_signed);
    result |= ((uint32_t)value & ((1u << bits) - 1)) << bits * i;
  }
  return result;
}

/* The parts' results are added to c, unlimited by their width. */
UW_LOCAL uint32_t total(enum kind kind, int bits, bool from_signed, uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 32 / bits; i++)
    c += (uint32_t)combine(kind, part_of(a, i, bits, from_signed), part_of(b, i, bits, from_signed));
  return c;
}

#define VIDEO(name, kind, bits, to, from, to_signed, from_signed)                                                      \
  PTX(uint32_t, name##_##to##_##from##_##from)(uint32_t a, uint32_t b, uint32_t c) {                                   \
    return each(kind, bits, from_signed, to_signed, false, a, b);                                                      \
  }                                                                                                                    \
  PTX(uint32_t, name##_##to##_##from##_##from##_sat)(uint32_t a, uint32_t b, uint32_t c) {                             \
    return each(kind, bits, from_signed, to_signed, true, a, b);                                                       \
  }                                                                                                                    \
  PTX(uint32_t, name##_##to##_##from##_##from##_add)(uint32_t a, uint32_t b, uint32_t c) {                             \
    return total(kind, bits, from_signed, a, b, c);                                                                    \
  }
// clang-format off
#define VIDEO_TYPES(name, kind, bits)                                                                                  \
  VIDEO(name, kind, bits, u32, u32, false, false)                                                                      \
  VIDEO(name, kind, bits, u32, s32, false, true)                                                                       \
  VIDEO(name, kind, bits, s32, u32, true, false)                                                                       \
  VIDEO(name, kind, bits, s32, s32, true, true)
// clang-format on
#define VIDEO_WIDTHS(name, kind) VIDEO_TYPES(name##2, kind, 16) VIDEO_TYPES(name##4, kind, 8)
VIDEO_WIDTHS(vadd, ADD)
VIDEO_WIDTHS(vsub, SUB)
VIDEO_WIDTHS(vavrg, AVERAGE)
VIDEO_WIDTHS(vabsdiff, ABSOLUTE_DIFFERENCE)
VIDEO_WIDTHS(vmin, LEAST)
VIDEO_WIDTHS(vmax, GREATEST)

/* vset2, vset4: 1 in each part for which it holds. */
#define VSET(bits, type, is_signed, name, op)                                                                          \
  PTX(uint32_t, type##_##name)(uint32_t a, uint32_t b, uint32_t c) {                                                   \
    uint32_t result = 0;                                                                                               \
    for (int i = 0; i < 32 / bits; i++)                                                                                \
      result |= (uint32_t)(part_of(a, i, bits, is_signed) op part_of(b, i, bits, is_signed)) << bits * i;              \
    return result;                                                                                                     \
  }                                                                                                                    \
  PTX(uint32_t, type##_##name##_add)(uint32_t a, uint32_t b, uint32_t c) {                                             \
    for (int i = 0; i < 32 / bits; i++)                                                                                \
      c += part_of(a, i, bits, is_signed) op part_of(b, i, bits, is_signed);                                           \
    return c;                                                                                                          \
  }
#define VSET_ALL(bits, type, is_signed)                                                                                \
  VSET(bits, type, is_signed, eq, ==)                                                                                  \
  VSET(bits, type, is_signed, ne, !=)                                                                                  \
  VSET(bits, type, is_signed, lt, <)                                                                                   \
  VSET(bits, type, is_signed, le, <=)                                                                                  \
  VSET(bits, type, is_signed, gt, >)                                                                                   \
  VSET(bits, type, is_signed, ge, >=)
VSET_ALL(16, vset2_u32_u32, false)
VSET_ALL(16, vset2_s32_s32, true)
VSET_ALL(8, vset4_u32_u32, false)
VSET_ALL(8, vset4_s32_s32, true)
