/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows that lanes walk along, each its own: memory has to follow as many streams as there are lanes and such rows of
 * each, and rows that lie a power of two apart meet in few sets of the caches. What lanes have side by side is another
 * matter: the fewer go together, the less each iteration reads of a line. */
#include "lane_rows.h"

#include "address_growth.h"
#include "lane_shapes.h"

static bool holds_loops(uw_arena *arena, MlirOperation loop) {
  return uw_collect_kind(arena, loop, UW_OP_SCF_FOR).count || uw_collect_kind(arena, loop, UW_OP_SCF_WHILE).count;
}

static bool is_side_by_side(uw_shapes *shapes, MlirOperation access) {
  return uw_shape_of(shapes, uw_operand(access, uw_kind(access) == UW_OP_LLVM_STORE)).kind == UW_SHAPE_STEP;
}

static bool is_row(uw_shapes *shapes, const uw_iterations *within, MlirOperation load) {
  MlirValue address = uw_operand(load, 0);
  return uw_shape_of(shapes, address).kind == UW_SHAPE_ANY &&
         uw_walks_along(within, address, mlirValueGetType(uw_result(load, 0)));
}

/* Of one loop; false: it has elements side by side. */
static bool count_rows(uw_arena *arena, uw_shapes *shapes, MlirOperation loop, int64_t *count) {
  uw_iterations within;
  bool turns = uw_kind(loop) == UW_OP_SCF_FOR && uw_counter_of_for(loop, &within) && uw_only_reads(loop);
  uw_ops ops = uw_collect(arena, loop);
  *count = 0;
  for (size_t i = 0; i < ops.count; i++) {
    bool is_load = uw_kind(ops.at[i]) == UW_OP_LLVM_LOAD;
    if ((is_load || uw_kind(ops.at[i]) == UW_OP_LLVM_STORE) && is_side_by_side(shapes, ops.at[i]))
      return false;
    *count += is_load && turns && is_row(shapes, &within, ops.at[i]);
  }
  return true;
}

int64_t uw_rows_of_lane(uw_arena *arena, MlirOperation lanes) {
  uw_shapes *shapes = uw_shapes_of(arena, lanes);
  uw_ops ops = uw_collect(arena, lanes);
  int64_t most = 0, own;
  for (size_t i = 0; i < ops.count; i++) {
    bool is_loop = uw_kind(ops.at[i]) == UW_OP_SCF_FOR || uw_kind(ops.at[i]) == UW_OP_SCF_WHILE;
    if (!is_loop || holds_loops(arena, ops.at[i]))
      continue;
    if (!count_rows(arena, shapes, ops.at[i], &own))
      return 0;
    most = own > most ? own : most;
  }
  return most;
}
