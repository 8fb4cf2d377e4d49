/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where things are: clang, the linker, libomp, and what came with unwarp itself. */
#ifndef UW_DRIVER_TOOLCHAIN_H
#define UW_DRIVER_TOOLCHAIN_H

#include "../support/strings.h"

#include <stdbool.h>

typedef struct uw_toolchain {
  const char *clang, *clangxx; /* paths of the two drivers, for C and for C++ */
  const char *linker;          /* the user's host compiler as the link's driver; null: clangxx */
  const char *omp_folder;      /* holds libomp.so */
  const char *lld;             /* clang's own linker, quicker than GNU ld; or null */
  bool have_mvec;              /* vector math: glibc's */
  const char *sleef;           /* path of the more exact one; or null */
  const char *system_folder;   /* holds libm.so.6; or null */
  const char *include_folder;  /* holds unwarp_cuda.h and cuda_runtime.h */
  const char *library_folder;  /* holds libunwarp.a */
  const char *link_folder;     /* the same for -l */
  const char *libdevice;       /* libdevice.bc */
} uw_toolchain;

/* What clang needs, what the rest of a CUDA compile needs, what a link needs. Each false after a message that says how
 * to get what is missing. */
bool uw_find_compiler(uw_toolchain *toolchain);
bool uw_find_libdevice(uw_toolchain *toolchain);
bool uw_find_linker(uw_toolchain *toolchain, const char *host_compiler);
/* Which libraries of vector math are there; SLEEF by the name that programs know it by. */
#define UW_SLEEF "libsleef.so.3"
void uw_find_vector_math(uw_toolchain *toolchain);
/* The folder that is laid out as a tool kit; null if there is none. */
const char *uw_find_toolkit(void);
/* The path of a program, by its path or its name on PATH; null if there is none. */
const char *uw_find_program(const char *name);
/* For -v: the lines by which CMake learns about a tool kit from nvcc. NVVMIR_LIBRARY_DIR only tells it the tool kit's
 * root once more, and LIBRARIES is how it recognises the link's command line. The architectures are those asked for
 * (CMake takes the others for broken), else the one that device code sees. */
void uw_show_environment(const uw_strings *architectures);

#endif
