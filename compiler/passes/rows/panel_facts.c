/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which loops over threads a panel's blocks have in common, and which each of them runs for itself (coarsen_tiles.c). */
#include "../../ir/block_numbers.h"
#include "../../ir/parallel.h"
#include "coarsen_tiles.h"

static bool is_object(MlirOperation op) { return uw_kind(op) == UW_OP_SHARED || uw_kind(op) == UW_OP_SLOT; }

bool uw_panel_varies(const uw_panel *p, size_t a, MlirValue value) {
  return uw_table_get(p->axes[a].varies, value.ptr) != 0;
}

static bool takes_varying(const uw_panel *p, size_t a, MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (uw_panel_varies(p, a, uw_operand(op, i)))
      return true;
  return false;
}

static bool takes_any_varying(const uw_panel *p, MlirOperation op) {
  return takes_varying(p, ALONG, op) || takes_varying(p, DOWN, op);
}

/* --- which loops there are ---------------------------------------------------------------------------------------- */

/* The indices of the block in its row and its column; a block that does not ask for its column has none. */
bool uw_panel_find_indices(uw_panel *p) {
  static const uw_grid_dim dims[AXES] = {[ALONG] = UW_GRID_X, [DOWN] = UW_GRID_Y};
  for (size_t a = 0; a < AXES; a++) {
    MlirValue index = uw_grid_index(p->grid, dims[a]);
    if (!uw_are_blocks_single(p->grid, dims[a]))
      return false;
    if (!index.ptr || !uw_is_asked_for(index))
      continue;
    p->axes[a].block = index;
    p->axes[a].extent = uw_grid_extent(p->grid, dims[a]);
    p->axes[a].dim = (size_t)uw_grid_dim_of(p->grid, dims[a]);
  }
  return p->axes[ALONG].block.ptr && uw_grid_dim_of(p->grid, UW_GRID_SLICE) == UW_NO_DIM;
}

/* Nothing but arithmetic, control flow and plain accesses, and no loop over threads inside. */
static bool is_simple(const uw_panel *p, MlirOperation loop) {
  int64_t lower, upper;
  if (!uw_is_over(loop, UW_OVER_THREADS) || uw_dims(loop) != DIMS || !uw_const_value(uw_lower_of(loop, 0), &lower) ||
      lower != 0 || !uw_const_value(uw_upper_of(loop, 0), &upper) || upper != 1)
    return false;
  if (takes_any_varying(p, loop))
    return false;
  uw_ops ops = uw_collect(p->arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    switch (uw_kind(op)) {
    case UW_OP_SCF_IF:
    case UW_OP_SCF_INDEX_SWITCH:
    case UW_OP_SCF_FOR:
    case UW_OP_SCF_WHILE:
    case UW_OP_SCF_YIELD:
    case UW_OP_SCF_IN_PARALLEL: continue;
    case UW_OP_LLVM_ALLOCA: return false;
    default:
      if (!uw_string_is(uw_name(op), "scf.condition") && !uw_plain_access(op) &&
          (!uw_effect_free(op) || uw_region_count(op)))
        return false;
    }
  }
  return true;
}

bool uw_panel_used_in(MlirValue value, MlirOperation op) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (uw_inside(mlirOpOperandGetOwner(use), op))
      return true;
  return false;
}

/* Looks through a block of block level: false if something in it is not what this file takes. */
bool uw_panel_look_through(uw_panel *p, MlirBlock block) {
  if (mlirBlockIsNull(block))
    return true;
  uw_foreach_op (op, block) {
    uw_kind_t kind = uw_kind(op);
    if (is_object(op)) {
      if (!uw_same_op(uw_parent(op), p->grid) || takes_any_varying(p, op) ||
          uw_get_int_attr(op, "alignment", 0) > UW_CACHE_LINE)
        return false;
      uw_ops_push(p->arena, &p->objects, op);
    } else if (kind == UW_OP_SCF_FORALL) {
      if (!is_simple(p, op))
        return false;
      uw_ops_push(p->arena, &p->loops, op);
    } else if (kind == UW_OP_SCF_FOR || kind == UW_OP_SCF_IF) {
      if (takes_any_varying(p, op) || !uw_panel_look_through(p, uw_block(op, 0)) ||
          (kind == UW_OP_SCF_IF && !uw_panel_look_through(p, uw_block(op, 1))))
        return false;
    } else if (uw_is_block_mark(op)) {
      if (uw_null(p->mark) || !uw_same_op(op, p->mark))
        return false;
    } else if (kind == UW_OP_SCF_YIELD || kind == UW_OP_SCF_IN_PARALLEL) {
      if (takes_any_varying(p, op))
        return false;
    } else if (uw_effect_free(op) && uw_region_count(op) == 0 && kind != UW_OP_LLVM_ALLOCA) {
      if (takes_any_varying(p, op) && !uw_speculatable(op))
        return false;
      for (size_t a = 0; a < AXES; a++)
        for (size_t i = 0; i < uw_result_count(op) && takes_varying(p, a, op); i++)
          uw_table_set(p->axes[a].varies, uw_result(op, i).ptr, 1);
    } else {
      return false;
    }
  }
  return true;
}

/* --- which of them are common ------------------------------------------------------------------------------------- */

bool uw_panel_is_each(const uw_panel *p, size_t a, MlirOperation op) {
  return uw_table_get(p->axes[a].each, op.ptr) != 0;
}

uw_access uw_panel_access_of(MlirOperation op) {
  bool stores = uw_kind(op) == UW_OP_LLVM_STORE;
  return (uw_access){.op = op, .reads = !stores, .writes = stores, .address = uw_address_of(uw_operand(op, stores))};
}

