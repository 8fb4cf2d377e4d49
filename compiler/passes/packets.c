/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes WIDTH neighbouring threads at a time through a compute loop, so that they are its innermost loop and become SIMD lanes,
 * with what they carry from round to round in vector registers:
 *
 *   parallel (%y, %x) to (%ny, %nx) {              parallel (%y, %p) to (%ny, %nx / WIDTH) {
 *     for (%k) sum += a[%y][%k] * b[%k][%x]   ==>    for (%k) {
 *     store sum }                                      lanes %l { sum[%l] += a[%y][%k] * b[%k][%p * WIDTH + %l] } }
 *                                                    lanes %l { store sum[%l] } }
 *                                                  and the threads of %nx % WIDTH as they were
 *
 * The loop over packets stands around one over lanes; a barrier of the lanes at the end of the compute loop's body makes
 * lower-barriers' machinery do the swap.
 *
 * Done when a) the thread loop holds no exchange any more, and its innermost dimension starts at 0; b) somewhere in it is a for
 * whose bounds are the same for all lanes, as the bounds and conditions around it are; c) its body is straight-line code that loads
 * and computes, MIN_FLOPS operations at least and MAX_CARRIED carried values at most; d) all its loads go to one place for all
 * lanes, or to neighbouring ones.
 *
 * Legal because threads between two barriers do not wait for each other. Requires: barriers lowered, tighten. Preserves: each
 * thread's order. Refuses: all else, in silence. */
#include "../analysis/linear.h"
#include "../ir/remarks.h"
#include "../analysis/exchange.h"
#include "thread_loop.h"

enum { WIDTH = 16, MIN_FLOPS = 1, MAX_CARRIED = 6 };

static bool is_floating(MlirOperation op) {
  return uw_result_count(op) == 1 && mlirTypeIsAFloat(mlirValueGetType(uw_result(op, 0))) &&
         (uw_name_starts(op, "arith.") || uw_name_starts(op, "math.")) && uw_kind(op) != UW_OP_ARITH_CONSTANT &&
         uw_kind(op) != UW_OP_ARITH_SELECT;
}

static bool is_plain_load(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op) &&
         uw_kind(uw_address_root(uw_operand(op, 0))) != UW_OP_LLVM_ALLOCA;
}

static bool computes(MlirOperation loop) {
  size_t flops = 0;
  uw_foreach_op(op, uw_block(loop, 0)) {
    if (uw_kind(op) == UW_OP_SCF_YIELD)
      continue;
    if (mlirOperationGetNumRegions(op) != 0 || (!uw_speculatable(op) && !is_plain_load(op)))
      return false;
    flops += is_floating(op);
  }
  return flops >= MIN_FLOPS && uw_result_count(loop) > 0 && uw_result_count(loop) <= MAX_CARRIED;
}

static bool uniform_bounds(const uw_uniformity *facts, MlirOperation loop) {
  for (size_t i = 0; i < 3; i++)
    if (!uw_uniform(facts, uw_operand(loop, i)))
      return false;
  return true;
}

static bool reached_by_all(const uw_uniformity *facts, MlirOperation loop, MlirOperation lanes) {
  for (MlirOperation op = uw_parent(loop); !uw_same_op(op, lanes); op = uw_parent(op)) {
    bool uniform = uw_kind(op) == UW_OP_SCF_FOR  ? uniform_bounds(facts, op)
                   : uw_kind(op) == UW_OP_SCF_IF ? uw_uniform(facts, uw_operand(op, 0))
                                                 : false;
    if (!uniform)
      return false;
  }
  return true;
}

/* One place for all lanes, or an element further for each. */
static bool loads_side_by_side(const uw_uniformity *facts, MlirOperation lanes, MlirOperation load) {
  uw_address address = uw_address_of(uw_operand(load, 0));
  MlirValue lane = mlirBlockGetArgument(uw_block(lanes, 0), 0);
  if (!address.offset.known || !uw_uniform(facts, address.base))
    return false;
  for (size_t i = 0; i < address.offset.count; i++) {
    const uw_term *term = &address.offset.terms[i];
    bool own = uw_same(term->symbol, lane) && !term->scale.ptr;
    if (own && term->factor != (int64_t)uw_type_bytes(mlirValueGetType(uw_result(load, 0))))
      return false;
    if (!own && (!uw_uniform(facts, term->symbol) || (term->scale.ptr && !uw_uniform(facts, term->scale))))
      return false;
  }
  return true;
}

static bool fits(const uw_uniformity *facts, MlirOperation lanes, MlirOperation loop) {
  if (!computes(loop) || !uniform_bounds(facts, loop) || !reached_by_all(facts, loop, lanes))
    return false;
  uw_foreach_op(op, uw_block(loop, 0))
    if (uw_kind(op) == UW_OP_LLVM_LOAD && !loads_side_by_side(facts, lanes, op))
      return false;
  return true;
}

