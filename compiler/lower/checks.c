/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The checks of single accesses (libdevice/check/access.c), which -fcheck inlines, join the lowered device module. They
 * are bitcode beside libdevice. */
#include <string.h>

#include "llvm-c/Linker.h"
#include "lower.h"

void uw_link_checks(uw_program *program) {
  const char *slash = strrchr(program->options.libdevice, '/');
  const char *path =
      uw_arena_format(program->arena, "%.*slibcheck.bc", slash ? (int)(slash - program->options.libdevice) + 1 : 0,
                      program->options.libdevice);
  LLVMModuleRef checks = uw_read_bitcode(program, path);
  LLVMSetDataLayout(checks, LLVMGetDataLayoutStr(program->device));
  uw_retarget(program, checks);
  enum { MOST = 256 };
  char *names[MOST];
  size_t count = 0, length;
  for (LLVMValueRef f = LLVMGetFirstFunction(checks); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && count < MOST)
      names[count++] = uw_arena_format(program->arena, "%s", LLVMGetValueName2(f, &length));
  if (LLVMLinkModules2(program->device, checks))
    uw_fatal("error: '%s' does not link with the device code", path);
  for (size_t i = 0; i < count; i++)
    LLVMSetLinkage(LLVMGetNamedFunction(program->device, names[i]), LLVMInternalLinkage);
}
