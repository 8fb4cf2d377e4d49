/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where an instruction stands in the user's source. */
#include <stdio.h>

#include "frontend.h"
#include "llvm-c/DebugInfo.h"

void uw_print_place(LLVMValueRef instruction, bool outermost) {
  LLVMMetadataRef place = instruction && LLVMIsAInstruction(instruction) ? LLVMInstructionGetDebugLoc(instruction) : NULL;
  while (place && outermost && LLVMDILocationGetInlinedAt(place))
    place = LLVMDILocationGetInlinedAt(place);
  LLVMMetadataRef file = place ? LLVMDIScopeGetFile(LLVMDILocationGetScope(place)) : NULL;
  unsigned length = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
  if (name)
    fprintf(stderr, "%.*s:%u: ", (int)length, name, LLVMDILocationGetLine(place));
  else
    fputs("unwarp: ", stderr);
}
