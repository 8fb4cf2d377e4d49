/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The range of a value over the iterations of serial loops: see iteration_ranges.h.
 *
 *   for (%k = %lo; %k < %hi; %k += 1)
 *     %i = %t + %k * %n                  ==>    least and most of %t + {%lo, %hi - 1} * %n, in 64 bits
 *
 * Interval arithmetic: what is computed outside of the lanes is a single value; a counter lies between its bounds;
 * what a loop carries and steps by %d lies between where it starts and that plus iterations times %d; sums,
 * differences, products and choices follow from their operands.
 *
 * Right because addition, subtraction and multiplication keep what holds modulo 2^32: the numbers of 64 bits here,
 * which do not wrap around, are the program's modulo 2^32, wherever that wraps around on its way. That 64 bits do not
 * wrap is known beforehand: the most that the magnitude of each value can be is followed too, and what could be more
 * than 64 bits hold is refused. Counters are asked to be between 0 and 2^31 (`holds`), and so is a product of 32 bits to
 * fit those where sums with it might be more than 64 hold: a row's length times one of several counters. Operations
 * that do not keep it (divisions, shifts right, minima) are taken as a single value or not at all.
 *
 * What a while carries and steps by %d of 0 or more, as `while (%i < %n) %i += %d` does, lies in its body between where
 * it starts and %n - 1, in the lanes at work; the first lane, which need not be at work, is no further than they are
 * where lanes go up (lane_shapes.h). Each lane's sums do not wrap, as the program promises (nsw); that the starts of
 * all lanes do not is asked.
 *
 * Values of iterations that are never made only widen the range. */
#include "iteration_ranges.h"

#include "../../analysis/cost.h"
#include "../../transform/thread_loop.h"
#include "overlap.h"

/* The most that a magnitude can be; NONE: not known, or more than an integer of 64 bits. */
typedef __int128 magnitude;
enum { NONE = -1, MOST_STEPS = 64, LANES_APART = 1 << 16 };
static const magnitude most_iterations = INT32_MAX;

typedef struct search {
  uw_arena *arena;
  uw_shapes *shapes; /* null: it was asked before whether the range is known */
  MlirOperation lanes;
  const uw_map *known;
  int steps; /* left */
} search;

static magnitude larger(magnitude a, magnitude b) { return a < 0 || b < 0 ? NONE : a > b ? a : b; }
static magnitude sum(magnitude a, magnitude b) { return a < 0 || b < 0 || a + b > INT64_MAX ? NONE : a + b; }
static magnitude product(magnitude a, magnitude b) { return a < 0 || b < 0 || a * b > INT64_MAX ? NONE : a * b; }

/* Is the product too large to be added to, so that it is asked to fit its own 32 bits? */
static bool leaves_no_room(MlirValue value, magnitude most) {
  return uw_int_width(value) == 32 && most > (magnitude)1 << 62;
}

static bool is_single(search *s, MlirValue value) { return uw_computable_outside(s->arena, value, s->lanes, s->known); }

/* Of a value that is computed outside of the lanes as a whole. */
static magnitude single_size(search *s, MlirValue value) {
  int64_t number;
  if (uw_const_value(value, &number))
    return number < 0 ? -(magnitude)number : number;
  if (!is_single(s, value))
    return NONE;
  if (uw_int_width(value) == 32)
    return -(magnitude)INT32_MIN;
  MlirOperation op = uw_def(value);
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI: return uw_int_width(uw_operand(op, 0)) <= 32 ? UINT32_MAX : NONE;
  default: return NONE;
  }
}

/* What a for carries as argument `number` of its body (not 0) is stepped by this in each iteration; null if by nothing
 * that is known. */
static MlirValue step_of(MlirOperation loop, size_t number, bool *down) {
  MlirBlock body = uw_block(loop, 0);
  MlirValue carried = mlirBlockGetArgument(body, (intptr_t)number), next = uw_operand(uw_last(body), number - 1);
  MlirOperation op = uw_def(next);
  *down = uw_kind(op) == UW_OP_ARITH_SUBI;
  if (*down)
    return uw_same(uw_operand(op, 0), carried) ? uw_operand(op, 1) : (MlirValue){NULL};
  for (size_t i = 0; uw_kind(op) == UW_OP_ARITH_ADDI && i < 2; i++)
    if (uw_same(uw_operand(op, i), carried))
      return uw_operand(op, 1 - i);
  return (MlirValue){NULL};
}

static magnitude size_of(search *s, MlirValue value);

