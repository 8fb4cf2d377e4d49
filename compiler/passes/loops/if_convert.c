/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes values of branches that only compute. A condition written with && and || comes as a branch with a result; as a
 * value it can be taken apart (guard.c), and be computed again after a barrier instead of being kept there
 * (analysis/mincut.c).
 *
 *   %r = if (%c) { yield %x }                      %y = f(%z)
 *        else { %y = f(%z); yield %y }     ==>     %r = select %c, %x, %y
 *
 * Done when a) the if has results; b) both branches hold nothing but pure operations that are cheap enough to be done
 * again, at most UW_FLATTEN_MOST_OPS of them. Of a branch that does more, results that are integers become values where
 * what computes them is pure and at most UW_RESULT_MOST_OPS operations: the flag that says that a thread did something is
 * then known without asking what it did, nor kept from one phase to the next.
 *
 * Before, the rest of a struct in shared memory is loaded in front of the branch that needs it. All threads look at the
 * position of a body, and those that are near enough at its mass, too: with the load in front of it the branch only
 * computes, so that vectors take it as a select, with neither a question whether some lane needs it nor a jump that
 * nobody can foresee.
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
 * Legal because pure operations may run anywhere, and a value that select does not choose has no effect, were it poison.
 * The array begins and ends at multiples of the alignment: what lies between two of these is in it as a whole, or not at
 * all, and some of it was loaded. What another thread may store there meanwhile does not matter, for where the branch is
 * not taken nobody looks at the value; where it is, nothing has happened between the two positions of the load.
 *
 * Requires: simplify (addresses as one step after another). Preserves: all effects. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/linear.h"
#include "../../analysis/mincut.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

/* --- loads in front of branches ----------------------------------------------------------------------------------- */

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

/* --- values -------------------------------------------------------------------------------------------------------- */

static size_t cost(MlirBlock block) {
  size_t count = 0;
  uw_foreach_op (op, block)
    if (uw_kind(op) != UW_OP_SCF_YIELD)
      count += uw_recomputable(op) && uw_speculatable(op) ? 1 : UW_FLATTEN_MOST_OPS + 1;
  return count;
}

/* The bit that the integer is the extension of; null if it is none. */
static MlirValue as_bit(uw_builder *b, MlirValue value) {
  int64_t number;
  MlirOperation op = uw_def(value);
  if (uw_const_value(value, &number) && (number == 0 || number == 1))
    return uw_const_int(b, 1, number);
  MlirValue from = uw_kind(op) == UW_OP_ARITH_EXTUI ? uw_operand(op, 0) : (MlirValue){NULL};
  return from.ptr && uw_type_bytes(mlirValueGetType(from)) == 1 && mlirIntegerTypeGetWidth(mlirValueGetType(from)) == 1
             ? from
             : (MlirValue){NULL};
}

/* condition ? yes : no. Flags travel as bytes: of two that are bits, it is made of conditions again (guard.h). */
static MlirValue choose(uw_builder *b, MlirValue condition, MlirValue yes, MlirValue no) {
  MlirType type = mlirValueGetType(yes);
  bool wide = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 1;
  MlirValue first = wide ? as_bit(b, yes) : (MlirValue){NULL}, second = wide ? as_bit(b, no) : first;
  int64_t number;
  if (!first.ptr || !second.ptr || (uw_const_value(first, &number) && uw_const_value(second, &number)))
    return uw_select(b, condition, yes, no);
  MlirValue bit, opposite = uw_binary(b, "arith.xori", condition, uw_const_int(b, 1, 1));
  if (uw_const_value(first, &number))
    bit = number & 1 ? uw_binary(b, "arith.ori", condition, second) : uw_binary(b, "arith.andi", opposite, second);
  else if (uw_const_value(second, &number))
    bit = number & 1 ? uw_binary(b, "arith.ori", opposite, first) : uw_binary(b, "arith.andi", condition, first);
  else
    bit = uw_select(b, condition, first, second);
  return uw_build1(b, "arith.extui", .in = VALS(bit), .out = TYPES(type));
}

static bool flatten(MlirOperation branch) {
  if (uw_result_count(branch) == 0 || cost(uw_block(branch, 0)) + cost(uw_block(branch, 1)) > UW_FLATTEN_MOST_OPS)
    return false;
  for (unsigned r = 0; r < 2; r++)
    uw_foreach_op_safe (op, uw_block(branch, r))
      if (uw_kind(op) != UW_OP_SCF_YIELD)
        uw_move_before(op, branch);
  uw_builder b = uw_at(branch);
  for (size_t i = 0; i < uw_result_count(branch); i++)
    uw_replace_uses(uw_result(branch, i), choose(&b, uw_operand(branch, 0), uw_operand(uw_last(uw_block(branch, 0)), i),
                                                 uw_operand(uw_last(uw_block(branch, 1)), i)));
  uw_erase(branch);
  return true;
}

/* How many operations of the branch compute the value; more than UW_RESULT_MOST_OPS if they cannot be done before it.
 * */
static size_t cost_of(MlirValue value, MlirOperation branch) {
  if (!uw_defined_inside(value, branch))
    return 0;
  MlirOperation op = uw_def(value);
  if (uw_null(op) || uw_region_count(op) || !uw_recomputable(op) || !uw_speculatable(op))
    return UW_RESULT_MOST_OPS + 1;
  size_t count = 1;
  for (size_t i = 0; i < uw_operand_count(op) && count <= UW_RESULT_MOST_OPS; i++)
    count += cost_of(uw_operand(op, i), branch);
  return count;
}

static bool take_out_results(uw_arena *arena, MlirOperation branch) {
  bool changed = false;
  for (size_t i = 0; i < uw_result_count(branch); i++) {
    MlirValue result = uw_result(branch, i), values[2];
    size_t cost = 0;
    for (unsigned r = 0; r < 2; r++) {
      values[r] = uw_operand(uw_last(uw_block(branch, r)), i);
      cost += cost_of(values[r], branch);
    }
    if (!mlirTypeIsAInteger(mlirValueGetType(result)) || cost > UW_RESULT_MOST_OPS ||
        mlirOpOperandIsNull(mlirValueGetFirstUse(result)))
      continue;
    uw_builder b = uw_at(branch);
    uw_map *copies = uw_map_create(arena);
    for (unsigned r = 0; r < 2; r++)
      values[r] = uw_compute_outside(&b, values[r], branch, copies);
    uw_replace_uses(result, choose(&b, uw_operand(branch, 0), values[0], values[1]));
    changed = true;
  }
  return changed;
}

static bool convert(uw_arena *arena, MlirOperation branch) {
  return flatten(branch) || take_out_results(arena, branch);
}

uw_change uw_pass_if_convert(MlirOperation root, uw_pass_ctx *ctx) {
  uw_ops branches = uw_collect_kind(ctx->arena, root, UW_OP_SCF_IF), inner_first = {0};
  uw_change loaded = uw_change_each(ctx->arena, branches, load_before);
  for (size_t i = branches.count; i-- > 0;)
    uw_ops_push(ctx->arena, &inner_first, branches.at[i]);
  uw_change converted = uw_change_each(ctx->arena, inner_first, convert);
  return loaded == UW_CHANGED ? loaded : converted;
}