/* A copy of the loop's body as lanes, in a loop over packets before it. */
static MlirOperation make_lanes(uw_arena *arena, MlirOperation loop, MlirValue packets) {
  MlirBlock body = uw_block(loop, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body);
  uw_builder b = uw_at(loop);
  MlirOperation outer = uw_loop_like(&b, loop);
  mlirOperationSetOperand(outer, (intptr_t)(2 * dims - 1), packets);
  uw_builder in = uw_at_end(uw_block(outer, 0), b.location);
  MlirValue width = uw_const_index(&in, WIDTH);
  MlirOperation lanes = uw_build_parallel(&in, VALS(width), "lane");
  uw_map *map = uw_map_create(arena);
  uw_builder at = uw_at_end(uw_block(lanes, 0), b.location);
  for (size_t d = 0; d < dims; d++) {
    MlirValue own = mlirBlockGetArgument(uw_block(outer, 0), (intptr_t)d);
    if (d + 1 == dims)
      own = uw_binary(&at, "arith.addi", uw_binary(&at, "arith.muli", own, width), mlirBlockGetArgument(uw_block(lanes, 0), 0));
    uw_map_set(map, mlirBlockGetArgument(body, (intptr_t)d), own);
  }
  uw_foreach_op(op, body)
    if (uw_kind(op) != UW_OP_SCF_REDUCE)
      uw_clone(&at, op, map);
  return lanes;
}

/* Puts barriers into the loops that fit; false if there are none. */
static bool add_barriers(uw_arena *arena, MlirOperation lanes) {
  const uw_uniformity *facts = uw_uniformity_of(arena, lanes, "warp");
  uw_ops loops = uw_collect_kind(arena, lanes, UW_OP_SCF_FOR), chosen = {0};
  for (size_t i = 0; i < loops.count; i++)
    if (fits(facts, lanes, loops.at[i]))
      uw_ops_push(arena, &chosen, loops.at[i]);
  for (size_t i = 0; i < chosen.count; i++) {
    uw_remark(mlirOperationGetLocation(chosen.at[i]), "packets", "compute loop: %d threads at a time, as SIMD lanes", WIDTH);
    uw_builder b = uw_at(uw_last(uw_block(chosen.at[i], 0)));
    uw_build(&b, "unwarp.barrier", .attrs = ATTRS({"level", uw_str_attr(b.context, "warp")}));
  }
  return chosen.count > 0;
}

static bool is_candidate(uw_arena *arena, MlirOperation loop) {
  size_t dims = (size_t)mlirBlockGetNumArguments(uw_block(loop, 0));
  int64_t lower, upper;
  if (!uw_attr_is_str(loop, "unwarp.level", "block") || dims == 0 || uw_has_exchange(loop, "block") ||
      uw_has_exchange(loop, "warp") || uw_collect_kind(arena, loop, UW_OP_SCF_PARALLEL).count ||
      !uw_const_value(uw_operand(loop, dims - 1), &lower) || lower != 0 ||
      (uw_const_value(uw_operand(loop, 2 * dims - 1), &upper) && upper < WIDTH))
    return false;
  uw_ops loops = uw_collect_kind(arena, loop, UW_OP_SCF_FOR);
  for (size_t i = 0; i < loops.count; i++)
    if (computes(loops.at[i]))
      return true;
  return false;
}

static bool pack(uw_arena *arena, MlirOperation loop, bool *failed) {
  size_t dims = (size_t)mlirBlockGetNumArguments(uw_block(loop, 0));
  MlirValue extent = uw_operand(loop, 2 * dims - 1);
  int64_t known;
  bool is_known = uw_const_value(extent, &known);
  uw_builder b = uw_at(loop);
  MlirValue width = uw_const_index(&b, WIDTH);
  MlirValue packets = is_known ? uw_const_index(&b, known / WIDTH)
                               : uw_binary(&b, "arith.divsi", uw_binary(&b, "arith.maxsi", extent, uw_const_index(&b, 0)), width);
  MlirOperation lanes = make_lanes(arena, loop, packets);
  if (!add_barriers(arena, lanes)) {
    uw_erase(uw_parent(lanes));
    return false;
  }
  *failed = !uw_lower_thread_loop(arena, lanes);
  if (is_known && known % WIDTH == 0)
    mlirOperationDestroy(loop);
  else
    mlirOperationSetOperand(loop, (intptr_t)dims - 1, uw_binary(&b, "arith.muli", packets, width));
  return true;
}

uw_change uw_pass_packets(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_PARALLEL);
  for (size_t i = 0; i < loops.count; i++) {
    bool failed = false;
    if (is_candidate(ctx->arena, loops.at[i]) && pack(ctx->arena, loops.at[i], &failed))
      change = UW_CHANGED;
    if (failed)
      return UW_FAILED;
  }
  uw_finish_slots(ctx->arena, root);
  return change;
}
