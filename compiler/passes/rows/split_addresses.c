/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes the addresses of a row of threads apart into what is the same for the row and the thread's index, so that LLVM
 * sees where they are contiguous: a choice between two rows hides both, as an extension to 64 bits hides what may have
 * wrapped around in 32.
 *
 *   %i = addi %row, %x : i32                             %r = select %top, %row', %row' - %w' : index
 *   %n = subi %i, %w : i32 nsw                    ==>    load %p[%r + %x]
 *   %k = select %top, %i, %n : i32
 *   load %p[extsi %k]
 *
 * What 64 bits add up only to be cut to 32 is added up in 32, so that lanes of 4 bytes have words for it:
 *
 *   trunci (addi %row, cast %x) : i64 to i32       ==>   addi (trunci %row), (cast %x) : i32
 *
 * Legal because wide.h's sums are the same integers, and the low bits of a sum are the sum of low bits. Done when the sum has the thread's index with a known factor.
 * Requires: thread loops as they will be serialised (last of our passes). Preserves: all values. Refuses: the rest,
 * silently. */
#include "../../ir/parallel.h"
#include "../passes.h"
#include "wide.h"

enum { DEEPEST = 8, MOST_TIMES = 2 /* bound: as many operations as before */ };

/* Is there, within the loop, an extension from 32 bits or a choice in the arithmetic? */
static bool hides_sum(MlirOperation loop, MlirValue value, int depth) {
  MlirOperation op = uw_def(value);
  if (!uw_defined_inside(value, loop))
    return false;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI: return mlirIntegerTypeGetWidth(mlirValueGetType(uw_operand(op, 0))) == 32;
  case UW_OP_ARITH_SELECT: return true;
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
    for (size_t i = 0; i < 2; i++)
      if (depth < DEEPEST && hides_sum(loop, uw_operand(op, i), depth + 1))
        return true;
    return false;
  default: return false;
  }
}

/* The loop whose iterations become SIMD lanes: the innermost one over threads. */
static MlirOperation loop_of(MlirOperation op) {
  do
    op = uw_parent(op);
  while (!uw_null(op) && uw_kind(op) != UW_OP_SCF_FORALL);
  return uw_null(op) || uw_is_over(op, UW_OVER_BLOCKS) ? (MlirOperation){NULL} : op;
}

/* What was taken apart in the loop. */
static uw_wides *known_in(uw_arena *arena, uw_table *of_loops, MlirOperation loop) {
  uw_wides *known = (uw_wides *)uw_table_get(of_loops, loop.ptr);
  if (!known) {
    known = uw_wides_create(arena, loop, true);
    uw_table_set(of_loops, loop.ptr, (intptr_t)known);
  }
  return known;
}

static bool take_apart(uw_arena *arena, uw_table *of_loops, MlirOperation gep) {
  MlirOperation loop = loop_of(gep);
  bool changed = false;
  for (size_t i = 1; !uw_null(loop) && i < uw_operand_count(gep); i++) {
    MlirValue index = uw_operand(gep, i);
    if (!mlirTypeIsAInteger(mlirValueGetType(index)) || mlirIntegerTypeGetWidth(mlirValueGetType(index)) != 64 ||
        !hides_sum(loop, index, 0))
      continue;
    uw_builder b = uw_at(gep);
    uw_wide sum = uw_wide_of(known_in(arena, of_loops, loop), &b, index, true);
    if (sum.factor == 0)
      continue;
    MlirValue value = uw_wide_value(&b, loop, &sum);
    mlirOperationSetOperand(
        gep, (intptr_t)i,
        uw_build1(&b, "arith.index_cast", .in = VALS(value), .out = TYPES(uw_int_type(b.context, 64))));
    changed = true;
  }
  return changed;
}

/* --- sums that are cut -------------------------------------------------------------------------------------------- */

static bool is_cast_of_index(MlirValue value) {
  MlirOperation op = uw_def(value);
  return (uw_kind(op) == UW_OP_ARITH_INDEX_CAST || uw_kind(op) == UW_OP_ARITH_INDEX_CASTUI) &&
         mlirTypeIsAIndex(mlirValueGetType(uw_operand(op, 0)));
}

/* Is it a sum of what is the same for the row and thread indices? *differs: there are thread indices in it. */
static bool is_sum_of_row(MlirOperation loop, MlirValue value, int depth, bool *differs) {
  if (!uw_defined_inside(value, loop))
    return true;
  MlirOperation op = uw_def(value);
  if (is_cast_of_index(value)) {
    *differs = true;
    return true;
  }
  return depth < DEEPEST && (uw_kind(op) == UW_OP_ARITH_ADDI || uw_kind(op) == UW_OP_ARITH_SUBI) &&
         is_sum_of_row(loop, uw_operand(op, 0), depth + 1, differs) &&
         is_sum_of_row(loop, uw_operand(op, 1), depth + 1, differs);
}

static MlirValue add_up(uw_builder *b, MlirOperation loop, MlirValue value, MlirType type) {
  MlirOperation op = uw_def(value);
  if (!uw_defined_inside(value, loop))
    return uw_build1(b, "arith.trunci", .in = VALS(value), .out = TYPES(type));
  if (is_cast_of_index(value))
    return uw_build1(b, "arith.index_cast", .in = VALS(uw_operand(op, 0)), .out = TYPES(type));
  MlirValue left = add_up(b, loop, uw_operand(op, 0), type), right = add_up(b, loop, uw_operand(op, 1), type);
  return uw_binary(b, uw_kind(op) == UW_OP_ARITH_ADDI ? "arith.addi" : "arith.subi", left, right);
}

static bool cut_early(MlirOperation cut) {
  MlirOperation loop = loop_of(cut), sum = uw_def(uw_operand(cut, 0));
  bool differs = false;
  if (uw_null(loop) || (uw_kind(sum) != UW_OP_ARITH_ADDI && uw_kind(sum) != UW_OP_ARITH_SUBI) ||
      mlirIntegerTypeGetWidth(mlirValueGetType(uw_result(cut, 0))) != 32 ||
      !is_sum_of_row(loop, uw_operand(cut, 0), 0, &differs) || !differs)
    return false;
  uw_builder b = uw_at(cut);
  uw_replace_uses(uw_result(cut, 0), add_up(&b, loop, uw_operand(cut, 0), mlirValueGetType(uw_result(cut, 0))));
  uw_erase(cut);
  return true;
}

uw_change uw_pass_split_addresses(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops geps = uw_collect_kind(ctx->arena, root, UW_OP_LLVM_GEP);
  uw_table *of_loops = uw_table_create(ctx->arena);
  size_t before = uw_collect(ctx->arena, root).count;
  for (size_t i = 0; i < geps.count; i++)
    if (take_apart(ctx->arena, of_loops, geps.at[i]))
      change = UW_CHANGED;
  uw_ops cuts = uw_collect_kind(ctx->arena, root, UW_OP_ARITH_TRUNCI);
  for (size_t i = 0; i < cuts.count; i++)
    if (cut_early(cuts.at[i]))
      change = UW_CHANGED;
  /* Sums that showed no factor are not used. A few may stay until the next simplification: the bounds of small launches
   * (lower/small_launches.c) were found with them. */
  if (uw_collect(ctx->arena, root).count > MOST_TIMES * before)
    uw_drop_unused(ctx->arena, root);
  return change;
}
