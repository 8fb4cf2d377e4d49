/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops of a panel's blocks that become common: what is common in part is parted, and what starts where the block's
 * index says is counted from 0 (coarsen_tiles.c). */
#include "../../ir/parallel.h"
#include "coarsen_tiles.h"

/* --- loops that are common in part -------------------------------------------------------------------------------- */

/* Collects what a store at the top of a loop is computed from; false if that depends on the block, or on memory that
 * may change. */
static bool is_common_slice(const uw_panel *p, size_t a, MlirOperation loop, MlirOperation op, uw_table *slice) {
  if (uw_table_get(slice, op.ptr))
    return true;
  uw_table_set(slice, op.ptr, 1);
  if (uw_kind(op) == UW_OP_LLVM_LOAD) {
    uw_access load = uw_panel_access_of(op);
    if (!uw_null(uw_panel_object_of(p, &load)) || uw_panel_is_written(p, &load))
      return false;
  }
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    MlirValue value = uw_operand(op, i);
    MlirOperation def = uw_def(value);
    if (uw_panel_varies(p, a, value) ||
        (!uw_null(def) && uw_defined_inside(value, loop) && !is_common_slice(p, a, loop, def, slice)))
      return false;
  }
  uw_ops inside = uw_collect(p->arena, op); /* of a branch */
  for (size_t i = 0; i < inside.count; i++)
    if (!is_common_slice(p, a, loop, inside.at[i], slice))
      return false;
  return true;
}

/* Does the operation have loops or stores inside? */
bool uw_panel_is_involved(const uw_panel *p, MlirOperation op) {
  if (uw_kind(op) == UW_OP_SCF_FOR || uw_kind(op) == UW_OP_SCF_WHILE || uw_kind(op) == UW_OP_SCF_INDEX_SWITCH)
    return true;
  uw_ops inside = uw_collect(p->arena, op);
  for (size_t i = 0; i < inside.count; i++)
    if (uw_kind(inside.at[i]) == UW_OP_LLVM_STORE || uw_panel_is_involved(p, inside.at[i]))
      return true;
  return false;
}

/* Is that store the only one to its array, and no other operation of the loop touches it? */
static bool is_alone(const uw_panel *p, MlirOperation loop, MlirOperation store) {
  uw_access own = uw_panel_access_of(store);
  MlirOperation object = uw_panel_object_of(p, &own);
  if (uw_null(object) || uw_kind(object) != UW_OP_SHARED)
    return false;
  for (size_t i = 0; i < p->loops.count; i++) {
    uw_ops ops = uw_collect(p->arena, p->loops.at[i]);
    for (size_t k = 0; k < ops.count; k++) {
      if (!uw_plain_access(ops.at[k]) || uw_same_op(ops.at[k], store))
        continue;
      uw_access other = uw_panel_access_of(ops.at[k]);
      if (uw_same_op(uw_panel_object_of(p, &other), object) && (other.writes || uw_same_op(p->loops.at[i], loop)))
        return false;
    }
  }
  return true;
}

/* Gives the stores at the top of a loop without loops inside that are the same for all blocks, with what they are
 * computed from, a loop of their own before it. Legal because they alone touch their arrays here, and read what nobody
 * writes. */
bool uw_panel_part_loop(uw_panel *p, size_t a, MlirOperation loop) {
  uw_table *common = uw_table_create(p->arena);
  uw_ops moved = {0}, ops = uw_block_ops(p->arena, uw_block(loop, 0));
  size_t stores = 0;
  for (size_t i = 0; i < ops.count; i++) {
    if (uw_panel_is_involved(p, ops.at[i]))
      return false;
    if (uw_kind(ops.at[i]) != UW_OP_LLVM_STORE)
      continue;
    uw_table *slice = uw_table_create(p->arena);
    stores++;
    if (!is_alone(p, loop, ops.at[i]) || !is_common_slice(p, a, loop, ops.at[i], slice))
      continue;
    uw_ops_push(p->arena, &moved, ops.at[i]);
    for (size_t k = 0; k < ops.count; k++)
      if (uw_table_get(slice, ops.at[k].ptr))
        uw_table_set(common, ops.at[k].ptr, 1);
  }
  if (moved.count == 0 || moved.count == stores)
    return false;
  uw_builder b = uw_at(loop);
  MlirOperation own = uw_parallel_like(&b, loop);
  uw_move_before(own, loop);
  uw_map *map = uw_map_create(p->arena);
  for (intptr_t d = 0; d < DIMS; d++)
    uw_map_set(map, mlirBlockGetArgument(uw_block(loop, 0), d), mlirBlockGetArgument(uw_block(own, 0), d));
  b = uw_at_end(uw_block(own, 0), b.location);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_table_get(common, ops.at[i].ptr))
      uw_clone(&b, ops.at[i], map);
  for (size_t i = 0; i < moved.count; i++)
    uw_erase(moved.at[i]);
  for (size_t i = ops.count; i-- > 0;) { /* what only they used */
    bool gone = false;
    for (size_t k = 0; k < moved.count; k++)
      gone = gone || uw_same_op(moved.at[k], ops.at[i]);
    if (!gone && uw_table_get(common, ops.at[i].ptr) && uw_unused(ops.at[i]))
      uw_erase(ops.at[i]);
  }
  uw_ops_push(p->arena, &p->loops, own);
  return true;
}

