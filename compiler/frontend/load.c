/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads the bitcode files of one compile into one LLVM context. */
#include "frontend.h"
#include "sycl/sycl.h"
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

bool uw_load(uw_program *program, const char *host_path, const char *device_path, const char *libdevice_path) {
  program->context = LLVMContextCreate();
  program->host = read_module(program->context, host_path);
  program->device = read_module(program->context, device_path);
  uw_complete_file_names(program, program->host);
  uw_complete_file_names(program, program->device);
  if (program->sycl) {
    uw_sycl_define_builtins(program);
  } else {
    uw_define_arithmetic(program->device);
    uw_flush_denormals(program);
  }
  program->libdevice = libdevice_path;
  LLVMModuleRef libdevice = uw_read_bitcode(program, libdevice_path);
  /* clang lays types out alike on both sides; from here on the device code is code for this CPU. */
  LLVMSetTarget(program->device, LLVMGetTarget(program->host));
  LLVMSetDataLayout(program->device, LLVMGetDataLayoutStr(program->host));
  if (LLVMLinkModules2(program->device, libdevice))
    uw_fatal("error: '%s' does not link with the device code", libdevice_path);
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
