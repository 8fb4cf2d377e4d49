/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * finish.def as a stage: LLVM's IR of device code, from what MLIR's translation gives to what joins the host's. */
#include <string.h>

#include "../../runtime/uwrt.h"
#include "llvm-c/DebugInfo.h"
#include "llvm-c/Target.h"
#include "../ir/remarks.h"
#include "../ir/shim.h"
#include "lower.h"

enum { UNWIND_TABLE = 2 /* for every instruction */ };

/* -fsanitize=address: clang marks the host's functions for LLVM's pass; device code is looked at as well, where the checker does not. */
bool uw_wants_address_sanitizer(uw_program *program) {
  unsigned kind = LLVMGetEnumAttributeKindForName("sanitize_address", 16);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->host); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind))
      return true;
  return false;
}

static void mark_for_address_sanitizer(LLVMModuleRef module) {
  unsigned kind = LLVMGetEnumAttributeKindForName("sanitize_address", 16);
  LLVMAttributeRef attribute = LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
}

/* -fsanitize-coverage is the host compiler's; workers would call it all at once. What of a kernel became part of a host
 * function tells as that does. */
static void leave_device_code_uncovered(const uw_program *program, LLVMModuleRef module) {
  static const char name[] = "nosanitize_coverage";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAttributeRef attribute = LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !uw_is_launcher(program, f))
      LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
}

static void drop_convergent(LLVMModuleRef module) {
  unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, convergent);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef call = LLVMGetFirstInstruction(block); call; call = LLVMGetNextInstruction(call))
        if (LLVMIsACallInst(call))
          LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, convergent);
  }
}

/* Constant-size stack room inside the loop over blocks moves to the function's entry, where LLVM can promote it. Its
 * contents are undefined at the start of each iteration, so that iterations may share it. Only in the functions that
 * OpenMP outlined from our loops and those that run one block: a host function may call alloca in a loop and mean
 * it. */
static bool runs_blocks(const uw_program *program, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  for (size_t i = 0; i < program->kernel_count; i++)
    if ((program->kernels[i].flags & UWRT_KERNEL_BLOCKS_WAIT && strcmp(program->kernels[i].entry, name) == 0) ||
        (program->kernels[i].replay && strcmp(program->kernels[i].replay, name) == 0))
      return true;
  return uw_is_share(function);
}

static void hoist_allocas(const uw_program *program, LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!runs_blocks(program, f))
      continue;
    LLVMBasicBlockRef entry = LLVMIsDeclaration(f) ? NULL : LLVMGetEntryBasicBlock(f);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMBasicBlockRef block = entry ? LLVMGetNextBasicBlock(entry) : NULL; block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        if (!LLVMIsAAllocaInst(op) || !LLVMIsAConstantInt(LLVMGetOperand(op, 0)))
          continue;
        LLVMInstructionRemoveFromParent(op);
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
        LLVMInsertIntoBuilder(builder, op);
      }
    LLVMDisposeBuilder(builder);
  }
}

static void add_attribute(const uw_program *program, LLVMValueRef function, const char *name, uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(program->context, kind, value));
}

/* Runs at most once, when all is lost: costs as little compile time as possible. Where the lowest level has nothing else,
 * levels.c optimises it. */
static void leave_replays_as_they_are(const uw_program *program, LLVMModuleRef module) {
  if (program->levels.plain)
    return;
  static const char *const attributes[] = {"optnone", "noinline", "cold"};
  for (size_t i = 0; i < program->kernel_count; i++) {
    const char *name = program->kernels[i].replay;
    LLVMValueRef replay = name ? LLVMGetNamedFunction(module, name) : NULL;
    for (size_t k = 0; replay && k < sizeof attributes / sizeof *attributes; k++)
      add_attribute(program, replay, attributes[k], 0);
  }
}

/* A replay, or a device function that stayed a call, which replays call as well. */
static bool runs_in_replays(const uw_program *program, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  for (size_t i = 0; i < program->kernel_count; i++)
    if (strcmp(program->kernels[i].entry, name) == 0)
      return false;
  return !uw_is_share(function) && !uw_is_launcher(program, function);
}

static bool keeps_lines_of_faults(const uw_program *program) {
  return program->options.lines == UW_LINES_OF_FAULTS && !program->levels.now;
}

void uw_strip_lines(const uw_program *program, LLVMModuleRef module) {
  if (program->options.lines == UW_LINES_ALL)
    return;
  if (!keeps_lines_of_faults(program)) {
    LLVMStripModuleDebugInfo(module);
    return;
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMGetSubprogram(f) || !runs_in_replays(program, f))
      uw_shim_strip_debug_info(f);
}

static void strip_lines(const uw_program *program, LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && keeps_lines_of_faults(program); f = LLVMGetNextFunction(f))
    if (runs_in_replays(program, f) && !LLVMIsDeclaration(f))
      add_attribute(program, f, "uwtable", UNWIND_TABLE); /* to see who called it */
  if (uw_remarks_form() == UW_REMARKS_NONE)
    uw_strip_lines(program, module);
}

static void set_layout(const uw_program *program, LLVMModuleRef device) {
  LLVMSetTarget(device, LLVMGetTarget(program->host));
  LLVMSetDataLayout(device, LLVMGetDataLayoutStr(program->host));
}

#define UW_STAGE_TABLE "lower/finish.def"
#include "../ir/stage.inc"

const uw_stage uw_stage_finish = {"finish", "LLVM's IR of device code, before it joins the host's", "lower/finish.def",
                                  rows, sizeof rows / sizeof *rows};

bool uw_finish_device(uw_program *program) {
  uw_code code = {.program = program, .llvm = program->device};
  return uw_run_stage(&uw_stage_finish, &code, NULL, &program->options.run);
}