/* Of what a for counts or carries, or gives in the end. Its bounds have to be known before the lanes run. */
static magnitude loop_size(search *s, MlirOperation loop, size_t number) {
  int64_t each;
  bool down;
  if (uw_kind(loop) == UW_OP_SCF_FOR && uw_overlaps(loop))
    return number == 0 ? most_iterations : NONE;
  if (uw_kind(loop) != UW_OP_SCF_FOR || !uw_const_value(uw_operand(loop, 2), &each) || each < 1 || each > INT32_MAX ||
      !is_single(s, uw_operand(loop, 0)) || !is_single(s, uw_operand(loop, 1)))
    return NONE;
  if (number == 0)
    return most_iterations;
  MlirValue step = step_of(loop, number, &down);
  return step.ptr ? sum(size_of(s, uw_operand(loop, number + 2)), product(single_size(s, step), most_iterations))
                  : NONE;
}

/* A while's body has it as argument `number`. */
typedef struct counted_while {
  MlirValue start, bound, step;
  MlirOperation sum;
} counted_while;

static bool has_signed_less(MlirOperation compare, MlirValue *small, MlirValue *large) {
  enum { SLT = 2, SGT = 4 };
  int64_t predicate = uw_kind(compare) == UW_OP_ARITH_CMPI ? uw_get_int_attr(compare, "predicate", -1) : -1;
  if (predicate != SLT && predicate != SGT)
    return false;
  *small = uw_operand(compare, predicate == SGT);
  *large = uw_operand(compare, predicate == SLT);
  return true;
}

/* Does the body step the argument as long as it is less than a bound? */
static bool read_while(MlirOperation loop, size_t number, counted_while *found) {
  MlirBlock before = uw_block(loop, 0), after = uw_block(loop, 1);
  MlirOperation condition = uw_last(before);
  MlirValue tested = uw_operand(condition, number + 1), small, own = mlirBlockGetArgument(after, (intptr_t)number);
  if (!uw_null(uw_def(tested)) || !mlirBlockEqual(mlirBlockArgumentGetOwner(tested), before) ||
      !has_signed_less(uw_def(uw_operand(condition, 0)), &small, &found->bound) || !uw_same(small, tested))
    return false;
  size_t carried = (size_t)mlirBlockArgumentGetArgNumber(tested);
  MlirOperation sum = uw_def(uw_operand(uw_last(after), carried));
  if (uw_kind(sum) != UW_OP_ARITH_ADDI)
    return false;
  bool is_second = uw_same(uw_operand(sum, 1), own);
  found->start = uw_operand(loop, carried);
  found->step = uw_operand(sum, !is_second);
  found->sum = sum;
  return uw_same(uw_operand(sum, is_second), own);
}

/* Do lanes go up, by little? */
static bool go_up(search *s, MlirValue value) {
  uw_shape shape = s->shapes ? uw_shape_of(s->shapes, value) : (uw_shape){0};
  return !s->shapes || (shape.kind != UW_SHAPE_ANY && shape.step >= 0 && shape.step <= LANES_APART);
}

static magnitude while_size(search *s, MlirOperation loop, MlirValue value) {
  counted_while w;
  bool in_body = mlirBlockEqual(mlirBlockArgumentGetOwner(value), uw_block(loop, 1));
  if (!in_body || uw_int_width(value) != 32 || !read_while(loop, (size_t)mlirBlockArgumentGetArgNumber(value), &w) ||
      !uw_no_wrap(w.sum, true) || !is_single(s, w.bound) || !is_single(s, w.step) || !go_up(s, value))
    return NONE;
  return larger(size_of(s, w.start), single_size(s, w.bound));
}

static magnitude argument_size(search *s, MlirValue value) {
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return uw_kind(loop) == UW_OP_SCF_WHILE ? while_size(s, loop, value)
                                          : loop_size(s, loop, (size_t)mlirBlockArgumentGetArgNumber(value));
}

static magnitude size_of(search *s, MlirValue value) {
  magnitude single = single_size(s, value);
  if (single >= 0 || s->steps-- <= 0)
    return single;
  MlirOperation op = uw_def(value);
  if (uw_null(op))
    return argument_size(s, value);
  int64_t shift;
  magnitude most;
  switch (uw_kind(op)) {
  case UW_OP_SCF_FOR: return loop_size(s, op, (size_t)mlirOpResultGetResultNumber(value) + 1);
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI: return sum(size_of(s, uw_operand(op, 0)), size_of(s, uw_operand(op, 1)));
  case UW_OP_ARITH_MULI:
    most = product(size_of(s, uw_operand(op, 0)), size_of(s, uw_operand(op, 1)));
    return leaves_no_room(value, most) ? -(magnitude)INT32_MIN : most;
  case UW_OP_ARITH_SHLI:
    return uw_const_value(uw_operand(op, 1), &shift) && shift >= 0 && shift < 31
               ? product(size_of(s, uw_operand(op, 0)), (magnitude)1 << shift)
               : NONE;
  case UW_OP_ARITH_SELECT: return larger(size_of(s, uw_operand(op, 1)), size_of(s, uw_operand(op, 2)));
  case UW_OP_ARITH_TRUNCI:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI:
    return uw_int_width(uw_operand(op, 0)) == 64 && uw_int_width(value) == 32 ? size_of(s, uw_operand(op, 0)) : NONE;
  default: return NONE;
  }
}

