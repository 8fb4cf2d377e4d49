/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is the same in all dry runs of a loop: see dry_run.h.
 *
 * Only what is looked at, the constructs around it and what their addresses and conditions depend on is gone through:
 * not what stores store, whose arithmetic may be all that a kernel does (touches.c asks of a stored value only whether
 * it is a constant or from outside). */
#include "dry_run.h"

#include "exchange.h"

static void number(uw_dry_plan *plan, MlirValue value) {
  if (uw_table_get(plan->value_number, value.ptr))
    return;
  uw_table_set(plan->value_number, value.ptr, (intptr_t)++plan->values);
  MlirOperation op = uw_def(value);
  if (uw_null(op) || uw_inside(op, plan->loop) || uw_region_count(op))
    return;
  for (size_t i = 0; i < uw_operand_count(op); i++) /* what it is computed from outside */
    number(plan, uw_operand(op, i));
}

static void number_all(uw_dry_plan *plan, MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    number(plan, uw_operand(op, i));
  for (size_t i = 0; i < uw_result_count(op); i++)
    number(plan, uw_result(op, i));
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
        number(plan, mlirBlockGetArgument(block, i));
}

/* Values that are needed, and not yet looked through. */
typedef struct search {
  uw_dry_plan *plan;
  uw_vals left;
} search;

static void need(search *s, MlirValue value) {
  if (uw_table_get(s->plan->needed, value.ptr) || !uw_defined_inside(value, s->plan->loop))
    return;
  uw_table_set(s->plan->needed, value.ptr, 1);
  uw_vals_push(s->plan->arena, &s->left, value);
}

/* The construct is gone through: what decides how. */
static void go_through(search *s, MlirOperation op) {
  for (; !uw_null(op) && !uw_same_op(op, s->plan->loop); op = uw_parent(op)) {
    if (uw_region_count(op) == 0)
      continue;
    if (uw_table_get(s->plan->needed, op.ptr))
      return;
    uw_table_set(s->plan->needed, op.ptr, 1);
    switch (uw_kind(op)) {
    case UW_OP_SCF_WHILE: need(s, uw_operand(uw_last(uw_block(op, 0)), 0)); break;
    case UW_OP_SCF_FOR:
      for (size_t i = 0; i < 3; i++)
        need(s, uw_operand(op, i));
      break;
    default:
      if (uw_operand_count(op))
        need(s, uw_operand(op, 0));
    }
  }
}

static void need_address(search *s, MlirValue pointer) {
  uw_address address = uw_address_in_64(pointer);
  need(s, address.base);
  for (size_t i = 0; address.offset.known && i < address.offset.count; i++) {
    need(s, address.offset.terms[i].symbol);
    if (address.offset.terms[i].scale.ptr)
      need(s, address.offset.terms[i].scale);
  }
}

/* Is its value made up of its operands', whatever it computes? */
static bool is_made_up(const uw_dry_plan *plan, MlirOperation op) {
  return uw_inside(op, plan->loop) && uw_region_count(op) == 0 && uw_result_count(op) == 1 &&
         uw_operand_count(op) > 0 && mlirTypeIsAFloat(mlirValueGetType(uw_result(op, 0))) &&
         uw_kind(op) != UW_OP_ARITH_SELECT && uw_speculatable(op);
}

/* A value made up of made-up values is as good if it is made up of what these are: of a long chain of arithmetic only
 * the ends are needed. Where they are many, what is reached so far counts as ends, so that each operation is come by a
 * few times only. */
static void need_leaves(search *s, MlirOperation op) {
  uw_dry_plan *plan = s->plan;
  uw_vals *leaves = uw_alloc(plan->arena, sizeof *leaves), left = {0};
  uw_table *seen = uw_table_create(plan->arena);
  size_t looked_through = 0;
  uw_vals_push(plan->arena, &left, uw_result(op, 0));
  for (size_t i = 0; i < left.count; i++) {
    MlirOperation from = uw_def(left.at[i]);
    bool looks = !uw_null(from) && is_made_up(plan, from);
    if (i > 0 && (!looks || left.count + uw_operand_count(from) > UW_MOST_LEAVES)) {
      uw_vals_push(plan->arena, leaves, left.at[i]);
      need(s, left.at[i]);
      continue;
    }
    looked_through++;
    for (size_t k = 0; k < uw_operand_count(from); k++)
      if (!uw_table_get(seen, uw_operand(from, k).ptr)) {
        uw_table_set(seen, uw_operand(from, k).ptr, 1);
        uw_vals_push(plan->arena, &left, uw_operand(from, k));
      }
  }
  if (looked_through > 1)
    uw_table_set(plan->leaves, op.ptr, (intptr_t)leaves);
}

