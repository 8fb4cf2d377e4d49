/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Writes what a compile ends in, in the form that was asked for. */
#include "emit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
