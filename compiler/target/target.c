/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * target.def as a stage: LLVM's optimiser over the whole module, and what is done to it before and after. */
#include <string.h>

#include "llvm-c/Analysis.h"
#include "llvm-c/Error.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"
#include "../ir/remarks.h"
#include "../ir/shim.h"
#include "code.h"

LLVMTargetMachineRef uw_make_machine(uw_program *program) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMInitializeNativeAsmParser();
  LLVMTargetRef target;
  char *message = NULL;
  const char *triple = LLVMGetTarget(program->host);
  if (LLVMGetTargetFromTriple(triple, &target, &message))
    uw_fatal("error: no code generator for '%s': %s", triple, message);
  static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
                                               LLVMCodeGenLevelAggressive};
  const char *cpu = uw_host_attribute(program, "target-cpu");
  const char *features = uw_host_attribute(program, "target-features");
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
      target, triple, cpu ? cpu : "x86-64", features ? features : "", levels[program->options.run.opt_level],
      program->options.pic ? LLVMRelocPIC : LLVMRelocDefault, LLVMCodeModelDefault);
  uw_shim_set_target_options(machine);
  return machine;
}

/* What LLVM says of loops is about our hints (lanes.c), which the program did not ask for. */
static void show_errors(LLVMDiagnosticInfoRef info, void *unused) {
  (void)unused;
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
    uw_fatal("LLVM's optimiser: %s", LLVMGetDiagInfoDescription(info));
}

/* glibc's. */
static bool has_vector_library(LLVMModuleRef module) {
  const char *triple = LLVMGetTarget(module);
  return strncmp(triple, "x86_64-", strlen("x86_64-")) == 0 && strstr(triple, "linux-gnu");
}

static void optimise(uw_code *code) {
  uw_program *program = code->program;
  int level = program->options.run.opt_level;
  const char *pipeline =
      uw_arena_format(program->arena, "default<O%d>%s", level, program->address_sanitizer ? ",asan" : "");
  uw_vector_library library = {.can_call = uw_can_call_vector_math};
  if (has_vector_library(code->llvm) && level > 1)
    library.functions = uw_vector_functions(program->arena, &library.count);
  LLVMContextSetDiagnosticHandler(program->context, show_errors, NULL);
  LLVMErrorRef error = uw_shim_optimise(code->llvm, pipeline, code->machine, level > 1, uw_tame_address_division,
                                        &library, program->coverage);
  LLVMContextSetDiagnosticHandler(program->context, NULL, NULL);
  if (error)
    uw_fatal("bug in unwarp: LLVM's optimiser failed: %s", LLVMGetErrorMessage(error));
}

#define UW_STAGE_TABLE "target/target.def"
#include "../ir/stage.inc"

const uw_stage uw_stage_target = {"target", "LLVM's IR of the whole, for the CPU that it is for", "target/target.def",
                                  rows, sizeof rows / sizeof *rows};

LLVMTargetMachineRef uw_optimise(uw_program *program) {
  char *message = NULL;
  if (LLVMVerifyModule(program->host, LLVMReturnStatusAction, &message))
    uw_fatal("bug in unwarp: the LLVM module is not valid: %s", message);
  uw_code code = {.program = program, .llvm = program->host, .machine = uw_make_machine(program)};
  return uw_run_stage(&uw_stage_target, &code, NULL, &program->options.run) ? code.machine : NULL;
}
