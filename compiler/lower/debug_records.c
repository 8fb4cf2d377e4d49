/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For -G: makes debug records of the calls that say where variables are (frontend/debug_variables.c,
 * instrument/thread_variables.c). The type of a variable is clang's own, which the way through MLIR left alone; its
 * scope, and the call that it was inlined at, are those of the call's location.
 */
#include <string.h>

#include "llvm-c/DebugInfo.h"
#include "lower.h"

/* A function lists its parameters besides, with types as they came through MLIR: two parameters of one index are none
 * to LLVM. */
static void forget_list(uw_program *program, LLVMMetadataRef scope) {
  enum { SCOPE = 1, RETAINED_NODES = 7, MOST_OPERANDS = 32 };
  LLVMValueRef node = NULL, operands[MOST_OPERANDS];
  while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
    node = LLVMMetadataAsValue(program->context, scope);
    if (LLVMGetMDNodeNumOperands(node) > MOST_OPERANDS)
      return;
    LLVMGetMDNodeOperands(node, operands);
    scope = operands[SCOPE] ? LLVMValueAsMetadata(operands[SCOPE]) : NULL;
  }
  if (scope)
    LLVMReplaceMDNodeOperandWith(LLVMMetadataAsValue(program->context, scope), RETAINED_NODES, NULL);
}

static void declare(uw_program *program, LLVMDIBuilderRef debug, LLVMValueRef call) {
  enum { MOST_ADDRESSES = 4, DEREF = 6 /* DW_OP_deref */ };
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call);
  if (!place)
    return;
  const uw_shown_variable *v = &program->debug.variables[LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1))];
  uint64_t addresses = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2)), operations[MOST_ADDRESSES];
  for (uint64_t i = 0; i < addresses && i < MOST_ADDRESSES; i++)
    operations[i] = DEREF;
  LLVMMetadataRef scope = LLVMDILocationGetScope(place), file = LLVMDIScopeGetFile(scope);
  forget_list(program, scope);
  LLVMMetadataRef variable =
      v->argument ? LLVMDIBuilderCreateParameterVariable(debug, scope, v->name, strlen(v->name), v->argument, file,
                                                         v->line, v->type, 1, LLVMDIFlagZero)
                  : LLVMDIBuilderCreateAutoVariable(debug, scope, v->name, strlen(v->name), file, v->line, v->type, 1,
                                                    LLVMDIFlagZero, 0);
  LLVMDIBuilderInsertDeclareRecordBefore(debug, LLVMGetOperand(call, 0), variable,
                                         LLVMDIBuilderCreateExpression(debug, operations, addresses), place, call);
}

/* A type that is local to a function leads to that, and so to clang's unit. Its lists are of things that are described
 * anew. */
static void add_unit(uw_program *program) {
  enum { ENUMS = 4, MACROS = 8 };
  if (!program->debug.unit)
    return;
  LLVMValueRef unit = LLVMMetadataAsValue(program->context, program->debug.unit);
  for (unsigned list = ENUMS; list <= MACROS; list++)
    LLVMReplaceMDNodeOperandWith(unit, list, NULL);
  LLVMAddNamedMetadataOperand(program->device, "llvm.dbg.cu", unit);
}

void uw_lower_debug_variables(uw_program *program) {
  LLVMValueRef function = LLVMGetNamedFunction(program->device, UW_DECLARE_VARIABLE);
  if (!function)
    return;
  LLVMDIBuilderRef debug = LLVMCreateDIBuilder(program->device);
  for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call))
      continue;
    declare(program, debug, call);
    LLVMInstructionEraseFromParent(call);
  }
  add_unit(program);
  LLVMDIBuilderFinalize(debug);
  LLVMDisposeDIBuilder(debug);
}
