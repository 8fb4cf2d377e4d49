/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Device code as PTX text, by clang's own back end for it, optimised as clang would.
 */
#include <string.h>

#include "llvm-c/Error.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"
#include "llvm-c/Transforms/PassBuilder.h"
#include "ptx.h"

/* LLVM's own names for what clang keeps for others; nothing of them belongs into the text. */
static void drop_lists(LLVMModuleRef module) {
  static const char *const names[] = {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef list = LLVMGetNamedGlobal(module, names[i]);
    if (list)
      LLVMDeleteGlobal(list);
  }
}

LLVMMemoryBufferRef uw_write_ptx(LLVMModuleRef module) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMTargetRef target;
  char *message = NULL;
  const char *triple = LLVMGetTarget(module);
  if (LLVMGetTargetFromTriple(triple, &target, &message))
    uw_fatal("error: no code generator for '%s': %s", triple, message);
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(target, triple, "sm_80", "+ptx83", LLVMCodeGenLevelAggressive,
                                                         LLVMRelocDefault, LLVMCodeModelDefault);
  drop_lists(module);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, "default<O3>", machine, options);
  if (error)
    uw_fatal("bug in unwarp: LLVM's optimiser failed: %s", LLVMGetErrorMessage(error));
  LLVMDisposePassBuilderOptions(options);
  LLVMMemoryBufferRef text;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, &message, &text))
    uw_fatal("error: no PTX of this device code: %s", message);
  LLVMDisposeTargetMachine(machine);
  return text;
}