/* Which loops are common along the axis. */
void uw_panel_sort_loops(uw_panel *p, size_t a) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->loops.count; i++)
      if (!uw_panel_is_each(p, a, p->loops.at[i]) && uw_panel_must_run_for_each(p, a, p->loops.at[i])) {
        uw_panel_keep_apart(p, a, p->loops.at[i]);
        changed = true;
      }
  }
}

/* --- loops that start where the block does ------------------------------------------------------------------------ */

/* Is the value computed from the block's index along one of the axes, as far as arithmetic says? */
static bool hangs(const uw_panel *p, uw_table *seen, MlirValue value) {
  MlirOperation op = uw_def(value);
  for (size_t a = 0; a < AXES; a++)
    if (p->axes[a].block.ptr && uw_same(value, p->axes[a].block))
      return true;
  if (uw_null(op) || !uw_defined_inside(value, p->grid) || uw_region_count(op) || uw_table_get(seen, op.ptr))
    return false;
  uw_table_set(seen, op.ptr, 1);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (hangs(p, seen, uw_operand(op, i)))
      return true;
  return false;
}

static bool depends_on_block(const uw_panel *p, MlirValue value) { return hangs(p, uw_table_create(p->arena), value); }

/* The other operand of an addition; null if it is none, or has not this one. */
static MlirValue added_to(MlirValue sum, MlirValue part) {
  MlirOperation op = uw_def(sum);
  if (uw_kind(op) != UW_OP_ARITH_ADDI)
    return (MlirValue){NULL};
  size_t which = uw_same(uw_operand(op, 0), part) ? 1 : 0;
  return uw_same(uw_operand(op, 1 - which), part) ? uw_operand(op, which) : (MlirValue){NULL};
}

static MlirValue zero_of(uw_builder *b, MlirType type) {
  return mlirTypeIsAIndex(type) ? uw_const_index(b, 0) : uw_const_int(b, mlirIntegerTypeGetWidth(type), 0);
}

/* Gives the users of a value, but for one, the sum of it and a start. */
static void shift_uses(uw_builder *b, MlirValue value, MlirValue start, MlirOperation but) {
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
    return;
  MlirValue none = zero_of(b, mlirValueGetType(value)), sum = uw_binary(b, "arith.addi", start, none);
  uw_replace_uses(value, sum);
  mlirOperationSetOperand(uw_def(sum), 1, value);
  for (size_t i = 0; !uw_null(but) && i < uw_operand_count(but); i++)
    if (uw_same(uw_operand(but, i), sum))
      mlirOperationSetOperand(but, (intptr_t)i, value);
  uw_erase(uw_def(none));
}

/* for (a = start; a < start + length; a += step, b += far): counts from 0 what starts where the block's index says, so
 * that the loop is the same for all blocks. Legal because start + length is said not to wrap, and sums are the same
 * integers in any order. */
bool uw_panel_count_from_zero(uw_panel *p, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  MlirOperation none = {NULL}, yield = uw_last(body);
  MlirValue start = uw_operand(loop, 0), length = added_to(uw_operand(loop, 1), start);
  bool is_signed = mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp")), changed = false;
  uw_builder before = uw_at(loop), first = uw_at_start(body, mlirOperationGetLocation(loop)), after = uw_after(loop);
  if (depends_on_block(p, start)) {
    if (!length.ptr || !uw_no_wrap(uw_def(uw_operand(loop, 1)), is_signed) || depends_on_block(p, length))
      return false;
    mlirOperationSetOperand(loop, 0, zero_of(&before, mlirValueGetType(start)));
    mlirOperationSetOperand(loop, 1, length);
    shift_uses(&first, mlirBlockGetArgument(body, 0), start, none);
    changed = true;
  }
  for (size_t i = 0; i < uw_result_count(loop); i++) {
    MlirValue carried = mlirBlockGetArgument(body, (intptr_t)i + 1), init = uw_operand(loop, i + 3),
              next = uw_operand(yield, i);
    MlirValue far = added_to(next, carried);
    if (!far.ptr || uw_defined_inside(far, loop) || depends_on_block(p, far) || !depends_on_block(p, init) ||
        !mlirOpOperandIsNull(mlirOpOperandGetNextUse(mlirValueGetFirstUse(next))))
      continue;
    mlirOperationSetOperand(loop, (intptr_t)i + 3, zero_of(&before, mlirValueGetType(init)));
    uw_set_attr(uw_def(next), "overflowFlags", uw_attr(before.context, "#arith.overflow<none>"));
    shift_uses(&first, carried, init, uw_def(next));
    shift_uses(&after, uw_result(loop, i), init, none);
    changed = true;
  }
  return changed;
}

/* Looks at the axes that wanted names, or those of them where it pays. */
