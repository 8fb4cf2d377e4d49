/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * -fcheck looks at what host code reads and writes, too: memory that kernels and copies may still be at
 * (runtime/check/host.c). What a function has on its own stack, and constants, nobody else is at. In line there is one
 * question, whether the host has anything left to wait for:
 *
 *   x = *p    ==>    if (uwrt_check_open) uwrt_check_host(p, 4, LOAD);  x = *p */
#include <string.h>

#include "../../runtime/uwrt.h"
#include "llvm-c/DebugInfo.h"
#include "llvm-c/Target.h"
#include "lower.h"

typedef struct host_checks {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  LLVMBuilderRef at;
  LLVMTypeRef type; /* of the check */
  LLVMValueRef check;
} host_checks;

static LLVMTypeRef int_of(const host_checks *h, unsigned bits) { return LLVMIntTypeInContext(h->context, bits); }

static LLVMValueRef make_check(host_checks *h) {
  LLVMTypeRef types[] = {LLVMPointerTypeInContext(h->context, 0), int_of(h, 64), int_of(h, 32)}, i32 = types[2];
  h->type = LLVMFunctionType(LLVMVoidTypeInContext(h->context), types, 3, 0);
  LLVMValueRef full = LLVMAddFunction(h->module, "uwrt_check_host", h->type);
  LLVMValueRef open = LLVMAddGlobal(h->module, i32, "uwrt_check_open");
  LLVMValueRef check = LLVMAddFunction(h->module, "__unwarp_check_host", h->type);
  LLVMSetLinkage(check, LLVMInternalLinkage);
  unsigned inlined = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));
  LLVMAddAttributeAtIndex(check, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(h->context, inlined, 0));
  LLVMBasicBlockRef ask = LLVMAppendBasicBlockInContext(h->context, check, ""),
                    call = LLVMAppendBasicBlockInContext(h->context, check, ""),
                    end = LLVMAppendBasicBlockInContext(h->context, check, "");
  LLVMPositionBuilderAtEnd(h->at, ask);
  LLVMValueRef is_open =
      LLVMBuildICmp(h->at, LLVMIntNE, LLVMBuildLoad2(h->at, i32, open, ""), LLVMConstInt(i32, 0, 0), "");
  LLVMBuildCondBr(h->at, is_open, call, end);
  LLVMPositionBuilderAtEnd(h->at, call);
  LLVMValueRef arguments[] = {LLVMGetParam(check, 0), LLVMGetParam(check, 1), LLVMGetParam(check, 2)};
  LLVMBuildCall2(h->at, h->type, full, arguments, 3, "");
  LLVMBuildBr(h->at, end);
  LLVMPositionBuilderAtEnd(h->at, end);
  LLVMBuildRetVoid(h->at);
  return check;
}

static int is_private(LLVMValueRef address) {
  while (LLVMIsAGetElementPtrInst(address) || LLVMIsAConstantExpr(address))
    address = LLVMGetOperand(address, 0);
  return LLVMIsAAllocaInst(address) ||
         (LLVMIsAGlobalVariable(address) && (LLVMIsGlobalConstant(address) || LLVMIsThreadLocal(address)));
}

static void add_check(host_checks *h, LLVMValueRef before, LLVMValueRef address, LLVMValueRef bytes, uint32_t kind) {
  if (is_private(address) || LLVMGetPointerAddressSpace(LLVMTypeOf(address)))
    return;
  LLVMPositionBuilderBefore(h->at, before);
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(before);
  if (!place &&
      LLVMGetSubprogram(LLVMGetBasicBlockParent(LLVMGetInstructionParent(before)))) /* such a call has to have one */
    place = LLVMDIBuilderCreateDebugLocation(
        h->context, 0, 0, LLVMGetSubprogram(LLVMGetBasicBlockParent(LLVMGetInstructionParent(before))), NULL);
  LLVMSetCurrentDebugLocation2(h->at, place);
  LLVMValueRef arguments[] = {address, LLVMBuildIntCast2(h->at, bytes, int_of(h, 64), 0, ""),
                              LLVMConstInt(int_of(h, 32), kind, 0)};
  LLVMBuildCall2(h->at, h->type, h->check, arguments, 3, "");
}

static int is_atomic(LLVMValueRef op) {
  return LLVMGetVolatile(op) || LLVMGetOrdering(op) != LLVMAtomicOrderingNotAtomic;
}

static LLVMValueRef size_of(const host_checks *h, LLVMTypeRef type) {
  return LLVMConstInt(int_of(h, 64), LLVMStoreSizeOfType(h->layout, type), 0);
}

static void check_call(host_checks *h, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  const char *name = LLVMIsAFunction(callee) ? uw_llvm_name(callee) : "";
  int copies = !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13),
      fills = !strncmp(name, "llvm.memset.", 12);
  if (!copies && !fills)
    return;
  add_check(h, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 2), UWRT_CHECK_STORE);
  if (copies)
    add_check(h, call, LLVMGetOperand(call, 1), LLVMGetOperand(call, 2), UWRT_CHECK_LOAD);
}

static void check_instruction(host_checks *h, LLVMValueRef op) {
  switch (LLVMGetInstructionOpcode(op)) {
  case LLVMLoad:
    add_check(h, op, LLVMGetOperand(op, 0), size_of(h, LLVMTypeOf(op)),
              is_atomic(op) ? UWRT_CHECK_MEETING_LOAD : UWRT_CHECK_LOAD);
    break;
  case LLVMStore:
    add_check(h, op, LLVMGetOperand(op, 1), size_of(h, LLVMTypeOf(LLVMGetOperand(op, 0))),
              is_atomic(op) ? UWRT_CHECK_MEETING_STORE : UWRT_CHECK_STORE);
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    add_check(h, op, LLVMGetOperand(op, 0), size_of(h, LLVMTypeOf(LLVMGetOperand(op, 1))), UWRT_CHECK_ATOMIC);
    break;
  case LLVMCall:
  case LLVMInvoke: check_call(h, op); break;
  default: break;
  }
}

/* Where a program can have streams that the null stream does not wait for, the checker keeps more of what kernels read
 * (runtime/check/reads.c). */
static void note_streams(host_checks *h) {
  static const char *const makers[] = {
      "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority", "cuStreamCreate", "cuStreamCreateWithPriority",
      "cuGetProcAddress",          "cudaGetDriverEntryPoint"};
  int any = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(h->module); f && !any; f = LLVMGetNextFunction(f))
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) /* and newer names of them: …_v2 */
      any |= strncmp(uw_llvm_name(f), makers[i], strlen(makers[i])) == 0 ||
             strncmp(uw_llvm_name(f), "uwrt_sycl", strlen("uwrt_sycl")) == 0;
  if (!any)
    return;
  LLVMTypeRef byte = int_of(h, 8);
  LLVMValueRef note = LLVMAddGlobal(h->module, byte, "uwrt_check_makes_streams");
  LLVMSetInitializer(note, LLVMConstInt(byte, 1, 0));
  LLVMSetGlobalConstant(note, 1);
  LLVMSetLinkage(note, LLVMWeakAnyLinkage);
}

void uw_check_host(LLVMModuleRef module) {
  host_checks h = {
      .module = module, .context = LLVMGetModuleContext(module), .layout = LLVMGetModuleDataLayout(module)};
  h.at = LLVMCreateBuilderInContext(h.context);
  h.check = make_check(&h);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (f != h.check)
      for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
          check_instruction(&h, op);
  note_streams(&h);
  LLVMDisposeBuilder(h.at);
}
