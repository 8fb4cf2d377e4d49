/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes a loop over the threads of a block one over its warps around one over the lanes of a warp: 32 threads that
 * follow each other in linear order, fewer in the last warp.
 *
 *   forall (%z, %y, %x) in (nz, ny, nx)        ==>     forall %w in ceildiv(n, 32)      #gpu.warp<x>
 *     body(%z, %y, %x)                                   forall %l in min(32, n - 32 %w)  #gpu.lane<x>
 *                                                          %i = 32 %w + %l
 *                                                          body(%i / (nx ny), %i / nx mod ny, %i mod nx)
 *
 * Divisions by bounds that are not known are multiplications. Where a bound is 1 its index is 0. Where nx is a
 * known multiple of 32, a warp lies in one row: y and z are the same for its lanes, and x is a multiple of 32 plus
 * the lane, so that x & 31 folds to the lane and x >> 5 is the same for all lanes. The same holds for x + nx (y + ny z)
 * where the body computes it, and where multiples of 32 are added, as block index * block size. Shuffles of a value's
 * bits become shuffles of the value.
 *
 * Where the block's shape is not known, whole warps that lie in one row have a loop of their own, with 32 lanes, in front
 * of one for the others: parallel %w in (one row or nx % 32 == 0) ? n / 32 : 0.
 * Requires: bounds from 0 by 1. Preserves: the order of threads. Refuses: nothing. */
#include "../../analysis/budget.h"
#include "../../analysis/calls.h"
#include "../../analysis/uniformity.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/loop_ranges.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

enum { LANES = 32 };

static bool constant(MlirValue value, int64_t number) {
  int64_t known;
  return uw_const_value(value, &known) && known == number;
}

static MlirValue multiply(uw_builder *b, MlirValue left, MlirValue right) {
  return constant(left, 1) ? right : constant(right, 1) ? left : uw_binary(b, "arith.muli", left, right);
}

/* A value that counts lanes: first + lane, of one type; first is a multiple of 32. */
typedef struct counted {
  MlirValue value, first, lane;
  bool below_zero; /* may first be? */
} counted;

static bool is_cast(MlirOperation op) {
  return uw_kind(op) == UW_OP_ARITH_INDEX_CAST || uw_kind(op) == UW_OP_ARITH_INDEX_CASTUI;
}

static bool is_extension(MlirOperation op) {
  return uw_kind(op) == UW_OP_ARITH_EXTUI || uw_kind(op) == UW_OP_ARITH_EXTSI;
}

/* Are its lowest five bits zero? */
static bool has_no_lane_bits(MlirValue value, int *steps) {
  MlirOperation op = uw_def(value);
  int64_t number;
  if ((*steps)-- <= 0)
    return false;
  if (uw_const_value(value, &number))
    return number % LANES == 0;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_MULI:
    return has_no_lane_bits(uw_operand(op, 0), steps) || has_no_lane_bits(uw_operand(op, 1), steps);
  case UW_OP_ARITH_SHLI:
    return (uw_const_value(uw_operand(op, 1), &number) && number >= 5) || has_no_lane_bits(uw_operand(op, 0), steps);
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
    return has_no_lane_bits(uw_operand(op, 0), steps) && has_no_lane_bits(uw_operand(op, 1), steps);
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI:
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_TRUNCI: return has_no_lane_bits(uw_operand(op, 0), steps);
  default: return false;
  }
}

static bool is_multiple_of_lanes(MlirValue value) {
  enum { MOST_STEPS = 100 }; /* bound of a search: a factor is come by for each way to it */
  int steps = MOST_STEPS;
  return has_no_lane_bits(value, &steps);
}

/* The index of a block, or a product of it and a value that is not negative: neither is it. */
static bool is_count(MlirValue value) {
  MlirOperation op = uw_def(value);
  int64_t number;
  if (uw_const_value(value, &number))
    return number >= 0;
  return uw_kind(op) == UW_OP_ARITH_INDEX_CASTUI || (uw_kind(op) == UW_OP_ARITH_MULI && uw_no_wrap(op, true) &&
                                                     is_count(uw_operand(op, 0)) && is_count(uw_operand(op, 1)));
}

