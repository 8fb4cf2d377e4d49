/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes a loop over the threads of a block one over its warps around one over the lanes of a warp: 32 threads that follow each other
 * in linear order, fewer in the last warp.
 *
 *   parallel (%z, %y, %x) in (nz, ny, nx)      ==>     parallel %w in ceildiv(n, 32)      {unwarp.level = "warp"}
 *     body(%z, %y, %x)                                   parallel %l in min(32, n - 32 %w)  {unwarp.level = "lane"}
 *                                                          %i = 32 %w + %l
 *                                                          body(%i / (nx ny), %i / nx mod ny, %i mod nx)
 *
 * Where a bound is 1 its index is 0. Where nx is a known multiple of 32, a warp lies in one row: y and z are the same for its
 * lanes, and x is a multiple of 32 plus the lane, so that x >> 5 and x & 31 fold to the warp and the lane.
 * Requires: bounds from 0 by 1. Preserves: the order of threads. Refuses: nothing. */
#include "thread_loop.h"

enum { LANES = 32, CMP_ULT = 6 };

static MlirValue arith(uw_builder *b, const char *name, MlirValue left, MlirValue right) {
  return uw_build1(b, name, .in = VALS(left, right), .out = TYPES(mlirValueGetType(left)));
}

static bool constant(MlirValue value, int64_t number) {
  int64_t known;
  return uw_const_value(value, &known) && known == number;
}

/* value op number, left out where it changes nothing. */
static MlirValue divide(uw_builder *b, MlirValue value, MlirValue by) {
  return constant(by, 1) ? value : arith(b, "arith.divui", value, by);
}
static MlirValue multiply(uw_builder *b, MlirValue left, MlirValue right) {
  return constant(left, 1) ? right : constant(right, 1) ? left : arith(b, "arith.muli", left, right);
}

/* Folds `x >> 5`, `x / 32`, `x & 31` and `x % 32`, x = 32 warp + lane, through integer casts of x. Casts keep what matters: x is
 * below 2^31. */
static void fold_uses(uw_arena *arena, MlirValue x, MlirValue warp, MlirValue lane) {
  uw_ops users = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(x); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    uw_ops_push(arena, &users, mlirOpOperandGetOwner(use));
  for (size_t i = 0; i < users.count; i++) {
    MlirOperation op = users.at[i];
    MlirStringRef name = uw_name(op);
    int64_t number;
    if (uw_operand_count(op) == 1 &&
        (uw_string_is(name, "arith.index_cast") || uw_string_is(name, "arith.index_castui") ||
         uw_string_is(name, "arith.extui") || uw_string_is(name, "arith.extsi") || uw_string_is(name, "arith.trunci"))) {
      MlirType type = mlirValueGetType(uw_result(op, 0));
      if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < 32)
        continue;
      fold_uses(arena, uw_result(op, 0), warp, lane);
      continue;
    }
    if (uw_operand_count(op) != 2 || !uw_same(uw_operand(op, 0), x) || !uw_const_value(uw_operand(op, 1), &number))
      continue;
    bool is_warp = ((uw_string_is(name, "arith.shrui") || uw_string_is(name, "arith.shrsi")) && number == 5) ||
                   ((uw_string_is(name, "arith.divui") || uw_string_is(name, "arith.divsi")) && number == LANES);
    bool is_lane = (uw_string_is(name, "arith.andi") && number == LANES - 1) ||
                   ((uw_string_is(name, "arith.remui") || uw_string_is(name, "arith.remsi")) && number == LANES);
    if (!is_warp && !is_lane)
      continue;
    uw_builder b = uw_at(op);
    MlirValue folded = is_warp ? warp : lane;
    MlirType type = mlirValueGetType(uw_result(op, 0));
    if (!mlirTypeEqual(type, mlirValueGetType(folded)))
      folded = uw_build1(&b, "arith.index_cast", .in = VALS(folded), .out = TYPES(type));
    uw_replace_uses(uw_result(op, 0), folded);
  }
}

