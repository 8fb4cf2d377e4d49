/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Of which thread a sum of several dimensions is the least or the largest: see loop_bounds.h. */
#include "loop_bounds.h"

#include "../../analysis/bounds.h"
#include "../../ir/parallel.h"
#include "../../transform/thread_loop.h"

enum { FALLS = -1, RISES = 1 };
enum { MOST_STEPS = 500 }; /* bound of a search: a part of a sum is come by for each way to it */

/* How a value changes along each dimension: RISES, FALLS, 0. False if that is not known. */
static bool search_slopes(uw_bounds *bounds, MlirValue value, int direction, int slopes[UW_DIMS], int *steps) {
  MlirOperation op = uw_def(value);
  int64_t factor;
  if ((*steps)-- <= 0)
    return false;
  for (size_t d = 0; d < bounds->dims; d++)
    if (uw_same(value, mlirBlockGetArgument(uw_block(bounds->loop, 0), (intptr_t)d))) {
      bool agrees = slopes[d] == 0 || slopes[d] == direction;
      slopes[d] = direction;
      return agrees;
    }
  if (uw_is_outside(bounds, value))
    return true;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_INDEX_CAST: return search_slopes(bounds, uw_operand(op, 0), direction, slopes, steps);
  case UW_OP_ARITH_INDEX_CASTUI: /* of an index: the thread's own, which is small */
    return mlirTypeIsAIndex(mlirValueGetType(uw_operand(op, 0))) &&
           search_slopes(bounds, uw_operand(op, 0), direction, slopes, steps);
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
    return search_slopes(bounds, uw_operand(op, 0), direction, slopes, steps) &&
           search_slopes(bounds, uw_operand(op, 1), uw_kind(op) == UW_OP_ARITH_ADDI ? direction : -direction, slopes,
                         steps);
  case UW_OP_ARITH_MULI:
    return uw_const_value(uw_operand(op, 1), &factor) && factor > 0 && uw_is_plain_product(op, factor, true) &&
           search_slopes(bounds, uw_operand(op, 0), direction, slopes, steps);
  case UW_OP_ARITH_SHLI:
    return uw_const_value(uw_operand(op, 1), &factor) && factor >= 0 && factor <= UW_MOST_SHIFT &&
           uw_is_plain_product(op, (int64_t)1 << factor, true) &&
           search_slopes(bounds, uw_operand(op, 0), direction, slopes, steps);
  default: return false;
  }
}

static bool find_slopes(uw_bounds *bounds, MlirValue value, int direction, int slopes[UW_DIMS]) {
  int steps = MOST_STEPS;
  return search_slopes(bounds, value, direction, slopes, &steps);
}

/* The least or the largest value of all threads. */
static MlirValue extreme(uw_bounds *bounds, MlirValue value, const int slopes[UW_DIMS]) {
  uw_builder b = uw_at(bounds->loop);
  uw_map *thread = uw_map_create(bounds->arena);
  for (size_t d = 0; d < bounds->dims; d++) {
    MlirValue last = uw_binary(&b, "arith.subi", uw_upper_of(bounds->loop, d), uw_const_index(&b, 1));
    uw_map_set(thread, mlirBlockGetArgument(uw_block(bounds->loop, 0), (intptr_t)d),
               slopes[d] == RISES ? last : uw_lower_of(bounds->loop, d));
  }
  return uw_compute_outside(&b, value, bounds->loop, thread);
}

/* Of a thread's index, or another counter. */
static double span_of_counter(MlirValue counter) {
  int64_t least = uw_least_of(counter), most = uw_most_of(counter);
  return least == UW_NO_LEAST || most == UW_NO_MOST ? UW_LONGEST_SPAN : (double)(most - least);
}

static double span(uw_bounds *bounds, MlirValue value, int *steps) {
  MlirOperation op = uw_def(value);
  int64_t number;
  if (uw_null(op) && uw_defined_inside(value, bounds->loop))
    return span_of_counter(value);
  if (uw_is_outside(bounds, value))
    return 0;
  if ((*steps)-- <= 0)
    return UW_LONGEST_SPAN;
  double first = span(bounds, uw_operand(op, 0), steps);
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI: return first + span(bounds, uw_operand(op, 1), steps);
  case UW_OP_ARITH_MULI: return uw_const_value(uw_operand(op, 1), &number) ? first * (double)number : UW_LONGEST_SPAN;
  case UW_OP_ARITH_SHLI:
    return uw_const_value(uw_operand(op, 1), &number) ? first * (double)((int64_t)1 << (number & 63)) : UW_LONGEST_SPAN;
  default: return first;
  }
}