/* first + lane < 32 n, if first < 32 n. */
static void fold_comparison(MlirOperation op, const counted *c) {
  intptr_t own = uw_same(uw_operand(op, 1), c->value);
  int64_t predicate = uw_get_int_attr(op, "predicate", UW_EQ), number;
  MlirValue other = uw_operand(op, !own);
  bool less = predicate == UW_SLT || predicate == UW_ULT || predicate == UW_SGE || predicate == UW_UGE;
  bool more = predicate == UW_SGT || predicate == UW_UGT || predicate == UW_SLE || predicate == UW_ULE;
  if (own ? more : less) { /* is it below other? */
    if (is_multiple_of_lanes(other))
      mlirOperationSetOperand(op, own, c->first);
  } else if ((own ? less : more) && uw_const_value(other, &number) && (number + 1) % LANES == 0) { /* above it? */
    mlirOperationSetOperand(op, own, c->first);
  }
}

static bool is_shift_right(MlirOperation op) {
  return uw_string_is(uw_name(op), "arith.shrui") || uw_string_is(uw_name(op), "arith.shrsi");
}

static MlirValue lane_as(uw_builder *b, const counted *c) {
  MlirType type = mlirValueGetType(c->value);
  return mlirTypeIsAIndex(type) ? c->lane : uw_build1(b, "arith.index_cast", .in = VALS(c->lane), .out = TYPES(type));
}

/* Of value, or of value shifted, `op` keeps the bits of a constant mask. Only those of the lane, or none of them? */
static void fold_mask(uw_arena *arena, MlirOperation op, const counted *c, MlirOperation shift) {
  int64_t mask, by = 0;
  if (uw_kind(op) != UW_OP_ARITH_ANDI || !uw_const_value(uw_operand(op, 1), &mask) || mask < 0 || mask > UINT32_MAX ||
      (!uw_null(shift) && (!uw_const_value(uw_operand(shift, 1), &by) || by < 0 || by > 31)))
    return;
  uint64_t asked = uw_null(shift)          ? (uint64_t)mask
                   : is_shift_right(shift) ? (uint64_t)mask << by
                                           : (uint64_t)mask >> by;
  if (asked % LANES != 0 && asked >= LANES)
    return;
  uw_builder b = uw_at(uw_null(shift) ? op : shift);
  MlirValue part = asked % LANES == 0 ? c->first : lane_as(&b, c);
  if (uw_null(shift)) {
    mlirOperationSetOperand(op, 0, part);
    return;
  }
  uw_map *map = uw_map_create(arena);
  uw_map_set(map, c->value, part);
  uw_clone(&b, shift, map);
  mlirOperationSetOperand(op, 0, uw_map_get(map, uw_result(shift, 0)));
}

