/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libdevice.bc and libptx.bc are about a thousand functions, of which device code calls a few. They are read lazily:
 * the names and types at once, a function's instructions when something that is linked calls it. uw_library_function
 * gives a declaration of one, uw_link_needed the bodies of all that are declared by then, and of what those call. */
#include "../ir/shim.h"
#include "frontend.h"
#include "llvm-c/BitReader.h"

static LLVMModuleRef open_library(const uw_program *program, const char *path) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
    uw_fatal("error: cannot read '%s': %s", path, message);
  if (LLVMGetBitcodeModuleInContext2(program->context, buffer, &module)) /* which owns the buffer */
    uw_fatal("error: '%s' is not LLVM bitcode of this version", path);
  LLVMSetTarget(module, LLVMGetTarget(program->host));
  LLVMSetDataLayout(module, LLVMGetDataLayoutStr(program->host));
  return module;
}

static LLVMModuleRef library(uw_program *program, uw_library which) {
  const char *path = program->options.libdevice, *slash = strrchr(path, '/');
  if (which == UW_LIBPTX)
    path = uw_arena_format(program->arena, "%.*slibptx.bc", slash ? (int)(slash - path) + 1 : 0, path);
  if (!program->libraries[which])
    program->libraries[which] = open_library(program, path);
  return program->libraries[which];
}

/* Among other things whether a result of 16 bits has a sign. */
static void copy_attributes(uw_program *program, LLVMValueRef from, LLVMValueRef to) {
  unsigned last = LLVMCountParams(from);
  for (unsigned i = 0; i <= last + 1; i++) {
    LLVMAttributeIndex index = i <= last ? i : (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned count = LLVMGetAttributeCountAtIndex(from, index);
    LLVMAttributeRef *attributes = uw_alloc(program->arena, (count + 1) * sizeof *attributes);
    LLVMGetAttributesAtIndex(from, index, attributes);
    for (unsigned k = 0; k < count; k++)
      LLVMAddAttributeAtIndex(to, index, attributes[k]);
  }
}

LLVMValueRef uw_library_function(uw_program *program, uw_library which, const char *name) {
  LLVMValueRef present = LLVMGetNamedFunction(program->device, name);
  LLVMValueRef found = present ? NULL : LLVMGetNamedFunction(library(program, which), name);
  if (!found || LLVMIsDeclaration(found))
    return present;
  LLVMValueRef declared = LLVMAddFunction(program->device, name, LLVMGlobalGetValueType(found));
  copy_attributes(program, found, declared);
  return declared;
}

void uw_each_library_function(uw_program *program, uw_library which, void (*visit)(uw_program *, const char *name)) {
  size_t length;
  for (LLVMValueRef f = LLVMGetFirstFunction(library(program, which)); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      visit(program, LLVMGetValueName2(f, &length));
}

/* One that the device code defines itself stays as it is. */
static bool is_missing(const uw_program *program, const char *name) {
  LLVMValueRef present = LLVMGetNamedFunction(program->device, name);
  return !present || LLVMIsDeclaration(present);
}

void uw_link_needed(uw_program *program, uw_library which) {
  LLVMModuleRef module = library(program, which);
  size_t count = 0, length;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    count += !LLVMIsDeclaration(f);
  const char **names = uw_alloc(program->arena, count * sizeof *names);
  count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const char *name = LLVMGetValueName2(f, &length);
    if (!LLVMIsDeclaration(f) && is_missing(program, name))
      names[count++] = uw_arena_format(program->arena, "%s", name);
  }
  program->libraries[which] = NULL;
  if (uw_shim_link_needed(program->device, module))
    uw_fatal("error: the functions beside '%s' do not link with the device code", program->options.libdevice);
  for (size_t i = 0; i < count; i++)
    if (!is_missing(program, names[i]))
      LLVMSetLinkage(LLVMGetNamedFunction(program->device, names[i]), LLVMInternalLinkage);
}
