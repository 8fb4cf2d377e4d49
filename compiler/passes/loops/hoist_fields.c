/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads the rest of a struct before the branch that needs it. Of a body in shared memory all threads look at the
 * position, and those that are near enough at its mass, too: with the load in front of it the branch only computes, so
 * that vectors take it as a select, with neither a question whether some lane needs it nor a jump that nobody can
 * foresee.
 *
 *   %x = load %p {alignment = 16}                     %x = load %p {alignment = 16}
 *   %r = if (%c) {                                    %m = load %p[12]
 *     %m = load %p[12]                        ==>     %r = if (%c) {
 *     yield f(%m)                                       yield f(%m)
 *   } else { yield %a }                               } else { yield %a }
 *
 * Done when a) all else in both branches is pure, may run anywhere, and is at most UW_FIELDS_MOST_OPS operations; b)
 * the address is a constant number of bytes behind a pointer from which something was loaded before, in the block
 * around the branch; c) that load says how the pointer is aligned, and the bytes lie before the next multiple of that;
 * d) it leads to a shared array that is aligned as much, and a multiple of it long.
 *
 * Legal because the array begins and ends at multiples of the alignment: what lies between two of these is in it as a
 * whole, or not at all, and some of it was loaded. What another thread may store there meanwhile does not matter, for
 * where the branch is not taken nobody looks at the value; where it is, nothing has happened between the two positions
 * of the load.
 *
 * Requires: simplify (addresses as one step after another). Preserves: all effects. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/linear.h"
#include "../barriers/thread_loop.h"

typedef struct place {
  MlirValue start;
  int64_t offset; /* bytes, constant */
} place;

/* The pointer as a constant number of bytes after another one. */
static place place_of(MlirValue pointer) {
  MlirOperation step = uw_def(pointer);
  place whole = {pointer, 0};
  if (uw_kind(step) != UW_OP_LLVM_GEP || uw_operand_count(step) != 1)
    return whole;
  MlirAttribute element = uw_get_attr(step, "elem_type"), indices = uw_get_attr(step, "rawConstantIndices");
  MlirType type = mlirAttributeIsNull(element) ? (MlirType){NULL} : mlirTypeAttrGetValue(element);
  if (mlirTypeIsNull(type) || !mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 8 ||
      !mlirAttributeIsADenseI32Array(indices) || mlirDenseArrayGetNumElements(indices) != 1)
    return whole;
  return (place){uw_operand(step, 0), mlirDenseI32ArrayGetElement(indices, 0)};
}

/* Is the shared array behind the pointer made of pieces of so many bytes? */
static bool is_in_pieces(MlirValue pointer, int64_t bytes) {
  int64_t size;
  MlirOperation array = uw_def(uw_address_of(pointer).base);
  return uw_kind(array) == UW_OP_SHARED && uw_const_value(uw_operand(array, 0), &size) && size % bytes == 0 &&
         uw_get_int_attr(array, "alignment", 1) % bytes == 0;
}

/* Is something loaded from the same piece before the branch? */
static bool is_beside_another(MlirOperation load, MlirOperation branch) {
  place own = place_of(uw_operand(load, 0));
  int64_t end = own.offset + (int64_t)uw_type_bytes(mlirValueGetType(uw_result(load, 0)));
  if (own.offset < 0)
    return false;
  uw_foreach_op (op, mlirOperationGetBlock(branch)) {
    if (uw_same_op(op, branch))
      return false;
    int64_t aligned = uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op) ? uw_get_int_attr(op, "alignment", 0) : 0;
    if (aligned >= end && uw_same(uw_operand(op, 0), own.start))
      return is_in_pieces(own.start, aligned);
  }
  return false;
}

/* Collects the loads of the block that may go before the branch; counts what the block has. */
static bool look_through(uw_arena *arena, MlirOperation branch, MlirBlock block, uw_ops *loads, size_t *count) {
  if (mlirBlockIsNull(block))
    return true;
  uw_foreach_op (op, block) {
    if (uw_kind(op) == UW_OP_SCF_YIELD)
      continue;
    if (++*count > UW_FIELDS_MOST_OPS || uw_region_count(op))
      return false;
    if (uw_speculatable(op))
      continue;
    if (uw_kind(op) != UW_OP_LLVM_LOAD || !uw_plain_access(op) || !is_beside_another(op, branch))
      return false;
    uw_ops_push(arena, loads, op);
  }
  return true;
}

static bool load_before(uw_arena *arena, MlirOperation branch) {
  uw_ops loads = {0};
  size_t count = 0;
  if (!look_through(arena, branch, uw_block(branch, 0), &loads, &count) ||
      !look_through(arena, branch, uw_block(branch, 1), &loads, &count))
    return false;
  for (size_t i = 0; i < loads.count; i++) {
    MlirOperation step = uw_def(uw_operand(loads.at[i], 0));
    if (!uw_null(step) && uw_inside(step, branch))
      uw_move_before(step, branch);
    uw_move_before(loads.at[i], branch);
  }
  return loads.count > 0;
}

uw_change uw_pass_hoist_fields(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops branches = uw_collect_kind(ctx->arena, root, UW_OP_SCF_IF);
  for (size_t i = 0; i < branches.count; i++)
    if (load_before(ctx->arena, branches.at[i]))
      change = UW_CHANGED;
  return change;
}
