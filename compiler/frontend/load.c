/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads the bitcode files of one compile into one LLVM context. */
#include "frontends.h"
#include "llvm-c/BitReader.h"
#include "llvm-c/Error.h"
#include "llvm-c/Linker.h"
#include "llvm-c/Transforms/PassBuilder.h"

static LLVMModuleRef read_module(LLVMContextRef context, const char *path) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
    uw_fatal("error: cannot read '%s': %s", path, message);
  if (LLVMParseBitcodeInContext2(context, buffer, &module))
    uw_fatal("error: '%s' is not LLVM bitcode of this version", path);
  LLVMDisposeMemoryBuffer(buffer);
  return module;
}

LLVMModuleRef uw_read_bitcode(const uw_program *program, const char *path) {
  LLVMModuleRef module = read_module(program->context, path);
  LLVMSetTarget(module, LLVMGetTarget(program->host));
  LLVMSetDataLayout(module, LLVMGetDataLayoutStr(program->host));
  return module;
}

LLVMModuleRef uw_read_device(const char *path) { return read_module(LLVMContextCreate(), path); }

/* What device code declares, with its types: PTX does not tell a float from 32 bits there. */
static void copy_declarations(LLVMModuleRef from, LLVMModuleRef to) {
  size_t length;
  for (LLVMValueRef f = LLVMGetFirstFunction(from); f; f = LLVMGetNextFunction(f)) {
    const char *name = LLVMGetValueName2(f, &length);
    if (LLVMIsDeclaration(f) && strncmp(name, "llvm.", 5) != 0 && !LLVMGetNamedFunction(to, name))
      LLVMAddFunction(to, name, LLVMGlobalGetValueType(f));
  }
}

/* Device code becomes PTX text, and that device code again. */
static bool send_through_ptx(uw_program *program, const char *path) {
  LLVMModuleRef clang = program->device;
  program->device = LLVMModuleCreateWithNameInContext("ptx", program->context);
  copy_declarations(clang, program->device);
  LLVMMemoryBufferRef text = uw_write_ptx(program, clang, &(uw_ptx_form){0});
  LLVMDisposeModule(clang);
  return text && uw_load_ptx_alone(program, LLVMGetBufferStart(text), LLVMGetBufferSize(text), path);
}

bool uw_load(uw_program *program, const char *host_path, const char *device_path) {
  program->context = LLVMContextCreate();
  program->host = read_module(program->context, host_path);
  uw_complete_file_names(program, program->host);
  return uw_load_clang_device(program, device_path);
}

bool uw_load_clang_device(uw_program *program, const char *device_path) {
  program->device = read_module(program->context, device_path);
  uw_complete_file_names(program, program->device);
  if (program->options.through_ptx)
    return send_through_ptx(program, device_path);
  program->frontend->settle(program);
  LLVMModuleRef libdevice = uw_read_bitcode(program, program->options.libdevice);
  /* clang lays types out alike on both sides; from here on the device code is code for this CPU. */
  LLVMSetTarget(program->device, LLVMGetTarget(program->host));
  LLVMSetDataLayout(program->device, LLVMGetDataLayoutStr(program->host));
  if (LLVMLinkModules2(program->device, libdevice))
    uw_fatal("error: '%s' does not link with the device code", program->options.libdevice);
  return true;
}

void uw_run_llvm(LLVMModuleRef module, const char *pipeline, int inline_threshold) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  if (inline_threshold)
    LLVMPassBuilderOptionsSetInlinerThreshold(options, inline_threshold);
  LLVMErrorRef error = LLVMRunPasses(module, pipeline, NULL, options);
  if (error)
    uw_fatal("bug in unwarp: LLVM refuses the pipeline '%s': %s", pipeline, LLVMGetErrorMessage(error));
  LLVMDisposePassBuilderOptions(options);
}