bool uw_has_iteration_range(uw_arena *arena, uw_shapes *shapes, MlirValue value, MlirOperation lanes,
                            const uw_map *known) {
  search s = {arena, shapes, lanes, known, MOST_STEPS};
  return uw_int_width(value) == 32 && size_of(&s, value) >= 0;
}

/* --- computing it ------------------------------------------------------------------------------------------------- */

typedef struct emission {
  search s;
  uw_builder *b;
  uw_map *map;
  const uw_table *overlaps;
  MlirValue holds;
} emission;

static MlirValue smaller_of(uw_builder *b, MlirValue x, MlirValue y) { return uw_binary(b, "arith.minsi", x, y); }
static MlirValue larger_of(uw_builder *b, MlirValue x, MlirValue y) { return uw_binary(b, "arith.maxsi", x, y); }

static MlirValue in_64_bits(emission *e, MlirValue outside, bool is_unsigned) {
  MlirType type = mlirValueGetType(outside), wide = uw_int_type(e->b->context, 64);
  if (mlirTypeIsAIndex(type))
    return uw_build1(e->b, "arith.index_cast", .in = VALS(outside), .out = TYPES(wide));
  if (mlirTypeEqual(type, wide))
    return outside;
  return uw_build1(e->b, is_unsigned ? "arith.extui" : "arith.extsi", .in = VALS(outside), .out = TYPES(wide));
}

/* The value, which is computed outside of the lanes as a whole. */
static MlirValue emit_single(emission *e, MlirValue value, bool is_unsigned) {
  return in_64_bits(e, uw_compute_outside(e->b, value, e->s.lanes, e->map), is_unsigned);
}

/* A bound of a for: of all lanes where they overlap. */
static MlirValue emit_bound(emission *e, MlirOperation loop, size_t number, bool is_unsigned) {
  const uw_overlap *o = (const uw_overlap *)uw_table_get(e->overlaps, loop.ptr);
  return o ? in_64_bits(e, number == 0 ? o->first_low : o->last_high, is_unsigned)
           : emit_single(e, uw_operand(loop, number), is_unsigned);
}

static uw_iteration_range emit(emission *e, MlirValue value);

static void require(emission *e, MlirValue condition) {
  e->holds = e->holds.ptr ? uw_binary(e->b, "arith.andi", e->holds, condition) : condition;
}

static uw_iteration_range emit_loop(emission *e, MlirOperation loop, size_t number) {
  uw_builder *b = e->b;
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp")), down;
  MlirValue low = emit_bound(e, loop, 0, is_unsigned), high = emit_bound(e, loop, 1, is_unsigned);
  MlirValue zero = uw_const_int(b, 64, 0);
  require(e, uw_compare(b, UW_SGE, low, zero));
  require(e, uw_compare(b, UW_SLE, high, uw_const_int(b, 64, INT32_MAX)));
  high = larger_of(b, low, high);
  if (number == 0)
    return (uw_iteration_range){low, uw_binary(b, "arith.subi", high, uw_const_int(b, 64, 1)), {NULL}};
  int64_t each = 1;
  uw_const_value(uw_operand(loop, 2), &each);
  MlirValue iterations =
      uw_binary(b, "arith.addi", uw_binary(b, "arith.subi", high, low), uw_const_int(b, 64, each - 1));
  iterations = uw_binary(b, "arith.divsi", iterations, uw_const_int(b, 64, each));
  MlirValue way = uw_binary(b, "arith.muli", emit_single(e, step_of(loop, number, &down), false), iterations);
  if (down)
    way = uw_binary(b, "arith.subi", zero, way);
  uw_iteration_range start = emit(e, uw_operand(loop, number + 2));
  return (uw_iteration_range){uw_binary(b, "arith.addi", start.least, smaller_of(b, way, zero)),
                              uw_binary(b, "arith.addi", start.most, larger_of(b, way, zero)),
                              {NULL}};
}

