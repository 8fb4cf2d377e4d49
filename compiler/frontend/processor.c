/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The processor that code is made for. clang wrote the user's -march and friends into each host function; device code,
 * and what OpenMP lowering outlines from it, gets the same.
 *
 * A null pointer is an address that faults, as on a GPU: LLVM would take it for code that cannot run, and leave it
 * out. */
#include <string.h>

#include "../../runtime/uwrt.h"
#include "frontend.h"

const char *uw_host_attribute(uw_program *program, const char *name) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->host); f; f = LLVMGetNextFunction(f)) {
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
    unsigned length;
    if (attribute && !LLVMIsDeclaration(f))
      return uw_arena_format(program->arena, "%s", LLVMGetStringAttributeValue(attribute, &length));
  }
  return NULL;
}

/* As clang writes them. */
static const uw_level levels[] = {
    {1, "", "x86-64", "+cmov,+cx16,+cx8,+fxsr,+mmx,+sse,+sse2,+x87"},
    {3, ".v3", "x86-64-v3",
     "+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sahf,+sse,+sse2,+sse3,"
     "+sse4.1,+sse4.2,"
     "+ssse3,+x87,+xsave"},
    {4, ".v4", "x86-64-v4",
     "+avx,+avx2,+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+"
     "lzcnt,+mmx,+movbe,"
     "+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave"},
};

const uw_level *uw_level_of_number(int number) {
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    if (levels[i].number == number)
      return &levels[i];
  return NULL;
}

bool uw_is_level_apart(const uw_program *program, int number) {
  return program->levels.built >> number & 1 && program->levels.built & ((1u << number) - 1);
}

int uw_level_of_entry(const uw_program *program, const uw_kernel *kernel, int number) {
  int below = number - 1;
  while (below > 0 && !uw_is_level_apart(program, below))
    below--;
  bool in_place = kernel->launched_in_place && !(kernel->flags & UWRT_KERNEL_BLOCKS_WAIT);
  return in_place && below > 0 ? uw_level_of_entry(program, kernel, below) : number;
}

const char *uw_device_attribute(uw_program *program, const char *name) {
  if (program->levels.now && strcmp(name, "target-cpu") == 0)
    return program->levels.now->cpu;
  if (program->levels.now && strcmp(name, "target-features") == 0)
    return program->levels.now->features;
  return uw_host_attribute(program, name);
}

bool uw_is_launcher(const uw_program *program, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  for (const uw_hidden *hidden = program->launches.hidden; hidden; hidden = hidden->next)
    if (strcmp(hidden->name, name) == 0)
      return true;
  return false;
}

void uw_retarget(uw_program *program, LLVMModuleRef module) {
  static const char *const names[] = {"target-cpu", "target-features", "tune-cpu", "prefer-vector-width"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    unsigned length = (unsigned)strlen(names[i]);
    const char *values[] = {uw_device_attribute(program, names[i]), uw_host_attribute(program, names[i])};
    LLVMAttributeRef attributes[2];
    for (int k = 0; k < 2; k++)
      attributes[k] = values[k] ? LLVMCreateStringAttribute(program->context, names[i], length, values[k],
                                                            (unsigned)strlen(values[k]))
                                : NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
      LLVMAttributeRef attribute = attributes[program->levels.now && uw_is_launcher(program, f)];
      LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, names[i], length);
      if (attribute && !LLVMIsDeclaration(f))
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
    }
  }
  unsigned kind = LLVMGetEnumAttributeKindForName("null_pointer_is_valid", 21);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(program->context, kind, 0));
}
