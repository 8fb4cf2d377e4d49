/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Shares out long loops that passes moved to the launch, where one worker would make them while the others wait: those
 * that only look for a minimum or maximum of integers, or add them up.
 *
 *   %r = for (%k = %a to %b) iter(%s = %start) {            if (%b - %a >= UW_LEAST_SHARED_LOOP && workers > 1) {
 *     yield %s + f(%k) }                                      parallel (%p) to (UW_SHARED_LOOP_PARTS) {        a grid of its own
 *   parallel (%block) { … %r … }                     ==>        for (%k in part %p) iter(%s = 0) { … }  -> %parts[%p] }
 *                                                             %r = %start + all of %parts
 *                                                           } else { %r = for … as it was }
 *                                                           parallel (%block) { … %r … }
 *
 * Done when a) the loop stands in front of a loop over blocks, outside of all others, and steps by 1 between bounds
 * whose distance does not overflow 64 bits; b) what each of its values is carried by is a sum, product, minimum,
 * maximum or bitwise operation of integers, and nothing else looks at it between iterations; c) all else in it loads or
 * computes.
 *
 * Legal because a) these operations may be taken in any order and any grouping, modulo 2^n: what was said of their
 * overflow is dropped;
 * b) the parts begin with what changes nothing; c) the loop has no effects, so that workers may make its iterations at
 * once, and what it loads nobody changes while the launch has not begun.
 *
 * Requires: licm passes, and reductions, whose narrow starts change nothing either. Preserves: all else. Refuses:
 * floating-point sums, whose order counts (reductions.c); loops inside of blocks; the rest, silently. */
#include "../../analysis/thresholds.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/version.h"
#include "../passes.h"

#define DONE "unwarp.shared_out"

static unsigned width_of(MlirType type) { return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0; }

static const char *name_of(uw_kind_t kind) {
  switch (kind) {
  case UW_OP_ARITH_ADDI: return "arith.addi";
  case UW_OP_ARITH_MULI: return "arith.muli";
  case UW_OP_ARITH_ANDI: return "arith.andi";
  case UW_OP_ARITH_ORI: return "arith.ori";
  case UW_OP_ARITH_XORI: return "arith.xori";
  case UW_OP_ARITH_MINSI: return "arith.minsi";
  case UW_OP_ARITH_MINUI: return "arith.minui";
  case UW_OP_ARITH_MAXSI: return "arith.maxsi";
  default: return "arith.maxui";
  }
}

/* What joining changes nothing; false if the values may not be joined in any order. */
static bool neutral_of(uw_kind_t kind, unsigned bits, int64_t *number) {
  const int64_t ones = (int64_t)(UINT64_MAX >> (64 - bits)), most = (int64_t)(UINT64_MAX >> (65 - bits));
  switch (kind) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_ORI:
  case UW_OP_ARITH_XORI:
  case UW_OP_ARITH_MAXUI: return *number = 0, true;
  case UW_OP_ARITH_MULI: return *number = 1, true;
  case UW_OP_ARITH_ANDI:
  case UW_OP_ARITH_MINUI: return *number = ones, true;
  case UW_OP_ARITH_MINSI: return *number = most, true;
  case UW_OP_ARITH_MAXSI: return *number = -most - 1, true;
  default: return false;
  }
}

static MlirOperation joins(MlirOperation loop, size_t number) {
  return uw_def(uw_operand(uw_last(uw_block(loop, 0)), number));
}

static bool is_joined(MlirOperation loop, size_t number) {
  MlirBlock body = uw_block(loop, 0);
  MlirValue carried = mlirBlockGetArgument(body, (intptr_t)number + 1);
  MlirOperation op = joins(loop, number);
  unsigned bits = width_of(mlirValueGetType(carried));
  int64_t neutral;
  if (bits < 8 || bits > 64 || uw_null(op) || !neutral_of(uw_kind(op), bits, &neutral))
    return false;
  return mlirBlockEqual(mlirOperationGetBlock(op), body) && uw_used_once(carried) && uw_used_once(uw_result(op, 0)) &&
         (uw_same(uw_operand(op, 0), carried) || uw_same(uw_operand(op, 1), carried));
}

static bool only_reads(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    uw_kind_t kind = uw_kind(ops.at[i]);
    bool loads = kind == UW_OP_LLVM_LOAD && uw_plain_access(ops.at[i]), moves_on = kind == UW_OP_SCF_YIELD;
    bool computes = uw_region_count(ops.at[i]) == 0 && uw_effect_free(ops.at[i]);
    if (!loads && !moves_on && !computes)
      return false;
  }
  return true;
}

