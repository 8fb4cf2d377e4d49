/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where a host function keeps a crew of workers (passes/host/merge_parallel_regions.c), its launches ask the runtime, which has the crew
 * run a share each or, when there is none, libomp open a region:
 *
 *   call @__kmpc_fork_call(place, 1, outlined, data)     ==>     call @uwrt_crew_fork(place, 1, outlined, data)
 *
 * The functions take the same arguments (runtime/uwrt.h). Regions of the host's own, which take any number of them,
 * stay. */
#include <string.h>

#include "llvm-c/DebugInfo.h"
#include "lower.h"

static LLVMValueRef called(LLVMValueRef op) {
  LLVMValueRef callee = LLVMIsACallInst(op) ? LLVMGetCalledValue(op) : NULL;
  return callee && LLVMIsAFunction(callee) ? callee : NULL;
}

static bool is_named(LLVMValueRef function, const char *name) {
  size_t length;
  return strcmp(LLVMGetValueName2(function, &length), name) == 0;
}

void uw_call_instead(LLVMModuleRef module, LLVMValueRef call, const char *name, unsigned arguments) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef types[5];
  LLVMValueRef values[5], function = LLVMGetNamedFunction(module, name);
  for (unsigned i = 0; i < arguments; i++) {
    values[i] =
        i < LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, i) : LLVMConstNull(LLVMPointerTypeInContext(context, 0));
    types[i] = LLVMTypeOf(values[i]);
  }
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, arguments, 0);
  if (!function)
    function = LLVMAddFunction(module, name, type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, call);
  LLVMInstructionSetDebugLoc(LLVMBuildCall2(builder, type, function, values, arguments, ""),
                             LLVMInstructionGetDebugLoc(call));
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(call);
}

static bool has_crew(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      if (called(op) && is_named(called(op), "uwrt_crew_open"))
        return true;
  return false;
}

/* Regions of the host's own OpenMP stay as they are. */
static bool runs_launch(LLVMValueRef call) { return uw_is_share(LLVMGetOperand(call, 2)); }

/* The number of workers for a region is said before it. */
static void ask_for_crew(LLVMModuleRef module, LLVMValueRef function) {
  LLVMValueRef limit = NULL;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
      next = LLVMGetNextInstruction(op);
      if (!called(op))
        continue;
      bool either = is_named(called(op), "__kmpc_fork_call_if");
      if (is_named(called(op), "__kmpc_push_num_threads"))
        limit = op;
      if (!either && !is_named(called(op), "__kmpc_fork_call"))
        continue;
      if (runs_launch(op)) {
        if (limit)
          uw_call_instead(module, limit, "uwrt_crew_limit", 3);
        uw_call_instead(module, op, either ? "uwrt_crew_fork_if" : "uwrt_crew_fork", either ? 5 : 4);
      }
      limit = NULL;
    }
}

void uw_lower_crews(LLVMModuleRef module) {
  if (!LLVMGetNamedFunction(module, "uwrt_crew_open"))
    return;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && has_crew(f))
      ask_for_crew(module, f);
}
