/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop over the threads of a block in which a thread waits for others in a loop of its own (raise/waiting_blocks.c) may not
 * run one thread to its end before the next: the one that is waited for may come later. Its body becomes a function,
 * outlined as a region of OpenMP's, which the runtime runs on fibers (runtime/threads.c):
 *
 *   scf.forall (%y, %x) { … }          ==>        omp.parallel { while (thread = uwrt_thread_next(), thread < count) { … } }
 *   call @__kmpc_fork_call(place, 1, outlined, data)     ==>     call @uwrt_threads_fork(place, 1, outlined, data)
 *
 * A loop whose iterations all threads of the block go through together, since there is a barrier in it, stands outside
 * of the loop over threads by now, and is none of these.
 */
#include <string.h>

#include "../ir/parallel.h"
#include "llvm-c/DebugInfo.h"
#include "lower.h"

static const char next_thread[] = "uwrt_thread_next";

/* How often the loop goes round in this dimension. */
static MlirValue iterations_of(uw_builder *b, MlirOperation threads, size_t d) {
  MlirValue from = uw_lower_of(threads, d), to = uw_upper_of(threads, d), step = uw_step_of(threads, d);
  MlirValue length = uw_binary(b, "arith.maxsi", uw_binary(b, "arith.subi", to, from), uw_const_index(b, 0));
  return uw_binary(b, "arith.ceildivui", length, step);
}

void uw_make_concurrent(MlirModule module, MlirOperation threads) {
  enum { SEGMENTS = 6 };
  static const int32_t no_operands[SEGMENTS] = {0};
  uw_declare(module, next_thread, "!llvm.func<i64 ()>");
  uw_builder b = uw_at(threads);
  MlirBlock body = uw_block(threads, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body);
  MlirValue iterations[dims], count = uw_const_index(&b, 1);
  for (size_t d = 0; d < dims; d++) {
    iterations[d] = iterations_of(&b, threads, d);
    count = uw_binary(&b, "arith.muli", count, iterations[d]);
  }
  MlirOperation region = uw_build(&b, "omp.parallel", .regions = 1, .segments = no_operands, .segment_count = SEGMENTS);
  MlirBlock inside = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(region, 0), inside);
  uw_builder in = uw_at_end(inside, b.location);
  MlirOperation loop = uw_build_while(&in, (uw_value_list){0}, TYPES(uw_index_type(b.context)));
  uw_build(&in, "omp.terminator");
  uw_builder test = uw_at_end(uw_block(loop, 0), b.location), run = uw_at_end(uw_block(loop, 1), b.location);
  MlirValue number = uw_result(uw_call(&test, next_thread, (uw_value_list){0}, uw_int_type(b.context, 64)), 0);
  number = uw_build1(&test, "arith.index_castui", .in = VALS(number), .out = TYPES(uw_index_type(b.context)));
  uw_build(&test, "scf.condition", .in = VALS(uw_compare(&test, UW_ULT, number, count), number));
  MlirValue left = mlirBlockGetArgument(uw_block(loop, 1), 0);
  for (size_t d = dims; d-- > 0;) {
    MlirValue iteration = d ? uw_binary(&run, "arith.remui", left, iterations[d]) : left;
    MlirValue distance = uw_binary(&run, "arith.muli", iteration, uw_step_of(threads, d));
    uw_replace_uses(mlirBlockGetArgument(body, (intptr_t)d),
                    uw_binary(&run, "arith.addi", uw_lower_of(threads, d), distance));
    left = d ? uw_binary(&run, "arith.divui", left, iterations[d]) : left;
  }
  uw_foreach_op_safe (op, body)
    if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL)
      uw_move_to_end(op, uw_block(loop, 1));
  uw_yield(uw_block(loop, 1), b.location, (uw_value_list){0});
  uw_erase(threads);
}

/* --- in LLVM IR --------------------------------------------------------------------------------------------------- */

static LLVMValueRef called(LLVMValueRef op) {
  LLVMValueRef callee = LLVMIsACallInst(op) ? LLVMGetCalledValue(op) : NULL;
  return callee && LLVMIsAFunction(callee) ? callee : NULL;
}

static bool calls(LLVMValueRef function, const char *name) {
  size_t length;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      if (called(op) && strcmp(LLVMGetValueName2(called(op), &length), name) == 0)
        return true;
  return false;
}

static void run_on_fibers(LLVMModuleRef module, LLVMValueRef fork) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
  LLVMTypeRef types[] = {pointer, LLVMInt32TypeInContext(LLVMGetModuleContext(module)), pointer, pointer};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetModuleContext(module)), types, 4, 0);
  LLVMValueRef function = LLVMGetNamedFunction(module, "uwrt_threads_fork"), values[4];
  for (unsigned i = 0; i < 4; i++)
    values[i] = i < LLVMGetNumArgOperands(fork) ? LLVMGetOperand(fork, i) : LLVMConstNull(pointer);
  if (!function)
    function = LLVMAddFunction(module, "uwrt_threads_fork", type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(builder, fork);
  LLVMInstructionSetDebugLoc(LLVMBuildCall2(builder, type, function, values, 4, ""), LLVMInstructionGetDebugLoc(fork));
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(fork);
}

void uw_lower_waiting_threads(LLVMModuleRef module) {
  LLVMValueRef fork = LLVMGetNamedFunction(module, "__kmpc_fork_call");
  if (!fork || !LLVMGetNamedFunction(module, next_thread))
    return;
  for (LLVMUseRef use = LLVMGetFirstUse(fork), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use), outlined = LLVMIsACallInst(call) ? LLVMGetOperand(call, 2) : NULL;
    if (outlined && LLVMIsAFunction(outlined) && calls(outlined, next_thread))
      run_on_fibers(module, call);
  }
}