static void fold_masks(uw_arena *arena, const counted *c, MlirOperation shift) {
  uw_ops users = {0};
  MlirValue shifted = uw_result(shift, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(shifted); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (uw_same(uw_operand(mlirOpOperandGetOwner(use), 0), shifted))
      uw_ops_push(arena, &users, mlirOpOperandGetOwner(use));
  for (size_t i = 0; i < users.count; i++)
    fold_mask(arena, users.at[i], c, shift);
}

/* Folds what is asked of c->value and is the same for all lanes, as x >> 5, x / 64, x < 96 and x >> 3 & 12, or the
 * lane, as x & 31, x % 32 and x << 2 & 12, through integer casts of x and sums of it and multiples of 32. The lowest five bits of such a sum are the
 * lane whatever wraps around; a signed division rounds towards zero, which is the same for all lanes only where none is
 * below zero. */
static void fold_uses(uw_arena *arena, const counted *c) {
  uw_ops users = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(c->value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    uw_ops_push(arena, &users, mlirOpOperandGetOwner(use));
  for (size_t i = 0; i < users.count; i++) {
    MlirOperation op = users.at[i];
    uw_kind_t kind = uw_kind(op);
    uw_builder b = uw_at(op);
    bool sum = kind == UW_OP_ARITH_ADDI, below_zero = c->below_zero;
    if (sum || is_cast(op) || is_extension(op) || kind == UW_OP_ARITH_TRUNCI) {
      MlirType type = mlirValueGetType(uw_result(op, 0));
      MlirValue other = sum ? uw_operand(op, uw_same(uw_operand(op, 0), c->value)) : (MlirValue){NULL};
      if ((mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < 32) || (sum && !is_multiple_of_lanes(other)))
        continue;
      uw_map *map = uw_map_create(arena);
      uw_map_set(map, c->value, c->first);
      uw_clone(&b, op, map);
      MlirValue value = uw_result(op, 0);
      fold_uses(arena, &(counted){value, uw_map_get(map, value), c->lane,
                                  below_zero || (sum && !(is_count(other) && uw_no_wrap(op, true)))});
      continue;
    }
    if (kind == UW_OP_ARITH_CMPI) {
      fold_comparison(op, c);
      continue;
    }
    int64_t number;
    if (uw_operand_count(op) != 2 || !uw_const_value(uw_operand(op, 1), &number) ||
        !uw_same(uw_operand(op, 0), c->value))
      continue;
    bool shifts = is_shift_right(op);
    bool divides = kind == UW_OP_ARITH_DIVUI || (kind == UW_OP_ARITH_DIVSI && !below_zero);
    bool takes_rest = kind == UW_OP_ARITH_REMUI || (kind == UW_OP_ARITH_REMSI && !below_zero);
    if ((shifts && number >= 5) || (divides && number > 0 && number % LANES == 0)) {
      mlirOperationSetOperand(op, 0, c->first);
    } else if ((kind == UW_OP_ARITH_ANDI && number == LANES - 1) || (takes_rest && number == LANES)) {
      uw_replace_uses(uw_result(op, 0), lane_as(&b, c));
    } else if (kind == UW_OP_ARITH_ANDI) {
      fold_mask(arena, op, c, (MlirOperation){NULL});
    } else if (shifts || kind == UW_OP_ARITH_SHLI) {
      fold_masks(arena, c, op);
    }
  }
}

/* The loop as given: its indices and bounds, z, y, x. An index may be missing (null), its bound is 1 then. */
typedef struct shape {
  MlirValue ids[3], bounds[3];
} shape;

static bool is_id(MlirValue value, MlirValue id) {
  return id.ptr && (uw_same(value, id) || (is_cast(uw_def(value)) && uw_same(uw_operand(uw_def(value), 0), id)));
}

/* Is value bound * *factor? */
static bool is_multiple(MlirValue value, MlirValue bound, MlirValue *factor) {
  MlirOperation op = uw_def(value), cast = uw_def(bound);
  int64_t number, size;
  bool known = uw_const_value(bound, &size);
  if (uw_kind(op) == UW_OP_ARITH_SHLI) {
    *factor = uw_operand(op, 0);
    return known && uw_const_value(uw_operand(op, 1), &number) && number >= 0 && number < 31 &&
           size == (int64_t)1 << number;
  }
  if (uw_kind(op) != UW_OP_ARITH_MULI)
    return false;
  for (size_t i = 0; i < 2; i++) {
    MlirValue candidate = uw_operand(op, i);
    *factor = uw_operand(op, 1 - i);
    if ((known && uw_const_value(candidate, &number) && number == size) || uw_same(candidate, bound) ||
        (is_cast(cast) && uw_same(uw_operand(cast, 0), candidate)))
      return true;
  }
  return false;
}

/* Is value y + ny z, or with `whole` x + nx (y + ny z)? In 32 bits or more; the values are small. */
static bool is_linear(const shape *s, MlirValue value, bool whole) {
  size_t at = whole ? 2 : 1;
  if (!whole && constant(s->bounds[0], 1))
    return is_id(value, s->ids[1]);
  MlirOperation op = uw_def(value);
  MlirValue rest;
  if (uw_kind(op) != UW_OP_ARITH_ADDI)
    return false;
  for (size_t i = 0; i < 2; i++)
    if (is_id(uw_operand(op, i), s->ids[at]) && is_multiple(uw_operand(op, 1 - i), s->bounds[at], &rest) &&
        (whole ? is_linear(s, rest, false) : is_id(rest, s->ids[0])))
      return true;
  return false;
}

/* The operations in the loop that compute a thread's linear index. */
static uw_ops find_linear(uw_arena *arena, MlirOperation loop, const shape *s) {
  uw_ops found = {0}, sums = uw_collect_kind(arena, loop, UW_OP_ARITH_ADDI);
  for (size_t i = 0; i < sums.count; i++) {
    MlirType type = mlirValueGetType(uw_result(sums.at[i], 0));
    bool is_wide = mlirTypeIsAIndex(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 32);
    if (is_wide && is_linear(s, uw_result(sums.at[i], 0), true))
      uw_ops_push(arena, &found, sums.at[i]);
  }
  return found;
}

/* Division of small integers by a value that is known only at run time, as a multiplication: n / d = n * m >> 32
 * with m = 2^32 / d + 1, exact while n * d < 2^32. A block has no more than 1024 threads. */
typedef struct divisor {
  MlirValue by, factor; /* no factor: a known power of two or one, where the division is cheap */
} divisor;

static divisor make_divisor(uw_builder *b, MlirValue by) {
  int64_t known;
  if (uw_const_value(by, &known))
    return (divisor){by, {NULL}};
  MlirValue factor = uw_binary(b, "arith.divui", uw_const_index(b, (int64_t)1 << 32), by);
  return (divisor){by, uw_binary(b, "arith.addi", factor, uw_const_index(b, 1))};
}

static MlirValue quotient(uw_builder *b, MlirValue value, const divisor *d) {
  if (!d->factor.ptr)
    return constant(d->by, 1) ? value : uw_binary(b, "arith.divui", value, d->by);
  return uw_binary(b, "arith.shrui", uw_binary(b, "arith.muli", value, d->factor), uw_const_index(b, 32));
}

static MlirValue remainder_of(uw_builder *b, MlirValue value, MlirValue whole, const divisor *d) {
  if (constant(d->by, 1))
    return uw_const_index(b, 0);
  return uw_binary(b, "arith.subi", value, multiply(b, whole, d->by));
}

/* The lanes' indices, z, y and x, at b in the lane loop. */
static void general_ids(uw_builder *b, MlirValue linear, const divisor *row, const divisor *plane, MlirValue ids[3]) {
  MlirValue rows = quotient(b, linear, row);
  ids[2] = remainder_of(b, linear, rows, row);
  ids[0] = quotient(b, rows, plane);
  ids[1] = remainder_of(b, rows, ids[0], plane);
}

/* Shuffles of a value's bits become shuffles of the value, as what computes with it then has one form before and
 * after:
 *
 *   %b = bitcast %x; %s = shuffle(%b, …); %y = bitcast %s      ==>      %y = shuffle(%x, …) */
static void shuffle_numbers(uw_arena *arena, MlirOperation lane_loop) {
  uw_ops shuffles = uw_collect_kind(arena, lane_loop, UW_OP_SHUFFLE);
  for (size_t i = 0; i < shuffles.count; i++) {
    MlirOperation op = shuffles.at[i], bits = uw_def(uw_operand(op, 0));
    if (uw_null(bits) || !uw_string_is(uw_name(bits), "arith.bitcast") ||
        mlirTypeIsAVector(mlirValueGetType(uw_operand(bits, 0))))
      continue;
    MlirValue number = uw_operand(bits, 0), old = uw_result(op, 0);
    uw_builder b = uw_after(op);
    MlirValue made = uw_build1(&b, "unwarp.shuffle", .in = VALS(number, uw_operand(op, 1), uw_operand(op, 2)),
                               .out = TYPES(mlirValueGetType(number)));
    uw_ops users = {0};
    for (MlirOpOperand use = mlirValueGetFirstUse(old); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      uw_ops_push(arena, &users, mlirOpOperandGetOwner(use));
    for (size_t k = 0; k < users.count; k++) {
      MlirOperation user = users.at[k];
      if (!uw_string_is(uw_name(user), "arith.bitcast") ||
          !mlirTypeEqual(mlirValueGetType(uw_result(user, 0)), mlirValueGetType(number)))
        continue;
      uw_replace_uses(uw_result(user, 0), made);
      uw_erase(user);
    }
    b = uw_after(uw_def(made)); /* what stood there may be gone */
    if (!uw_unused(op))
      uw_replace_uses(old, uw_build1(&b, "arith.bitcast", .in = VALS(made), .out = TYPES(mlirValueGetType(old))));
    uw_erase(op);
  }
}

/* What was made of a loop. */
typedef struct made_warps {
  MlirOperation warp_loop, lane_loop;
  MlirValue count, bounds[3]; /* threads; z, y, x */
  MlirValue first, ids[3];    /* of a warp, the first thread; of a lane, z, y, x */
  bool in_rows;               /* is a warp known to lie in one row, or in the one column? */
} made_warps;

static made_warps make_warps(uw_arena *arena, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  size_t n = (size_t)mlirBlockGetNumArguments(body);
  uw_builder b = uw_at(loop);
  MlirValue lanes = uw_const_index(&b, LANES), one = uw_const_index(&b, 1);
  shape given = {.bounds = {one, one, one}};
  MlirValue *bounds = given.bounds;
  if (n > 3)
    uw_fatal("bug in unwarp: a thread loop of %zu dimensions", n);
  for (size_t i = 0; i < n; i++) { /* x last */
    bounds[3 - n + i] = uw_upper_of(loop, i);
    given.ids[3 - n + i] = mlirBlockGetArgument(body, (intptr_t)i);
  }
  uw_ops numbers = find_linear(arena, loop, &given);
  int64_t size[3] = {0}, threads = 1;
  for (size_t i = 0; i < 3; i++) {
    uw_const_value(bounds[i], &size[i]);
    threads *= size[i]; /* 0: not known */
  }
  MlirValue count, warps;
  if (threads > 0) {
    count = uw_const_index(&b, threads);
    warps = uw_const_index(&b, (threads + LANES - 1) / LANES);
  } else {
    count = multiply(&b, multiply(&b, bounds[2], bounds[1]), bounds[0]);
    warps = uw_binary(&b, "arith.divui", uw_binary(&b, "arith.addi", count, uw_const_index(&b, LANES - 1)), lanes);
  }
  bool one_row = size[0] == 1 && size[1] == 1, whole_rows = size[2] > 0 && size[2] % LANES == 0;
  bool one_column = size[0] == 1 && size[2] == 1 && !one_row;
  divisor row = make_divisor(&b, bounds[2]), plane = make_divisor(&b, bounds[1]);

  uw_remark(mlirOperationGetLocation(loop), "form-warps",
            "threads are taken warp by warp, each as a loop over 32 lanes");
  MlirOperation warp_loop = uw_build_parallel(&b, VALS(warps), UW_OVER_WARPS);
  uw_builder outer = uw_at_end(uw_block(warp_loop, 0), b.location);
  MlirValue warp = mlirBlockGetArgument(outer.block, 0), here = lanes, ids[3], row_warp = warp;
  MlirValue first = uw_binary(&outer, "arith.muli", warp, lanes), zero = uw_const_index(&outer, 0);
  if (threads == 0 || threads % LANES != 0)
    here = uw_binary(&outer, "arith.minui", lanes, uw_binary(&outer, "arith.subi", count, first));
  if (whole_rows && !one_row) { /* a warp lies in one row */
    MlirValue warps_a_row = uw_const_index(&outer, size[2] / LANES);
    MlirValue rows = uw_binary(&outer, "arith.divui", warp, warps_a_row);
    row_warp = uw_binary(&outer, "arith.remui", warp, warps_a_row);
    ids[0] = quotient(&outer, rows, &plane);
    ids[1] = remainder_of(&outer, rows, ids[0], &plane);
    first = uw_binary(&outer, "arith.muli", row_warp, lanes);
  }
  MlirOperation lane_loop = uw_build_parallel(&outer, VALS(here), UW_OVER_LANES);
  uw_builder inner = uw_at_end(uw_block(lane_loop, 0), b.location);
  MlirValue lane = mlirBlockGetArgument(inner.block, 0), linear = uw_binary(&inner, "arith.addi", first, lane);
  if (one_row || one_column) {
    ids[0] = ids[1] = ids[2] = zero;
    ids[one_column ? 1 : 2] = linear;
  } else if (whole_rows) {
    ids[2] = linear;
  } else {
    general_ids(&inner, linear, &row, &plane, ids);
  }

  MlirValue thread = linear; /* index of the thread in the block */
  if (whole_rows && !one_row)
    thread = uw_binary(&inner, "arith.addi", uw_binary(&inner, "arith.muli", warp, lanes), lane);
  for (size_t i = 0; i < numbers.count; i++) {
    MlirType type = mlirValueGetType(uw_result(numbers.at[i], 0));
    uw_replace_uses(uw_result(numbers.at[i], 0),
                    mlirTypeIsAIndex(type)
                        ? thread
                        : uw_build1(&inner, "arith.index_cast", .in = VALS(thread), .out = TYPES(type)));
  }

  MlirOperation reduce = uw_last(inner.block);
  uw_foreach_op_safe (op, body)
    if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL)
      uw_move_before(op, reduce);
  for (size_t i = 0; i < n; i++)
    uw_replace_uses(mlirBlockGetArgument(body, (intptr_t)i), ids[3 - n + i]);
  uw_builder top = uw_at(lane_loop);
  if (whole_rows || one_row)
    fold_uses(arena, &(counted){ids[2], first, lane, false});
  if (!uw_same(thread, ids[2]))
    fold_uses(arena, &(counted){thread, uw_binary(&top, "arith.muli", warp, lanes), lane, false});
  mlirOperationDestroy(loop);
  shuffle_numbers(arena, lane_loop);
  return (made_warps){.warp_loop = warp_loop,
                      .lane_loop = lane_loop,
                      .count = count,
                      .bounds = {bounds[0], bounds[1], bounds[2]},
                      .first = first,
                      .ids = {ids[0], ids[1], ids[2]},
                      .in_rows = whole_rows || one_row || one_column};
}

MlirOperation uw_make_lanes(uw_arena *arena, MlirOperation loop) { return make_warps(arena, loop).lane_loop; }

/* Is value the same for all lanes of a warp? *of_warp is set if it is so because it is computed from the index of the
 * warp. */
static bool same_for_lanes(uw_table *known, MlirValue value, MlirOperation threads, bool *of_warp) {
  MlirBlock body = uw_block(threads, 0);
  MlirOperation op = uw_def(value);
  int64_t number;
  if (!uw_defined_inside(value, threads) || uw_table_get(known, value.ptr))
    return true;
  if (uw_null(op) || !uw_speculatable(op) || uw_region_count(op) != 0)
    return false;
  bool shifts = uw_string_is(uw_name(op), "arith.shrui") || uw_string_is(uw_name(op), "arith.shrsi");
  if (shifts && uw_const_value(uw_operand(op, 1), &number) && number >= 5) {
    MlirValue x = uw_operand(op, 0);
    while (is_cast(uw_def(x)) || is_extension(uw_def(x)))
      x = uw_operand(uw_def(x), 0);
    if (uw_same(x, mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1)))
      return *of_warp = true;
  }
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!same_for_lanes(known, uw_operand(op, i), threads, of_warp))
      return false;
  uw_table_set(known, value.ptr, 1);
  return true;
}

