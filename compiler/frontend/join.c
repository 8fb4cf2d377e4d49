/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Several modules of device code become one, as a GPU's linker would make them. LLVM's linker joins them; two things
 * are ours. What two modules define under a name that all may see is refused. And a function that one module calls by
 * another type than it has where it is defined (PTX knows no pointers and no floats there, only bits) is called by its
 * own type, values cast:
 *
 *     %r = call i32 @f(i64 %p)      ==>   %q = inttoptr i64 %p to ptr
 *     define float @f(ptr)                %s = call float @f(ptr %q)
 *                                         %r = bitcast float %s to i32
 */
#include <stdio.h>

#include "frontend.h"
#include "llvm-c/Linker.h"
#include "llvm-c/Target.h"

static bool is_one_for_all(LLVMValueRef global) {
  return !LLVMIsDeclaration(global) && LLVMGetLinkage(global) == LLVMExternalLinkage;
}

/* LLVM's linker would end the process. */
static bool is_defined_once(uw_program *program, LLVMModuleRef module, const char *path) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMValueRef other = is_one_for_all(f) ? LLVMGetNamedFunction(program->device, uw_llvm_name(f)) : NULL;
    if (other && is_one_for_all(other)) {
      fprintf(stderr, "%s: error: the function '%s' is defined in another module, too\n", path, uw_llvm_name(f));
      return false;
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    LLVMValueRef other = is_one_for_all(g) ? LLVMGetNamedGlobal(program->device, uw_llvm_name(g)) : NULL;
    if (other && is_one_for_all(other)) {
      fprintf(stderr, "%s: error: the variable '%s' is defined in another module, too\n", path, uw_llvm_name(g));
      return false;
    }
  }
  return true;
}

/* Null: of another size. */
static LLVMValueRef cast_bits(LLVMBuilderRef builder, LLVMTargetDataRef layout, LLVMValueRef value, LLVMTypeRef type) {
  LLVMTypeRef from = LLVMTypeOf(value);
  if (from == type)
    return value;
  if (!LLVMTypeIsSized(from) || !LLVMTypeIsSized(type) ||
      LLVMSizeOfTypeInBits(layout, from) != LLVMSizeOfTypeInBits(layout, type) ||
      LLVMGetTypeKind(from) == LLVMStructTypeKind || LLVMGetTypeKind(from) == LLVMArrayTypeKind ||
      LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return NULL;
  if (LLVMGetTypeKind(from) == LLVMPointerTypeKind)
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMBuildAddrSpaceCast(builder, value, type, "")
                                                        : LLVMBuildPtrToInt(builder, value, type, "");
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMBuildIntToPtr(builder, value, type, "")
                                                      : LLVMBuildBitCast(builder, value, type, "");
}

static bool call_by_own_type(LLVMBuilderRef builder, LLVMTargetDataRef layout, LLVMValueRef call,
                             LLVMValueRef function) {
  enum { MOST = 256 };
  LLVMTypeRef type = LLVMGlobalGetValueType(function), types[MOST], result = LLVMGetReturnType(type);
  unsigned count = LLVMCountParamTypes(type);
  LLVMValueRef arguments[MOST];
  if (count != LLVMGetNumArgOperands(call) || count > MOST || LLVMIsFunctionVarArg(type))
    return false;
  LLVMGetParamTypes(type, types);
  LLVMPositionBuilderBefore(builder, call);
  for (unsigned i = 0; i < count; i++)
    if (!(arguments[i] = cast_bits(builder, layout, LLVMGetOperand(call, i), types[i])))
      return false;
  LLVMValueRef fresh = LLVMBuildCall2(builder, type, function, arguments, count, "");
  bool used = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
  if (used != (LLVMGetTypeKind(result) != LLVMVoidTypeKind))
    return !LLVMGetFirstUse(call) && (LLVMInstructionEraseFromParent(call), true);
  LLVMValueRef value = used ? cast_bits(builder, layout, fresh, LLVMTypeOf(call)) : NULL;
  if (used && !value)
    return false;
  if (used)
    LLVMReplaceAllUsesWith(call, value);
  LLVMInstructionEraseFromParent(call);
  return true;
}

static bool fit_calls(LLVMModuleRef module, LLVMContextRef context, const char *path) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  bool good = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && good; f = LLVMGetNextFunction(f))
    for (LLVMUseRef use = LLVMIsDeclaration(f) ? NULL : LLVMGetFirstUse(f), next; use && good; use = next) {
      next = LLVMGetNextUse(use);
      LLVMValueRef call = LLVMGetUser(use);
      if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != f ||
          LLVMGetCalledFunctionType(call) == LLVMGlobalGetValueType(f))
        continue;
      good = call_by_own_type(builder, layout, call, f);
      if (!good)
        fprintf(stderr, "%s: error: a call of '%s' does not fit its definition in another module\n", path,
                uw_llvm_name(f));
    }
  LLVMDisposeBuilder(builder);
  return good;
}

bool uw_link_device(uw_program *program, LLVMModuleRef module, const char *path) {
  if (!program->device) {
    program->device = module;
    return true;
  }
  if (!is_defined_once(program, module, path))
    return false;
  if (LLVMLinkModules2(program->device, module)) {
    fprintf(stderr, "%s: error: it does not link with the other modules\n", path);
    return false;
  }
  return fit_calls(program->device, program->context, path);
}