/* The shared array or slot of the block that the address surely lies in; null if there is none. */
MlirOperation uw_panel_object_of(const uw_panel *p, const uw_access *access) {
  MlirOperation op = uw_def(access->address.base);
  return uw_ops_have(&p->objects, op) ? op : (MlirOperation){NULL};
}

/* Does the launch write where this load of a common loop reads, perhaps? */
bool uw_panel_is_written(const uw_panel *p, const uw_access *load) {
  for (size_t i = 0; i < p->loops.count; i++) {
    uw_ops ops = uw_collect(p->arena, p->loops.at[i]);
    for (size_t k = 0; k < ops.count; k++) {
      if (uw_kind(ops.at[k]) != UW_OP_LLVM_STORE)
        continue;
      uw_access store = uw_panel_access_of(ops.at[k]);
      if (!uw_bases_distinct(p->grid, load, &store))
        return true;
    }
  }
  return false;
}

/* Uses a loop anything that a block has for itself, or does it write elsewhere than in shared arrays? */
bool uw_panel_must_run_for_each(const uw_panel *p, size_t a, MlirOperation loop) {
  uw_ops ops = uw_collect(p->arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    for (size_t k = 0; k < uw_operand_count(op); k++) {
      MlirOperation def = uw_def(uw_operand(op, k));
      if (uw_panel_varies(p, a, uw_operand(op, k)) || (!uw_null(def) && uw_panel_is_each(p, a, def)))
        return true;
    }
    if (!uw_plain_access(op))
      continue;
    uw_access access = uw_panel_access_of(op);
    if (uw_null(uw_panel_object_of(p, &access)) && (access.writes || uw_panel_is_written(p, &access)))
      return true;
  }
  return false;
}

/* Makes all that such a loop writes its block's own. */
void uw_panel_keep_apart(uw_panel *p, size_t a, MlirOperation loop) {
  uw_table_set(p->axes[a].each, loop.ptr, 1);
  uw_ops ops = uw_collect(p->arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    if (uw_kind(ops.at[i]) != UW_OP_LLVM_STORE)
      continue;
    uw_access store = uw_panel_access_of(ops.at[i]);
    MlirOperation object = uw_panel_object_of(p, &store);
    if (!uw_null(object))
      uw_table_set(p->axes[a].each, object.ptr, 1);
  }
}

/* All uses of an object are address arithmetic and plain accesses: every way to it is known. */
bool uw_panel_are_plain(const uw_panel *p) {
  for (size_t i = 0; i < p->objects.count; i++) {
    uw_ops arithmetic = {0}, accesses = {0};
    if (!uw_plain_uses(p->arena, p->grid, uw_result(p->objects.at[i], 0), &arithmetic, &accesses))
      return false;
    for (size_t k = 0; k < accesses.count; k++) {
      uw_access access = uw_panel_access_of(accesses.at[k]);
      if (!uw_same_op(uw_panel_object_of(p, &access), p->objects.at[i]) ||
          uw_null(uw_parent_of_kind(accesses.at[k], UW_OP_SCF_FORALL)))
        return false;
    }
    for (size_t k = 0; k < arithmetic.count; k++) /* of block level: would need a copy for each block */
      if (uw_same_op(uw_parent_of_kind(arithmetic.at[k], UW_OP_SCF_FORALL), p->grid))
        return false;
  }
  return true;
}

int64_t uw_panel_aligned(int64_t bytes) { return (bytes + UW_CACHE_LINE - 1) / UW_CACHE_LINE * UW_CACHE_LINE; }

int64_t uw_panel_copies_of(const uw_panel *p, size_t a, MlirOperation object) {
  return uw_panel_is_each(p, a, object) ? p->axes[a].most : 1;
}

/* What the blocks have for themselves stays in the second cache. */
static bool are_small(const uw_panel *p) {
  int64_t total = 0, bytes;
  for (size_t i = 0; i < p->objects.count; i++) {
    int64_t copies = uw_panel_copies_of(p, ALONG, p->objects.at[i]) * uw_panel_copies_of(p, DOWN, p->objects.at[i]);
    if (!uw_const_value(uw_operand(p->objects.at[i], 0), &bytes) || bytes > UW_PANEL_BYTES)
      return false;
    total += uw_panel_aligned(bytes) * copies;
  }
  return total <= UW_PANEL_BYTES;
}

/* How many blocks to take along the axes, at most. */
bool uw_panel_choose_most(uw_panel *p) {
  static const int64_t choices[][AXES] = {{16, 4}, {8, 4}, {4, 4}, {4, 2}, {2, 2}, {4, 1}, {2, 1}, {1, 4}, {1, 2}};
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    bool usable = true;
    for (size_t a = 0; a < AXES; a++) {
      p->axes[a].most = choices[i][a];
      usable = usable && (p->axes[a].block.ptr || choices[i][a] == 1);
    }
    if (usable && are_small(p))
      return true;
  }
  return false;
}

/* Is there a loop that runs once now, in a for that holds one that runs for each block? */
bool uw_panel_pays(const uw_panel *p, size_t a) {
  for (size_t i = 0; i < p->loops.count; i++) {
    MlirOperation around = uw_parent(p->loops.at[i]);
    for (size_t k = 0;
         k < p->loops.count && uw_kind(around) == UW_OP_SCF_FOR && !uw_panel_is_each(p, a, p->loops.at[i]); k++)
      if (uw_panel_is_each(p, a, p->loops.at[k]) && uw_inside(p->loops.at[k], around))
        return true;
  }
  return false;
}