static bool is_before_blocks(MlirOperation loop) {
  for (MlirOperation around = uw_parent(loop); !uw_null(around); around = uw_parent(around))
    if (uw_kind(around) == UW_OP_SCF_FORALL)
      return false;
  for (MlirOperation op = uw_next(loop); !uw_null(op); op = uw_next(op))
    if (uw_is_over(op, UW_OVER_BLOCKS))
      return true;
  return false;
}

/* By 1, and from where no distance overflows: integers of up to 32 bits, or from 0 on. */
static bool counts(MlirOperation loop) {
  int64_t lower, step;
  unsigned bits = width_of(mlirValueGetType(uw_operand(loop, 0)));
  bool is_narrow = bits > 0 && bits <= 32, is_signed = mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp"));
  return uw_const_value(uw_operand(loop, 2), &step) && step == 1 &&
         (is_narrow || (is_signed && uw_const_value(uw_operand(loop, 0), &lower) && lower >= 0));
}

static bool is_shared_out(uw_arena *arena, MlirOperation loop) {
  size_t count = uw_result_count(loop);
  if (count == 0 || !mlirAttributeIsNull(uw_get_attr(loop, DONE)) || !is_before_blocks(loop) || !counts(loop) ||
      !only_reads(arena, loop))
    return false;
  for (size_t i = 0; i < count; i++)
    if (!is_joined(loop, i))
      return false;
  return true;
}

/* --- the parts ---------------------------------------------------------------------------------------------------- */

static MlirValue resize(uw_builder *b, MlirOperation loop, MlirValue value, MlirType to) {
  bool is_signed = mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp"));
  MlirType from = mlirValueGetType(value), index = uw_index_type(b->context);
  if (mlirTypeEqual(from, to))
    return value;
  if (mlirTypeEqual(from, index) || mlirTypeEqual(to, index))
    return uw_build1(b, is_signed ? "arith.index_cast" : "arith.index_castui", .in = VALS(value), .out = TYPES(to));
  return uw_build1(b,
                   width_of(to) < width_of(from) ? "arith.trunci"
                   : is_signed                   ? "arith.extsi"
                                                 : "arith.extui",
                   .in = VALS(value), .out = TYPES(to));
}

/* Room for a value of each part, in the function's frame. */
static MlirValue build_room(MlirOperation loop, MlirType element) {
  MlirOperation function = loop;
  while (uw_kind(function) != UW_OP_FUNC && uw_kind(function) != UW_OP_LLVM_FUNC)
    function = uw_parent(function);
  uw_builder top = uw_at(uw_first(uw_block(function, 0)));
  return uw_build1(&top, "llvm.alloca", .in = VALS(uw_const_int(&top, 64, UW_SHARED_LOOP_PARTS)),
                   .out = TYPES(uw_ptr_type(top.context)),
                   .attrs =
                       ATTRS({"elem_type", mlirTypeAttrGet(element)}, {"alignment", uw_int_attr(top.context, 64, 64)}));
}

static MlirValue place_of(uw_builder *b, MlirValue room, MlirType element, MlirValue part) {
  MlirType i64 = uw_int_type(b->context, 64);
  return uw_add_elements(b, room, element, uw_build1(b, "arith.index_cast", .in = VALS(part), .out = TYPES(i64)));
}

static MlirValue bound_of(uw_builder *b, MlirOperation loop, MlirValue part, MlirValue iterations) {
  MlirValue far = uw_binary(b, "arith.divui", iterations, uw_const_index(b, UW_SHARED_LOOP_PARTS)),
            rest = uw_binary(b, "arith.remui", iterations, uw_const_index(b, UW_SHARED_LOOP_PARTS));
  MlirValue own =
      uw_binary(b, "arith.addi", uw_binary(b, "arith.muli", far, part), uw_binary(b, "arith.minui", rest, part));
  MlirValue lower = uw_operand(loop, 0);
  return uw_binary(b, "arith.addi", lower, resize(b, loop, own, mlirValueGetType(lower)));
}

static void build_part(uw_arena *arena, uw_builder *b, MlirOperation loop, MlirValue iterations, const uw_vals *rooms) {
  MlirOperation grid = uw_build_parallel(b, VALS(uw_const_index(b, UW_SHARED_LOOP_PARTS)), UW_OVER_BLOCKS);
  MlirValue part = mlirBlockGetArgument(uw_block(grid, 0), 0);
  uw_builder in = uw_at_end(uw_block(grid, 0), b->location);
  MlirValue next = uw_binary(&in, "arith.addi", part, uw_const_index(&in, 1));
  MlirValue from = bound_of(&in, loop, part, iterations), to = bound_of(&in, loop, next, iterations);
  MlirOperation own = uw_clone(&in, loop, uw_map_create(arena));
  uw_set_attr(own, DONE, mlirUnitAttrGet(in.context));
  mlirOperationSetOperand(own, 0, from);
  mlirOperationSetOperand(own, 1, to);
  for (size_t i = 0; i < rooms->count; i++) {
    MlirType type = mlirValueGetType(uw_result(own, i));
    int64_t neutral = 0;
    neutral_of(uw_kind(joins(own, i)), width_of(type), &neutral);
    uw_builder before = uw_at(own);
    mlirOperationSetOperand(own, (intptr_t)i + 3, uw_const_int(&before, width_of(type), neutral));
    if (!mlirAttributeIsNull(uw_get_attr(joins(own, i), "overflowFlags")))
      uw_set_attr(joins(own, i), "overflowFlags", uw_attr(in.context, "#arith.overflow<none>"));
    uw_build(&in, "llvm.store", .in = VALS(uw_result(own, i), place_of(&in, rooms->at[i], type, part)));
  }
}

