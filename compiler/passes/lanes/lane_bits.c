/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Shapes by bits: see lane_bits.h.
 *
 * Take W lanes, a power of two, and v = u + s * i for lane i, with s > 0. Let R be the power of two above s * (W - 1).
 * Where R divides u, no lane carries into a bit of u: the lanes differ in bits below R alone, and there in those from
 * the lowest of s on. With D these bits, and m the same for all lanes:
 *
 *   v & m          is the same if m has none of D, and s apart if it has all of them
 *   v | m, v ^ m   are s apart if m has none of D
 *   v >> k         is the same if R <= 2^k, and s >> k apart if 2^k divides s
 *   v % m          is s apart if R divides m, and v / m is the same: both unsigned
 *
 * What divides u is told from how it is computed: vectorize_threads.c counts first + packet * W + lane, constants do the rest. */
#include "lane_bits.h"
#include "../../ir/parallel.h"

#include <stdbool.h>

enum { MOST_DEPTH = 8 };
static const uint64_t most = (uint64_t)1 << 40; /* as a divisor of what is surely 0, and of more */

static uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t capped(uint64_t a, uint64_t b) { return a > most / b ? most : a * b; }
static uint64_t power_of_two_in(uint64_t number) { return number ? lesser(number & -number, most) : most; }

/* How many lanes there are; 0 if that is no constant, or they do not start at 0. */
static uint64_t lane_count(MlirOperation lanes) {
  int64_t lower, upper;
  bool is_plain = uw_kind(lanes) == UW_OP_SCF_FORALL && uw_dims(lanes) == 1 &&
                  uw_const_value(uw_lower_of(lanes, 0), &lower) && lower == 0 &&
                  uw_const_value(uw_upper_of(lanes, 0), &upper);
  return is_plain && upper > 1 && (upper & (upper - 1)) == 0 ? (uint64_t)upper : 0;
}

static uint64_t divisor(MlirOperation lanes, MlirValue value, int depth);

static uint64_t divisor_of_argument(MlirOperation lanes, MlirValue value, int depth) {
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (uw_same_op(loop, lanes))
    return most; /* lane 0 */
  if (uw_kind(loop) == UW_OP_SCF_FOR && mlirBlockArgumentGetArgNumber(value) == 0)
    return lesser(divisor(lanes, uw_operand(loop, 0), depth), divisor(lanes, uw_operand(loop, 2), depth));
  return 1;
}

/* A power of two that divides the value, in lane 0. */
static uint64_t divisor(MlirOperation lanes, MlirValue value, int depth) {
  int64_t number;
  MlirOperation op = uw_def(value);
  if (depth == 0)
    return 1;
  if (uw_null(op))
    return divisor_of_argument(lanes, value, depth - 1);
  if (uw_const_value(value, &number))
    return power_of_two_in((uint64_t)number);
  if (uw_operand_count(op) == 0 || uw_region_count(op))
    return 1;
  uint64_t first = divisor(lanes, uw_operand(op, 0), depth - 1);
  switch (uw_kind(op)) {
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI:
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_TRUNCI: return first;
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_ORI:
  case UW_OP_ARITH_XORI: return lesser(first, divisor(lanes, uw_operand(op, 1), depth - 1));
  case UW_OP_ARITH_MULI: return capped(first, divisor(lanes, uw_operand(op, 1), depth - 1));
  case UW_OP_ARITH_SHLI:
    return uw_const_value(uw_operand(op, 1), &number) && 0 <= number && number < 40
               ? capped(first, (uint64_t)1 << number)
               : first;
  case UW_OP_ARITH_ANDI: {
    uint64_t second = divisor(lanes, uw_operand(op, 1), depth - 1);
    return first > second ? first : second;
  }
  default: return 1;
  }
}

/* R; 0 if it is not known to divide what lane 0 has. */
static uint64_t reach(MlirOperation lanes, MlirValue value, uw_shape shape) {
  uint64_t count = lane_count(lanes), range = 1;
  if (count == 0 || shape.kind != UW_SHAPE_STEP || shape.step <= 0 || (uint64_t)shape.step > most / 2 / count)
    return 0;
  while (range <= (uint64_t)shape.step * (count - 1))
    range *= 2;
  bool fits = uw_int_width(value) >= 64 || range <= (uint64_t)1 << uw_int_width(value);
  return fits && divisor(lanes, value, MOST_DEPTH) >= range ? range : 0;
}

static uint64_t differing(uint64_t range, int64_t step) {
  return range ? (range - 1) & ~(power_of_two_in((uint64_t)step) - 1) : 0;
}

uint64_t uw_lane_bits(MlirOperation lanes, MlirValue value, uw_shape shape) {
  return differing(reach(lanes, value, shape), shape.step);
}

uw_shape uw_shape_of_bits(MlirOperation lanes, MlirOperation op, uw_shape shape) {
  const uw_shape any = {UW_SHAPE_ANY, 0}, same = {UW_SHAPE_SAME, 0};
  MlirValue value = uw_operand(op, 0), other = uw_operand(op, 1);
  uint64_t range = reach(lanes, value, shape), bits = differing(range, shape.step);
  int64_t number;
  bool is_const = uw_const_value(other, &number);
  if (range == 0)
    return any;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ANDI:
    if (!is_const)
      return divisor(lanes, other, MOST_DEPTH) >= range ? same : any;
    return ((uint64_t)number & bits) == 0 ? same : ((uint64_t)number & bits) == bits ? shape : any;
  case UW_OP_ARITH_ORI:
  case UW_OP_ARITH_XORI:
    return is_const                                     ? ((uint64_t)number & bits) == 0 ? shape : any
           : divisor(lanes, other, MOST_DEPTH) >= range ? shape
                                                        : any;
  case UW_OP_ARITH_SHRUI:
  case UW_OP_ARITH_SHRSI:
    if (!is_const || number < 0 || number >= (int64_t)uw_int_width(value))
      return any;
    if (number >= 40 || range <= (uint64_t)1 << number)
      return same;
    if (uw_kind(op) == UW_OP_ARITH_SHRSI && bits >> (uw_int_width(value) - 1)) /* lanes on both sides of 0 */
      return any;
    return shape.step % ((int64_t)1 << number) == 0 ? (uw_shape){UW_SHAPE_STEP, shape.step >> number} : any;
  case UW_OP_ARITH_REMUI: return divisor(lanes, other, MOST_DEPTH) >= range ? shape : any;
  case UW_OP_ARITH_DIVUI: return divisor(lanes, other, MOST_DEPTH) >= range ? same : any;
  default: return any;
  }
}
