/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Branches of kernels become structured control flow. Each kernel, an llvm.func, becomes a func.func of the same name;
 * its llvm.br, cond_br and switch become cf.*, an unreachable (which stands behind a trap or a failed assert: this
 * thread ends) becomes a return; then MLIR's lift-cf-to-scf does the work: scf.if, scf.while, scf.index_switch.
 * Other device functions keep their branches: no barrier is in them. After a report they return to their caller, with
 * no value that means anything: the error is noted, and what the thread still computes is lost with the context.
 */
#include "raise.h"

static MlirOperation make_func(MlirModule module, MlirOperation kernel) {
  MlirContext context = mlirModuleGetContext(module);
  MlirType type = mlirTypeAttrGetValue(uw_get_attr(kernel, "function_type"));
  intptr_t count = mlirLLVMFunctionTypeGetNumInputs(type);
  MlirType inputs[count ? count : 1];
  for (intptr_t i = 0; i < count; i++)
    inputs[i] = mlirLLVMFunctionTypeGetInput(type, i);
  uw_builder b = uw_at(kernel);
  MlirOperation func = uw_build(
      &b, "func.func", .regions = 1,
      .attrs = ATTRS({"sym_name", uw_get_attr(kernel, "sym_name")},
                     {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(context, count, inputs, 0, NULL))}));
  if (!mlirAttributeIsNull(uw_get_attr(kernel, "arg_attrs"))) /* __restrict__, for one */
    uw_set_attr(func, "arg_attrs", uw_get_attr(kernel, "arg_attrs"));
  mlirRegionTakeBody(mlirOperationGetRegion(func, 0), mlirOperationGetRegion(kernel, 0));
  mlirOperationDestroy(kernel);
  return func;
}

/* The same terminator under another name: operands, successors and segment attributes are alike in llvm and cf. */
static void rename_branch(MlirOperation op, const char *name) {
  uw_builder b = uw_at(op);
  MlirOperationState state = mlirOperationStateGet(uw_str(name), b.location);
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    MlirValue operand = uw_operand(op, i);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(op); i++) {
    MlirBlock successor = mlirOperationGetSuccessor(op, i);
    mlirOperationStateAddSuccessors(&state, 1, &successor);
  }
  static const char *const kept[] = {"operandSegmentSizes", "case_values", "case_operand_segments"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    MlirAttribute attribute = uw_get_attr(op, kept[i]);
    if (mlirAttributeIsNull(attribute))
      continue;
    MlirNamedAttribute named = mlirNamedAttributeGet(mlirIdentifierGet(b.context, uw_str(kept[i])), attribute);
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  MlirOperation fresh = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(b.block, op, fresh);
  uw_erase(op);
}

/* scf.index_switch becomes cf.switch again with an integer of 32 bits, whatever it was: cases that are alike in these
 * would meet. A switch on more bits goes by the index of its case instead. */
static void number_cases(MlirOperation op) {
  MlirAttribute cases = uw_get_attr(op, "case_values");
  unsigned bits = mlirIntegerTypeGetWidth(mlirValueGetType(uw_operand(op, 0)));
  if (mlirAttributeIsNull(cases) || bits <= 32 || bits > 64)
    return;
  int64_t count = mlirElementsAttrGetNumElements(cases);
  int32_t numbers[count ? count : 1];
  uw_builder b = uw_at(op);
  MlirValue number = uw_const_int(&b, 32, count); /* none of them */
  for (int64_t i = count; i-- > 0;) {
    MlirValue value = uw_const_int(&b, bits, mlirDenseElementsAttrGetInt64Value(cases, (intptr_t)i));
    MlirValue same =
        uw_build1(&b, "arith.cmpi", .in = VALS(uw_operand(op, 0), value), .out = TYPES(uw_int_type(b.context, 1)),
                  .attrs = ATTRS({"predicate", uw_int_attr(b.context, 64, 0)}));
    number = uw_build1(&b, "arith.select", .in = VALS(same, uw_const_int(&b, 32, i), number),
                       .out = TYPES(uw_int_type(b.context, 32)));
    numbers[i] = (int32_t)i;
  }
  mlirOperationSetOperand(op, 0, number);
  uw_set_attr(op, "case_values",
              mlirDenseElementsAttrInt32Get(mlirVectorTypeGet(1, &count, uw_int_type(b.context, 32)), (intptr_t)count,
                                            numbers));
}

