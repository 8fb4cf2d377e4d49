/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See parallel.h. */
#include "parallel.h"

#define OVER "unwarp.level"

static const char *const names[] = {
    [UW_OVER_NOTHING] = "parallel", [UW_OVER_BLOCKS] = "grid", [UW_OVER_THREADS] = "block",
    [UW_OVER_WARPS] = "warp",       [UW_OVER_LANES] = "lane",  [UW_OVER_FIBERS] = "concurrent",
};

const char *uw_over_name(uw_over over) { return names[over]; }

uw_over uw_loop_over(MlirOperation op) {
  for (uw_over over = UW_OVER_BLOCKS; over <= UW_OVER_FIBERS; over++)
    if (uw_is_over(op, over))
      return over;
  return UW_OVER_NOTHING;
}

bool uw_is_over(MlirOperation op, uw_over over) { return !uw_null(op) && uw_attr_is_str(op, OVER, names[over]); }

void uw_set_over(MlirOperation loop, uw_over over) {
  uw_set_attr(loop, OVER, uw_str_attr(mlirOperationGetContext(loop), names[over]));
}

uw_ops uw_collect_over(uw_arena *arena, MlirOperation root, uw_over over) {
  uw_ops loops = {0}, all = uw_collect_kind(arena, root, UW_OP_SCF_PARALLEL);
  for (size_t i = 0; i < all.count; i++)
    if (uw_is_over(all.at[i], over))
      uw_ops_push(arena, &loops, all.at[i]);
  return loops;
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

size_t uw_dims(MlirOperation loop) {
  return uw_kind(loop) == UW_OP_SCF_FOR ? 1 : (size_t)mlirBlockGetNumArguments(uw_block(loop, 0));
}

MlirValue uw_index(MlirOperation loop, size_t d) { return mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)d); }

static intptr_t place_of(MlirOperation loop, uw_bound which, size_t d) {
  return (intptr_t)((size_t)which * uw_dims(loop) + d);
}

MlirValue uw_loop_bound(MlirOperation loop, uw_bound which, size_t d) {
  return mlirOperationGetOperand(loop, place_of(loop, which, d));
}

void uw_set_loop_bound(MlirOperation loop, uw_bound which, size_t d, MlirValue value) {
  mlirOperationSetOperand(loop, place_of(loop, which, d), value);
}

/* --- building ----------------------------------------------------------------------------------------------------- */

static MlirOperation build(uw_builder *b, const MlirValue *bounds, size_t n) {
  const int32_t segments[] = {(int32_t)n, (int32_t)n, (int32_t)n, 0};
  MlirOperation op =
      uw_build(b, "scf.parallel", .in = {bounds, 3 * n}, .regions = 1, .segments = segments, .segment_count = 4);
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  for (size_t d = 0; d < n; d++)
    mlirBlockAddArgument(body, uw_index_type(b->context), b->location);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(op, 0), body);
  uw_builder inner = {b->context, b->location, body, {NULL}};
  uw_build(&inner, "scf.reduce");
  return op;
}

MlirOperation uw_build_parallel(uw_builder *b, uw_value_list uppers, uw_over over) {
  if (uppers.count > UW_MOST_DIMS)
    uw_fatal("bug in unwarp: a parallel loop of %zu dimensions", uppers.count);
  MlirValue zero = uw_const_index(b, 0), one = uw_const_index(b, 1), bounds[3 * UW_MOST_DIMS];
  for (size_t d = 0, n = uppers.count; d < n; d++) {
    bounds[d] = zero;
    bounds[n + d] = uppers.at[d];
    bounds[2 * n + d] = one;
  }
  MlirOperation op = build(b, bounds, uppers.count);
  uw_set_over(op, over);
  return op;
}

MlirOperation uw_parallel_like(uw_builder *b, MlirOperation loop) {
  MlirValue bounds[3 * UW_MOST_DIMS];
  size_t n = uw_dims(loop);
  if (n > UW_MOST_DIMS || uw_result_count(loop))
    uw_fatal("bug in unwarp: a loop of %zu dimensions with %zu results to copy", n, uw_result_count(loop));
  for (size_t d = 0; d < n; d++) {
    bounds[d] = uw_lower_of(loop, d);
    bounds[n + d] = uw_upper_of(loop, d);
    bounds[2 * n + d] = uw_step_of(loop, d);
  }
  uw_builder at = {b->context, mlirOperationGetLocation(loop), b->block, b->before};
  MlirOperation copy = build(&at, bounds, n);
  uw_set_over(copy, uw_loop_over(loop));
  return copy;
}
