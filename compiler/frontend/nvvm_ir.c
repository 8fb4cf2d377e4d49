/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Intrinsics that NVVM IR has in another form than LLVM (NVVM IR Specification, "Warp-level Intrinsics"): a constant
 * says what LLVM says by the name, and a pair comes back.
 *
 *   {i32, i1} llvm.nvvm.shfl.sync.i32(mask, mode, a, b, c)    ──▶ llvm.nvvm.shfl.sync.MODE.i32p(mask, a, b, c)
 *   {i32, i1} llvm.nvvm.vote.sync(mask, mode, predicate)      ──▶ llvm.nvvm.vote.MODE.sync(mask, predicate), as one of the pair
 *   {T, i1}   llvm.nvvm.match.all.sync.T(mask, value)         ──▶ llvm.nvvm.match.all.sync.Tp(mask, value)
 */
#include "frontend.h"

#include <stdio.h>
#include <string.h>

static LLVMValueRef call_named(LLVMBuilderRef builder, LLVMModuleRef module, const char *name, LLVMValueRef *arguments,
                               unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

/* Null: the mode is no constant, or none of them. */
static LLVMValueRef shuffle(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef call) {
  static const char *const names[] = {"llvm.nvvm.shfl.sync.idx.i32p", "llvm.nvvm.shfl.sync.up.i32p",
                                      "llvm.nvvm.shfl.sync.down.i32p", "llvm.nvvm.shfl.sync.bfly.i32p"};
  LLVMValueRef mode = LLVMGetOperand(call, 1);
  LLVMValueRef arguments[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 2), LLVMGetOperand(call, 3),
                              LLVMGetOperand(call, 4)};
  if (!LLVMIsAConstantInt(mode) || LLVMConstIntGetZExtValue(mode) > 3)
    return NULL;
  return call_named(builder, module, names[LLVMConstIntGetZExtValue(mode)], arguments, 4);
}

static LLVMValueRef vote(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef call) {
  static const char *const names[] = {"llvm.nvvm.vote.all.sync", "llvm.nvvm.vote.any.sync", "llvm.nvvm.vote.uni.sync",
                                      "llvm.nvvm.vote.ballot.sync"};
  enum { BALLOT = 3 };
  LLVMValueRef mode = LLVMGetOperand(call, 1), arguments[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 2)};
  LLVMTypeRef pair = LLVMTypeOf(call);
  if (!LLVMIsAConstantInt(mode) || LLVMConstIntGetZExtValue(mode) > BALLOT)
    return NULL;
  unsigned kind = (unsigned)LLVMConstIntGetZExtValue(mode);
  LLVMValueRef result = call_named(builder, module, names[kind], arguments, 2);
  return LLVMBuildInsertValue(builder, LLVMConstNull(pair), result, kind != BALLOT, "");
}

static LLVMValueRef match_i32(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef call) {
  return call_named(builder, module, "llvm.nvvm.match.all.sync.i32p",
                    (LLVMValueRef[]){LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)}, 2);
}

static LLVMValueRef match_i64(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef call) {
  return call_named(builder, module, "llvm.nvvm.match.all.sync.i64p",
                    (LLVMValueRef[]){LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)}, 2);
}

bool uw_settle_nvvm_intrinsics(LLVMModuleRef module, const char *path) {
  static const struct {
    const char *name;
    int arguments;
    LLVMValueRef (*make)(LLVMBuilderRef, LLVMModuleRef, LLVMValueRef);
  } known[] = {{"llvm.nvvm.shfl.sync.i32", 5, shuffle},
               {"llvm.nvvm.vote.sync", 3, vote},
               {"llvm.nvvm.match.all.sync.i32", 2, match_i32},
               {"llvm.nvvm.match.all.sync.i64", 2, match_i64}};
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  bool good = true;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(module, known[i].name);
    if (!function)
      continue;
    for (LLVMUseRef use; good && (use = LLVMGetFirstUse(function));) {
      LLVMValueRef call = LLVMGetUser(use), made = NULL;
      if (LLVMIsACallInst(call) && LLVMGetNumArgOperands(call) == (unsigned)known[i].arguments) {
        LLVMPositionBuilderBefore(builder, call);
        made = known[i].make(builder, module, call);
      }
      if (!made || LLVMTypeOf(made) != LLVMTypeOf(call)) {
        fprintf(stderr, "%s: error: '%s' is not called as the specification of NVVM IR has it\n", path, known[i].name);
        good = false;
        break;
      }
      LLVMReplaceAllUsesWith(call, made);
      LLVMInstructionEraseFromParent(call);
    }
    if (good)
      LLVMDeleteFunction(function);
  }
  LLVMDisposeBuilder(builder);
  return good;
}