MlirOperation uw_make_lanes(uw_arena *arena, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  size_t n = (size_t)mlirBlockGetNumArguments(body);
  uw_builder b = uw_at(loop);
  MlirValue lanes = uw_const_index(&b, LANES), one = uw_const_index(&b, 1), bounds[3] = {one, one, one};
  if (n > 3)
    uw_fatal("bug in unwarp: a thread loop of %zu dimensions", n);
  for (size_t i = 0; i < n; i++) /* z, y, x: x last */
    bounds[3 - n + i] = uw_operand(loop, n + i);
  MlirValue plane = multiply(&b, bounds[2], bounds[1]), count = multiply(&b, plane, bounds[0]);
  MlirValue warps;
  int64_t known, row = 0;
  if (uw_const_value(bounds[0], &known) && uw_const_value(bounds[1], &known) && uw_const_value(bounds[2], &row)) {
    int64_t nz, ny;
    uw_const_value(bounds[0], &nz);
    uw_const_value(bounds[1], &ny);
    count = uw_const_index(&b, nz * ny * row);
    warps = uw_const_index(&b, (nz * ny * row + LANES - 1) / LANES);
  } else {
    MlirValue rounded = arith(&b, "arith.addi", count, uw_const_index(&b, LANES - 1));
    warps = arith(&b, "arith.divui", rounded, lanes);
    if (!uw_const_value(bounds[2], &row))
      row = 0;
  }
  MlirOperation warp_loop = uw_build_parallel(&b, VALS(warps), "warp");
  uw_builder outer = uw_at_end(uw_block(warp_loop, 0), b.location);
  MlirValue warp = mlirBlockGetArgument(outer.block, 0);
  MlirValue first = arith(&outer, "arith.muli", warp, lanes);
  int64_t threads;
  MlirValue here = lanes;
  if (!uw_const_value(count, &threads) || threads % LANES != 0)
    here = arith(&outer, "arith.minui", lanes, arith(&outer, "arith.subi", count, first));
  bool whole_rows = row > 0 && row % LANES == 0;
  bool one_row = constant(bounds[0], 1) && constant(bounds[1], 1);
  MlirValue row_warp = warp, ids[3];
  if (whole_rows && !one_row)
    row_warp = arith(&outer, "arith.remui", warp, uw_const_index(&outer, row / LANES));
  MlirOperation lane_loop = uw_build_parallel(&outer, VALS(here), "lane");
  uw_builder inner = uw_at_end(uw_block(lane_loop, 0), b.location);
  MlirValue lane = mlirBlockGetArgument(inner.block, 0);
  MlirValue zero = uw_const_index(&inner, 0);
  MlirValue linear = whole_rows ? first : arith(&inner, "arith.addi", first, lane); /* of its first lane, if that is all it takes */
  uw_builder *at = whole_rows ? &outer : &inner;
  if (whole_rows)
    outer = uw_at(lane_loop);
  bool in_row = whole_rows || one_row;
  if (in_row)
    ids[2] = arith(&inner, "arith.addi", uw_same(row_warp, warp) ? first : arith(&outer, "arith.muli", row_warp, lanes), lane);
  else
    ids[2] = arith(at, "arith.remui", linear, bounds[2]);
  MlirValue rows = one_row ? zero : divide(at, linear, bounds[2]);
  ids[1] = constant(bounds[1], 1) ? zero : constant(bounds[0], 1) ? rows : arith(at, "arith.remui", rows, bounds[1]);
  ids[0] = constant(bounds[0], 1) ? zero : divide(at, linear, plane);
  if (!in_row && constant(bounds[2], 1))
    ids[2] = zero;
  MlirOperation reduce = uw_last(inner.block);
  uw_foreach_op_safe(op, body)
    if (uw_kind(op) != UW_OP_SCF_REDUCE)
      uw_move_before(op, reduce);
  for (size_t i = 0; i < n; i++)
    uw_replace_uses(mlirBlockGetArgument(body, (intptr_t)i), ids[3 - n + i]);
  if (in_row)
    fold_uses(arena, ids[2], row_warp, lane);
  mlirOperationDestroy(loop);
  return lane_loop;
}
