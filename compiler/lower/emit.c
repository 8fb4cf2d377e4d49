/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs LLVM's optimiser on the whole module and writes it in the form that was asked for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "llvm-c/Analysis.h"
#include "llvm-c/Error.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"
#include "../ir/shim.h"
#include "lower.h"

static LLVMTargetMachineRef make_machine(uw_program *program, const uw_unit *unit) {
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
  LLVMTargetMachineRef machine =
      LLVMCreateTargetMachine(target, triple, cpu ? cpu : "x86-64", features ? features : "", levels[unit->opt_level],
                              unit->pic ? LLVMRelocPIC : LLVMRelocDefault, LLVMCodeModelDefault);
  uw_shim_set_target_options(machine);
  return machine;
}

/* What LLVM says of loops is about our hints (lanes.c), which the program did not ask for. */
static void show_errors(LLVMDiagnosticInfoRef info, void *unused) {
  (void)unused;
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
    uw_fatal("LLVM's optimiser: %s", LLVMGetDiagInfoDescription(info));
}

static void optimise(uw_program *program, LLVMTargetMachineRef machine, int level) {
  LLVMModuleRef module = program->host;
  const char *pipeline =
      uw_arena_format(program->arena, "default<O%d>%s", level, program->address_sanitizer ? ",asan" : "");
  if (level > 1) {
    uw_allow_widths(module);
    uw_mark_tips(module);
    uw_hide_masks(module);
  }
  const char *triple = LLVMGetTarget(module);
  bool has_library = strncmp(triple, "x86_64-", 7) == 0 && strstr(triple, "linux-gnu");
  uw_vector_library library = {.can_call = uw_can_call_vector_math};
  if (has_library && level > 1)
    library.functions = uw_vector_functions(program->arena, &library.count);
  LLVMContextSetDiagnosticHandler(program->context, show_errors, NULL);
  LLVMErrorRef error = uw_shim_optimise(module, pipeline, machine, level > 1, uw_tame_address_division, &library);
  LLVMContextSetDiagnosticHandler(program->context, NULL, NULL);
  if (error)
    uw_fatal("bug in unwarp: LLVM's optimiser failed: %s", LLVMGetErrorMessage(error));
  uw_forward_tips(module, machine);
  uw_tame_shifts(module);
  uw_lower_streams(module);
  uw_compress_stores(module, machine, program->arena);
  uw_estimate_roots(module, machine);
  if (has_library)
    uw_call_vector_math(module, machine);
  if (level > 1) {
    uw_fuse_products(module);
    uw_lower_bases(module);
  }
}

static bool write_text(const uw_unit *unit, const char *text, size_t length) {
  const char *path = unit->output;
  FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
  bool ok = file && fwrite(text, 1, length, file) == length && fflush(file) == 0;
  if (file && file != stdout)
    ok = fclose(file) == 0 && ok;
  if (!ok)
    fprintf(stderr, "unwarp: error: cannot write '%s': %s\n", unit->target, strerror(errno));
  return ok;
}

LLVMTargetMachineRef uw_optimise(uw_program *program, const uw_unit *unit) {
  char *message = NULL;
  if (LLVMVerifyModule(program->host, LLVMReturnStatusAction, &message))
    uw_fatal("bug in unwarp: the LLVM module is not valid: %s", message);
  LLVMTargetMachineRef machine = make_machine(program, unit);
  optimise(program, machine, unit->opt_level);
  return machine;
}

bool uw_emit_result(uw_program *program, LLVMTargetMachineRef machine, const uw_unit *unit) {
  char *message = NULL;
  if (unit->emit == UW_EMIT_LLVM) {
    char *text = LLVMPrintModuleToString(program->host);
    bool ok = write_text(unit, text, strlen(text));
    LLVMDisposeMessage(text);
    return ok;
  }
  LLVMMemoryBufferRef buffer;
  LLVMCodeGenFileType form = unit->emit == UW_EMIT_ASM ? LLVMAssemblyFile : LLVMObjectFile;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, program->host, form, &message, &buffer)) {
    fprintf(stderr, "unwarp: error: code generation failed: %s\n", message);
    return false;
  }
  return write_text(unit, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
}
