/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A load from a place that a branch has chosen, one of them in a parameter that is a structure: each side of the branch
 * loads from its own.
 *
 *   %at = scf.if %c { yield &p[k] } else { yield %b }        %value = scf.if %c { %v = load &p[k]; yield %v }
 *   …                                                  ==>              else { %w = load %b; yield %w }
 *   %value = load %at                                        …
 *
 * A select of two addresses becomes such a branch. LLVM makes one load of two so. The parameter's address then goes where nobody follows it, so that each thread gets a
 * copy of the structure, and lanes a gather of what is one value of the launch.
 *
 * Done when a) the choice has no use but that load; b) the load stands in the branch's own block, and what is between
 * them neither writes memory nor can end the thread. Legal because the load then is made whenever the branch is; that
 * of a select stays where it is. */
#include "raise.h"

/* The load that is the only use of the value, or null. */
static MlirOperation only_load(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){NULL};
  MlirOperation user = mlirOpOperandGetOwner(use);
  return uw_kind(user) == UW_OP_LLVM_LOAD && uw_plain_access(user) ? user : (MlirOperation){NULL};
}

static bool follows_quietly(MlirOperation load, MlirOperation branch) {
  if (!mlirBlockEqual(mlirOperationGetBlock(load), mlirOperationGetBlock(branch)))
    return false;
  for (MlirOperation op = uw_next(branch); !uw_null(op); op = uw_next(op))
    if (uw_same_op(op, load))
      return true;
    else if (!uw_speculatable(op) && !(uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op)))
      return false;
  return false;
}

static void load_in_arm(uw_arena *arena, MlirBlock arm, size_t which, MlirValue chosen, MlirOperation load) {
  MlirOperation yield = uw_last(arm);
  uw_builder b = uw_at(yield);
  uw_map *map = uw_map_create(arena);
  uw_map_set(map, chosen, uw_operand(yield, which));
  MlirOperation own = uw_clone(&b, load, map);
  mlirOperationSetOperand(yield, (intptr_t)which, uw_result(own, 0));
}

static void move_load(uw_arena *arena, MlirOperation branch, size_t which, MlirOperation load) {
  size_t count = uw_result_count(branch);
  MlirType types[count];
  for (size_t i = 0; i < count; i++)
    types[i] = mlirValueGetType(uw_result(i == which ? load : branch, i == which ? 0 : i));
  uw_builder b = uw_at(branch);
  MlirOperation other = uw_build_if(&b, uw_operand(branch, 0), (uw_type_list){types, count});
  for (unsigned arm = 0; arm < 2; arm++) {
    load_in_arm(arena, uw_block(branch, arm), which, uw_result(branch, which), load);
    MlirBlock to = uw_block(other, arm);
    uw_foreach_op_safe (op, uw_block(branch, arm)) {
      mlirOperationRemoveFromParent(op);
      mlirBlockAppendOwnedOperation(to, op);
    }
  }
  uw_replace_uses(uw_result(load, 0), uw_result(other, which));
  uw_erase(load);
  for (size_t i = 0; i < count; i++)
    if (i != which)
      uw_replace_uses(uw_result(branch, i), uw_result(other, i));
  uw_erase(branch);
}

static void branch_at_load(uw_arena *arena, MlirOperation select, MlirOperation load) {
  uw_builder b = uw_at(load);
  MlirOperation branch = uw_build_if(&b, uw_operand(select, 0), TYPES(mlirValueGetType(uw_result(load, 0))));
  for (unsigned arm = 0; arm < 2; arm++) {
    uw_builder in = uw_at_end(uw_block(branch, arm), b.location);
    uw_map *map = uw_map_create(arena);
    uw_map_set(map, uw_result(select, 0), uw_operand(select, 1 + arm));
    uw_yield(uw_block(branch, arm), b.location, VALS(uw_result(uw_clone(&in, load, map), 0)));
  }
  uw_replace_uses(uw_result(load, 0), uw_result(branch, 0));
  uw_erase(load);
  uw_erase(select);
}

static bool take_select(uw_arena *arena, MlirOperation select) {
  if (!uw_string_is(uw_name(select), "llvm.select") && !uw_string_is(uw_name(select), "arith.select"))
    return false;
  MlirOperation load = only_load(uw_result(select, 0));
  if (uw_null(load))
    return false;
  branch_at_load(arena, select, load);
  return true;
}

static bool take_branch(uw_arena *arena, MlirOperation yield, size_t which) {
  MlirOperation branch = uw_parent(yield);
  if (uw_kind(yield) != UW_OP_SCF_YIELD || uw_kind(branch) != UW_OP_SCF_IF)
    return false;
  MlirOperation load = only_load(uw_result(branch, which));
  if (uw_null(load) || !follows_quietly(load, branch))
    return false;
  move_load(arena, branch, which, load);
  return true;
}

/* Moves a load for which the address, or one in the same structure, is chosen; false: there is none. */
static bool move_one(uw_arena *arena, MlirValue address) {
  for (MlirOpOperand use = mlirValueGetFirstUse(address); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    size_t which = (size_t)mlirOpOperandGetOperandNumber(use);
    if ((uw_kind(user) == UW_OP_LLVM_GEP && which == 0 && move_one(arena, uw_result(user, 0))) ||
        take_select(arena, user) || take_branch(arena, user, which))
      return true;
  }
  return false;
}

void uw_load_where_chosen(uw_arena *arena, MlirValue parameter) {
  while (move_one(arena, parameter))
    ;
}