/* What a loop's argument is from: its start, and the iteration before; or the test before the body. 0: it is a counter,
 * or of another construct. */
static size_t carried_from(MlirValue argument, MlirValue from[2]) {
  if (!mlirValueIsABlockArgument(argument))
    return 0;
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  MlirOperation loop = mlirBlockGetParentOperation(block);
  size_t index = (size_t)mlirBlockArgumentGetArgNumber(argument);
  bool is_for = uw_kind(loop) == UW_OP_SCF_FOR;
  if (uw_kind(loop) == UW_OP_SCF_WHILE && mlirBlockEqual(block, uw_block(loop, 1))) {
    from[0] = uw_operand(uw_last(uw_block(loop, 0)), index + 1);
    return 1;
  }
  if (uw_kind(loop) != UW_OP_SCF_WHILE && (!is_for || index == 0))
    return 0;
  from[0] = uw_operand(loop, is_for ? index + 2 : index);
  from[1] = is_for ? uw_operand(uw_last(block), index - 1) : uw_operand(uw_last(uw_block(loop, 1)), index);
  return 2;
}

static void look_through(search *s, MlirValue value) {
  MlirOperation op = uw_def(value);
  if (uw_null(op)) { /* an argument of a block */
    MlirValue carried[2];
    go_through(s, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)));
    for (size_t i = 0, count = carried_from(value, carried); i < count; i++)
      need(s, carried[i]);
    return;
  }
  go_through(s, uw_parent(op));
  if (is_made_up(s->plan, op)) {
    need_leaves(s, op);
    return;
  }
  size_t result = 0;
  while (result < uw_result_count(op) && !uw_same(uw_result(op, result), value))
    result++;
  switch (uw_kind(op)) {
  case UW_OP_SCF_WHILE:
    go_through(s, op);
    need(s, uw_operand(uw_last(uw_block(op, 0)), result + 1));
    return;
  case UW_OP_SCF_FOR:
    go_through(s, op);
    need(s, uw_operand(op, result + 3));
    need(s, uw_operand(uw_last(uw_block(op, 0)), result));
    return;
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH:
    go_through(s, op);
    for (intptr_t r = 0; r < uw_region_count(op); r++)
      if (!mlirBlockIsNull(uw_block(op, (unsigned)r)))
        need(s, uw_operand(uw_last(uw_block(op, (unsigned)r)), result));
    return;
  case UW_OP_LLVM_GEP:
  case UW_OP_LLVM_BITCAST:
  case UW_OP_LLVM_ADDRSPACECAST: need_address(s, value); return;
  case UW_OP_LLVM_LOAD: need_address(s, uw_operand(op, 0)); return;
  default:
    for (size_t i = 0; i < uw_operand_count(op); i++)
      need(s, uw_operand(op, i));
  }
}

/* --- what numbers are for ----------------------------------------------------------------------------------------- */

/* Marks a value, and what it is a sum or product of. What the kernel loads from where it stores is no length. */
static void mark(uw_table *marked, const uw_table *stored, MlirValue value) {
  MlirOperation op = uw_def(value);
  if (uw_table_get(marked, value.ptr) ||
      (uw_kind(op) == UW_OP_LLVM_LOAD && uw_table_get(stored, uw_address_of(uw_operand(op, 0)).base.ptr)))
    return;
  uw_table_set(marked, value.ptr, 1);
  MlirValue carried[2];
  for (size_t i = carried_from(value, carried); i-- > 0;)
    mark(marked, stored, carried[i]);
  if (!uw_null(op) && uw_speculatable(op) && uw_region_count(op) == 0)
    for (size_t i = 0; i < uw_operand_count(op); i++)
      mark(marked, stored, uw_operand(op, i));
}

