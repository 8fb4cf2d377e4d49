/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ends of sums over the iterations of serial loops: see counters.h.
 *
 * A sum that is linear in one counter has its least and its most in the first and the last iteration, whichever is
 * which. The last is taken as the bound less one: a step that is more than one makes the way longer than it is. A loop
 * without iterations has none that the ends would have to hold. */
#include "counters.h"

#include "../../transform/thread_loop.h"

enum { FIRST, LAST, DEEPEST = 16 };

struct uw_counters {
  uw_arena *arena;
  MlirOperation row;
  uw_table *loops; /* counter -> its loop */
};

static bool is_in_order(MlirOperation loop) {
  MlirType type = mlirValueGetType(uw_operand(loop, 0));
  int64_t low, step;
  bool is_word = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 32;
  bool is_signed = mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp"));
  bool is_positive = uw_const_value(uw_operand(loop, 2), &step) && step > 0;
  return (is_word || mlirTypeIsAIndex(type)) && is_positive &&
         (is_signed || (uw_const_value(uw_operand(loop, 0), &low) && low >= 0 &&
                        uw_const_value(uw_operand(loop, 1), &low) && low >= 0));
}

uw_counters *uw_counters_create(uw_arena *arena, MlirOperation row) {
  uw_counters *made = uw_alloc(arena, sizeof *made);
  *made = (uw_counters){arena, row, uw_table_create(arena)};
  uw_ops loops = uw_collect_kind(arena, row, UW_OP_SCF_FOR);
  for (size_t i = 0; i < loops.count; i++) {
    MlirValue low = uw_operand(loops.at[i], 0), high = uw_operand(loops.at[i], 1);
    if (!is_in_order(loops.at[i]) || !uw_computable_outside(arena, low, row, NULL) ||
        !uw_computable_outside(arena, high, row, NULL))
      continue;
    MlirValue counter = mlirBlockGetArgument(uw_block(loops.at[i], 0), 0);
    uw_table_set(made->loops, counter.ptr, (intptr_t)loops.at[i].ptr);
  }
  return made;
}

/* The counter, also extended: a number that no sum of the program's leaves the 64 bits with. */
static MlirValue counter_of(const uw_counters *c, MlirValue value) {
  MlirOperation op = uw_def(value);
  bool is_signed = uw_kind(op) == UW_OP_ARITH_INDEX_CAST;
  if (is_signed || uw_kind(op) == UW_OP_ARITH_INDEX_CASTUI) {
    value = uw_operand(op, 0);
    int64_t low;
    MlirOperation loop = {(void *)uw_table_get(c->loops, value.ptr)};
    if (!is_signed && (uw_null(loop) || !uw_const_value(uw_operand(loop, 0), &low) || low < 0))
      return (MlirValue){NULL}; /* a jump from the most to the least on the way */
  }
  return uw_table_get(c->loops, value.ptr) ? value : (MlirValue){NULL};
}

/* Is it linear in `counter` (null before the first one is met), and all else computed before the row? */
static bool is_linear(const uw_counters *c, MlirValue value, MlirValue *counter, int depth) {
  MlirOperation op = uw_def(value);
  MlirValue own = counter_of(c, value);
  if (own.ptr) {
    bool is_first = !counter->ptr || uw_same(*counter, own);
    *counter = own;
    return is_first;
  }
  if (depth == DEEPEST || uw_computable_outside(c->arena, value, c->row, NULL))
    return depth < DEEPEST;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
    return is_linear(c, uw_operand(op, 0), counter, depth + 1) && is_linear(c, uw_operand(op, 1), counter, depth + 1);
  case UW_OP_ARITH_MULI:
    for (size_t i = 0; i < 2; i++)
      if (uw_computable_outside(c->arena, uw_operand(op, i), c->row, NULL))
        return is_linear(c, uw_operand(op, 1 - i), counter, depth + 1);
    return false;
  default: return false;
  }
}

/* The sum as a number, with this for the counter. */
static bool is_number(const uw_counters *c, MlirValue sum, int64_t counter, int64_t *number) {
  MlirOperation op = uw_def(sum);
  int64_t left, right;
  if (uw_const_value(sum, number))
    return true;
  *number = counter;
  if (counter_of(c, sum).ptr)
    return true;
  uw_kind_t kind = uw_kind(op);
  if ((kind != UW_OP_ARITH_ADDI && kind != UW_OP_ARITH_SUBI && kind != UW_OP_ARITH_MULI) ||
      !is_number(c, uw_operand(op, 0), counter, &left) || !is_number(c, uw_operand(op, 1), counter, &right))
    return false;
  return !(kind == UW_OP_ARITH_ADDI   ? __builtin_add_overflow(left, right, number)
           : kind == UW_OP_ARITH_SUBI ? __builtin_sub_overflow(left, right, number)
                                      : __builtin_mul_overflow(left, right, number));
}

/* Its copies are of now: what the sum was built of may be gone when the next one is asked for. */
static MlirValue compute(const uw_counters *c, int end, MlirValue sum, MlirValue counter) {
  uw_builder b = uw_at(c->row);
  uw_map *map = uw_map_create(c->arena);
  if (counter.ptr) {
    MlirOperation loop = {(void *)uw_table_get(c->loops, counter.ptr)};
    MlirValue bound = uw_operand(loop, end == LAST);
    int64_t number;
    if (uw_const_value(bound, &number) && is_number(c, sum, number - (end == LAST), &number))
      return uw_const_index(&b, number);
    bound = uw_compute_outside(&b, bound, c->row, map);
    if (end == LAST) {
      bool is_index = mlirTypeIsAIndex(mlirValueGetType(bound));
      bound = uw_binary(&b, "arith.subi", bound, is_index ? uw_const_index(&b, 1) : uw_const_int(&b, 32, 1));
    }
    uw_map_set(map, counter, bound);
  }
  return uw_compute_outside(&b, sum, c->row, map);
}

size_t uw_ends_of(const uw_counters *c, MlirValue sum, MlirValue ends[2]) {
  MlirValue counter = {NULL};
  if (!sum.ptr) {
    uw_builder b = uw_at(c->row);
    ends[FIRST] = uw_const_index(&b, 0);
    return 1;
  }
  if (!is_linear(c, sum, &counter, 0))
    return 0;
  ends[FIRST] = compute(c, FIRST, sum, counter);
  if (!counter.ptr)
    return 1;
  ends[LAST] = compute(c, LAST, sum, counter);
  return 2;
}
