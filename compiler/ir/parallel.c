/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See parallel.h. */
#include "parallel.h"

#include <string.h>

#include "shim.h"

#define MAPPING "mapping"
#define LENT "unwarp.lent"
#define CONCURRENT "unwarp.concurrent"

enum { CUDA_DIMS = 3 };

/* The dimensions of loops have the names of CUDA's. */
static const char *const mappings[][CUDA_DIMS] = {
    [UW_OVER_BLOCKS] = {"[#gpu.block<x>]", "[#gpu.block<y>, #gpu.block<x>]",
                        "[#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]"},
    [UW_OVER_THREADS] = {"[#gpu.thread<x>]", "[#gpu.thread<y>, #gpu.thread<x>]",
                         "[#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]"},
    [UW_OVER_WARPS] = {"[#gpu.warp<x>]", "[#gpu.warp<y>, #gpu.warp<x>]", "[#gpu.warp<z>, #gpu.warp<y>, #gpu.warp<x>]"},
    [UW_OVER_LANES] = {"[#gpu.lane<x>]", "[#gpu.lane<y>, #gpu.lane<x>]", "[#gpu.lane<z>, #gpu.lane<y>, #gpu.lane<x>]"},
};

const char *uw_over_name(uw_over over) {
  static const char *const names[] = {
      [UW_OVER_NOTHING] = "parallel", [UW_OVER_BLOCKS] = "grid", [UW_OVER_THREADS] = "block",
      [UW_OVER_WARPS] = "warp",       [UW_OVER_LANES] = "lane",  [UW_OVER_FIBERS] = "concurrent",
  };
  return names[over];
}

uw_over uw_loop_over(MlirOperation op) {
  switch (uw_null(op) ? UW_MAPS_NOTHING : uw_shim_mapping(op)) {
  case UW_MAPS_BLOCKS: return UW_OVER_BLOCKS;
  case UW_MAPS_THREADS: return uw_is_concurrent(op) ? UW_OVER_FIBERS : UW_OVER_THREADS;
  case UW_MAPS_WARPS: return UW_OVER_WARPS;
  case UW_MAPS_LANES: return uw_is_concurrent(op) ? UW_OVER_FIBERS : UW_OVER_LANES;
  default: return UW_OVER_NOTHING;
  }
}

bool uw_is_over(MlirOperation op, uw_over over) { return uw_loop_over(op) == over; }

void uw_set_concurrent(MlirOperation loop) {
  uw_set_attr(loop, CONCURRENT, mlirUnitAttrGet(mlirOperationGetContext(loop)));
}
bool uw_is_concurrent(MlirOperation loop) { return !mlirAttributeIsNull(uw_get_attr(loop, CONCURRENT)); }