static bool is_constant(MlirValue value) {
  int64_t number;
  return uw_const_value(value, &number);
}

/* Bits are masked by it: a power of two, or one less than that. */
static void mark_mask(uw_dry_plan *plan, const uw_table *stored, MlirValue mask) {
  MlirOperation op = uw_def(mask);
  int64_t number;
  bool one_less = (uw_kind(op) == UW_OP_ARITH_ADDI && uw_const_value(uw_operand(op, 1), &number) && number == -1) ||
                  (uw_kind(op) == UW_OP_ARITH_SUBI && uw_const_value(uw_operand(op, 1), &number) && number == 1);
  mark(plan->powers, stored, one_less ? uw_operand(op, 0) : mask);
}

static void find_roles(uw_dry_plan *plan) {
  uw_table *stored = uw_table_create(plan->arena);
  for (size_t i = 0; i < plan->ops.count; i++)
    if (uw_kind(plan->ops.at[i]) == UW_OP_LLVM_STORE)
      uw_table_set(stored, uw_address_of(uw_operand(plan->ops.at[i], 1)).base.ptr, 1);
  for (size_t i = 0; i < plan->ops.count; i++) {
    MlirOperation op = plan->ops.at[i];
    bool of_two = uw_operand_count(op) == 2 && !is_constant(uw_operand(op, 0)) && !is_constant(uw_operand(op, 1));
    switch (uw_kind(op)) {
    case UW_OP_ARITH_MULI:
      if (of_two) {
        mark(plan->lengths, stored, uw_operand(op, 0));
        mark(plan->lengths, stored, uw_operand(op, 1));
      }
      break;
    case UW_OP_ARITH_DIVSI:
    case UW_OP_ARITH_DIVUI:
    case UW_OP_ARITH_REMSI:
    case UW_OP_ARITH_REMUI:
    case UW_OP_ARITH_SHLI: mark(plan->lengths, stored, uw_operand(op, 1)); break;
    case UW_OP_ARITH_ANDI:
      if (of_two) {
        mark_mask(plan, stored, uw_operand(op, 0));
        mark_mask(plan, stored, uw_operand(op, 1));
      }
      break;
    default: break;
    }
  }
}

uw_dry_plan *uw_plan_dry_run(uw_arena *arena, MlirOperation loop, const uw_ops *looked_at) {
  uw_dry_plan *plan = uw_alloc(arena, sizeof *plan);
  *plan = (uw_dry_plan){.arena = arena,
                        .loop = loop,
                        .ops = uw_collect(arena, loop),
                        .op_number = uw_table_create(arena),
                        .value_number = uw_table_create(arena),
                        .needed = uw_table_create(arena),
                        .leaves = uw_table_create(arena),
                        .looked_at = uw_table_create(arena),
                        .lengths = uw_table_create(arena),
                        .powers = uw_table_create(arena)};
  number_all(plan, loop);
  for (size_t i = 0; i < plan->ops.count; i++) {
    uw_table_set(plan->op_number, plan->ops.at[i].ptr, (intptr_t)i + 1);
    number_all(plan, plan->ops.at[i]);
  }
  plan->looked_at_count = looked_at->count;
  plan->addresses = uw_alloc(arena, (plan->values + 1) * sizeof *plan->addresses);
  search s = {.plan = plan};
  for (size_t i = 0; i < looked_at->count; i++) {
    MlirOperation op = looked_at->at[i];
    uw_table_set(plan->looked_at, op.ptr, (intptr_t)i + 1);
    go_through(&s, uw_parent(op));
    for (size_t k = 0; k < uw_operand_count(op); k++)
      if (mlirTypeEqual(mlirValueGetType(uw_operand(op, k)), uw_ptr_type(mlirOperationGetContext(loop))))
        need_address(&s, uw_operand(op, k));
  }
  for (size_t i = 0; i < plan->ops.count; i++)
    if (uw_is_exchange(plan->ops.at[i], "block") || uw_is_exchange(plan->ops.at[i], "warp"))
      go_through(&s, uw_parent(plan->ops.at[i]));
  while (s.left.count)
    look_through(&s, s.left.at[--s.left.count]);
  find_roles(plan);
  return plan;
}