/* Whole warps in rows of the block, and in it a loop that makes as many iterations in each thread of a warp, but not of
 * the block. */
static bool has_loops_of_warps(uw_arena *arena, MlirOperation threads) {
  size_t dims = uw_dims(threads);
  int64_t width;
  if (!uw_const_value(uw_upper_of(threads, dims - 1), &width) || width % LANES != 0)
    return false;
  uw_ops loops = uw_collect_kind(arena, threads, UW_OP_SCF_FOR);
  for (size_t i = 0; i < loops.count; i++) {
    bool of_warp = false, same = true;
    uw_table *known = uw_table_create(arena);
    for (size_t k = 0; k < 3; k++)
      same = same && same_for_lanes(known, uw_operand(loops.at[i], k), threads, &of_warp);
    if (same && of_warp)
      return true;
  }
  return false;
}

/* Does each warp lie in one row: is there one, or have all of them whole warps? Asked in front of the warps. */
static MlirValue lie_in_rows(uw_builder *b, const made_warps *m) {
  MlirValue zero = uw_const_index(b, 0), one = uw_const_index(b, 1), lanes = uw_const_index(b, LANES);
  MlirValue one_row = uw_compare(b, UW_EQ, multiply(b, m->bounds[0], m->bounds[1]), one);
  MlirValue whole = uw_compare(b, UW_EQ, uw_binary(b, "arith.remui", m->bounds[2], lanes), zero);
  return uw_binary(b, "arith.ori", one_row, whole);
}