uw_ops uw_collect_over(uw_arena *arena, MlirOperation root, uw_over over) {
  uw_ops loops = {0}, all = uw_collect_kind(arena, root, UW_OP_SCF_FORALL);
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

int uw_grid_dim_of(MlirOperation grid, uw_grid_dim which) {
  int dims = (int)uw_dims(grid);
  for (int d = 0; d < dims; d++)
    if (uw_shim_mapped_dim(grid, (size_t)d) == (int)which)
      return d;
  return UW_NO_DIM;
}

MlirValue uw_grid_index(MlirOperation grid, uw_grid_dim which) {
  int d = uw_grid_dim_of(grid, which);
  return d == UW_NO_DIM ? (MlirValue){NULL} : uw_index(grid, (size_t)d);
}

MlirValue uw_grid_extent(MlirOperation grid, uw_grid_dim which) {
  int d = uw_grid_dim_of(grid, which);
  return d == UW_NO_DIM ? (MlirValue){NULL} : uw_upper_of(grid, (size_t)d);
}

bool uw_are_blocks_single(MlirOperation grid, uw_grid_dim which) {
  int d = uw_grid_dim_of(grid, which);
  int64_t step;
  return d == UW_NO_DIM || (uw_const_value(uw_step_of(grid, (size_t)d), &step) && step == 1);
}

static bool is_lent(MlirOperation op) {
  return uw_kind(op) == UW_OP_ARITH_CONSTANT && !mlirAttributeIsNull(uw_get_attr(op, LENT));
}

/* A constant at the function's start, where it is known to all in it: one that is there, so that equal numbers are the
 * same value, as canonicalisation leaves them. */
static MlirValue lend(MlirOperation loop, int64_t number) {
  MlirOperation place = loop;
  for (MlirOperation around = uw_parent(loop); !uw_null(around) && uw_kind(around) != UW_OP_MODULE;
       around = uw_parent(around))
    place = around;
  int64_t own;
  MlirOperation first = uw_same_op(place, loop) ? loop : uw_first(uw_block(place, 0));
  for (MlirOperation op = first; uw_kind(op) == UW_OP_ARITH_CONSTANT; op = uw_next(op))
    if (mlirTypeIsAIndex(mlirValueGetType(uw_result(op, 0))) && uw_const_value(uw_result(op, 0), &own) && own == number)
      return uw_result(op, 0);
  uw_builder b = uw_at(first);
  MlirValue value = uw_const_index(&b, number);
  uw_set_attr(uw_def(value), LENT, mlirUnitAttrGet(b.context));
  return value;
}

static void take_back(MlirBlock entry) {
  uw_foreach_op_safe (op, entry) {
    if (uw_kind(op) != UW_OP_ARITH_CONSTANT)
      return;
    if (!is_lent(op))
      continue;
    if (uw_unused(op))
      uw_erase(op);
    else
      uw_remove_attr(op, LENT);
  }
}

void uw_take_back_numbers(MlirModule module) {
  uw_foreach_op (function, mlirModuleGetBody(module)) {
    uw_kind_t kind = uw_kind(function);
    MlirBlock entry = kind == UW_OP_FUNC || kind == UW_OP_LLVM_FUNC ? uw_block(function, 0) : (MlirBlock){NULL};
    if (!mlirBlockIsNull(entry))
      take_back(entry);
  }
}

MlirValue uw_loop_bound(MlirOperation loop, uw_bound which, size_t d) {
  if (uw_kind(loop) == UW_OP_SCF_FOR)
    return uw_operand(loop, (size_t)which);
  int64_t number;
  MlirValue value = uw_shim_forall_bound(loop, which, d, &number);
  return value.ptr ? value : lend(loop, number);
}

void uw_set_loop_bound(MlirOperation loop, uw_bound which, size_t d, MlirValue value) {
  if (uw_kind(loop) == UW_OP_SCF_FOR)
    mlirOperationSetOperand(loop, (intptr_t)which, value);
  else
    uw_shim_forall_set_bound(loop, which, d, value);
}

/* --- building ----------------------------------------------------------------------------------------------------- */

typedef struct bounds {
  size_t dims, count[UW_BOUNDS];                /* how many of them are operands */
  int64_t numbers[UW_BOUNDS][UW_MOST_DIMS];     /* what ShapedType::kDynamic is where it is an operand */
  MlirValue operands[UW_BOUNDS * UW_MOST_DIMS]; /* in order, without gaps */
} bounds;
static const int64_t is_operand = INT64_MIN;

static void add_operand(bounds *of, uw_bound which, size_t d, MlirValue value) {
  size_t place = 0;
  for (uw_bound before = UW_LOWER; before <= which; before++)
    place += of->count[before];
  of->operands[place] = value;
  of->numbers[which][d] = is_operand;
  of->count[which]++;
}

static MlirOperation build(uw_builder *b, const bounds *of, MlirAttribute mapping) {
  enum { SEGMENTS = 4 };
  const int32_t segments[SEGMENTS] = {(int32_t)of->count[UW_LOWER], (int32_t)of->count[UW_UPPER],
                                      (int32_t)of->count[UW_STEP], 0};
  MlirAttribute numbers[UW_BOUNDS];
  for (uw_bound which = UW_LOWER; which < UW_BOUNDS; which++)
    numbers[which] = mlirDenseI64ArrayGet(b->context, (intptr_t)of->dims, of->numbers[which]);
  uw_named_list attributes = ATTRS({"staticLowerBound", numbers[UW_LOWER]}, {"staticUpperBound", numbers[UW_UPPER]},
                                   {"staticStep", numbers[UW_STEP]}, {MAPPING, mapping});
  if (mlirAttributeIsNull(mapping))
    attributes.count--;
  MlirOperation op =
      uw_build(b, "scf.forall", .in = {of->operands, of->count[UW_LOWER] + of->count[UW_UPPER] + of->count[UW_STEP]},
               .attrs = attributes, .regions = 1, .segments = segments, .segment_count = SEGMENTS);
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  for (size_t d = 0; d < of->dims; d++)
    mlirBlockAddArgument(body, uw_index_type(b->context), b->location);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(op, 0), body);
  uw_builder inner = {b->context, b->location, body, {NULL}};
  MlirOperation end = uw_build(&inner, "scf.forall.in_parallel", .regions = 1);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(end, 0), mlirBlockCreate(0, NULL, NULL));
  return op;
}

MlirOperation uw_build_parallel(uw_builder *b, uw_value_list uppers, uw_over over) {
  if (uppers.count < 1 || uppers.count > CUDA_DIMS || over < UW_OVER_BLOCKS || over > UW_OVER_LANES)
    uw_fatal("bug in unwarp: a parallel loop of %zu dimensions over %s", uppers.count, uw_over_name(over));
  bounds of = {.dims = uppers.count};
  for (size_t d = 0; d < of.dims; d++) {
    add_operand(&of, UW_UPPER, d, uppers.at[d]);
    of.numbers[UW_STEP][d] = 1;
  }
  return build(b, &of, uw_attr(b->context, mappings[over][of.dims - 1]));
}

MlirOperation uw_parallel_like(uw_builder *b, MlirOperation loop) {
  bounds of = {.dims = uw_dims(loop)};
  if (of.dims > UW_MOST_DIMS || uw_result_count(loop))
    uw_fatal("bug in unwarp: a loop of %zu dimensions with %zu results to copy", of.dims, uw_result_count(loop));
  for (uw_bound which = UW_LOWER; which < UW_BOUNDS; which++)
    for (size_t d = 0; d < of.dims; d++) {
      MlirValue value = uw_shim_forall_bound(loop, which, d, &of.numbers[which][d]);
      if (value.ptr)
        add_operand(&of, which, d, value);
    }
  uw_builder at = {b->context, mlirOperationGetLocation(loop), b->block, b->before};
  MlirOperation copy = build(&at, &of, uw_get_attr(loop, MAPPING));
  if (uw_is_concurrent(loop))
    uw_set_concurrent(copy);
  return copy;
}

void uw_add_slices(MlirOperation grid, MlirValue slices) {
  size_t dims = uw_dims(grid);
  if (dims == UW_MOST_DIMS || uw_grid_dim_of(grid, UW_GRID_SLICE) != UW_NO_DIM)
    uw_fatal("bug in unwarp: blocks have slices of slices");
  uw_shim_forall_add_dim(grid, slices, uw_attr(mlirOperationGetContext(grid), "#gpu.block<linear_dim_0>"));
}