static uw_iteration_range emit_while(emission *e, MlirOperation loop, size_t number) {
  counted_while w = {{NULL}, {NULL}, {NULL}, {NULL}};
  read_while(loop, number, &w); /* as while_size found it; its promise is gone by now (vectors.c) */
  uw_builder *b = e->b;
  int64_t way = (int64_t)LANES_APART * UW_MOST_LANES_AT_ONCE;
  uw_iteration_range start = emit(e, w.start);
  require(e, uw_compare(b, UW_SGE, emit_single(e, w.step, false), uw_const_int(b, 64, 0)));
  require(e, uw_compare(b, UW_SGE, start.least, uw_const_int(b, 64, INT32_MIN)));
  require(e, uw_compare(b, UW_SLE, start.most, uw_const_int(b, 64, INT32_MAX - way)));
  MlirValue last = uw_binary(b, "arith.subi", emit_single(e, w.bound, false), uw_const_int(b, 64, 1));
  return (uw_iteration_range){start.least, larger_of(b, start.most, last), {NULL}};
}

static uw_iteration_range emit_argument(emission *e, MlirValue value) {
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  size_t number = (size_t)mlirBlockArgumentGetArgNumber(value);
  return uw_kind(loop) == UW_OP_SCF_WHILE ? emit_while(e, loop, number) : emit_loop(e, loop, number);
}

static uw_iteration_range emit_product(emission *e, MlirOperation op) {
  uw_builder *b = e->b;
  MlirValue left = uw_operand(op, 0), right = uw_operand(op, 1);
  uw_iteration_range x = emit(e, left), y = emit(e, right);
  MlirValue corners[4] = {uw_binary(b, "arith.muli", x.least, y.least), uw_binary(b, "arith.muli", x.least, y.most),
                          uw_binary(b, "arith.muli", x.most, y.least), uw_binary(b, "arith.muli", x.most, y.most)};
  uw_iteration_range range = {
      smaller_of(b, smaller_of(b, corners[0], corners[1]), smaller_of(b, corners[2], corners[3])),
      larger_of(b, larger_of(b, corners[0], corners[1]), larger_of(b, corners[2], corners[3])),
      {NULL}};
  search s = {e->s.arena, NULL, e->s.lanes, e->s.known, MOST_STEPS}; /* no fewer steps than when the range was found */
  if (leaves_no_room(uw_result(op, 0), product(size_of(&s, left), size_of(&s, right)))) {
    require(e, uw_compare(b, UW_SGE, range.least, uw_const_int(b, 64, INT32_MIN)));
    require(e, uw_compare(b, UW_SLE, range.most, uw_const_int(b, 64, INT32_MAX)));
  }
  return range;
}

static uw_iteration_range emit(emission *e, MlirValue value) {
  uw_builder *b = e->b;
  MlirOperation op = uw_def(value);
  if (single_size(&e->s, value) >= 0) {
    MlirValue single = emit_single(e, value, false);
    return (uw_iteration_range){single, single, {NULL}};
  }
  if (uw_null(op))
    return emit_argument(e, value);
  if (uw_kind(op) == UW_OP_SCF_FOR)
    return emit_loop(e, op, (size_t)mlirOpResultGetResultNumber(value) + 1);
  if (uw_kind(op) == UW_OP_ARITH_MULI)
    return emit_product(e, op);
  bool is_select = uw_kind(op) == UW_OP_ARITH_SELECT;
  uw_iteration_range x = emit(e, uw_operand(op, is_select)), y;
  int64_t shift = 0;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
    y = emit(e, uw_operand(op, 1));
    return (uw_iteration_range){
        uw_binary(b, "arith.addi", x.least, y.least), uw_binary(b, "arith.addi", x.most, y.most), {NULL}};
  case UW_OP_ARITH_SUBI:
    y = emit(e, uw_operand(op, 1));
    return (uw_iteration_range){
        uw_binary(b, "arith.subi", x.least, y.most), uw_binary(b, "arith.subi", x.most, y.least), {NULL}};
  case UW_OP_ARITH_SELECT:
    y = emit(e, uw_operand(op, 2));
    return (uw_iteration_range){smaller_of(b, x.least, y.least), larger_of(b, x.most, y.most), {NULL}};
  case UW_OP_ARITH_SHLI: {
    uw_const_value(uw_operand(op, 1), &shift);
    MlirValue factor = uw_const_int(b, 64, (int64_t)1 << shift);
    return (uw_iteration_range){
        uw_binary(b, "arith.muli", x.least, factor), uw_binary(b, "arith.muli", x.most, factor), {NULL}};
  }
  default: return x; /* cut to 32 bits */
  }
}

uw_iteration_range uw_emit_iteration_range(uw_builder *b, uw_arena *arena, MlirValue value, MlirOperation lanes,
                                           uw_map *map, const uw_table *overlaps) {
  emission e = {{arena, NULL, lanes, map, MOST_STEPS}, b, map, overlaps, {NULL}};
  uw_iteration_range range = emit(&e, value);
  range.holds = e.holds;
  return range;
}