double uw_span(uw_bounds *bounds, MlirValue value) {
  int steps = MOST_STEPS;
  return span(bounds, value, &steps);
}

/* Does no sum in it that differs from thread to thread wrap around? */
static bool never_wraps(uw_bounds *bounds, MlirValue value, int *steps) {
  MlirOperation op = uw_def(value);
  if (uw_null(op) || uw_is_outside(bounds, value))
    return true;
  if ((*steps)-- <= 0)
    return false;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
    if (!uw_is_of_any_size(op, true))
      return false;
    break;
  default: break;
  }
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!never_wraps(bounds, uw_operand(op, i), steps))
      return false;
  return true;
}

/* What stands before the loop and was made after `last`: for a thread that does not come by the comparison, a sum may
 * wrap around. */
static void let_wrap(uw_bounds *bounds, MlirOperation last) {
  MlirOperation op = uw_null(last) ? uw_first(mlirOperationGetBlock(bounds->loop)) : uw_next(last);
  for (; !uw_same_op(op, bounds->loop); op = uw_next(op))
    if (!mlirAttributeIsNull(uw_get_attr(op, "overflowFlags")))
      uw_set_attr(op, "overflowFlags", uw_attr(mlirOperationGetContext(op), "#arith.overflow<none>"));
}

/* The value of the thread for which it is the largest or, falling, the least one. Where it wraps around on the way from
 * one to the other, which are less than UW_LONGEST_SPAN apart, they are out of order. */
static MlirValue end_in_order(uw_bounds *bounds, MlirValue value, int direction, MlirValue *in_order) {
  int slopes[2][UW_DIMS] = {{0}};
  find_slopes(bounds, value, direction, slopes[0]);
  find_slopes(bounds, value, -direction, slopes[1]);
  MlirValue end = extreme(bounds, value, slopes[0]);
  int steps = MOST_STEPS;
  if (never_wraps(bounds, value, &steps))
    return end;
  MlirValue other = extreme(bounds, value, slopes[1]);
  uw_builder b = uw_at(bounds->loop);
  MlirValue holds = uw_compare(&b, direction == RISES ? UW_SLE : UW_SGE, other, end);
  *in_order = in_order->ptr ? uw_binary(&b, "arith.andi", *in_order, holds) : holds;
  return end;
}

bool uw_asked_of_one(uw_bounds *bounds, const uw_conjunct *c, MlirValue *holds) {
  MlirOperation compare = uw_def(c->value);
  if (uw_kind(compare) != UW_OP_ARITH_CMPI)
    return false;
  int64_t predicate = uw_get_int_attr(compare, "predicate", UW_EQ);
  bool less = predicate == UW_SLT || predicate == UW_SLE;
  if (!less && predicate != UW_SGT && predicate != UW_SGE)
    return false;
  /* Where left has to be less, the thread with the largest left side and the least right side is nearest to failing. */
  int direction = less != c->negated ? RISES : FALLS;
  for (size_t i = 0; i < 2; i++) {
    int slopes[UW_DIMS] = {0};
    MlirValue side = uw_operand(compare, i);
    if (!find_slopes(bounds, side, i ? -direction : direction, slopes) || uw_span(bounds, side) >= UW_LONGEST_SPAN)
      return false;
  }
  if (holds) {
    MlirOperation last = uw_prev(bounds->loop);
    MlirValue in_order = {NULL}, left = end_in_order(bounds, uw_operand(compare, 0), direction, &in_order);
    MlirValue right = end_in_order(bounds, uw_operand(compare, 1), -direction, &in_order);
    uw_builder b = uw_at(bounds->loop);
    *holds = uw_compare(&b, predicate, left, right);
    if (c->negated)
      *holds = uw_binary(&b, "arith.xori", *holds, uw_const_int(&b, 1, 1));
    if (in_order.ptr)
      *holds = uw_binary(&b, "arith.andi", *holds, in_order);
    let_wrap(bounds, last);
  }
  return true;
}

bool uw_extremes(uw_bounds *bounds, MlirValue value, MlirValue ends[2]) {
  static const int directions[] = {FALLS, RISES};
  for (size_t end = 0; end < 2; end++) {
    int slopes[UW_DIMS] = {0};
    if (!find_slopes(bounds, value, directions[end], slopes))
      return false;
    if (ends)
      ends[end] = extreme(bounds, value, slopes);
  }
  return true;
}