/* In warps that lie in one row each, z and y are the same for all lanes, and x is a multiple of 32 plus the lane. */
static void know_rows(uw_arena *arena, const made_warps *m) {
  uw_builder b = uw_at(m->lane_loop);
  MlirValue row = uw_binary(&b, "arith.divui", m->first, m->bounds[2]), plane = uw_const_index(&b, 0), y = row;
  if (!constant(m->bounds[0], 1)) {
    plane = uw_binary(&b, "arith.divui", row, m->bounds[1]);
    y = uw_binary(&b, "arith.subi", row, multiply(&b, plane, m->bounds[1]));
  }
  MlirValue first = uw_binary(&b, "arith.subi", m->first, multiply(&b, row, m->bounds[2]));
  MlirValue lane = mlirBlockGetArgument(uw_block(m->lane_loop, 0), 0);
  uw_builder in = uw_at_start(uw_block(m->lane_loop, 0), b.location);
  MlirValue x = uw_binary(&in, "arith.addi", first, lane);
  uw_replace_uses(m->ids[2], x);
  uw_replace_uses(m->ids[1], y);
  uw_replace_uses(m->ids[0], plane);
  fold_uses(arena, &(counted){x, first, lane, false});
}

/* Where the block's size is not known, or no multiple of 32, warps that are whole and lie in one row have a loop of their
 * own. What is left, the last warp of few blocks or all warps of few shapes, stays in a loop as it was, which is small. Not
 * so where warps wait for each other: they run side by side. */