static void join_parts(uw_arena *arena, uw_builder *b, MlirOperation loop, const uw_vals *rooms, uw_vals *results) {
  uw_vals starts = {0}, next = {0};
  for (size_t i = 0; i < rooms->count; i++)
    uw_vals_push(arena, &starts, uw_operand(loop, i + 3));
  MlirOperation all = uw_build_for(b, uw_const_index(b, 0), uw_const_index(b, UW_SHARED_LOOP_PARTS),
                                   uw_const_index(b, 1), VALS_OF(starts));
  uw_builder in = uw_at_end(uw_block(all, 0), b->location);
  for (size_t i = 0; i < rooms->count; i++) {
    MlirValue carried = mlirBlockGetArgument(uw_block(all, 0), (intptr_t)i + 1);
    MlirType type = mlirValueGetType(carried);
    MlirValue place = place_of(&in, rooms->at[i], type, mlirBlockGetArgument(uw_block(all, 0), 0));
    MlirValue part = uw_build1(&in, "llvm.load", .in = VALS(place), .out = TYPES(type));
    uw_vals_push(arena, &next,
                 uw_build1(&in, name_of(uw_kind(joins(loop, i))), .in = VALS(carried, part), .out = TYPES(type)));
    uw_vals_push(arena, results, uw_result(all, i));
  }
  uw_yield(uw_block(all, 0), b->location, VALS_OF(next));
}

static bool share_out(uw_arena *arena, MlirOperation loop) {
  if (!is_shared_out(arena, loop))
    return false;
  uw_remark(mlirOperationGetLocation(loop), "parallel-reductions",
            "loop at the launch shared out to the workers where it is long");
  uw_builder b = uw_at(loop);
  b.location = mlirLocationNameGet(b.context, uw_str(UW_UNREMARKED), b.location);
  MlirType index = uw_index_type(b.context), i64 = uw_int_type(b.context, 64), i32 = uw_int_type(b.context, 32);
  size_t count = uw_result_count(loop);
  uw_vals rooms = {0}, results = {0};
  for (size_t i = 0; i < count; i++)
    uw_vals_push(arena, &rooms, build_room(loop, mlirValueGetType(uw_result(loop, i))));
  MlirType wide = mlirTypeEqual(mlirValueGetType(uw_operand(loop, 0)), index) ? index : i64;
  MlirValue iterations = uw_binary(&b, "arith.subi", resize(&b, loop, uw_operand(loop, 1), wide),
                                   resize(&b, loop, uw_operand(loop, 0), wide));
  iterations = mlirTypeEqual(wide, index)
                   ? iterations
                   : uw_build1(&b, "arith.index_cast", .in = VALS(iterations), .out = TYPES(index));
  uw_declare(mlirModuleFromOperation(uw_parent_of_kind(loop, UW_OP_MODULE)), "uwrt_max_workers", "!llvm.func<i32 ()>");
  MlirValue workers = uw_result(uw_call(&b, "uwrt_max_workers", (uw_value_list){0}, i32), 0);
  MlirValue several = uw_compare(&b, UW_SGT, workers, uw_const_int(&b, 32, 1));
  MlirValue is_long = uw_compare(&b, UW_SGE, iterations, uw_const_index(&b, UW_LEAST_SHARED_LOOP));
  uw_versions versions = uw_make_versions(arena, &b, .asked = uw_binary(&b, "arith.andi", several, is_long),
                                          .first = loop, .own = UW_FAILS, .written = true);
  b = versions.in[UW_HOLDS];
  build_part(arena, &b, loop, iterations, &rooms);
  join_parts(arena, &b, loop, &rooms, &results);
  uw_end_version(&versions, UW_HOLDS, VALS_OF(results));
  uw_set_attr(loop, DONE, mlirUnitAttrGet(b.context));
  return true;
}

uw_change uw_pass_parallel_reductions(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_kind(ctx->arena, root, UW_OP_SCF_FOR), share_out);
}
