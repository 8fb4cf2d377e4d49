/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The ways into the compiler, and what is different between them. frontends.c has the table.
 *
 *   CUDA          clang's two modules of a source file
 *   CUDA alone    clang's device module, where there is no host code (NVRTC's device as the default execution space)
 *   device code   PTX and NVVM IR, without host code
 *   SYCL          clang's two modules of a source file */
#ifndef UW_FRONTENDS_H
#define UW_FRONTENDS_H

#include "frontend.h"

/* Paths of what is compiled. */
typedef struct uw_sources {
  const char *host, *device;       /* clang's two modules; null for device code alone, host also for CUDA alone */
  const char *const *device_files; /* of device code alone: they become one module */
  size_t device_file_count;
  const char *cpu;   /* without a host module: as -march names it, or null */
  const char *names; /* of CUDA alone: where the names that the source asks for go, or null */
} uw_sources;

struct uw_frontend {
  const char *name;
  /* Fills in context, host and device module. False after messages. */
  bool (*load)(uw_program *program, const uw_sources *sources);
  /* Gives device code of clang the meaning that its language has; null: load did. */
  void (*settle)(uw_program *program);
  /* Fills in kernels and variables. False after messages. */
  bool (*find_kernels)(uw_program *program);
  /* Sizes and offsets of the kernels' parameters: before functions are inlined, or after it, or null. */
  void (*read_parameters)(uw_program *program);
  void (*take_parameters_apart)(uw_program *program);
  /* What kernels may not do and clang does not say; null: nothing. False after messages. */
  bool (*check)(uw_program *program);
  /* May other files call the device function? */
  bool (*is_shared)(const uw_program *program, LLVMValueRef function);
  /* May a function that is not defined here be another file's, also without -rdc=true? */
  bool any_may_be_shared;
  /* A function that kernels may call and the runtime or the C library has, beside those that all may call; null: no
   * other. */
  bool (*is_provided)(const char *name);
  /* Does a host function stand for each kernel (uw_kernel.stub)? */
  bool has_stubs;
};

const uw_frontend *uw_frontend_of(const uw_sources *sources, bool sycl);

#endif