static void part_whole_warps(uw_arena *arena, const made_warps *m) {
  int64_t known;
  if (uw_const_value(uw_upper_of(m->lane_loop, 0), &known) || uw_has_waiting_threads(m->warp_loop, arena) ||
      (uw_const_value(m->count, &known) && known < LANES) || !uw_may_copy(m->warp_loop, UW_LARGE_GAIN, "form-warps"))
    return;
  uw_builder b = uw_at(m->warp_loop);
  MlirValue lanes = uw_const_index(&b, LANES), whole = uw_binary(&b, "arith.divui", m->count, lanes);
  if (!m->in_rows)
    whole = uw_select(&b, lie_in_rows(&b, m), whole, uw_const_index(&b, 0));
  MlirOperation made[2];
  uw_split_range(arena, m->warp_loop, 0, (uw_range[]){{.upper = whole}, {.lower = whole}}, 2, made);
  uw_note_copied(made[0], uw_count_operations(made[0]));
  uw_set_upper(m->lane_loop, 0, lanes);
  if (!m->in_rows)
    know_rows(arena, m);
  uw_set_attr(made[1], UW_RUNS_SELDOM, mlirUnitAttrGet(b.context));
}

uw_change uw_pass_form_warps(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation loop = loops.at[i];
    if (!uw_is_over(loop, UW_OVER_THREADS) || uw_has_exchange(loop, "block") ||
        !(uw_has_exchange(loop, "warp") || has_loops_of_warps(ctx->arena, loop)))
      continue;
    made_warps made = make_warps(ctx->arena, loop);
    part_whole_warps(ctx->arena, &made);
    change = UW_CHANGED;
  }
  return change;
}
