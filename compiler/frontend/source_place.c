/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where an instruction stands in the user's source and what he calls a function, for messages now and at the link. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ir/shim.h"
#include "frontend.h"
#include "llvm-c/DebugInfo.h"

const char *uw_place_of(uw_program *program, LLVMValueRef instruction, bool outermost) {
  LLVMMetadataRef place =
      instruction && LLVMIsAInstruction(instruction) ? LLVMInstructionGetDebugLoc(instruction) : NULL;
  while (place && outermost && LLVMDILocationGetInlinedAt(place))
    place = LLVMDILocationGetInlinedAt(place);
  LLVMMetadataRef file = place ? LLVMDIScopeGetFile(LLVMDILocationGetScope(place)) : NULL;
  unsigned length = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
  return name ? uw_arena_format(program->arena, "%.*s:%u: ", (int)length, name, LLVMDILocationGetLine(place))
              : "unwarp: ";
}

/* Is this file the system's, or one of our headers? clang names files below the current folder relative to it. */
static bool is_of_library(uw_program *program, LLVMMetadataRef file) {
  static const char system[] = "/usr/";
  unsigned length = 0, folder_length = 0;
  const char *name = LLVMDIFileGetFilename(file, &length), *folder = LLVMDIFileGetDirectory(file, &folder_length);
  const char *path = length && name[0] == '/'
                         ? uw_arena_format(program->arena, "%.*s", (int)length, name)
                         : uw_arena_format(program->arena, "%.*s/%.*s", (int)folder_length, folder, (int)length, name);
  return strncmp(path, system, strlen(system)) == 0 ||
         (program->options.headers && strncmp(path, program->options.headers, strlen(program->options.headers)) == 0);
}

const char *uw_place_in_program(uw_program *program, LLVMValueRef instruction) {
  LLVMMetadataRef place =
      instruction && LLVMIsAInstruction(instruction) ? LLVMInstructionGetDebugLoc(instruction) : NULL;
  for (; place; place = LLVMDILocationGetInlinedAt(place)) {
    unsigned length = 0;
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(place));
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    if (name && !is_of_library(program, file))
      return uw_arena_format(program->arena, "%.*s:%u: ", (int)length, name, LLVMDILocationGetLine(place));
  }
  return uw_place_of(program, instruction, false);
}

/* The line of a function's first operation that has one: its own is not kept without -g. */
static unsigned first_line(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
      LLVMMetadataRef place = LLVMInstructionGetDebugLoc(op);
      while (place && LLVMDILocationGetInlinedAt(place))
        place = LLVMDILocationGetInlinedAt(place);
      if (place && LLVMDILocationGetLine(place))
        return LLVMDILocationGetLine(place);
    }
  return 0;
}

const char *uw_place_of_users_function(uw_program *program, LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
  unsigned length = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
  if (!name || is_of_library(program, file))
    return NULL;
  unsigned line = LLVMDISubprogramGetLine(subprogram);
  return uw_arena_format(program->arena, "%.*s:%u", (int)length, name, line ? line : first_line(function));
}

void uw_print_place(uw_program *program, LLVMValueRef instruction, bool outermost) {
  fputs(uw_place_of(program, instruction, outermost), stderr);
}

void uw_note_for_link(uw_program *program, const char *what, LLVMValueRef instruction, const char *symbol,
                      const char *shown, const char *reached) {
  program->link.notes =
      uw_arena_format(program->arena, "%s%s\t%s\t%s\t%s\t%s\n", program->link.notes ? program->link.notes : "", what,
                      symbol, uw_place_of(program, instruction, false), shown, reached);
}

void uw_warn_at_link(uw_program *program, const char *symbol, const char *warning) {
  program->link.warnings = uw_arena_format(program->arena, "%s%s\t%s\n",
                                           program->link.warnings ? program->link.warnings : "", symbol, warning);
}

const char *uw_shown_name(uw_program *program, const char *symbol) {
  size_t length = strlen(symbol);
  if (uw_is_device_symbol(symbol, length))
    symbol = uw_arena_format(program->arena, "%.*s", (int)(length - strlen(UW_DEVICE_SYMBOL)), symbol);
  char *demangled = uw_shim_demangle(symbol);
  const char *copy = uw_arena_format(program->arena, "%s", demangled);
  free(demangled);
  return copy;
}
