/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Names of files that can be opened. clang writes an absolute path that begins as the current folder does in two parts,
 * the folder that both have and the rest; messages and remarks would show the rest alone. The file's name becomes the
 * whole path then. What the user named from the current folder stays as he named it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend.h"
#include "llvm-c/DebugInfo.h"

typedef struct current {
  LLVMContextRef context;
  uw_arena *arena;
  const char *folders[2]; /* as the system has it, and as the shell calls it */
} current;

static void complete(const current *c, LLVMMetadataRef scope) {
  LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
  unsigned name_length = 0, folder_length = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &name_length) : NULL;
  const char *folder = file ? LLVMDIFileGetDirectory(file, &folder_length) : NULL;
  if (!name || !name_length || !folder || !folder_length || name[0] == '/' || name[0] == '<')
    return;
  for (size_t i = 0; i < 2; i++)
    if (c->folders[i] && strlen(c->folders[i]) == folder_length && memcmp(c->folders[i], folder, folder_length) == 0)
      return;
  const char *slash = folder[folder_length - 1] == '/' ? "" : "/";
  char *path = uw_arena_format(c->arena, "%.*s%s%.*s", (int)folder_length, folder, slash, (int)name_length, name);
  enum { FILENAME_OPERAND = 0 };
  LLVMReplaceMDNodeOperandWith(LLVMMetadataAsValue(c->context, file), FILENAME_OPERAND,
                               LLVMMDStringInContext2(c->context, path, strlen(path)));
}

/* Before any pass nothing is inlined, and a location has one scope. */
void uw_complete_file_names(uw_program *program, LLVMModuleRef module) {
  char folder[PATH_MAX];
  const char *named = getenv("PWD");
  current c = {program->context, program->arena, {getcwd(folder, sizeof folder), named}};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    complete(&c, LLVMGetSubprogram(f));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);
        if (place)
          complete(&c, LLVMDILocationGetScope(place));
      }
  }
}