static void rename_branches(MlirOperation func, uw_arena *arena) {
  uw_ops ops = uw_collect(arena, func);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    switch (uw_kind(op)) {
    case UW_OP_LLVM_BR: rename_branch(op, "cf.br"); break;
    case UW_OP_LLVM_COND_BR: rename_branch(op, "cf.cond_br"); break;
    case UW_OP_LLVM_SWITCH:
      number_cases(op);
      rename_branch(op, "cf.switch");
      break;
    case UW_OP_LLVM_RETURN:
    case UW_OP_LLVM_UNREACHABLE: {
      uw_builder b = uw_at(op);
      uw_build(&b, "func.return");
      uw_erase(op);
      break;
    }
    default: break;
    }
  }
}

/* A function that stayed a call: the unreachable after a report, which does return, becomes a return of zero. */
static void return_after_reports(MlirOperation function, uw_arena *arena) {
  MlirType result = mlirLLVMFunctionTypeGetReturnType(mlirTypeAttrGetValue(uw_get_attr(function, "function_type")));
  uw_ops ops = uw_collect_kind(arena, function, UW_OP_LLVM_UNREACHABLE);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation report = uw_prev(ops.at[i]);
    if (uw_null(report) ||
        (!uw_attr_is_str(report, "callee", "uwrt_assert_fail") && !uw_attr_is_str(report, "callee", "uwrt_trap")))
      continue;
    uw_builder b = uw_at(ops.at[i]);
    if (mlirTypeEqual(result, uw_type(b.context, "!llvm.void")))
      uw_build(&b, "llvm.return");
    else
      uw_build(&b, "llvm.return", .in = VALS(uw_build1(&b, "llvm.mlir.zero", .out = TYPES(result))));
    uw_erase(ops.at[i]);
  }
}

static bool in_loop(MlirOperation op) {
  return !uw_null(uw_parent_of_kind(op, UW_OP_SCF_FOR)) || !uw_null(uw_parent_of_kind(op, UW_OP_SCF_WHILE));
}

/* alloca in a loop asks for other memory in each iteration, all of it there until the function ends. From here on an
 * alloca in the code is one piece of memory. (Variables of a loop's body are so already: they are made where the
 * function starts.) */
static bool refuse_alloca_in_loops(uw_arena *arena, MlirOperation func) {
  uw_ops rooms = uw_collect_kind(arena, func, UW_OP_LLVM_ALLOCA);
  for (size_t i = 0; i < rooms.count; i++)
    if (in_loop(rooms.at[i])) {
      uw_error(mlirOperationGetLocation(rooms.at[i]),
               "alloca in a loop of a kernel is not supported; use an array of a constant size in front of "
               "the loop, or malloc, or put the loop into a function marked __noinline__");
      return false;
    }
  return true;
}

bool uw_raise_structure(MlirModule module, uw_program *program) {
  uw_ops funcs = {0};
  for (size_t i = 0; i < program->kernel_count; i++) {
    MlirOperation kernel = uw_find_symbol(module, program->kernels[i].name);
    if (!uw_null(kernel) && uw_kind(kernel) == UW_OP_LLVM_FUNC) {
      MlirOperation func = make_func(module, kernel);
      rename_branches(func, program->arena);
      uw_ops_push(program->arena, &funcs, func);
    }
  }
  uw_foreach_op (op, mlirModuleGetBody(module))
    if (uw_kind(op) == UW_OP_LLVM_FUNC)
      return_after_reports(op, program->arena);
  if (!uw_run_pipeline(module, "func.func(lift-cf-to-scf,cse,canonicalize,cse)")) {
    if (uw_error_count() == 0)
      uw_error(mlirLocationUnknownGet(mlirModuleGetContext(module)), "control flow does not lift; a bug in unwarp");
    return false;
  }
  bool ok = true;
  for (size_t i = 0; i < funcs.count; i++)
    if (!mlirBlockIsNull(mlirBlockGetNextInRegion(uw_block(funcs.at[i], 0)))) {
      uw_error(mlirOperationGetLocation(funcs.at[i]), "this kernel's control flow cannot be given structure; "
                                                      "write its loops without goto into them");
      ok = false;
    } else if (!refuse_alloca_in_loops(program->arena, funcs.at[i])) {
      ok = false;
    }
  return ok;
}
